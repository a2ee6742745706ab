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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/// Deletes events an hour after they were last written. Looked at is an event, by its key.
public final class EventExpiry implements StoreLoop.Task<Key> {

    private static final GroupResource EVENTS = new GroupResource("", "events");
    private static final Duration LIFETIME = Duration.ofHours(1);

    private final Store store;
    private final Caretaker caretaker;
    private final InstantSource clock;
    // In the order of their end: a written event moves to the back.
    private final Map<Key, Instant> ends = new LinkedHashMap<>();

    public EventExpiry(Store store, Api api, Catalog catalog, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.caretaker = new Caretaker(api, catalog, Caretaker.controller("event-expiry"));
    }

    @Override
    public void reset() {
        ends.clear();
    }

    @Override
    public void observe(Change change, Consumer<Key> touched) {
        var key = change.key();
        if (!key.resource().equals(EVENTS)) {
            return;
        }
        ends.remove(key);
        if (change.type() != Change.Type.DELETED) {
            ends.put(key, clock.instant().plus(LIFETIME));
        }
    }

    @Override
    public void tick(Instant now, Consumer<Key> touched) {
        for (var end : ends.entrySet()) {
            if (end.getValue().isAfter(now)) {
                return;
            }
            touched.accept(end.getKey());
        }
    }

    @Override
    public void look(Key key) {
        var event = store.get(key);
        if (event != null) {
            caretaker.delete(key, event.tree().string("metadata", "uid"), "");
        }
        ends.remove(key);
    }
}
