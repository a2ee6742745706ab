package dev.towtank.apiserver.catalog;

import dev.towtank.model.BoundedMap;
import dev.towtank.model.Json;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Remembers what a webhook made of stored objects, as long as memory lasts: a hundred watchers of a version cost one
/// question, and a list asks only for what changed since the last one.
final class ConvertedObjects {

    private static final int REMEMBERED = 20_000;

    private record Seen(String uid, String resourceVersion) {
        static Seen of(Json.Obj object) {
            return new Seen(object.string("metadata", "uid"), object.string("metadata", "resourceVersion"));
        }
    }

    private final Map<Seen, SoftReference<Json.Obj>> known = BoundedMap.byUse(REMEMBERED);

    /// @param convert asked for those that are not known, all at once
    List<Json.Obj> get(List<Json.Obj> objects, UnaryOperator<List<Json.Obj>> convert) {
        var results = new ArrayList<Json.@Nullable Obj>(objects.size());
        var unknown = new ArrayList<Json.Obj>();
        for (var object : objects) {
            var found = find(object);
            results.add(found);
            if (found == null) {
                unknown.add(object);
            }
        }
        if (unknown.isEmpty()) {
            return complete(results, List.of());
        }
        var made = convert.apply(unknown);
        for (int i = 0; i < made.size(); i++) {
            remember(unknown.get(i), made.get(i));
        }
        return complete(results, made);
    }

    private static List<Json.Obj> complete(List<Json.@Nullable Obj> found, List<Json.Obj> made) {
        var next = made.iterator();
        var all = new ArrayList<Json.Obj>(found.size());
        for (var object : found) {
            all.add(object == null ? next.next() : object);
        }
        return all;
    }

    private Json.@Nullable Obj find(Json.Obj object) {
        synchronized (known) {
            var reference = known.get(Seen.of(object));
            return reference == null ? null : reference.get();
        }
    }

    private void remember(Json.Obj object, Json.Obj converted) {
        synchronized (known) {
            known.put(Seen.of(object), new SoftReference<>(converted));
        }
    }
}
