package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Conversion;
import dev.towtank.apiserver.WatchStream;
import dev.towtank.apiserver.catalog.Converted;
import dev.towtank.apiserver.catalog.Metadata;
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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A feed of the store as a client's selectors show it: an object that begins to match is added, one that ceases to
/// match is deleted.
final class SelectedChanges implements WatchStream {

    private static final int FETCHED = 250;

    private final Served served;
    private final Selectors selectors;
    private final ArrayDeque<Event> initial;
    private final Feed feed;
    private final BooleanSupplier over;
    // How far the client has come while events wait that were converted for it beforehand.
    private long told;
    private @Nullable StatusError failure;

    /// @param over whether the logical cluster that is watched is gone
    SelectedChanges(Served served, Selectors selectors, Collection<Event> initial, Feed feed, BooleanSupplier over) {
        this.served = served;
        this.selectors = selectors;
        this.initial = new ArrayDeque<>(initial);
        this.feed = feed;
        this.over = over;
    }

    @Override
    public List<Event> poll(int limit) {
        if (!initial.isEmpty()) {
            return pollInitial(limit);
        }
        if (failure != null) {
            throw failure;
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
        if (!initial.isEmpty() || failure != null) {
            action.run();
        } else if (served.conversion().mayWait()) {
            // Those who write watches out are few, and must not wait for a webhook.
            feed.whenReady(() -> Thread.ofVirtual().name("watch-conversion").start(() -> {
                fetch();
                action.run();
            }));
        } else {
            feed.whenReady(action);
        }
    }

    private void fetch() {
        long before = feed.revision();
        try {
            initial.addAll(translate(feed.poll(FETCHED)));
            told = before;
        } catch (StatusError e) {
            failure = e;
        } catch (Feed.Expired e) {
            failure = StatusError.tooOld(e.asked(), e.oldest());
        }
    }

    @Override
    public boolean isOver() {
        return over.getAsBoolean();
    }

    @Override
    public Event bookmark() {
        return bookmark(served.kind(), initial.isEmpty() ? feed.revision() : told, Json.Obj.EMPTY);
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
        var views = views(changes);
        var events = new ArrayList<Event>(changes.size());
        for (var change : changes) {
            translate(change, views).ifPresent(events::add);
        }
        return events;
    }

    /// What the client sees of all that changed, asked for at once.
    private Function<Stored, Content> views(List<Change> changes) {
        var conversion = served.conversion();
        if (conversion.equals(Conversion.NONE)) {
            return stored -> stored;
        }
        var all = new ArrayList<Stored>();
        for (var change : changes) {
            all.add(change.now());
            if (change.before() != null && !selectors.isEmpty()) {
                all.add(change.before());
            }
        }
        var contents = Converted.of(all, served);
        var views = new IdentityHashMap<Stored, Content>();
        for (int i = 0; i < all.size(); i++) {
            views.put(all.get(i), contents.get(i));
        }
        return stored -> Objects.requireNonNull(views.get(stored));
    }

    private Optional<Event> translate(Change change, Function<Stored, Content> views) {
        var before = change.before();
        var now = views.apply(change.now());
        boolean matches = matches(now);
        boolean matched = before != null && (selectors.isEmpty() || matches(views.apply(before)));
        return switch (change.type()) {
            case CREATED -> matches ? Optional.of(new Event(Type.ADDED, now)) : Optional.empty();
            case UPDATED -> {
                if (matches) {
                    yield Optional.of(new Event(matched ? Type.MODIFIED : Type.ADDED, now));
                }
                yield matched && before != null ? Optional.of(gone(change, views.apply(before))) : Optional.empty();
            }
            case DELETED -> matched || matches ? Optional.of(new Event(Type.DELETED, now)) : Optional.empty();
        };
    }

    private boolean matches(Content content) {
        return selectors.isEmpty() || selectors.matches(content.tree());
    }

    // The client knows the object as it was; only the revision tells it how far the watch has come.
    private static Event gone(Change change, Content before) {
        var tree = Metadata.withRevision(before.tree(), change.revision());
        return new Event(Type.DELETED, new Converted(tree, before.cluster()));
    }

    @Override
    public void close() {
        feed.close();
    }
}
