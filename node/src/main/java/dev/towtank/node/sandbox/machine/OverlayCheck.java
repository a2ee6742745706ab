package dev.towtank.node.sandbox.machine;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.FileTree;
import dev.towtank.node.linux.Groundwork;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Spawn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Whether this server may put the layers of an image over each other. Tried in the way that containers have it, as
/// what forbids it may be the kernel, a setting of it, or the file system that the layers are on.
final class OverlayCheck {

    private static final long ROOM = 1 << 20;
    private static final String OPTIONS = "userxattr,lowerdir=image/1:image/0,upperdir=layer/upper,workdir=layer/work";

    private OverlayCheck() {}

    /// @param place a directory that may be written to
    /// @return why not, in half a sentence
    static Optional<String> problem(Path place) {
        try {
            var directory = Files.createTempDirectory(place, "overlay");
            try {
                return attempt(directory);
            } finally {
                FileTree.delete(directory);
            }
        } catch (IOException e) {
            return Optional.of("layers of images cannot be put over each other here (" + e.getMessage() + ")");
        }
    }

    private static Optional<String> attempt(Path directory) throws IOException {
        for (var name : List.of("layer", "image/0", "image/1")) {
            Files.createDirectories(directory.resolve(name));
        }
        var rights = Processes.user() == 0 ? new Groundwork.Rights.Had() : new Groundwork.Rights.Made();
        var layers = new Groundwork.Layers(directory.toAbsolutePath(), ROOM, OPTIONS, rights, List.of());
        int none = Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0);
        try {
            int pid = Spawn.start(new Spawn.Program(
                    Path.of("/bin/true"),
                    List.of("true"),
                    List.of(),
                    List.of(none, none, none),
                    Optional.empty(),
                    Optional.of(Path.of("/")),
                    Optional.of(new Groundwork(Optional.empty(), Optional.of(layers), Optional.empty()))));
            int code = Processes.await(pid).orElse(0);
            return code == 0 ? Optional.empty() : Optional.of("a program on layers of images ended with " + code);
        } finally {
            Descriptors.close(none);
        }
    }
}
