package dev.towtank.controllers.triggers.source;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The last events of each listener and what its triggers did with them, for `towtank events`. It ends with the
/// process.
final class Ledger {

    private static final int MOST_EVENTS = 100;
    private static final int MOST_LISTENERS = 1_000;

    private record Name(LogicalCluster cluster, String namespace, String listener) {}

    // Guarded by this object's monitor; the listener that heard nothing for longest first.
    private final Map<Name, Deque<Json.Obj>> entries = new LinkedHashMap<>(16, 0.75f, true);

    /// @param triggers what each of them did
    synchronized void note(Resource listener, String eventId, String source, Instant now, Json.Arr triggers) {
        var name = new Name(listener.cluster(), listener.namespace(), listener.name());
        var known = entries.computeIfAbsent(name, _ -> new ArrayDeque<>());
        known.addLast(Json.Obj.builder()
                .put("time", Timestamps.seconds(now))
                .put("namespace", listener.namespace())
                .put("eventListener", listener.name())
                .put("eventID", eventId)
                .put("source", source)
                .put("triggers", triggers)
                .build());
        if (known.size() > MOST_EVENTS) {
            known.removeFirst();
        }
        if (entries.size() > MOST_LISTENERS) {
            entries.remove(entries.keySet().iterator().next());
        }
    }

    /// In the order of time.
    ///
    /// @param namespace empty for all
    synchronized Json.Arr of(LogicalCluster cluster, String namespace) {
        List<Json> found = new ArrayList<>();
        entries.forEach((name, events) -> {
            if (name.cluster.equals(cluster) && (namespace.isEmpty() || name.namespace.equals(namespace))) {
                found.addAll(events);
            }
        });
        found.sort((one, other) -> time(one).compareTo(time(other)));
        return new Json.Arr(found);
    }

    private static String time(Json entry) {
        return entry instanceof Json.Obj object ? object.string("time") : "";
    }
}
