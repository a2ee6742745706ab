package dev.towtank.controllers.gitops;

import dev.towtank.cluster.KindFollower;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Waker;
import dev.towtank.controllers.gitops.api.Tracking;
import dev.towtank.controllers.gitops.source.RemoteClusters;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Wakes an Application when an object changes that is marked as its own. Which kinds that can be is only known when
/// they
/// are first met in a repository.
final class LiveWatch implements Waker {

    private final KindFollower here;
    private final RemoteClusters remotes;
    // Those of a cluster that is forgotten are forgotten with it.
    private final Map<KindFollower, Set<String>> followed = new WeakHashMap<>();
    private final List<Consumer<ObjectName>> subscribers = new CopyOnWriteArrayList<>();
    private final List<Consumer<String>> mourners = new CopyOnWriteArrayList<>();

    /// @param here follows all clusters of this server as one
    LiveWatch(KindFollower here, RemoteClusters remotes) {
        this.here = here;
        this.remotes = remotes;
    }

    @Override
    public void subscribe(Consumer<ObjectName> wake) {
        subscribers.add(wake);
    }

    /// @param gone takes the uids of followed objects that are deleted
    void onGone(Consumer<String> gone) {
        mourners.add(gone);
    }

    /// Each version by itself: one may vanish while another stays.
    synchronized void follow(LogicalCluster place, Kind<?> kind) {
        var follower = remotes.follower(place).orElse(here);
        if (followed.computeIfAbsent(follower, _ -> new HashSet<>()).add(kind.apiVersion() + " " + kind.plural())) {
            follower.follow(kind, this::changed);
        }
    }

    private void changed(@Nullable Resource before, @Nullable Resource now) {
        tell(before);
        if (now != null && (before == null || !mark(before).equals(mark(now)))) {
            tell(now);
        }
        if (before != null && now == null) {
            var uid = before.uid();
            mourners.forEach(each -> each.accept(uid));
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
}
