package dev.towtank.controllers.buckets.source;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A small JSON file that is there whole, or not at all, whatever happens to the machine, and that only its user reads.
final class SmallFile {

    private static final String UNFINISHED = ".unfinished";

    private static final Set<StandardOpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private static final FileAttribute<Set<PosixFilePermission>> OWN =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private SmallFile() {}

    /// Which names a directory has is on the disk when this returns.
    static void keepNames(Path directory) throws IOException {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static void write(Path file, Json.Obj json) throws IOException {
        var draft = file.resolveSibling(UUID.randomUUID() + UNFINISHED);
        try {
            try (var channel = FileChannel.open(draft, NEW, OWN)) {
                var bytes = ByteBuffer.wrap(JsonText.bytes(json));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            keepNames(draft.resolveSibling("."));
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
