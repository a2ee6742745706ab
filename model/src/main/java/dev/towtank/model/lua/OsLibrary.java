package dev.towtank.model.lua;

import static dev.towtank.model.lua.LuaArguments.one;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;

/// The two functions of `os` that only tell the time. It is the time that the run was given, in UTC.
final class OsLibrary {

    private static final Map<Character, DateTimeFormatter> FORMATS = Map.ofEntries(
            format('a', "EEE"),
            format('A', "EEEE"),
            format('b', "MMM"),
            format('B', "MMMM"),
            format('c', "dd MMM yy HH:mm 'UTC'"),
            format('d', "dd"),
            format('F', "uuuu-MM-dd"),
            format('H', "HH"),
            format('I', "hh"),
            format('m', "MM"),
            format('M', "mm"),
            format('p', "a"),
            format('S', "ss"),
            format('x', "MM/dd/yy"),
            format('X', "HH:mm:ss"),
            format('y', "yy"),
            format('Y', "uuuu"),
            format('z', "xx"),
            format('Z', "'UTC'"));

    private OsLibrary() {}

    static LuaTable table(Run run) {
        return new Library(new LuaTable(run))
                .with("time", OsLibrary::time)
                .with("date", OsLibrary::date)
                .table();
    }

    private static Map.Entry<Character, DateTimeFormatter> format(char letter, String pattern) {
        return Map.entry(letter, DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH));
    }

    private static Object[] time(LuaArguments a) {
        if (a.count() == 0) {
            return one((double) a.run().now.getEpochSecond());
        }
        var table = a.table(1);
        try {
            // Days and hours over the end of a month or day count on, as in C and Go.
            var time = LocalDateTime.of(part(table, "year", -1), 1, 1, 0, 0)
                    .plusMonths(part(table, "month", -1) - 1L)
                    .plusDays(part(table, "day", -1) - 1L)
                    .plusHours(part(table, "hour", 12))
                    .plusMinutes(part(table, "min", 0))
                    .plusSeconds(part(table, "sec", 0));
            return one((double) time.toEpochSecond(ZoneOffset.UTC));
        } catch (DateTimeException _) {
            throw a.wrong(1, "no such date");
        }
    }

    private static int part(LuaTable table, String name, int fallback) {
        return table.get(name) instanceof Double number ? (int) (double) number : fallback;
    }

    private static Object[] date(LuaArguments a) {
        var format = a.text(1, "%c");
        var time = moment(a);
        if (format.startsWith("!")) {
            format = format.substring(1);
        }
        return one(format.startsWith("*t") ? parts(a.run(), time) : a.run().text(written(a, time, format)));
    }

    private static ZonedDateTime moment(LuaArguments a) {
        try {
            var moment = a.has(2) ? Instant.ofEpochSecond((long) a.number(2)) : a.run().now;
            return moment.atZone(ZoneOffset.UTC);
        } catch (DateTimeException _) {
            throw a.wrong(2, "no such time");
        }
    }

    private static LuaTable parts(Run run, ZonedDateTime time) {
        var table = new LuaTable(run);
        table.set("year", (double) time.getYear());
        table.set("month", (double) time.getMonthValue());
        table.set("day", (double) time.getDayOfMonth());
        table.set("hour", (double) time.getHour());
        table.set("min", (double) time.getMinute());
        table.set("sec", (double) time.getSecond());
        table.set("wday", (double) (time.getDayOfWeek().getValue() % 7 + 1));
        table.set("yday", (double) time.getDayOfYear());
        table.set("isdst", false);
        return table;
    }

    private static String written(LuaArguments a, ZonedDateTime time, String format) {
        var text = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char character = format.charAt(i);
            if (character != '%' || i + 1 == format.length()) {
                text.append(character);
                continue;
            }
            a.run().allocate(32);
            text.append(field(time, format.charAt(++i)));
        }
        return text.toString();
    }

    private static String field(ZonedDateTime time, char letter) {
        var format = FORMATS.get(letter);
        if (format != null) {
            return time.format(format);
        }
        return switch (letter) {
            case '%' -> "%";
            case 'P' -> time.getHour() < 12 ? "am" : "pm";
            case 'w' -> Integer.toString(time.getDayOfWeek().getValue() % 7);
            default -> "%" + letter;
        };
    }
}
