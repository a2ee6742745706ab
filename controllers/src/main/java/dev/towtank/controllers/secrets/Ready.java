package dev.towtank.controllers.secrets;

import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The condition `Ready` of a status.
///
/// @param since when its status last changed
record Ready(boolean isTrue, String reason, String message, Optional<Instant> since) {

    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(7);

    static Ready yes(String reason, String message) {
        return new Ready(true, reason, message, Optional.empty());
    }

    static Ready no(String reason, String message) {
        return new Ready(false, reason, message, Optional.empty());
    }

    static Ready of(Json.Obj status) {
        return find(status)
                .map(found -> new Ready(
                        found.string("status").equals("True"),
                        found.string("reason"),
                        found.string("message"),
                        moment(found.string("lastTransitionTime"))))
                .orElse(no("", ""));
    }

    private static Optional<Json.Obj> find(Json.Obj status) {
        return OrderedConditions.find(status, "Ready");
    }

    static Optional<Instant> moment(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Timestamps.parse(text));
    }

    /// When to try again what has failed: as long as it has failed already, so every pause is twice the one before.
    Duration pause(Instant now) {
        var failing = Duration.between(since.orElse(now), now);
        var longEnough = failing.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : failing;
        return longEnough.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longEnough;
    }

    boolean saysTheSameAs(Ready other) {
        return isTrue == other.isTrue && reason.equals(other.reason) && message.equals(other.message);
    }

    /// The status with this condition; the time moves only when the condition's status does.
    Json.Obj in(Json.Obj status, Instant now) {
        var before = find(status);
        var wire = isTrue ? "True" : "False";
        var time = before.filter(condition -> condition.string("status").equals(wire))
                .map(condition -> condition.string("lastTransitionTime"))
                .orElse(Timestamps.seconds(now));
        var condition = Json.Obj.builder()
                .put("type", "Ready")
                .put("status", wire)
                .put("reason", reason)
                .put("message", message)
                .put("lastTransitionTime", time)
                .build();
        return OrderedConditions.with(status, condition);
    }
}
