package dev.towtank.controllers.pipelines.resolution;

import dev.towtank.controllers.pipelines.source.Resolver.Answer;
import dev.towtank.model.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What resolvers have found lately. Whoever asks for the same from the same namespace gets it without a look outside.
final class AnswerCache {

    static final String CONFIG_MAP = "resolver-cache-config";

    private static final int MOST = 1000;
    private static final Duration USUAL_TIME = Duration.ofMinutes(5);
    private static final String PREFIX = "resolution.tekton.dev/cache";

    private final InstantSource clock;

    // By use, the oldest first; guarded by its monitor.
    private final Map<String, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);

    private record Kept(Answer answer, Instant until) {}

    AnswerCache(InstantSource clock) {
        this.clock = clock;
    }

    Optional<Answer> get(String key, String type) {
        synchronized (kept) {
            var found = kept.get(key);
            if (found == null) {
                return Optional.empty();
            }
            if (clock.instant().isAfter(found.until)) {
                kept.remove(key);
                return Optional.empty();
            }
            return Optional.of(noted(found.answer, type, "retrieve"));
        }
    }

    /// @param settings of the cache
    /// @param own settings of the resolver, whose `ttl` goes first
    Answer put(String key, String type, Answer answer, Map<String, String> settings, Map<String, String> own) {
        var time = time(own).or(() -> time(settings)).orElse(USUAL_TIME);
        synchronized (kept) {
            kept.put(key, new Kept(answer, clock.instant().plus(time)));
            var oldest = kept.keySet().iterator();
            for (int extra = kept.size() - most(settings); extra > 0; extra--) {
                oldest.next();
                oldest.remove();
            }
        }
        return noted(answer, type, "store");
    }

    private static Optional<Duration> time(Map<String, String> settings) {
        try {
            return Optional.ofNullable(settings.get("ttl"))
                    .map(Durations::parse)
                    .filter(Duration::isPositive);
        } catch (Durations.Malformed e) {
            return Optional.empty();
        }
    }

    private static int most(Map<String, String> settings) {
        var text = settings.getOrDefault("max-size", "");
        return text.matches("[1-9][0-9]{0,5}") ? Integer.parseInt(text) : MOST;
    }

    private Answer noted(Answer answer, String type, String operation) {
        var notes = new LinkedHashMap<>(answer.annotations());
        notes.put(PREFIX + "d", "true");
        notes.put(
                PREFIX + "-timestamp",
                clock.instant()
                        .truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
                        .toString());
        notes.put(PREFIX + "-resolver-type", type);
        notes.put(PREFIX + "-operation", operation);
        return new Answer(answer.text(), answer.source(), notes);
    }
}
