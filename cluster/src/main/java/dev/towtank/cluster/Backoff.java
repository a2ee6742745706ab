package dev.towtank.cluster;

import java.time.Duration;

/// How long to wait after so many failures in a row: twice as long each time, up to a limit.
public record Backoff(Duration first, Duration longest) {

    /// Short enough that a conflict costs nothing, long enough that a broken object costs nothing either.
    public static final Backoff OF_KEYS = new Backoff(Duration.ofMillis(5), Duration.ofMinutes(5));

    /// For calls to a server that may be down.
    public static final Backoff OF_SERVERS = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30));

    private static final int MAX_DOUBLINGS = 40;

    public Backoff {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException("not a backoff: " + first + " up to " + longest);
        }
    }

    /// @param failures 1 for the first
    public Duration after(int failures) {
        var wait = first;
        for (int i = 1; i < Math.min(failures, MAX_DOUBLINGS); i++) {
            wait = wait.multipliedBy(2);
            if (wait.compareTo(longest) >= 0) {
                return longest;
            }
        }
        return wait;
    }
}
