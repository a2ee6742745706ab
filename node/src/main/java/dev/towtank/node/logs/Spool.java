package dev.towtank.node.logs;

import dev.towtank.node.linux.Descriptors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What came out of a container's pipe and is not in its log yet. Bytes get here inside the kernel, so there
/// is no moment at which the death of this process could lose them. The file's name tells where in the stream
/// it begins.
final class Spool implements AutoCloseable {

    private static final long ENOUGH = 1 << 16;
    private static final long AT_ONCE = 1 << 18;

    private final Path directory;
    private final String stream;
    private int descriptor = -1;
    private long start;
    private long end;

    /// Whether the file exists: many containers never say a word, and then it does not.
    private boolean there;

    private Spool(Path directory, String stream, long start) {
        this.directory = directory;
        this.stream = stream;
        this.start = start;
        this.end = start;
    }

    static Spool begin(Path directory, String stream) {
        return new Spool(directory, stream, 0);
    }

    /// @param stored how much of the stream is in the log
    static Spool open(Path directory, String stream, long stored) throws IOException {
        var spool = new Spool(directory, stream, stored);
        for (var file : spool.files()) {
            long start = Long.parseLong(file.getFileName().toString().substring(stream.length() + 1));
            long size = Files.size(file);
            if (start + size < stored || (size == 0 && start != stored)) {
                Files.delete(file); // all of it is in the log
                continue;
            }
            spool.start = start;
            spool.end = start + size;
            spool.there = true;
        }
        return spool;
    }

    /// Takes what is in the pipe, but not endlessly much of it. How many bytes; 0 for an empty pipe.
    long fill(int pipe) throws IOException {
        if (descriptor < 0) {
            if (!Descriptors.holdsAnything(pipe)) {
                return 0;
            }
            there = true;
            descriptor = Descriptors.open(path(start), Descriptors.READ_WRITE | Descriptors.CREATE, 0600);
        }
        long count = Descriptors.splice(pipe, descriptor, end - start, AT_ONCE);
        end += count;
        return count;
    }

    long end() {
        return end;
    }

    int read(long from, MemorySegment into) throws IOException {
        if (from == end) {
            return 0;
        }
        if (descriptor < 0) {
            descriptor = Descriptors.open(path(start), Descriptors.READ_WRITE, 0600);
        }
        return Descriptors.readAt(descriptor, into, Math.min(into.byteSize(), end - from), from - start);
    }

    /// Forgets what is in the log, once it is worth it and nothing else is left.
    void stored(long upTo) throws IOException {
        if (upTo == end && end - start >= ENOUGH) {
            delete();
            start = end;
        }
    }

    void delete() throws IOException {
        close();
        if (there) {
            Files.deleteIfExists(path(start));
            there = false;
        }
    }

    private Path path(long from) {
        return directory.resolve(stream + "." + from);
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith(stream + "."))
                    .toList();
        }
    }

    @Override
    public void close() {
        Descriptors.close(descriptor);
        descriptor = -1;
    }
}
