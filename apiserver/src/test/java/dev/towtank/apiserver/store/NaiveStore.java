package dev.towtank.apiserver.store;

import dev.towtank.model.LogicalCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a store should say, in the simplest way to say it: a copy of everything for each revision.
final class NaiveStore {

    /// @param revision that wrote it
    record Item(long revision, String value) {}

    /// As [Samples#changes] shows it, with its key and revision.
    record Event(long revision, Key key, Change.Type type, String value) {}

    private final TreeMap<Long, Map<Key, Item>> states = new TreeMap<>();
    private final List<Event> events = new ArrayList<>();
    private long oldest;

    NaiveStore() {
        states.put(0L, new TreeMap<>());
    }

    long revision() {
        return states.lastKey();
    }

    long oldest() {
        return oldest;
    }

    Map<Key, Item> now() {
        return states.lastEntry().getValue();
    }

    boolean accepts(List<Write> writes) {
        return writes.stream().allMatch(this::accepts);
    }

    private boolean accepts(Write write) {
        var found = now().get(write.key());
        return switch (write) {
            case Write.Create _ -> found == null;
            case Write.Update update -> found != null && found.revision == update.expected();
            case Write.Delete delete -> found != null && found.revision == delete.expected();
            case Write.Check check -> (found == null ? 0 : found.revision) == check.expected();
        };
    }

    void apply(List<Write> writes) {
        for (var write : writes) {
            switch (write) {
                case Write.Create(var key, var object) ->
                    change(key, Change.Type.CREATED, object.string("data", "value"));
                case Write.Update(var key, var _, var object) ->
                    change(key, Change.Type.UPDATED, object.string("data", "value"));
                case Write.Delete(var key, var _, var object) ->
                    change(key, Change.Type.DELETED, object.string("data", "value"));
                case Write.Check _ -> {}
            }
        }
    }

    private void change(Key key, Change.Type type, String value) {
        var next = new TreeMap<>(now());
        long revision = revision() + 1;
        if (type == Change.Type.DELETED) {
            next.remove(key);
        } else {
            next.put(key, new Item(revision, value));
        }
        states.put(revision, next);
        events.add(new Event(revision, key, type, value));
    }

    int drop(LogicalCluster cluster) {
        var going = new TreeMap<>(now());
        going.keySet().removeIf(key -> !key.cluster().equals(cluster));
        going.forEach((key, item) -> change(key, Change.Type.DELETED, item.value));
        return going.size();
    }

    void forgetBefore(long revision) {
        oldest = Math.max(oldest, Math.min(revision, revision()));
    }

    List<Item> list(Range range, long at, Key after, int limit) {
        return states.get(at).entrySet().stream()
                .filter(entry -> range.contains(entry.getKey()))
                .filter(entry -> after == null || entry.getKey().compareTo(after) > 0)
                .map(Map.Entry::getValue)
                .limit(limit == 0 ? Long.MAX_VALUE : limit)
                .toList();
    }

    List<Event> events(Range range, long since) {
        return events.stream()
                .filter(event -> event.revision > since && range.contains(event.key))
                .toList();
    }
}
