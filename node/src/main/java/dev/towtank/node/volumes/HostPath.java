package dev.towtank.node.volumes;

import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A hostPath volume: refused unless the one who started the server has allowed the directory.
record HostPath(VolumeSettings settings, Json.Obj source) {

    Path prepared() throws VolumeProblem, IOException {
        var path = Path.of(source.string("path")).normalize();
        if (!settings.allows(path)) {
            throw refused(path);
        }
        var type = source.string("type");
        var prepared = switch (type) {
            case "DirectoryOrCreate" -> Files.createDirectories(path);
            case "FileOrCreate" -> Files.exists(path) ? path : Files.createFile(path);
            default -> path;
        };
        check(type, prepared);
        // A link in an allowed directory must not lead out of it.
        if (!settings.allows(prepared.toRealPath())) {
            throw refused(prepared);
        }
        return prepared;
    }

    private static VolumeProblem refused(Path path) {
        return new VolumeProblem("hostPath " + path + " is not allowed on this node: start the server with"
                + " --allow-host-path " + path + " if pods may use it");
    }

    private static void check(String type, Path path) throws VolumeProblem {
        var problem = switch (type) {
            case "Directory", "DirectoryOrCreate" -> Files.isDirectory(path) ? "" : "is not a directory";
            case "File", "FileOrCreate" -> Files.isRegularFile(path) ? "" : "is not a file";
            case "" -> Files.exists(path) ? "" : "does not exist";
            default -> "cannot be used as " + type + " on this node";
        };
        if (!problem.isEmpty()) {
            throw new VolumeProblem("hostPath type check failed: " + path + " " + problem);
        }
    }
}
