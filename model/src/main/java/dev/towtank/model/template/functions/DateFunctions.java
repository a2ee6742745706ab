package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.ANY;
import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.Durations;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.Print;
import dev.towtank.model.template.SizedInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sprig's dates. The moment that is now is given, so a render can be repeated.
final class DateFunctions {
    private static final long SECOND = 1_000_000_000;

    private final Ambient ambient;

    private DateFunctions(Ambient ambient) {
        this.ambient = ambient;
    }

    static Functions of(Ambient ambient) {
        var dates = new DateFunctions(ambient);
        return Functions.builder()
                .add("now", _ -> dates.time(ambient.now(), ambient.zone()))
                .add("date", call -> dates.moment(call.any(1), ambient.zone()).format(call.string(0)), STRING, ANY)
                .add(
                        "dateInZone",
                        call -> dates.moment(call.any(1), zone(call.string(2))).format(call.string(0)),
                        STRING,
                        ANY,
                        STRING)
                .add(
                        "date_in_zone",
                        call -> dates.moment(call.any(1), zone(call.string(2))).format(call.string(0)),
                        STRING,
                        ANY,
                        STRING)
                .add(
                        "htmlDate",
                        call -> dates.moment(call.any(0), ambient.zone()).format("2006-01-02"),
                        ANY)
                .add(
                        "htmlDateInZone",
                        call -> dates.moment(call.any(0), zone(call.string(1))).format("2006-01-02"),
                        ANY,
                        STRING)
                .add(
                        "unixEpoch",
                        call -> Long.toString(dates.moment(call.any(0), ambient.zone())
                                .moment()
                                .toEpochSecond()),
                        GoTime.TYPE)
                .add("dateModify", call -> dates.modify(call.string(0), call.any(1)), STRING, GoTime.TYPE)
                .add("date_modify", call -> dates.modify(call.string(0), call.any(1)), STRING, GoTime.TYPE)
                .add("mustDateModify", call -> dates.modify(call.string(0), call.any(1)), STRING, GoTime.TYPE)
                .add("must_date_modify", call -> dates.modify(call.string(0), call.any(1)), STRING, GoTime.TYPE)
                .add("duration", call -> duration(call.any(0)), ANY)
                .add("durationRound", call -> dates.rounded(call.any(0)), ANY)
                .add("toDate", call -> dates.parse(call.string(0), call.string(1), false), STRING, STRING)
                .add("mustToDate", call -> dates.parse(call.string(0), call.string(1), true), STRING, STRING)
                .add("ago", call -> dates.ago(call.any(0)), ANY)
                .build();
    }

    private static String text(long nanoseconds) {
        return Print.value(new SizedInteger(SizedInteger.Size.DURATION, nanoseconds));
    }

    // Seconds in a text, or of Go's type int64; all else is none.
    private static String duration(@Nullable Object value) {
        long seconds = switch (value) {
            case String digits when digits.matches("[-+]?[0-9]{1,18}") -> Long.parseLong(digits);
            case SizedInteger number when number.size() == SizedInteger.Size.INT64 -> number.value();
            case null, default -> 0;
        };
        return text(seconds * SECOND);
    }

    // The largest unit of which there is more than one, cut off.
    private String rounded(@Nullable Object value) {
        long length = Math.abs(
                switch (value) {
                    case String text -> nanoseconds(text);
                    case SizedInteger number when number.size() == SizedInteger.Size.INT64 -> number.value();
                    case GoTime time ->
                        Duration.between(time.moment().toInstant(), ambient.now())
                                .toNanos();
                    case null, default -> 0;
                });
        long day = 24 * 3600 * SECOND;
        long[] units = {365 * day, 30 * day, day, 3600 * SECOND, 60 * SECOND, SECOND};
        var names = List.of("y", "mo", "d", "h", "m", "s");
        for (int i = 0; i < units.length; i++) {
            if (length > units[i]) {
                return length / units[i] + names.get(i);
            }
        }
        return "0s";
    }

    private static long nanoseconds(String text) {
        try {
            return Durations.parse(text).toNanos();
        } catch (Durations.Malformed e) {
            return 0;
        }
    }

    // What is no date is the first second of the first year, unless somebody wants to know.
    private GoTime parse(String layout, String text, boolean complains) {
        try {
            return GoTimeReader.read(layout, text, ambient.zone());
        } catch (FunctionError e) {
            if (complains) {
                throw e;
            }
            return new GoTime(ZonedDateTime.of(1, 1, 1, 0, 0, 0, 0, ZoneId.of("UTC")));
        }
    }

    private GoTime time(Instant instant, ZoneId zone) {
        return new GoTime(ZonedDateTime.ofInstant(instant, zone));
    }

    // A number is seconds since 1970; what is no time at all is now.
    private GoTime moment(@Nullable Object value, ZoneId zone) {
        return switch (value) {
            case GoTime time -> time(time.moment().toInstant(), zone);
            case Long seconds -> time(Instant.ofEpochSecond(seconds), zone);
            case SizedInteger seconds -> time(Instant.ofEpochSecond(seconds.value()), zone);
            case null, default -> time(ambient.now(), zone);
        };
    }

    private static ZoneId zone(String name) {
        try {
            return name.isEmpty() ? ZoneId.of("UTC") : ZoneId.of(name);
        } catch (DateTimeException e) {
            return ZoneId.of("UTC");
        }
    }

    private GoTime modify(String by, @Nullable Object value) {
        var time = moment(value, ambient.zone());
        boolean back = by.startsWith("-");
        try {
            var length = Durations.parse(back || by.startsWith("+") ? by.substring(1) : by);
            return new GoTime(back ? time.moment().minus(length) : time.moment().plus(length));
        } catch (Durations.Malformed e) {
            throw new FunctionError(String.valueOf(e.getMessage()));
        }
    }

    private String ago(@Nullable Object value) {
        var then = moment(value, ambient.zone()).moment().toInstant();
        return text(Math.round(Duration.between(then, ambient.now()).toMillis() / 1000.0) * SECOND);
    }
}
