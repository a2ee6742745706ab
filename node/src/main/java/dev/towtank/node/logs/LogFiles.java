package dev.towtank.node.logs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/// The files of one log, in the order of their numbers.
///
/// A file has one record a line: time, stream (`o` or `e`) with `F` for a whole line or `P` for a part of
/// one, how many bytes of the stream it stands for, and the text. Its name tells, besides its number, how
/// many bytes of both streams came before it: so it can always be said how much of a container's output has
/// been stored.
record LogFiles(Path directory) {

    static final int TIME = 30;

    record Segment(Path path, long number, long stdoutBefore, long stderrBefore) {}

    List<Segment> list() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".log"))
                    .map(LogFiles::segment)
                    .sorted(Comparator.comparingLong(Segment::number))
                    .toList();
        }
    }

    /// Whether the first of them has been dropped.
    boolean lackBeginning() throws IOException {
        var all = list();
        return !all.isEmpty() && all.getFirst().number() > 0;
    }

    Segment named(long number, long stdoutBefore, long stderrBefore) {
        var path = directory.resolve(number + "-" + stdoutBefore + "-" + stderrBefore + ".log");
        return new Segment(path, number, stdoutBefore, stderrBefore);
    }

    private static Segment segment(Path path) {
        var name = path.getFileName().toString();
        var parts = name.substring(0, name.length() - ".log".length()).split("-", -1);
        return new Segment(path, Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
}
