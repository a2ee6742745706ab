package dev.towtank.apiserver;

import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Feed;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The least that is a store, in memory.
public final class FakeStore implements Store {

    private final TreeMap<Key, Stored> objects = new TreeMap<>();
    private final List<Change> history = new ArrayList<>();

    @Override
    public synchronized List<Change> commit(List<Write> writes) {
        for (var write : writes) {
            var found = objects.get(write.key());
            long expected = switch (write) {
                case Write.Create _ -> 0;
                case Write.Update update -> update.expected();
                case Write.Delete delete -> delete.expected();
                case Write.Check check -> check.expected();
            };
            if (expected != (found == null ? 0 : found.revision())) {
                throw new Conflict(write.key(), found);
            }
        }
        var changes = new ArrayList<Change>();
        for (var write : writes) {
            switch (write) {
                case Write.Create create -> changes.add(put(Change.Type.CREATED, create.key(), create.object()));
                case Write.Update update -> changes.add(put(Change.Type.UPDATED, update.key(), update.object()));
                case Write.Delete delete -> {
                    changes.add(put(Change.Type.DELETED, delete.key(), delete.object()));
                    objects.remove(delete.key());
                }
                case Write.Check _ -> {}
            }
        }
        return changes;
    }

    private Change put(Change.Type type, Key key, Json.Obj object) {
        long revision = history.size() + 1L;
        var before = objects.get(key);
        var metadata = object.object("metadata").with("resourceVersion", Json.of(Long.toString(revision)));
        var stored = new Stored(key, revision, JsonText.bytes(object.with("metadata", metadata)));
        objects.put(key, stored);
        var change = new Change(type, stored, before);
        history.add(change);
        return change;
    }

    /// Writes whatever is there now.
    public void put(Key key, Json.Obj object) {
        var found = get(key);
        commit(found == null ? new Write.Create(key, object) : new Write.Update(key, found.revision(), object));
    }

    public void remove(Key key) {
        var found = get(key);
        if (found != null) {
            commit(new Write.Delete(key, found.revision(), found.tree()));
        }
    }

    @Override
    public synchronized @Nullable Stored get(Key key) {
        return objects.get(key);
    }

    @Override
    public synchronized Page list(Range range, long at, @Nullable Key after, int limit) {
        var items = objects.values().stream()
                .filter(each -> range.contains(each.key()))
                .toList();
        return new Page(revision(), items, false, Optional.empty());
    }

    @Override
    public int count(Range range) {
        return list(range, 0, null, 0).items().size();
    }

    @Override
    public Feed feed(Range range, long since) {
        return new FakeFeed(range, since);
    }

    @Override
    public synchronized long revision() {
        return history.size();
    }

    @Override
    public long oldest() {
        return 0;
    }

    @Override
    public void compact(long revision) {}

    @Override
    public synchronized int drop(LogicalCluster cluster) {
        var keys = objects.keySet().stream()
                .filter(key -> key.cluster().equals(cluster))
                .toList();
        keys.forEach(this::remove);
        return keys.size();
    }

    @Override
    public void close() {}

    private final class FakeFeed implements Feed {
        private final Range range;
        private long position;

        FakeFeed(Range range, long since) {
            this.range = range;
            this.position = since;
        }

        @Override
        public List<Change> poll(int limit) {
            synchronized (FakeStore.this) {
                var found = new ArrayList<Change>();
                while (position < history.size() && found.size() < limit) {
                    var change = history.get((int) position++);
                    if (range.contains(change.key())) {
                        found.add(change);
                    }
                }
                return found;
            }
        }

        @Override
        public List<Change> await(int limit, Duration longest) {
            return poll(limit);
        }

        @Override
        public void whenReady(Runnable action) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long revision() {
            return position;
        }

        @Override
        public void close() {}
    }
}
