package dev.towtank.controllers.triggers.events;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Runs of which there is one at a time, and none for a while after it: an alert that is told every minute is no reason
/// to train every minute. A template says so by a label and an annotation of the run that it makes.
public final class OncePer {

    /// What there is one run of, such as the name of a model.
    public static final String LABEL = "towtank.dev/once-per";

    /// How long after the end of one there is no other; none where it is left out.
    public static final String COOL_DOWN = "towtank.dev/cool-down";

    private OncePer() {}

    public static Optional<String> key(Json.Obj wanted) {
        return Optional.of(wanted.object("metadata", "labels").string(LABEL)).filter(key -> !key.isEmpty());
    }

    /// Why it is not made now.
    ///
    /// @param alike runs of the same kind and label
    public static Optional<String> obstacle(Json.Obj wanted, List<Resource> alike, Instant now) {
        var key = key(wanted).orElse("");
        var running = alike.stream().filter(run -> ended(run).isEmpty()).findFirst();
        if (running.isPresent()) {
            return Optional.of(
                    "%s runs already for \"%s\"".formatted(running.get().name(), key));
        }
        var pause = coolDown(wanted);
        if (pause.isEmpty()) {
            return Optional.of("annotation " + COOL_DOWN + " is no duration such as 30m");
        }
        return alike.stream()
                .flatMap(run -> ended(run).stream())
                // A clock that was set back must not stop it until it has caught up.
                .filter(end -> !end.isAfter(now))
                .max(Instant::compareTo)
                .map(last -> last.plus(pause.get()))
                .filter(again -> again.isAfter(now))
                .map(again -> "\"%s\" was just run: not again before %s".formatted(key, Timestamps.seconds(again)));
    }

    private static Optional<Duration> coolDown(Json.Obj wanted) {
        var text = wanted.object("metadata", "annotations").string(COOL_DOWN);
        try {
            return Optional.of(text.isEmpty() ? Duration.ZERO : Durations.parse(text));
        } catch (Durations.Malformed e) {
            return Optional.empty();
        }
    }

    private static Optional<Instant> ended(Resource run) {
        return Timestamps.parseSeconds(run.status().string("completionTime"));
    }
}
