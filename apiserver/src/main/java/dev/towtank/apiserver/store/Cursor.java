package dev.towtank.apiserver.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A feed: a place in a [Lane]. Its lock is held for moving on only, never while a reader's action runs.
final class Cursor implements Feed {

    private final History history;
    private final Lane lane;
    private final Range range;
    private final long since;

    private Lane.Node position;
    private long reached;
    private boolean closed;
    private List<Runnable> actions = List.of();

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
        if (!found.isEmpty() || isClosed()) {
            return found;
        }
        var ready = new CountDownLatch(1);
        Runnable action = ready::countDown;
        whenReady(action);
        try {
            var _ = ready.await(longest.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            forget(action);
        }
        return poll(limit);
    }

    private synchronized void forget(Runnable action) {
        var fewer = new ArrayList<>(actions);
        fewer.remove(action);
        actions = fewer;
    }

    @Override
    public void whenReady(Runnable action) {
        synchronized (this) {
            var more = new ArrayList<>(actions);
            more.add(action);
            actions = more;
            lane.waiting().add(this);
        }
        // Only now, so that a change is seen either here or by whoever publishes it.
        wakeIfReady();
    }

    /// Runs the actions when there is something to poll, which an expired or closed feed has, too: that news.
    void wakeIfReady() {
        for (var action : takeActionsIfReady()) {
            action.run();
        }
    }

    private synchronized List<Runnable> takeActionsIfReady() {
        if (!closed && !history.isClosed() && upcoming(history.revision()) == null) {
            return List.of();
        }
        lane.waiting().remove(this);
        var taken = actions;
        actions = List.of();
        return taken;
    }

    @Override
    public synchronized long revision() {
        return reached;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        wakeIfReady();
    }
}
