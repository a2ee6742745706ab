package dev.towtank.apiserver.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A feed: a place in a [Lane]. Its lock is held for moving on only, never while a reader's action runs.
final class Cursor implements Feed {

    /// Who waits for so long waits for a change. To set a timer for each wait costs more than the wait.
    private static final Duration FOR_EVER = Duration.ofHours(1);

    private final History history;
    private final Lane lane;
    private final Range range;
    private final long since;

    private Lane.Node position;
    private long reached;
    private boolean closed;
    private @Nullable Runnable action;
    private final List<CountDownLatch> arrivals = new ArrayList<>();

    Cursor(History history, Lane lane, Range range, long since, Lane.Node position) {
        this.history = history;
        this.lane = lane;
        this.range = range;
        this.since = since;
        this.position = position;
        this.reached = since;
    }

    @Override
    public synchronized List<Change> poll(int limit) {
        var found = new ArrayList<Change>();
        long newest = history.revision();
        while (found.size() < limit && !closed) {
            var next = upcoming(newest);
            if (next == null) {
                break;
            }
            var change = next.change();
            if (change == null || next.revision() <= history.oldest()) {
                if (found.isEmpty()) {
                    throw new Expired(reached, history.oldest());
                }
                break;
            }
            found.add(change);
            stepTo(next);
        }
        if (found.isEmpty() && !closed && history.isClosed()) {
            throw new IllegalStateException("the store is closed");
        }
        return found;
    }

    /// Moves past what lies outside the range. Returns the next change of the range, [Lane#CUT] when changes were
    /// missed, or null when there is nothing up to the revision.
    private Lane.@Nullable Node upcoming(long newest) {
        while (true) {
            var next = position.next();
            if (next == null || next.revision() > newest) {
                reached = Math.max(reached, newest);
                return null;
            }
            var change = next.change();
            if (change == null || (next.revision() > since && range.contains(change.key()))) {
                return next;
            }
            stepTo(next);
        }
    }

    private void stepTo(Lane.Node next) {
        position = next;
        reached = Math.max(reached, next.revision());
    }

    @Override
    public List<Change> await(int limit, Duration longest) throws InterruptedException {
        var found = poll(limit);
        if (!found.isEmpty()) {
            return found;
        }
        var arrival = new CountDownLatch(1);
        synchronized (this) {
            arrivals.add(arrival);
            lane.waiting().add(this);
        }
        wakeIfReady();
        try {
            if (longest.compareTo(FOR_EVER) >= 0) {
                arrival.await();
            } else {
                var _ = arrival.await(longest.toNanos(), TimeUnit.NANOSECONDS);
            }
        } finally {
            forget(arrival);
        }
        return poll(limit);
    }

    private synchronized void forget(CountDownLatch arrival) {
        arrivals.remove(arrival);
    }

    @Override
    public void whenReady(Runnable wanted) {
        synchronized (this) {
            action = wanted;
            lane.waiting().add(this);
        }
        // Only now, so that a change is seen either here or by whoever publishes it.
        wakeIfReady();
    }

    /// Wakes the reader when there is something to poll, or will never be.
    void wakeIfReady() {
        var taken = takeIfReady();
        if (taken != null) {
            taken.run();
        }
    }

    private synchronized @Nullable Runnable takeIfReady() {
        if (!closed && !history.isClosed() && upcoming(history.revision()) == null) {
            return null;
        }
        lane.waiting().remove(this);
        arrivals.forEach(CountDownLatch::countDown);
        arrivals.clear();
        var taken = closed ? null : action;
        action = null;
        return taken;
    }

    @Override
    public synchronized long revision() {
        return reached;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        wakeIfReady();
    }
}
