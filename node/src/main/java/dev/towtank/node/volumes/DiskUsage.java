package dev.towtank.node.volumes;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/// How much a directory holds.
final class DiskUsage extends SimpleFileVisitor<Path> {

    private static final int MOST_FILES = 100_000;

    private final long limit;
    private long bytes;
    private int files;

    private DiskUsage(long limit) {
        this.limit = limit;
    }

    /// All of them together; looks no further than it must.
    static boolean exceeds(Iterable<Path> directories, long limit) {
        var usage = new DiskUsage(limit);
        for (var directory : directories) {
            try {
                Files.walkFileTree(directory, usage);
            } catch (IOException e) {
                // it changes while we look: the next look tells
            }
        }
        return usage.bytes > limit;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        bytes += attributes.size();
        return bytes > limit || ++files > MOST_FILES ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException problem) {
        return FileVisitResult.CONTINUE;
    }
}
