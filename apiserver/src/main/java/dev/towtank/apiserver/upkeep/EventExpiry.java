package dev.towtank.apiserver.upkeep;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Deletes events an hour after they were last written, or up to a minute later. Looked at is an event, by its key.
public final class EventExpiry implements StoreLoop.Task<Key> {

    static final GroupResource EVENTS = new GroupResource("", "events");
    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final Duration TOGETHER = Duration.ofMinutes(1);

    private final Store store;
    private final Caretaker caretaker;
    private final InstantSource clock;
    // The oldest first. There are many events, so each costs no more than its place in a list.
    private final ArrayDeque<Written> written = new ArrayDeque<>();

    /// Events that were written within a minute. Some may have been written again since.
    private static final class Written {
        private final Instant first;
        private Instant last;
        private long lastRevision;
        private final List<Key> keys = new ArrayList<>();

        private Written(Instant first) {
            this.first = first;
            this.last = first;
        }

        private boolean takes(Instant now) {
            return now.isBefore(first.plus(TOGETHER));
        }

        private void add(Change change, Instant now) {
            last = now;
            lastRevision = Math.max(lastRevision, change.revision());
            keys.add(change.key());
        }
    }

    public EventExpiry(Store store, Api api, Catalog catalog, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.caretaker = new Caretaker(api, catalog, Caretaker.controller("event-expiry"));
    }

    @Override
    public void reset() {
        written.clear();
    }

    @Override
    public void observe(Change change, Consumer<Key> touched) {
        if (!change.key().resource().equals(EVENTS) || change.type() == Change.Type.DELETED) {
            return;
        }
        var now = clock.instant();
        var newest = written.peekLast();
        if (newest == null || !newest.takes(now)) {
            newest = new Written(now);
            written.add(newest);
        }
        newest.add(change, now);
    }

    @Override
    public void tick(Instant now, Consumer<Key> touched) {
        for (var oldest = written.peek(); oldest != null; oldest = written.peek()) {
            if (oldest.last.plus(LIFETIME).isAfter(now)) {
                return;
            }
            for (var key : oldest.keys) {
                var event = store.get(key);
                if (event != null && event.revision() <= oldest.lastRevision) {
                    touched.accept(key);
                }
            }
            written.remove();
        }
    }

    @Override
    public void look(Key key) {
        var event = store.get(key);
        if (event != null) {
            caretaker.delete(key, event.tree().string("metadata", "uid"), "");
        }
    }
}
