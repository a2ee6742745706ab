package dev.towtank.app.engine;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.node.images.ImageMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Where the images of registries are on this machine.
///
/// @param store the directory of all of them
/// @param logins the file in which a user's other tools keep passwords for registries; it need not exist
/// @param copied whether each container gets a copy of its image's files, also where layers could be put over each
/// other
public record RealImagesSite(Path store, ImageMode mode, Path logins, boolean copied) {

    private static final String ROOTS = "TOWTANK_IMAGE_ROOTS";

    private static final int LARGEST = 1 << 20;

    public static RealImagesSite of(DataDirectory data, ImageMode mode, Map<String, String> environment) {
        var home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        var directory = environment.getOrDefault(
                "DOCKER_CONFIG", Path.of(home, ".docker").toString());
        return new RealImagesSite(data.imageStore(), mode, Path.of(directory, "config.json"), copied(environment));
    }

    private static boolean copied(Map<String, String> environment) {
        var asked = environment.getOrDefault(ROOTS, "");
        if (!asked.isEmpty() && !asked.equals("copy")) {
            throw new Failure("The variable " + ROOTS + " can be 'copy', or not be there; it is '" + asked + "'.");
        }
        return !asked.isEmpty();
    }

    /// Read for each pull, as it may change; what is no such file counts as none.
    ///
    /// @param registry as images name it
    public List<Json.Obj> passwords(String registry) {
        try {
            if (!Files.isRegularFile(logins) || Files.size(logins) > LARGEST) {
                return List.of();
            }
            var config = JsonText.parseObject(Files.readAllBytes(logins));
            var known = List.of(config.object("auths"));
            return PasswordProgram.of(config, registry)
                    .flatMap(helper -> helper.ask(registry))
                    .map(helped -> List.of(helped, known.getFirst()))
                    .orElse(known);
        } catch (IOException | JsonText.Malformed e) {
            return List.of();
        }
    }
}
