package dev.towtank.app.report;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Times in words.
final class Times {
    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final int TENTHS_UNTIL = 20;

    private Times() {}

    static String moment(Instant time) {
        return MOMENT.format(time);
    }

    /// Kubernetes counts whole seconds, so what took none took less than one; of what was seen more exactly, tenths are
    /// told.
    static String words(Duration time) {
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        if (time.toMinutes() > 0) {
            return time.toMinutes() + " min " + time.toSecondsPart() + " s";
        }
        if (time.toMillis() % 1000 != 0 && time.toSeconds() < TENTHS_UNTIL) {
            long tenths = Math.max(1, Math.round(time.toMillis() / 100.0));
            return tenths / 10 + "." + tenths % 10 + " s";
        }
        return time.toSeconds() <= 0 ? "< 1 s" : time.toSeconds() + " s";
    }
}
