package dev.towtank.controllers.triggers.source;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/// How often a listener may complain: anybody can send it events, and each complaint may become an object.
final class Telling {

    private static final int BURST = 25;
    private static final Duration ONE_MORE = Duration.ofSeconds(12);
    private static final int MOST_LISTENERS = 10_000;

    private record Credit(int left, Instant since) {}

    private final InstantSource clock;

    // Guarded by this object's monitor; by the time of the last question.
    private final Map<String, Credit> credits = new LinkedHashMap<>(16, 0.75f, true);

    Telling(InstantSource clock) {
        this.clock = clock;
    }

    synchronized boolean mayTell(String listener) {
        var now = clock.instant();
        var credit = credits.getOrDefault(listener, new Credit(BURST, now));
        long more = Duration.between(credit.since, now).dividedBy(ONE_MORE);
        int left = (int) Math.min(BURST, credit.left + more);
        var since = left == BURST ? now : credit.since.plus(ONE_MORE.multipliedBy(more));
        credits.put(listener, new Credit(Math.max(0, left - 1), since));
        if (credits.size() > MOST_LISTENERS) {
            credits.remove(credits.keySet().iterator().next());
        }
        return left > 0;
    }
}
