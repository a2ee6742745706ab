package dev.towtank.node.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What the kernel calls the ways to open a file, and what it takes away from the mode of a new one.
final class FileFlags {

    /// Where relative paths begin.
    static final int HERE = -100; // AT_FDCWD

    static final int CLOEXEC = 0x80000;
    static final int CREATE = 0x40;
    static final int EXCLUSIVE = 0x80;
    static final int NONBLOCK = 0x800;
    static final int PATH_ONLY = 0x200000;

    // The only two that differ between the architectures.
    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");
    static final int DIRECTORY = ARM ? 0x4000 : 0x10000;
    static final int NO_FOLLOW = ARM ? 0x8000 : 0x20000;

    private static final int ALL = 0777;
    private static final int CREATION_MASK = creationMask();

    private FileFlags() {}

    /// Whether the kernel takes something away from the mode that a new file is to have.
    static boolean isMasked(int mode) {
        return (mode & CREATION_MASK) != 0;
    }

    /// Nobody changes it while this process runs. Unknown, it may take anything away.
    private static int creationMask() {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("Umask:"))
                    .map(line ->
                            Integer.parseInt(line.substring("Umask:".length()).strip(), 8))
                    .findFirst()
                    .orElse(ALL);
        } catch (IOException | RuntimeException e) {
            return ALL;
        }
    }
}
