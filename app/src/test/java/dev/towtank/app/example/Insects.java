package dev.towtank.app.example;

import dev.towtank.cluster.KindFollower;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Waker;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What comes to a lantern's light: objects of a kind that only the lantern names. Somebody else defines it, perhaps
/// later,
/// and perhaps not for long.
final class Insects implements Waker, AutoCloseable {

    private record Followed(Kind<?> kind, KindFollower.Following following) {}

    private final KindFollower follower;
    private final List<Consumer<ObjectName>> subscribers = new CopyOnWriteArrayList<>();
    private final Map<ObjectName, Followed> followed = new HashMap<>();

    Insects(KindFollower follower) {
        this.follower = follower;
    }

    @Override
    public void subscribe(Consumer<ObjectName> wake) {
        subscribers.add(wake);
    }

    /// How many are in the lantern's namespace; when that changes, it is looked at again.
    synchronized int around(Resource lantern) {
        var name = ObjectName.of(lantern);
        var attracts = lantern.spec().object("attracts");
        if (attracts.isEmpty()) {
            forget(name);
            return 0;
        }
        var kind = Kind.namespaced("insects.example.com", "v1", attracts.string("kind"), attracts.string("plural"));
        return following(name, kind)
                .cache()
                .in(lantern.cluster(), lantern.namespace())
                .size();
    }

    private KindFollower.Following following(ObjectName lantern, Kind<Json.Obj> kind) {
        var before = followed.get(lantern);
        if (before != null && before.kind.resource().equals(kind.resource())) {
            return before.following;
        }
        forget(lantern);
        var following = follower.follow(kind, (old, now) -> tell(lantern, now == null ? old : now));
        followed.put(lantern, new Followed(kind, following));
        return following;
    }

    private void tell(ObjectName lantern, @Nullable Resource insect) {
        if (insect != null
                && insect.cluster().equals(lantern.cluster())
                && insect.namespace().equals(lantern.namespace())) {
            subscribers.forEach(each -> each.accept(lantern));
        }
    }

    /// A lantern is gone, or attracts nothing any more.
    @Override
    public synchronized void forget(ObjectName lantern) {
        var before = followed.remove(lantern);
        if (before != null) {
            before.following.close();
        }
    }

    @Override
    public synchronized void close() {
        followed.values().forEach(each -> each.following.close());
        followed.clear();
    }
}
