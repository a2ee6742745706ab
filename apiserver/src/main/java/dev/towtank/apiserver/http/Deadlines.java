package dev.towtank.apiserver.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.Scheduler;

/// Everything that must end or do something at some time, looked at regularly by one task.
///
/// Thousands of watches cost a walk over a set five times a second, and no timer each; and all of them follow the one
/// clock.
final class Deadlines {

    private static final System.Logger LOG = System.getLogger(Deadlines.class.getName());

    @FunctionalInterface
    interface Item {
        /// Must not block.
        void look(Instant now);
    }

    private final Set<Item> items = ConcurrentHashMap.newKeySet();
    private final InstantSource clock;
    private final Duration tick;
    private volatile boolean stopped;

    Deadlines(InstantSource clock, Duration tick) {
        this.clock = clock;
        this.tick = tick;
    }

    void start(Scheduler scheduler) {
        scheduler.schedule(() -> run(scheduler), tick.toMillis(), TimeUnit.MILLISECONDS);
    }

    void stop() {
        stopped = true;
    }

    Instant now() {
        return clock.instant();
    }

    void add(Item item) {
        items.add(item);
    }

    void remove(Item item) {
        items.remove(item);
    }

    private void run(Scheduler scheduler) {
        var now = clock.instant();
        items.forEach(item -> look(item, now));
        if (!stopped) {
            start(scheduler);
        }
    }

    private void look(Item item, Instant now) {
        try {
            item.look(now);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "a deadline failed; its request stays open until it ends", e);
            remove(item);
        }
    }
}
