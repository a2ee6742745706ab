package dev.towtank.archive.filter;

import dev.towtank.archive.ArchiveRefusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/// Instants as people write them in filters: with dashes or slashes, with or without a time and an offset.
final class Moments {

    private static final int DATE = "2026-01-31".length();

    private Moments() {}

    static long micros(String text) {
        try {
            return ChronoUnit.MICROS.between(Instant.EPOCH, moment(text.trim()).toInstant());
        } catch (DateTimeException | ArithmeticException e) {
            throw ArchiveRefusal.invalid("invalid timestamp " + quoted(text) + ": write it as 2026-01-31T12:00:00Z");
        }
    }

    private static OffsetDateTime moment(String text) {
        if (text.length() < DATE) {
            throw new DateTimeException("too short");
        }
        var date = text.substring(0, DATE).replace('/', '-');
        if (text.length() == DATE) {
            return LocalDateTime.parse(date + "T00:00:00").atOffset(ZoneOffset.UTC);
        }
        var time = date + "T" + text.substring(DATE + 1);
        boolean hasOffset = time.endsWith("Z")
                || time.endsWith("z")
                || time.lastIndexOf('+') > DATE
                || time.lastIndexOf('-') > DATE;
        return hasOffset
                ? OffsetDateTime.parse(time)
                : LocalDateTime.parse(time).atOffset(ZoneOffset.UTC);
    }

    private static String quoted(String text) {
        return '"' + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + '"';
    }
}
