package dev.towtank.node.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Tells when sockets that Java did not open itself can go on. One thread waits for all of them.
final class Readiness {

    private final Epoll epoll;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, Watch> watches = new ConcurrentHashMap<>();

    private static final class Only {
        private static final Readiness IT = new Readiness();
    }

    private Readiness() {
        try {
            epoll = new Epoll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().name("sockets").start(this::run);
    }

    private void run() {
        while (true) {
            try {
                for (long token : epoll.await()) {
                    var watch = watches.get(token);
                    if (watch != null) {
                        watch.changed();
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e); // it has nothing to refuse
            }
        }
    }

    static Watch watch(int descriptor) throws IOException {
        var watch = new Watch(Only.IT.numbers.incrementAndGet());
        Only.IT.watches.put(watch.number, watch);
        try {
            Only.IT.epoll.addChanges(descriptor, watch.number);
            return watch;
        } catch (LinuxException e) {
            Only.IT.watches.remove(watch.number);
            throw e;
        }
    }

    /// Of one socket, for one who reads and one who writes.
    static final class Watch {
        private final long number;
        private final Semaphore reading = new Semaphore(0);
        private final Semaphore writing = new Semaphore(0);

        private Watch(long number) {
            this.number = number;
        }

        /// Something about the socket may be different; what, whoever waits has to find out.
        void changed() {
            reading.release();
            writing.release();
        }

        /// Before an attempt: only what changes from now on counts.
        void begin(boolean toRead) {
            var _ = (toRead ? reading : writing).drainPermits();
        }

        /// After an attempt that could not go on.
        ///
        /// @param millis 0 for ever
        /// @return false when nothing came
        boolean await(boolean toRead, long millis) throws InterruptedException {
            var side = toRead ? reading : writing;
            if (millis > 0) {
                return side.tryAcquire(millis, TimeUnit.MILLISECONDS);
            }
            side.acquire();
            return true;
        }

        /// The kernel forgets the descriptor by itself when it is closed. Who waits looks again.
        void end() {
            Only.IT.watches.remove(number);
            changed();
        }
    }
}
