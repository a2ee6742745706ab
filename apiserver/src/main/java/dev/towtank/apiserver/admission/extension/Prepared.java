package dev.towtank.apiserver.admission.extension;

import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The objects of one kind in a form that is quick to use, made anew where one of them has changed.
///
/// What is committed counts for the next request. Objects lie together in the store, so that asking for them costs next
/// to nothing where there are none.
public final class Prepared<T> {

    /// What is forgotten is made again; this bounds the memory that deleted clusters hold.
    private static final int MOST_CLUSTERS = 1024;

    private final Store store;
    private final GroupResource resource;
    private final Function<Json.Obj, T> reading;
    private final Map<LogicalCluster, State<T>> states = new ConcurrentHashMap<>();

    private record State<T>(List<Stored> from, List<T> made) {}

    public Prepared(Store store, GroupResource resource, Function<Json.Obj, T> reading) {
        this.store = store;
        this.resource = resource;
        this.reading = reading;
    }

    /// In the order of their names.
    public List<T> of(LogicalCluster cluster) {
        var present = store.list(Range.of(resource, cluster), 0, null, 0).items();
        if (present.isEmpty()) {
            states.remove(cluster);
            return List.of();
        }
        var known = states.get(cluster);
        if (known != null && known.from.equals(present)) {
            return known.made;
        }
        if (states.size() >= MOST_CLUSTERS) {
            states.clear();
        }
        var made = make(present, known);
        states.put(cluster, made);
        return made.made;
    }

    private State<T> make(List<Stored> present, @Nullable State<T> known) {
        var before = new HashMap<Stored, T>();
        if (known != null) {
            for (int i = 0; i < known.from.size(); i++) {
                before.put(known.from.get(i), known.made.get(i));
            }
        }
        var made = present.stream()
                .map(stored -> before.computeIfAbsent(stored, each -> reading.apply(each.tree())))
                .toList();
        return new State<>(present, made);
    }
}
