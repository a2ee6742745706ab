package dev.towtank.node.sandbox.machine;

import dev.towtank.node.linux.FileTree;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.zip.CRC32C;

/// A copy of those parts of `/etc` that programs need, made when a server starts: one mount for each
/// container instead of one for each of them, and nothing else of `/etc` is anywhere near.
public final class MachineSettings {

    public static final String NAME = "settings";
    public static final String PLACE = "/.settings";

    private MachineSettings() {}

    /// @param kept where several servers may do so at the same time
    public static synchronized void copy(List<Path> settings, Path kept) throws IOException {
        var lock = kept.resolve(NAME + ".lock");
        try (var file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var _ = file.lock()) {
            copyWhereChanged(settings, kept);
        }
    }

    private static void copyWhereChanged(List<Path> settings, Path kept) throws IOException {
        var target = kept.resolve(NAME);
        var copied = kept.resolve(NAME + ".copied");
        var fingerprint = fingerprint(settings);
        if (Files.isDirectory(target)
                && Files.exists(copied)
                && Files.readString(copied).equals(fingerprint)) {
            return;
        }
        var fresh = Files.createTempDirectory(kept, NAME);
        for (var setting : settings) {
            copyTree(setting, fresh.resolve(setting.getFileName()));
        }
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
        FileTree.delete(target); // containers that run keep what they have mounted
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
        Files.writeString(copied, fingerprint);
    }

    /// Another one when a file has come, gone or changed.
    private static String fingerprint(List<Path> settings) throws IOException {
        var print = new CRC32C();
        for (var setting : settings) {
            Files.walkFileTree(setting.toRealPath(), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    var seen = file + " " + attributes.lastModifiedTime().toMillis() + " " + attributes.size();
                    print.update(seen.getBytes(StandardCharsets.UTF_8));
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException problem) {
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        return Long.toHexString(print.getValue());
    }

    private static void copyTree(Path from, Path to) throws IOException {
        Files.walkFileTree(from.toRealPath(), new SimpleFileVisitor<>() {
            private final Path root = from.toRealPath();

            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (!Files.isReadable(directory) || !Files.isExecutable(directory) || isPrivate(directory)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(root.relativize(directory).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isSymbolicLink() || (Files.isReadable(file) && !isPrivate(file))) {
                    var place = to.resolve(root.relativize(file).toString());
                    Files.copy(file, file.equals(root) ? to : place, LinkOption.NOFOLLOW_LINKS);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException problem) {
                return FileVisitResult.CONTINUE; // not for us, so not for containers
            }
        });
    }

    /// What not everybody on this machine may read, like `/etc/ssl/private`.
    private static boolean isPrivate(Path path) throws IOException {
        return !Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_READ);
    }
}
