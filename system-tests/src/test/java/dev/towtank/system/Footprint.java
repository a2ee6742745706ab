package dev.towtank.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// What a server holds, as the machine, its JVM and itself tell it.
///
/// @param heap bytes of objects that somebody can still reach
/// @param threads of the machine
/// @param virtualThreads that have not ended
/// @param files that are open
/// @param series of metrics
record Footprint(long heap, long threads, long virtualThreads, long files, long series) {

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
    private static final Pattern VIRTUAL =
            Pattern.compile("(?m)^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+java\\.lang\\.VirtualThread\\s");
    private static final Pattern FILLER =
            Pattern.compile("(?m)^\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+\\S*jdk\\.internal\\.vm\\.Filler");
    private static final Pattern THREADS = Pattern.compile("(?m)^Threads:\\s+(\\d+)");

    static Footprint of(RunningTowtank server) {
        var process = Path.of("/proc", Long.toString(server.pid()));
        // It collects garbage before it counts.
        var objects = Program.run(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(server.pid()),
                        "GC.class_histogram"))
                .out();
        try (var files = Files.list(process.resolve("fd"))) {
            return new Footprint(
                    number(TOTAL, objects) - fillers(objects),
                    number(THREADS, Files.readString(process.resolve("status"))),
                    number(VIRTUAL, objects),
                    files.count(),
                    Kubectl.newest(server.kubeconfig(), "default")
                            .run("get", "--raw", "/metrics")
                            .lines()
                            .filter(line -> !line.startsWith("#"))
                            .count());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What the collector puts where nothing is any more.
    private static long fillers(String objects) {
        return FILLER.matcher(objects)
                .results()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .sum();
    }

    /// None where it is not told.
    private static long number(Pattern pattern, String text) {
        var found = pattern.matcher(text);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }
}
