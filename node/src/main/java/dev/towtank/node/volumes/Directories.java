package dev.towtank.node.volumes;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Directories that containers have written to.
public final class Directories {

    private Directories() {}

    /// Deletes without following links, and what has no permission to be listed as well.
    public static void deleteAll(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) throws IOException {
                if (!Files.isWritable(dir)) {
                    FileModes.set(dir, 0700);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
                if (problem instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    throw problem;
                }
                FileModes.set(file, 0700);
                deleteAll(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(
                    Path dir, @Nullable IOException problem) throws IOException {
                remove(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void remove(Path directory) throws IOException {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            // A process that is about to end may still write there; what is left goes with the next sweep.
            throw new IOException("cannot delete " + directory + ": it is still written to", e);
        }
    }
}
