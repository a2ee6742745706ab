package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.WatchStream;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Feed;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.StatusError;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// A feed of the store as a client's selectors show it: an object that begins to match is added, one that ceases to
/// match is deleted.
final class SelectedChanges implements WatchStream {

    private final Served served;
    private final Selectors selectors;
    private final ArrayDeque<Event> initial;
    private final Feed feed;

    SelectedChanges(Served served, Selectors selectors, Collection<Event> initial, Feed feed) {
        this.served = served;
        this.selectors = selectors;
        this.initial = new ArrayDeque<>(initial);
        this.feed = feed;
    }

    @Override
    public List<Event> poll(int limit) {
        if (!initial.isEmpty()) {
            return pollInitial(limit);
        }
        try {
            return translate(feed.poll(limit));
        } catch (Feed.Expired e) {
            throw StatusError.tooOld(e.asked(), e.oldest());
        }
    }

    @Override
    public List<Event> await(int limit, Duration longest) throws InterruptedException {
        if (!initial.isEmpty()) {
            return pollInitial(limit);
        }
        try {
            return translate(feed.await(limit, longest));
        } catch (Feed.Expired e) {
            throw StatusError.tooOld(e.asked(), e.oldest());
        }
    }

    private List<Event> pollInitial(int limit) {
        var events = new ArrayList<Event>(Math.min(limit, initial.size()));
        while (events.size() < limit && !initial.isEmpty()) {
            events.add(initial.removeFirst());
        }
        return events;
    }

    @Override
    public void whenReady(Runnable action) {
        if (initial.isEmpty()) {
            feed.whenReady(action);
        } else {
            action.run();
        }
    }

    @Override
    public Event bookmark() {
        return bookmark(served.kind(), feed.revision(), Json.Obj.EMPTY);
    }

    static Event bookmark(Kind<?> kind, long revision, Json.Obj annotations) {
        var metadata = Json.Obj.builder()
                .put("resourceVersion", Long.toString(revision))
                .put("creationTimestamp", Json.Null.NULL)
                .putNonEmpty("annotations", annotations)
                .build();
        return new Event(
                Type.BOOKMARK,
                Content.of(Json.Obj.of(
                        "kind", Json.of(kind.kind()), "apiVersion", Json.of(kind.apiVersion()), "metadata", metadata)));
    }

    private List<Event> translate(List<Change> changes) {
        var events = new ArrayList<Event>(changes.size());
        for (var change : changes) {
            translate(change).ifPresent(events::add);
        }
        return events;
    }

    private Optional<Event> translate(Change change) {
        boolean matches = matches(change.now());
        boolean matched = change.before() == null ? false : matches(change.before());
        return switch (change.type()) {
            case CREATED -> matches ? Optional.of(event(Type.ADDED, change.now())) : Optional.empty();
            case UPDATED -> {
                if (matches) {
                    yield Optional.of(event(matched ? Type.MODIFIED : Type.ADDED, change.now()));
                }
                yield matched ? Optional.of(gone(change)) : Optional.empty();
            }
            case DELETED -> matched || matches ? Optional.of(event(Type.DELETED, change.now())) : Optional.empty();
        };
    }

    private boolean matches(Stored stored) {
        return selectors.isEmpty() || selectors.matches(Reading.view(stored, served));
    }

    private Event event(Type type, Stored stored) {
        return new Event(type, Converted.of(stored, served));
    }

    // The client knows the object as it was; only the revision tells it how far the watch has come.
    private Event gone(Change change) {
        var before = change.before() == null ? change.now() : change.before();
        var tree = Metadata.withRevision(Reading.view(before, served), change.revision());
        return new Event(Type.DELETED, new Converted(tree, before.cluster()));
    }

    @Override
    public void close() {
        feed.close();
    }
}
