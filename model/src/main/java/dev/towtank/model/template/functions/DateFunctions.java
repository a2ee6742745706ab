package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.ANY;
import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.Durations;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.SizedInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/// Sprig's dates. The moment that is now is given, so a render can be repeated.
final class DateFunctions {
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
                .add("duration", call -> duration(Conversions.integer(call.any(0))), ANY)
                .add("ago", call -> dates.ago(call.any(0)), ANY)
                .build();
    }

    private static SizedInteger duration(long seconds) {
        return new SizedInteger(SizedInteger.Size.DURATION, seconds * 1_000_000_000);
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

    private Object ago(@Nullable Object value) {
        var then = moment(value, ambient.zone()).moment().toInstant();
        return new SizedInteger(
                SizedInteger.Size.DURATION,
                Duration.between(then, ambient.now()).toSeconds() * 1_000_000_000);
    }
}
