package dev.towtank.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;

/// Time as a port: which moment it is, and actions at later moments. Tests move it by hand.
public interface Timers extends InstantSource {

    /// Runs the action at the moment or soon after; at once (on another thread) when that has passed.
    ///
    /// All actions share a thread: they hand work over and never block.
    Timer at(Instant moment, Runnable action);

    /// An action that waits for its moment.
    interface Timer {
        /// Does nothing when the action has already run.
        void cancel();
    }

    default Timer after(Duration time, Runnable action) {
        return at(instant().plus(time), action);
    }

    /// Blocks the calling thread for so long.
    default void pause(Duration time) throws InterruptedException {
        var over = new CountDownLatch(1);
        var timer = after(time, over::countDown);
        try {
            over.await();
        } finally {
            timer.cancel();
        }
    }
}
