package dev.towtank.apiserver.http;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/// Lets watches that have something to send do so, on a few threads.
///
/// One change may concern thousands of watches. Whoever made it only puts them into a queue here; starting a task for
/// each would cost more than the sending.
final class Pump {

    private final Queue<WatchReply> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger workers = new AtomicInteger();
    private final Executor executor;
    private final int most;

    Pump(Executor executor, int most) {
        this.executor = executor;
        this.most = most;
    }

    void wake(WatchReply watch) {
        ready.add(watch);
        startWorker();
    }

    private void startWorker() {
        int running = workers.get();
        while (running < most) {
            if (workers.compareAndSet(running, running + 1)) {
                execute();
                return;
            }
            running = workers.get();
        }
    }

    private void execute() {
        try {
            executor.execute(this::work);
        } catch (RejectedExecutionException e) {
            // The threads are gone because the server stops, and with it all watches.
            workers.decrementAndGet();
        }
    }

    private void work() {
        for (var watch = ready.poll(); watch != null; watch = ready.poll()) {
            watch.iterate();
        }
        workers.decrementAndGet();
        // One may have been added after the last look, by somebody who still saw this worker running.
        if (!ready.isEmpty()) {
            startWorker();
        }
    }
}
