package dev.towtank.cluster;

import dev.towtank.model.GroupResource;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.crd.DefinedKinds;
import dev.towtank.model.kinds.BuiltinKinds;
import dev.towtank.model.kinds.ClusterSnapshots;
import dev.towtank.model.kinds.LogicalClusters;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One informer for each kind that anybody asks for, started when first asked.
///
/// Kinds that users define come and go with their definitions, which are followed as soon as somebody meets such a kind
/// while they run, or one is not there.
public final class Informers implements Caches, KindFollower, AutoCloseable {

    private static final Set<GroupResource> BUILT_IN = Stream.concat(
                    BuiltinKinds.ALL.stream(),
                    Stream.of(CustomResourceDefinitions.KIND, LogicalClusters.KIND, ClusterSnapshots.KIND))
            .map(Kind::resource)
            .collect(Collectors.toUnmodifiableSet());

    private final Cluster cluster;
    private final Timers timers;
    private final Informer.Settings settings;
    // Changed under this object's monitor, and read without it by whoever hears of definitions.
    private final Map<String, Shared> informers = new ConcurrentHashMap<>();
    private boolean followsDefinitions;
    private boolean closed;

    /// Guarded by the monitor of the set.
    private static final class Shared {
        private final Informer informer;
        private int followers;
        private boolean isForGood;

        Shared(Informer informer) {
            this.informer = informer;
        }
    }

    public Informers(Cluster cluster, Timers timers, Informer.Settings settings) {
        this.cluster = cluster;
        this.timers = timers;
        this.settings = settings;
    }

    /// One that reads until this set is closed. Those that were asked for before can be asked for after closing, by
    /// threads that are about to end.
    public synchronized Informer informer(Kind<?> kind) {
        var shared = shared(kind);
        shared.isForGood = true;
        return shared.informer;
    }

    @Override
    public Following follow(Kind<?> kind, Informer.Handler handler) {
        if (!BUILT_IN.contains(kind.resource())) {
            followDefinitions();
        }
        Shared shared;
        synchronized (this) {
            shared = shared(kind);
            shared.followers++;
        }
        shared.informer.subscribe(handler);
        return new SharedFollowing(shared, handler);
    }

    private final class SharedFollowing implements Following {
        private final Shared shared;
        private final Informer.Handler handler;
        private final AtomicBoolean ended = new AtomicBoolean();

        SharedFollowing(Shared shared, Informer.Handler handler) {
            this.shared = shared;
            this.handler = handler;
        }

        @Override
        public Cache cache() {
            return shared.informer.cache();
        }

        @Override
        public void awaitSynced() throws InterruptedException {
            shared.informer.awaitSynced();
        }

        @Override
        public void close() {
            if (ended.compareAndSet(false, true)) {
                shared.informer.unsubscribe(handler);
                release(shared);
            }
        }
    }

    private synchronized void release(Shared shared) {
        shared.followers--;
        if (shared.followers == 0 && !shared.isForGood) {
            informers.values().remove(shared);
            shared.informer.close();
        }
    }

    private Shared shared(Kind<?> kind) {
        return informers.computeIfAbsent(kind.apiVersion() + " " + kind.plural(), _ -> {
            if (closed) {
                throw new IllegalStateException("the informers are closed");
            }
            var informer = new Informer(cluster, kind, Selection.EVERYWHERE, timers, settings, this::followDefinitions);
            informer.start();
            return new Shared(informer);
        });
    }

    /// Outside of this object's monitor, as the handler runs inside of the informer's.
    private void followDefinitions() {
        Informer definitions;
        synchronized (this) {
            if (followsDefinitions || closed) {
                return;
            }
            followsDefinitions = true;
            var shared = shared(CustomResourceDefinitions.KIND);
            shared.isForGood = true;
            definitions = shared.informer;
        }
        definitions.subscribe(this::definitionChanged);
    }

    private void definitionChanged(@Nullable Resource before, @Nullable Resource now) {
        for (var shared : informers.values()) {
            var isServed = serves(now, shared.informer.kind());
            if (serves(before, shared.informer.kind()) != isServed) {
                shared.informer.definitionChanged(isServed);
            }
        }
    }

    private static boolean serves(@Nullable Resource definition, Kind<?> kind) {
        return definition != null && DefinedKinds.serves(definition.json(), kind);
    }

    @Override
    public Cache of(Kind<?> kind) {
        return informer(kind).cache();
    }

    /// All that were asked for until now.
    public List<Informer> all() {
        return informers.values().stream().map(shared -> shared.informer).toList();
    }

    @Override
    public synchronized void close() {
        closed = true;
        informers.values().forEach(shared -> shared.informer.close());
    }
}
