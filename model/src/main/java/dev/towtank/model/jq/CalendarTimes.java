package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.List;
import java.util.Locale;

/// Times of UTC: numbers of seconds, arrays of parts, and texts by C's formats.
final class CalendarTimes {

    private CalendarTimes() {}

    /// Year, month from 0, day, hour, minute, second, day of the week from Sunday, day of the year from 0.
    static Json parts(double seconds) {
        var time = time(seconds);
        double second = time.getSecond() + seconds - Math.floor(seconds);
        return Json.Arr.of(
                Json.of(time.getYear()),
                Json.of(time.getMonthValue() - 1),
                Json.of(time.getDayOfMonth()),
                Json.of(time.getHour()),
                Json.of(time.getMinute()),
                Operators.of(second),
                Json.of(time.getDayOfWeek().getValue() % 7),
                Json.of(time.getDayOfYear() - 1));
    }

    private static OffsetDateTime time(double seconds) {
        try {
            return Instant.ofEpochSecond((long) Math.floor(seconds)).atOffset(ZoneOffset.UTC);
        } catch (DateTimeException _) {
            throw new JqError("a time that far away is not supported");
        }
    }

    static Json seconds(Json json) {
        return Json.of(ofParts("mktime", json).toEpochSecond());
    }

    private static OffsetDateTime ofParts(String function, Json json) {
        var parts = json instanceof Json.Arr(var items) ? items : List.<Json>of();
        if (parts.size() < 6 || !parts.stream().allMatch(Texts::isNumber)) {
            throw new JqError(function + " requires array of 6 numbers");
        }
        int[] numbers =
                parts.stream().mapToInt(part -> (int) ValueOrder.number(part)).toArray();
        try {
            return OffsetDateTime.of(numbers[0], 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)
                    .plusMonths(numbers[1])
                    .plusDays(numbers[2] - 1L)
                    .plusHours(numbers[3])
                    .plusMinutes(numbers[4])
                    .plusSeconds(numbers[5]);
        } catch (DateTimeException _) {
            throw new JqError("a time that far away is not supported");
        }
    }

    static Json format(Run run, Json json, Json format) {
        var time = Texts.isNumber(json) ? time(ValueOrder.number(json)) : ofParts("strftime/1", json);
        run.copy(Texts.text(format).length() * 8L);
        var text = Texts.text(format).replace("%s", Long.toString(time.toEpochSecond()));
        return Json.of(formatter("strftime", text).format(time));
    }

    static Json parse(Run run, Json json, Json format) {
        if (!(json instanceof Json.Str(var text))) {
            throw new JqError("strptime/1 requires string inputs and arguments");
        }
        run.copy(text.length() + Texts.text(format).length() * 8L);
        try {
            var parsed = formatter("strptime", Texts.text(format)).parse(text);
            var date = parsed.query(TemporalQueries.localDate());
            var time = parsed.query(TemporalQueries.localTime());
            var moment = (date == null ? LocalDate.of(1900, 1, 1) : date)
                    .atTime(time == null ? LocalTime.MIDNIGHT : time)
                    .toEpochSecond(ZoneOffset.UTC);
            return parts(moment - (double) offset(parsed));
        } catch (DateTimeException _) {
            throw new JqError("date \"" + text + "\" does not match format \"" + format.display() + "\"");
        }
    }

    private static int offset(TemporalAccessor parsed) {
        return parsed.isSupported(ChronoField.OFFSET_SECONDS) ? parsed.get(ChronoField.OFFSET_SECONDS) : 0;
    }

    private static DateTimeFormatter formatter(String function, String format) {
        var builder = new DateTimeFormatterBuilder().parseCaseInsensitive();
        appendAll(function, builder, format);
        return builder.toFormatter(Locale.ENGLISH);
    }

    private static void appendAll(String function, DateTimeFormatterBuilder builder, String format) {
        for (int i = 0; i < format.length(); i++) {
            if (format.charAt(i) != '%' || i + 1 == format.length()) {
                builder.appendLiteral(format.charAt(i));
            } else {
                append(function, builder, format.charAt(++i));
            }
        }
    }

    private static void append(String function, DateTimeFormatterBuilder builder, char letter) {
        switch (letter) {
            case 'Y' -> builder.appendValue(ChronoField.YEAR, 4, 10, SignStyle.NORMAL);
            case 'Z' -> builder.appendLiteral(function.equals("strptime") ? "Z" : "UTC");
            case 'z' -> builder.appendOffset("+HHMM", "+0000");
            case 'e' -> builder.padNext(2).appendValue(ChronoField.DAY_OF_MONTH);
            case 'u' -> builder.appendValue(ChronoField.DAY_OF_WEEK);
            case 'a' -> builder.appendText(ChronoField.DAY_OF_WEEK, TextStyle.SHORT);
            case 'A' -> builder.appendText(ChronoField.DAY_OF_WEEK, TextStyle.FULL);
            case 'b', 'h' -> builder.appendText(ChronoField.MONTH_OF_YEAR, TextStyle.SHORT);
            case 'B' -> builder.appendText(ChronoField.MONTH_OF_YEAR, TextStyle.FULL);
            case 'p' -> builder.appendText(ChronoField.AMPM_OF_DAY);
            case 'y' -> builder.appendValueReduced(ChronoField.YEAR, 2, 2, 1969);
            case 'j' -> builder.appendValue(ChronoField.DAY_OF_YEAR, 3);
            case 'm' -> builder.appendValue(ChronoField.MONTH_OF_YEAR, 2);
            case 'd' -> builder.appendValue(ChronoField.DAY_OF_MONTH, 2);
            case 'H' -> builder.appendValue(ChronoField.HOUR_OF_DAY, 2);
            case 'I' -> builder.appendValue(ChronoField.CLOCK_HOUR_OF_AMPM, 2);
            case 'M' -> builder.appendValue(ChronoField.MINUTE_OF_HOUR, 2);
            case 'S' -> builder.appendValue(ChronoField.SECOND_OF_MINUTE, 2);
            case 'T' -> appendAll(function, builder, "%H:%M:%S");
            case 'R' -> appendAll(function, builder, "%H:%M");
            case 'F' -> appendAll(function, builder, "%Y-%m-%d");
            case 'D' -> appendAll(function, builder, "%m/%d/%y");
            case 'c' -> appendAll(function, builder, "%a %b %e %H:%M:%S %Y");
            case 'n' -> builder.appendLiteral('\n');
            case 't' -> builder.appendLiteral('\t');
            case '%' -> builder.appendLiteral('%');
            default -> throw new JqError(function + " does not know %" + letter);
        }
    }
}
