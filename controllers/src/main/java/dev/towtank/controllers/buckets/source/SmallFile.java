package dev.towtank.controllers.buckets.source;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A small JSON file that is there whole, or not at all, and that only its user reads.
final class SmallFile {

    private static final String UNFINISHED = ".unfinished";

    private SmallFile() {}

    static void write(Path file, Json.Obj json) throws IOException {
        var draft = file.resolveSibling(UUID.randomUUID() + UNFINISHED);
        try {
            Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(draft, JsonText.bytes(json));
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    static Optional<Json.Obj> read(Path file) throws IOException {
        try {
            return Optional.of(JsonText.parseObject(Files.readAllBytes(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// All of a directory; what a crash left half-written is cleared away.
    static List<Json.Obj> readAll(Path directory) throws IOException {
        var all = new ArrayList<Json.Obj>();
        try (var files = Files.newDirectoryStream(directory)) {
            for (var file : files) {
                if (file.toString().endsWith(UNFINISHED)) {
                    Files.delete(file);
                } else {
                    read(file).ifPresent(all::add);
                }
            }
        }
        return all;
    }

    /// With all that is below.
    static void removeTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path each, @Nullable IOException problem) throws IOException {
                if (problem != null) {
                    throw problem;
                }
                Files.delete(each);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
