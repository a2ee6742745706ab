package dev.towtank.model.kinds.batch;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// When a CronJob is due: five fields of minute, hour, day, month and weekday, or a word such as `@daily`.
public sealed interface CronSchedule {

    /// The text is no schedule; the message says why.
    final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message, null, false, false);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }

    /// The first moment after another at which the schedule is due; empty for days that never come, as February 30.
    Optional<ZonedDateTime> next(ZonedDateTime after);

    /// The last moment after one and not after another at which the schedule is due. Looks back a little, then further:
    /// a
    /// year of downtime must not mean a step for each of its minutes.
    default Optional<ZonedDateTime> last(ZonedDateTime after, ZonedDateTime until) {
        var first = next(after).filter(moment -> !moment.isAfter(until));
        var second = first.flatMap(this::next).filter(moment -> !moment.isAfter(until));
        if (second.isEmpty()) {
            return first;
        }
        var start = first.orElseThrow();
        for (var window = Duration.between(start, second.get()); ; window = window.multipliedBy(2)) {
            var from = until.minus(window);
            var latest = from.isAfter(start) ? Optional.<ZonedDateTime>empty() : first;
            for (var next = next(from.isAfter(start) ? from : start);
                    next.isPresent() && !next.get().isAfter(until);
                    next = next(next.get())) {
                latest = next;
            }
            if (latest.isPresent()) {
                return latest;
            }
        }
    }

    static CronSchedule parse(String text) {
        return CronParser.parse(text);
    }

    /// `@every 1h30m`, counted from the moment asked about.
    record Every(Duration period) implements CronSchedule {
        @Override
        public Optional<ZonedDateTime> next(ZonedDateTime after) {
            return Optional.of(after.plus(period).truncatedTo(ChronoUnit.SECONDS));
        }
    }

    /// Each number is a set of bits, one for every value of a field that matches.
    ///
    /// @param anyDay whether day and weekday must both match; written out, one of them is enough
    record Fields(long minutes, long hours, long days, long months, long weekdays, boolean anyDay)
            implements CronSchedule {

        /// Leap days come every eight years at the latest.
        private static final int YEARS_TO_SEARCH = 9;

        @Override
        public Optional<ZonedDateTime> next(ZonedDateTime after) {
            var time = after.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
            int lastYear = time.getYear() + YEARS_TO_SEARCH;
            while (time.getYear() <= lastYear) {
                if (!has(months, time.getMonthValue())) {
                    time = time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1).plusMonths(1);
                } else if (!matchesDay(time)) {
                    time = time.truncatedTo(ChronoUnit.DAYS).plusDays(1);
                } else if (!has(hours, time.getHour())) {
                    time = time.truncatedTo(ChronoUnit.HOURS).plusHours(1);
                } else if (!has(minutes, time.getMinute())) {
                    time = time.plusMinutes(1);
                } else {
                    return Optional.of(time);
                }
            }
            return Optional.empty();
        }

        private boolean matchesDay(ZonedDateTime time) {
            boolean day = has(days, time.getDayOfMonth());
            boolean weekday = has(weekdays, time.getDayOfWeek().getValue() % 7);
            return anyDay ? day && weekday : day || weekday;
        }

        private static boolean has(long bits, int value) {
            return (bits & (1L << value)) != 0;
        }
    }

    /// What a field may hold.
    record Bounds(int minimum, int maximum, Map<String, Integer> names) {
        static final Bounds MINUTES = new Bounds(0, 59, Map.of());
        static final Bounds HOURS = new Bounds(0, 23, Map.of());
        static final Bounds DAYS = new Bounds(1, 31, Map.of());
        static final Bounds MONTHS = new Bounds(
                1,
                12,
                Map.ofEntries(
                        Map.entry("jan", 1),
                        Map.entry("feb", 2),
                        Map.entry("mar", 3),
                        Map.entry("apr", 4),
                        Map.entry("may", 5),
                        Map.entry("jun", 6),
                        Map.entry("jul", 7),
                        Map.entry("aug", 8),
                        Map.entry("sep", 9),
                        Map.entry("oct", 10),
                        Map.entry("nov", 11),
                        Map.entry("dec", 12)));
        static final Bounds WEEKDAYS =
                new Bounds(0, 6, Map.of("sun", 0, "mon", 1, "tue", 2, "wed", 3, "thu", 4, "fri", 5, "sat", 6));
        static final List<Bounds> ALL = List.of(MINUTES, HOURS, DAYS, MONTHS, WEEKDAYS);
        static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,9}");
    }
}
