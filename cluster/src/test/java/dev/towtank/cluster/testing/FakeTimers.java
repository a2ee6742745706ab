package dev.towtank.cluster.testing;

import dev.towtank.cluster.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Time that stands still until a test moves it. Actions run on the thread that moves it, in the order of
/// their moments.
public final class FakeTimers implements Timers {

    private record Entry(Instant moment, long order, Runnable action) {}

    private final PriorityQueue<Entry> waiting =
            new PriorityQueue<>(Comparator.comparing(Entry::moment).thenComparingLong(Entry::order));
    private Instant now;
    private long count;

    public FakeTimers() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    public FakeTimers(Instant now) {
        this.now = now;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public synchronized Timer at(Instant moment, Runnable action) {
        var entry = new Entry(moment, count++, action);
        waiting.add(entry);
        notifyAll();
        return () -> cancel(entry);
    }

    private synchronized void cancel(Entry entry) {
        waiting.remove(entry);
        notifyAll();
    }

    public void advance(Duration time) {
        advanceTo(instant().plus(time));
    }

    /// Runs what is due on the way, each at its own moment.
    public void advanceTo(Instant moment) {
        for (var due = due(moment); due != null; due = due(moment)) {
            due.action.run();
        }
        synchronized (this) {
            now = moment.isAfter(now) ? moment : now;
        }
    }

    private synchronized @Nullable Entry due(Instant moment) {
        var first = waiting.peek();
        if (first == null || first.moment.isAfter(moment)) {
            return null;
        }
        now = first.moment.isAfter(now) ? first.moment : now;
        return waiting.poll();
    }

    /// The earliest moment that something waits for.
    public synchronized Optional<Instant> next() {
        return Optional.ofNullable(waiting.peek()).map(Entry::moment);
    }

    /// Whether something waits for a moment after that one.
    public synchronized boolean isAnyAfter(Instant moment) {
        return waiting.stream().anyMatch(entry -> entry.moment.isAfter(moment));
    }

    /// Blocks until exactly so many actions wait: other threads have come as far as the test wants.
    public synchronized void awaitWaiting(int actions) throws InterruptedException {
        while (waiting.size() != actions) {
            wait();
        }
    }
}
