package dev.towtank.cluster;

import dev.towtank.model.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One informer for each kind that anybody asks for, started when first asked.
public final class Informers implements Caches, AutoCloseable {

    private final Cluster cluster;
    private final Timers timers;
    private final Informer.Settings settings;
    private final Map<String, Informer> informers = new LinkedHashMap<>();
    private boolean closed;

    public Informers(Cluster cluster, Timers timers, Informer.Settings settings) {
        this.cluster = cluster;
        this.timers = timers;
        this.settings = settings;
    }

    /// Those that were asked for before can be asked for after closing, by threads that are about to end.
    public synchronized Informer informer(Kind<?> kind) {
        return informers.computeIfAbsent(kind.apiVersion() + " " + kind.plural(), _ -> {
            if (closed) {
                throw new IllegalStateException("the informers are closed");
            }
            var informer = new Informer(cluster, kind, Selection.EVERYWHERE, timers, settings);
            informer.start();
            return informer;
        });
    }

    @Override
    public Cache of(Kind<?> kind) {
        return informer(kind).cache();
    }

    /// All that were asked for until now.
    public synchronized List<Informer> all() {
        return List.copyOf(informers.values());
    }

    @Override
    public synchronized void close() {
        closed = true;
        informers.values().forEach(Informer::close);
    }
}
