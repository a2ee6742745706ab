package dev.towtank.node.sandbox;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Whole directories.
final class Directories {

    private Directories() {}

    /// With all that is in it, and without following links. Nothing to do is fine.
    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path finished, @Nullable IOException problem)
                    throws IOException {
                if (problem != null) {
                    throw problem;
                }
                Files.deleteIfExists(finished);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
