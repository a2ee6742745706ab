package dev.towtank.apiserver.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps a directory for one user at a time. The system gives the lock back when the process dies, however it dies.
public final class DirectoryLock implements AutoCloseable {

    /// Somebody else has the directory; the message says who.
    public static final class Taken extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Taken(String message) {
            super(message, null, false, false);
        }
    }

    private static final String FILE = "lock";
    private static final int MAX_TEXT = 1024;

    // Such a lock belongs to the process, and closing any other channel to the file would give it away: so a second
    // attempt in this process must be turned down before it touches the file.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /// Makes the directory where it is missing, for its owner only, and locks it.
    ///
    /// @param description of who asks, for the message that others get
    /// @throws Taken when another process, or another part of this one, has it
    public static DirectoryLock acquire(Path directory, String description) {
        try {
            Files.createDirectories(directory, ownerOnly("rwx------"));
            var real = directory.toRealPath();
            if (!HELD.add(real)) {
                throw taken(real, "this process (" + ProcessHandle.current().pid() + ")");
            }
            boolean locked = false;
            try {
                var lock = new DirectoryLock(real, lock(real, description));
                locked = true;
                return lock;
            } finally {
                if (!locked) {
                    HELD.remove(real);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock " + directory + ": " + e.getMessage(), e);
        }
    }

    private static FileChannel lock(Path directory, String description) throws IOException {
        var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        var channel = FileChannel.open(directory.resolve(FILE), options, ownerOnly("rw-------"));
        boolean locked = false;
        try {
            if (channel.tryLock() == null) {
                throw taken(directory, holder(channel));
            }
            var text = "process " + ProcessHandle.current().pid() + " (" + description + ")";
            channel.truncate(0);
            var _ = channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            locked = true;
            return channel;
        } finally {
            if (!locked) {
                channel.close();
            }
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        var text = ByteBuffer.allocate(MAX_TEXT);
        int length = channel.read(text, 0);
        return length <= 0 ? "another process" : new String(text.array(), 0, length, StandardCharsets.UTF_8);
    }

    private static Taken taken(Path directory, String holder) {
        return new Taken(directory + " is in use by " + holder + "; stop that first, or choose another directory");
    }

    // Secrets are in there.
    static FileAttribute<?>[] ownerOnly(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    @Override
    public synchronized void close() {
        if (!channel.isOpen()) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot release " + directory, e);
        } finally {
            HELD.remove(directory);
        }
    }
}
