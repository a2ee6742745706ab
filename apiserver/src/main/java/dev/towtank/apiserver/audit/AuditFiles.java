package dev.towtank.apiserver.audit;

import dev.towtank.apiserver.pki.PrivateFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `audit.log` and the older ones, `audit.log.1` being the youngest of them. All together they have a largest size.
///
/// Belongs to one thread.
final class AuditFiles {

    private static final String NAME = "audit.log";

    private final Path directory;
    private final long fileBytes;
    private final int files;
    private @Nullable FileChannel current;
    private long size;

    /// @param fileBytes how large a file may become
    /// @param files how many of them, the current one included
    AuditFiles(Path directory, long fileBytes, int files) throws IOException {
        this.directory = directory;
        this.fileBytes = fileBytes;
        this.files = files;
        current = open();
    }

    /// @param lines whole ones
    void append(ByteBuffer lines) throws IOException {
        if (!lines.hasRemaining()) {
            return;
        }
        var channel = current == null ? open() : current;
        current = channel;
        if (size > 0 && size + lines.remaining() > fileBytes) {
            close();
            rotate();
            channel = open();
            current = channel;
        }
        int length = lines.remaining();
        try {
            while (lines.hasRemaining()) {
                channel.write(lines);
            }
        } catch (IOException e) {
            // Half a line is worse than none. Where this fails too, opening again ends the line.
            channel.truncate(size);
            throw e;
        }
        size += length;
    }

    private FileChannel open() throws IOException {
        PrivateFile.makeDirectory(directory);
        var file = directory.resolve(NAME);
        var ownerOnly = PosixFilePermissions.fromString("rw-------");
        var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        var channel = FileChannel.open(file, options, PosixFilePermissions.asFileAttribute(ownerOnly));
        try {
            Files.setPosixFilePermissions(file, ownerOnly);
            size = channel.size();
            channel.position(size);
            endTornLine(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        return channel;
    }

    // A power cut may have left half a line, which must not spoil the next.
    private void endTornLine(FileChannel channel) throws IOException {
        var last = ByteBuffer.allocate(1);
        if (size > 0 && channel.read(last, size - 1) == 1 && last.get(0) != '\n') {
            channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
            size++;
        }
    }

    private void rotate() throws IOException {
        Files.deleteIfExists(directory.resolve(name(files - 1)));
        for (int i = files - 2; i >= 0; i--) {
            var younger = directory.resolve(name(i));
            if (Files.exists(younger)) {
                Files.move(younger, directory.resolve(name(i + 1)), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        // With one file only, it starts anew.
        Files.deleteIfExists(directory.resolve(NAME));
    }

    private static String name(int age) {
        return age == 0 ? NAME : NAME + "." + age;
    }

    void close() throws IOException {
        var channel = current;
        if (channel != null) {
            current = null;
            try (channel) {
                channel.force(false);
            }
        }
    }
}
