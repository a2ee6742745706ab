package dev.towtank.node.volumes;

import dev.towtank.model.Json;
import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.OpenDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/// The part of a volume that a container mounts.
final class SubPath {

    private static final Pattern REFERENCE = Pattern.compile("\\$(\\$|\\(([^)]*)\\))");

    private static final int MADE_ON_THE_WAY = 0777;

    private SubPath() {}

    /// The way from the volume to what is mounted, which is there and leads through no link; empty for all of it.
    static String in(Path volume, Json.Obj container, Json.Obj mount, Map<String, String> environment)
            throws VolumeProblem {
        var expression = mount.string("subPathExpr");
        var path = expression.isEmpty() ? mount.string("subPath") : expanded(expression, environment);
        if (path.isEmpty()) {
            return "";
        }
        if (path.startsWith("/")) {
            throw new VolumeProblem("error SubPath `" + path + "` must not be an absolute path");
        }
        for (var part : path.split("/", -1)) {
            if (part.equals("..")) {
                throw new VolumeProblem("unable to provision SubPath `" + path + "`: must not contain '..'");
            }
        }
        var whose =
                " for volumeMount \"" + mount.string("name") + "\" of container \"" + container.string("name") + "\"";
        if (path.indexOf('\0') >= 0) {
            throw new VolumeProblem("failed to prepare subPath" + whose + ": it holds a zero byte");
        }
        return place(volume, Path.of(path).normalize().toString(), whose);
    }

    private static String place(Path volume, String path, String whose) throws VolumeProblem {
        try {
            // Files of a configMap are links of our own making, into the very volume.
            if (Files.isSymbolicLink(volume.resolve("..data")) && Files.exists(volume.resolve(path))) {
                var root = volume.toRealPath();
                var real = root.resolve(path).toRealPath();
                if (real.startsWith(root)) {
                    return root.relativize(real).toString();
                }
            }
            try (var root = OpenDirectory.of(volume)) {
                if (!path.isEmpty()) {
                    root.makeInside(path, MADE_ON_THE_WAY).close();
                }
            }
            return path;
        } catch (LinuxException e) {
            throw new VolumeProblem(
                    e.is(LinuxException.ELOOP)
                            ? "failed to prepare subPath" + whose
                            : "failed to create subPath directory" + whose);
        } catch (IOException e) {
            throw new VolumeProblem("failed to prepare subPath" + whose);
        }
    }

    private static String expanded(String expression, Map<String, String> environment) throws VolumeProblem {
        var matcher = REFERENCE.matcher(expression);
        var result = new StringBuilder();
        int last = 0;
        while (matcher.find()) {
            result.append(expression, last, matcher.start());
            last = matcher.end();
            var name = matcher.group(2);
            if (name == null) {
                result.append('$');
                continue;
            }
            var value = environment.get(name);
            if (value == null) {
                throw new VolumeProblem("missing value for \"" + name + "\"");
            }
            result.append(value);
        }
        return result.append(expression.substring(last)).toString();
    }
}
