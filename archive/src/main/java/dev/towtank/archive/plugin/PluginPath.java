package dev.towtank.archive.plugin;

import dev.towtank.archive.ArchiveRefusal;
import java.util.Optional;

/// `/plugins/NAME/REST` or `/plugins/NAME/workspaces/WORKSPACE/REST`.
///
/// @param workspace absent for the server that is asked
/// @param rest what is asked of the server behind the plugin, from its first slash
public record PluginPath(String plugin, Optional<String> workspace, String rest) {

    public static final String PREFIX = "/plugins";
    private static final String WORKSPACES = "workspaces";

    public static PluginPath parse(String path) {
        var parts = path.split("/", -1);
        if (parts.length < 3 || parts[2].isEmpty()) {
            throw ArchiveRefusal.invalid("path " + path + " is missing the name of a plugin: /plugins/NAME/...");
        }
        boolean hasWorkspace = parts.length > 3 && parts[3].equals(WORKSPACES);
        if (!hasWorkspace) {
            return new PluginPath(checked(parts[2]), Optional.empty(), behind(path, 3));
        }
        if (parts.length < 5 || parts[4].isEmpty()) {
            throw ArchiveRefusal.invalid("path " + path + " is missing the name of a workspace: /plugins/" + parts[2]
                    + "/workspaces/NAME/...");
        }
        return new PluginPath(checked(parts[2]), Optional.of(checked(parts[4])), behind(path, 5));
    }

    private static String checked(String name) {
        if (!name.matches("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")) {
            throw ArchiveRefusal.invalid("no name of a plugin or workspace: it has letters, digits, dots and dashes");
        }
        return name;
    }

    private static String behind(String path, int parts) {
        int at = 0;
        for (int i = 0; i < parts && at >= 0; i++) {
            at = path.indexOf('/', i == 0 ? 0 : at + 1);
        }
        return at < 0 ? "/" : path.substring(at);
    }
}
