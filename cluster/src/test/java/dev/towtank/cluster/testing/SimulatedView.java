package dev.towtank.cluster.testing;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.Informer;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.model.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

/// What a process has seen of a kind: all that was there when it began, and the events that have reached it since.
final class SimulatedView {

    private final Kind<?> kind;
    private final IndexedCache cache = new IndexedCache();
    private final Queue<Watch.Event> underway = new ArrayDeque<>();
    private final Watch watch;

    SimulatedView(Cluster cluster, Kind<?> kind) {
        this.kind = kind;
        var listing = cluster.list(kind, Selection.EVERYWHERE);
        // A real process decides nothing before its caches are complete; what it owes to old objects it learns here.
        listing.items().forEach(cache::put);
        listing.items().forEach(item -> underway.add(new Watch.Added(item)));
        this.watch = cluster.watch(kind, Selection.EVERYWHERE, listing.resourceVersion());
    }

    Kind<?> kind() {
        return kind;
    }

    Cache cache() {
        return cache;
    }

    boolean hasNext() {
        try {
            underway.addAll(watch.next(Duration.ZERO));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return !underway.isEmpty();
    }

    void deliver(Informer.Handler handler) {
        switch (underway.remove()) {
            case Watch.Added(var object) -> handler.changed(cache.put(object), object);
            case Watch.Modified(var object) -> handler.changed(cache.put(object), object);
            case Watch.Deleted(var object) -> {
                cache.remove(ObjectName.of(object));
                handler.changed(object, null);
            }
            case Watch.Bookmark _ -> {}
        }
    }
}
