package dev.towtank.controllers.workloads.jobs;

import dev.towtank.controllers.workloads.pods.Times;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.batch.CronSchedule;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;

/// When a CronJob is due.
record CronTimes(CronSchedule schedule, ZoneId zone, Instant since, Optional<Duration> deadline) {

    private static final int MANY = 100;

    /// @param many whether so many starts were missed that something must be wrong
    record Due(ZonedDateTime moment, boolean many) {
        String minutes() {
            return Long.toString(moment.toEpochSecond() / 60);
        }
    }

    /// Nothing for a schedule or time zone that is none: validation lets no such pass.
    static Optional<CronTimes> of(Resource cronJob) {
        var zone = cronJob.spec().string("timeZone");
        var since = Times.parse(cronJob.status().get("lastScheduleTime")).or(cronJob::creationTimestamp);
        try {
            return Optional.of(new CronTimes(
                    CronSchedule.parse(cronJob.spec().string("schedule")),
                    zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone),
                    since.orElse(Instant.EPOCH),
                    cronJob.spec().get("startingDeadlineSeconds") instanceof Json.Int(var seconds)
                            ? Optional.of(Duration.ofSeconds(seconds))
                            : Optional.empty()));
        } catch (CronSchedule.Malformed | DateTimeException e) {
            return Optional.empty();
        }
    }

    /// The first start after a moment.
    Optional<Instant> after(Instant moment) {
        return schedule.next(moment.atZone(zone)).map(ZonedDateTime::toInstant);
    }

    /// The last start that is not too late yet and has not been made: after a downtime at most one.
    Optional<Due> due(Instant now) {
        var earliest =
                deadline.map(now::minus).filter(start -> start.isAfter(since)).orElse(since);
        var first = schedule.next(earliest.atZone(zone));
        if (first.isEmpty() || first.get().toInstant().isAfter(now)) {
            return Optional.empty();
        }
        var second = schedule.next(first.get());
        if (second.isEmpty() || second.get().toInstant().isAfter(now)) {
            return first.map(moment -> new Due(moment, false));
        }
        var gap = Duration.between(first.get(), second.get());
        var elapsed = Duration.between(first.get().toInstant(), now);
        boolean isMany = elapsed.dividedBy(gap) >= MANY;
        return schedule.last(earliest.atZone(zone), now.atZone(zone)).map(moment -> new Due(moment, isMany));
    }
}
