package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Feed;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Counts again what quotas have in use whenever something in their namespace changes.
///
/// This is what gives back: deleted objects, finished pods, smaller claims. It also fills in the status of new quotas.
/// A result is written only onto the quota it was counted for, so a request that takes something meanwhile wins.
public final class QuotaLoop implements Runnable, AutoCloseable {

    private static final int POLL_LIMIT = 1024;
    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Duration WAIT_AFTER_CONFLICT = Duration.ofMillis(50);

    /// Pods whose time is over count no longer without any change of theirs.
    private static final Duration RECOUNT = Duration.ofMinutes(5);

    /// Writes the status of a quota; the object carries the resourceVersion it was counted for.
    @FunctionalInterface
    public interface StatusWriter {
        /// @throws StatusError when the quota has changed or is gone
        void write(LogicalCluster cluster, Json.Obj quota);
    }

    private record Place(LogicalCluster cluster, String namespace) {}

    private final Store store;
    private final StatusWriter writer;
    private final InstantSource clock;
    private final Set<Place> waiting = new LinkedHashSet<>();
    private volatile Feed feed;
    private Instant nextRecount;
    private volatile boolean closed;

    public QuotaLoop(Store store, StatusWriter writer, InstantSource clock) {
        this.store = store;
        this.writer = writer;
        this.clock = clock;
        this.feed = store.feed(Range.EVERYTHING, store.revision());
        this.nextRecount = clock.instant();
    }

    /// Runs until closed; meant for a thread of its own.
    @Override
    public void run() {
        try {
            while (!closed) {
                awaitChange();
                if (!closed) {
                    step();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        feed.close();
    }

    /// Takes in what has changed and counts once.
    ///
    /// @return whether everything is counted; otherwise somebody wrote meanwhile, and another step is due
    public boolean step() {
        takeChanges();
        recountWhenDue();
        var places = List.copyOf(waiting);
        waiting.clear();
        places.forEach(this::count);
        return waiting.isEmpty();
    }

    private void awaitChange() throws InterruptedException {
        try {
            take(feed.await(POLL_LIMIT, waiting.isEmpty() ? WAIT : WAIT_AFTER_CONFLICT));
        } catch (Feed.Expired e) {
            startAgain();
        }
    }

    private void takeChanges() {
        try {
            List<Change> changes;
            do {
                changes = feed.poll(POLL_LIMIT);
                take(changes);
            } while (!changes.isEmpty());
        } catch (Feed.Expired e) {
            startAgain();
        }
    }

    private void startAgain() {
        feed.close();
        feed = store.feed(Range.EVERYTHING, store.revision());
        nextRecount = clock.instant();
    }

    private void take(List<Change> changes) {
        for (var change : changes) {
            if (!change.key().namespace().isEmpty()) {
                waiting.add(new Place(change.key().cluster(), change.key().namespace()));
            }
        }
    }

    private void recountWhenDue() {
        if (clock.instant().isBefore(nextRecount)) {
            return;
        }
        nextRecount = clock.instant().plus(RECOUNT);
        for (var quota : store.list(Range.of(QuotaTotals.QUOTAS), 0, null, 0).items()) {
            waiting.add(new Place(quota.key().cluster(), quota.key().namespace()));
        }
    }

    private void count(Place place) {
        for (var quota : QuotaTotals.quotas(store, place.cluster, place.namespace)) {
            // The quota was read before its objects: whatever is taken from now on changes it, and our write fails.
            var counted = counted(quota);
            if (!counted.equals(quota.tree())) {
                write(place, counted);
            }
        }
    }

    private Json.Obj counted(Stored quota) {
        return QuotaTotals.withUsed(quota.tree(), QuotaTotals.used(store, quota, clock.instant()));
    }

    private void write(Place place, Json.Obj counted) {
        try {
            writer.write(place.cluster, counted);
        } catch (StatusError error) {
            if (!error.is(StatusError.Reason.NOT_FOUND)) {
                waiting.add(place);
            }
        } catch (Store.Unavailable e) {
            waiting.add(place);
        }
    }
}
