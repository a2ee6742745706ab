package dev.towtank.apiserver.pki;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Files and directories for nobody but their owner.
public final class PrivateFile {

    private PrivateFile() {}

    /// Writes the whole file or leaves the old one, also when the machine dies in between.
    public static void write(Path file, String text) throws IOException {
        var unfinished = file.resolveSibling("." + file.getFileName() + ".new");
        Files.deleteIfExists(unfinished);
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(unfinished, options, ownerOnly)) {
            var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Makes the directory with its parents; one that exists is closed to others.
    public static void makeDirectory(Path directory) throws IOException {
        var ownerOnly = PosixFilePermissions.fromString("rwx------");
        var parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(ownerOnly));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
            Files.setPosixFilePermissions(directory, ownerOnly);
        }
    }
}
