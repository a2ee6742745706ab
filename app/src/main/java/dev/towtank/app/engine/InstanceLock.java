package dev.towtank.app.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Keeps a data directory for one process. The system lets go of it when the process dies, however it dies.
public final class InstanceLock implements AutoCloseable {
    private final FileChannel file;

    private InstanceLock(FileChannel file) {
        this.file = file;
    }

    public static InstanceLock take(DataDirectory data, String programName) {
        try {
            var file = FileChannel.open(data.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (isFree(file)) {
                return new InstanceLock(file);
            }
            file.close();
        } catch (IOException e) {
            throw new Failure("Cannot lock " + data.lock() + ": " + e, e);
        }
        throw taken(data, Instance.running(data).orElse(null), programName);
    }

    /// The refusal of a second server, which names the first.
    public static Failure taken(DataDirectory data, @Nullable Instance first, String programName) {
        return new Failure("Another Towtank already runs on " + data + " ("
                + (first == null ? "it is just starting or stopping" : first.describe())
                + "). Use that one, stop it with '"
                + programName + " down --data " + ShellText.quote(data.toString())
                + "', or start this one elsewhere with --data DIR and --port N.");
    }

    /// Waits until no process has the directory any more. The JDK can only poll for the end of a process that is not
    /// its
    /// child; the lock tells at once.
    ///
    /// @return whether it came to that in time
    public static boolean awaitRelease(DataDirectory data, Duration patience) throws InterruptedException {
        var waiting = Thread.ofPlatform().daemon().start(() -> {
            try (var file = FileChannel.open(data.lock(), StandardOpenOption.WRITE);
                    var lock = file.lock()) {
                lock.release();
            } catch (IOException e) {
                throw new Failure("Cannot wait for the lock " + data.lock() + ": " + e, e);
            }
        });
        return waiting.join(patience);
    }

    private static boolean isFree(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // held within this process
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new Failure("Cannot release the lock of the data directory: " + e, e);
        }
    }
}
