package dev.towtank.node.sandbox.machine;

import dev.towtank.node.linux.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What of this machine a container gets to see, looked up once.
///
/// @param links directories of the root that are links here, like `/bin`, with what they lead to
/// @param directories directories of the root that are none
/// @param shell the file that `/bin/sh` really is
public record MachineView(
        int uid,
        int gid,
        List<Link> links,
        List<Path> directories,
        Path shell,
        Optional<Path> bash,
        Optional<Path> busybox,
        long memoryBytes) {

    public record Link(String name, String target) {}

    private static final List<String> PROGRAMS = List.of("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32");

    public static MachineView look() throws IOException {
        var links = new ArrayList<Link>();
        var directories = new ArrayList<Path>();
        for (var name : PROGRAMS) {
            var path = Path.of("/", name);
            if (Files.isSymbolicLink(path)) {
                links.add(new Link("/" + name, Files.readSymbolicLink(path).toString()));
            } else if (Files.isDirectory(path)) {
                directories.add(path);
            }
        }
        return new MachineView(
                Processes.user(),
                Processes.group(),
                links,
                directories,
                Path.of("/bin/sh").toRealPath(),
                program("bash"),
                program("busybox"),
                memory());
    }

    /// A program of the system, not of somebody's PATH.
    public static Optional<Path> program(String name) {
        for (var directory : List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin")) {
            var path = Path.of(directory, name);
            if (Files.isExecutable(path)) {
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }

    private static long memory() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
            return lines.filter(line -> line.startsWith("MemTotal:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(1L << 30);
        }
    }

    public boolean root() {
        return uid == 0;
    }
}
