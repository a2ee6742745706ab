package dev.towtank.controllers.triggers.source;

import dev.towtank.controllers.triggers.events.Event;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What was delivered before: whoever has seen a signed event may not have it worked on again. What failed may come
/// again,
/// as those who host code send it again on demand.
final class Deliveries {

    private static final Duration KEPT = Duration.ofHours(24);
    private static final int MOST = 20_000;

    private record Delivery(String listener, String id) {}

    private final InstantSource clock;

    // Guarded by this object's monitor; by age.
    private final Map<Delivery, Instant> taken = new LinkedHashMap<>();

    Deliveries(InstantSource clock) {
        this.clock = clock;
    }

    /// The number that the sender gave the event, where it gives one.
    static Optional<String> idOf(Event event) {
        return Stream.of("X-Github-Delivery", "X-Gitlab-Event-Uuid", "X-Request-Uuid", "X-Gitea-Delivery")
                .map(event.headers()::first)
                .filter(id -> !id.isEmpty() && id.length() <= 200)
                .findFirst();
    }

    /// Takes it, unless it was taken before.
    synchronized boolean take(Resource listener, String id) {
        var now = clock.instant();
        var oldest = taken.entrySet().iterator();
        while (oldest.hasNext()) {
            var entry = oldest.next();
            boolean isOld = entry.getValue().plus(KEPT).isBefore(now);
            if (!isOld && taken.size() < MOST) {
                break;
            }
            oldest.remove();
        }
        return taken.putIfAbsent(new Delivery(listener.uid(), id), now) == null;
    }

    /// Nothing came of it: it may come again.
    synchronized void giveBack(Resource listener, String id) {
        taken.remove(new Delivery(listener.uid(), id));
    }
}
