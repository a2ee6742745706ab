package dev.towtank.controllers.workloads.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Moments as Kubernetes writes them: whole seconds, UTC.
public final class Times {

    private Times() {}

    public static Json json(Instant moment) {
        return Json.of(Timestamps.seconds(moment));
    }

    public static Optional<Instant> parse(@Nullable Json value) {
        try {
            return value instanceof Json.Str(var text) ? Optional.of(Timestamps.parse(text)) : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    public static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return one.get().isBefore(other.get()) ? one : other;
    }
}
