package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Informer;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.Waker;
import dev.towtank.controllers.gitops.api.Tracking;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Wakes an Application when an object changes that is marked as its own. Which kinds that can be is only known when
/// they
/// are first met in a repository.
final class LiveWatch implements Waker, AutoCloseable {

    private final Informers informers;
    private final Set<String> followed = new HashSet<>();
    private final List<Consumer<ObjectName>> subscribers = new CopyOnWriteArrayList<>();

    LiveWatch(Cluster cluster, Timers timers) {
        this.informers = new Informers(cluster, timers, Informer.Settings.USUAL);
    }

    @Override
    public void subscribe(Consumer<ObjectName> wake) {
        subscribers.add(wake);
    }

    synchronized void follow(Kind<?> kind) {
        if (followed.add(kind.resource().toString())) {
            informers.informer(kind).subscribe(this::changed);
        }
    }

    private void changed(@Nullable Resource before, @Nullable Resource now) {
        tell(before);
        if (now != null && (before == null || !mark(before).equals(mark(now)))) {
            tell(now);
        }
    }

    private static String mark(Resource object) {
        return object.metadata().string("annotations", Tracking.ANNOTATION);
    }

    private void tell(@Nullable Resource object) {
        if (object != null) {
            // Applications of the default cluster may have their objects in others.
            Stream.of(object.cluster(), LogicalCluster.DEFAULT)
                    .distinct()
                    .flatMap(place -> Tracking.application(place, object.json()).stream())
                    .forEach(name -> subscribers.forEach(each -> each.accept(name)));
        }
    }

    @Override
    public void close() {
        informers.close();
    }
}
