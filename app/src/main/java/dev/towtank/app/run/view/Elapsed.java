package dev.towtank.app.run.view;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// How long something took, in few characters.
public final class Elapsed {

    private Elapsed() {}

    /// Empty for what has not begun.
    public static String between(Optional<Instant> start, Optional<Instant> end, Instant now) {
        return start.map(from -> text(Duration.between(from, end.orElse(now)))).orElse("");
    }

    /// `0.4s`, `12s`, `3m05s`, `2h10m`.
    public static String text(Duration time) {
        long tenths = Math.max(0, time.toMillis() / 100);
        if (tenths < 100) {
            return String.format(Locale.ROOT, "%d.%ds", tenths / 10, tenths % 10);
        }
        long seconds = tenths / 10;
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60);
        }
        return String.format(Locale.ROOT, "%dh%02dm", seconds / 3600, seconds / 60 % 60);
    }
}
