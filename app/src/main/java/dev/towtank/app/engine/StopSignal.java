package dev.towtank.app.engine;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Says when a server must end.
@FunctionalInterface
public interface StopSignal {

    void await() throws InterruptedException;

    /// From now on nothing needs to be tidied up: the process may end at once.
    default void leaveAtOnce() {}

    /// The end of the process: Ctrl-C, SIGTERM. The process stays until the main thread has tidied up.
    final class OfProcess implements StopSignal {
        /// Draining is bounded, too; this only keeps a fault there from making the process immortal.
        private static final Duration PATIENCE = Duration.ofMinutes(1);

        private final CountDownLatch stopping = new CountDownLatch(1);
        private final CountDownLatch finished = new CountDownLatch(1);
        private volatile boolean isTidy;

        public OfProcess() {
            Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "shutdown"));
        }

        @Override
        public void await() throws InterruptedException {
            stopping.await();
        }

        @Override
        public void leaveAtOnce() {
            isTidy = true;
        }

        /// The main thread has nothing left to do.
        public void finish() {
            finished.countDown();
        }

        private void onShutdown() {
            stopping.countDown();
            if (isTidy) {
                return;
            }
            try {
                var _ = finished.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
