package dev.towtank.controllers.triggers.events;

import dev.towtank.model.kinds.batch.CronSchedule;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;

/// When a Trigger starts by itself: `0 2 * * 0`, or `TZ=Europe/Berlin 0 2 * * 0`.
public record Schedule(CronSchedule cron, ZoneId zone) {

    /// On a Trigger.
    public static final String ANNOTATION = "towtank.dev/schedule";

    /// @throws CronSchedule.Malformed or
    /// @throws DateTimeException where the text is none
    public static Schedule parse(String text) {
        var isZoned = text.startsWith("TZ=") || text.startsWith("CRON_TZ=");
        int end = text.indexOf(' ');
        var zone = isZoned && end > 0 ? ZoneId.of(text.substring(text.indexOf('=') + 1, end)) : ZoneOffset.UTC;
        return new Schedule(CronSchedule.parse(text), zone);
    }

    /// What is wrong with a text, if anything.
    public static Optional<String> problem(String text) {
        try {
            parse(text);
            return Optional.empty();
        } catch (CronSchedule.Malformed e) {
            return Optional.of(e.text());
        } catch (DateTimeException e) {
            return Optional.of("unknown time zone");
        }
    }

    /// The last start that was missed or is due now: after a downtime there is one, not one for each.
    public Optional<Instant> due(Instant since, Instant now) {
        return cron.last(since.atZone(zone), now.atZone(zone)).map(ZonedDateTime::toInstant);
    }

    public Optional<Instant> next(Instant after) {
        return cron.next(after.atZone(zone)).map(ZonedDateTime::toInstant);
    }
}
