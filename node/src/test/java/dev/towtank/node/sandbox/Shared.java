package dev.towtank.node.sandbox;

import dev.towtank.node.linux.FileTree;
import dev.towtank.node.sandbox.machine.MachineSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The directory that all containers of a sandbox share. The machine's settings in it are copied once for all tests
/// of a process: they are hundreds of files.
final class Shared {

    private static final Path ONCE = copyOnce();

    private Shared() {}

    static Path in(Path home) throws IOException {
        var shared = home.resolve("shared");
        if (!Files.exists(shared)) {
            Files.createDirectories(shared);
            Files.createSymbolicLink(shared.resolve(ONCE.getFileName()), ONCE);
        }
        return shared;
    }

    /// Without this every test would end with hundreds of warnings that a link leads elsewhere.
    static void leave(Path home) throws IOException {
        FileTree.delete(home.resolve("shared"));
    }

    private static Path copyOnce() {
        try {
            var directory = Files.createTempDirectory("towtank-settings");
            var copied = new MachineSettings(directory).current().directory();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
            return copied;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try {
            FileTree.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
