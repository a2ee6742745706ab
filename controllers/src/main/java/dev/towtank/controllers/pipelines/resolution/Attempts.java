package dev.towtank.controllers.pipelines.resolution;

import dev.towtank.controllers.pipelines.source.Resolver;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// How often it was tried in vain to answer requests, and when the next try is.
final class Attempts {

    private static final int MOST = 1000;
    private static final int ONCE = 1;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final double FACTOR = 2.0;

    private record Tried(int times, Instant next) {}

    // By the uid of the request; guarded by this object's monitor.
    private final Map<String, Tried> tried = BoundedMap.byAge(MOST);

    /// When the request is to be looked at, where that is not now.
    synchronized Optional<Instant> pause(String request, Instant now) {
        return Optional.ofNullable(tried.get(request)).map(Tried::next).filter(now::isBefore);
    }

    /// How often it was tried.
    synchronized int made(String request) {
        var known = tried.get(request);
        return known == null ? 0 : known.times;
    }

    /// When to try again after a failure; empty when it was tried often enough.
    ///
    /// @param end after which nobody waits any more
    synchronized Optional<Instant> next(String request, Resolver.Question question, Instant now, Instant end) {
        var before = tried.get(request);
        int times = before == null ? ONCE : before.times + 1;
        var next = now.plus(pause(question, times));
        if (times >= steps(question) || next.isAfter(end)) {
            // What was made of them stays, so that the last answer is found again until it is in the request.
            return Optional.empty();
        }
        tried.put(request, new Tried(times, next));
        return Optional.of(next);
    }

    synchronized void forget(String request) {
        tried.remove(request);
    }

    private static int steps(Resolver.Question question) {
        try {
            return question.setting("backoff-steps").map(Integer::parseInt).orElse(ONCE);
        } catch (NumberFormatException e) {
            return ONCE + 1;
        }
    }

    private static Duration pause(Resolver.Question question, int times) {
        var first = duration(question, "backoff-duration", FIRST_PAUSE);
        var cap = duration(question, "backoff-cap", LONGEST_PAUSE);
        double factor = Math.pow(factor(question), times - 1.0);
        double millis = Math.min(first.toMillis() * factor, (double) cap.toMillis());
        return Duration.ofMillis((long) millis);
    }

    private static Duration duration(Resolver.Question question, String setting, Duration usual) {
        try {
            return question.setting(setting).map(Durations::parse).orElse(usual);
        } catch (Durations.Malformed e) {
            return usual;
        }
    }

    private static double factor(Resolver.Question question) {
        try {
            return question.setting("backoff-factor").map(Double::parseDouble).orElse(FACTOR);
        } catch (NumberFormatException e) {
            return FACTOR;
        }
    }
}
