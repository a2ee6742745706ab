package dev.towtank.apiserver.http;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts all requests under way, so that stopping can wait for them.
final class InFlight {

    private final AtomicInteger count = new AtomicInteger();
    private final CountDownLatch none = new CountDownLatch(1);
    private volatile boolean stopping;

    boolean isStopping() {
        return stopping;
    }

    void enter() {
        count.incrementAndGet();
    }

    void leave() {
        if (count.decrementAndGet() == 0 && stopping) {
            none.countDown();
        }
    }

    void stop() {
        stopping = true;
        if (count.get() == 0) {
            none.countDown();
        }
    }

    /// @return whether all requests have ended in that time
    boolean awaitNone(Duration longest) {
        try {
            return none.await(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
