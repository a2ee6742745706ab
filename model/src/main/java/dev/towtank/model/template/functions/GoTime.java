package dev.towtank.model.template.functions;

import dev.towtank.model.template.Function;
import dev.towtank.model.template.GoObject;
import dev.towtank.model.template.GoType;
import dev.towtank.model.template.SizedInteger;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A moment, as `now` gives it, and Go's way to write one: by the example of 2 January 2006, 15:04:05.
record GoTime(ZonedDateTime moment) implements GoObject {
    // Longer ones first, where one begins with another.
    static final List<String> PARTS = List.of(
            "January", "Monday", "2006", "Z07:00", "-07:00", "-0700", "Z0700", "Jan", "Mon", "MST", "-07", "002", "01",
            "02", "03", "04", "05", "06", "15", "PM", "pm", "_2", "1", "2", "3", "4", "5");

    static final GoType TYPE = GoType.of(GoTime.class, "time.Time");

    @Override
    public String type() {
        return "time.Time";
    }

    @Override
    public @Nullable Member member(String name) {
        return switch (name) {
            case "Format" -> new Method(Function.of(call -> format(call.string(0)), GoType.STRING));
            case "Unix" -> number(SizedInteger.int64(moment.toEpochSecond()));
            case "UnixNano" -> number(SizedInteger.int64(moment.toEpochSecond() * 1_000_000_000 + moment.getNano()));
            case "Year" -> number((long) moment.getYear());
            case "Month" -> number(new SizedInteger(SizedInteger.Size.MONTH, moment.getMonthValue()));
            case "Day" -> number((long) moment.getDayOfMonth());
            case "YearDay" -> number((long) moment.getDayOfYear());
            case "Hour" -> number((long) moment.getHour());
            case "Minute" -> number((long) moment.getMinute());
            case "Second" -> number((long) moment.getSecond());
            case "Weekday" ->
                number(new SizedInteger(
                        SizedInteger.Size.WEEKDAY, moment.getDayOfWeek().getValue() % 7));
            case "UTC" ->
                new Method(Function.of(_ -> new GoTime(moment.withZoneSameInstant(java.time.ZoneOffset.UTC))));
            case "String" -> new Method(Function.of(_ -> text()));
            default -> null;
        };
    }

    private static Member number(Object value) {
        return new Method(Function.of(_ -> value));
    }

    @Override
    public String text() {
        return format("2006-01-02 15:04:05") + fraction() + format(" -0700 MST");
    }

    private String fraction() {
        return moment.getNano() == 0
                ? ""
                : "." + String.format("%09d", moment.getNano()).replaceAll("0+$", "");
    }

    @Override
    public @Nullable Object data() {
        return format("2006-01-02T15:04:05") + fraction() + format("Z07:00");
    }

    String format(String layout) {
        var out = new StringBuilder();
        for (int i = 0; i < layout.length(); ) {
            int at = i;
            var part =
                    PARTS.stream().filter(each -> layout.startsWith(each, at)).findFirst();
            out.append(part.map(this::part).orElse(layout.substring(at, at + 1)));
            i += part.map(String::length).orElse(1);
        }
        return out.toString();
    }

    private String part(String part) {
        return switch (part) {
            case "January" -> moment.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case "Jan" -> moment.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
            case "Monday" -> moment.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case "Mon" -> moment.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
            case "2006" -> String.format("%04d", moment.getYear());
            case "06" -> String.format("%02d", moment.getYear() % 100);
            case "01" -> two(moment.getMonthValue());
            case "1" -> Integer.toString(moment.getMonthValue());
            case "02" -> two(moment.getDayOfMonth());
            case "_2" -> String.format("%2d", moment.getDayOfMonth());
            case "2" -> Integer.toString(moment.getDayOfMonth());
            case "002" -> String.format("%03d", moment.getDayOfYear());
            case "15" -> two(moment.getHour());
            case "03" -> two(hour());
            case "3" -> Integer.toString(hour());
            case "04" -> two(moment.getMinute());
            case "4" -> Integer.toString(moment.getMinute());
            case "05" -> two(moment.getSecond());
            case "5" -> Integer.toString(moment.getSecond());
            case "PM" -> moment.getHour() < 12 ? "AM" : "PM";
            case "pm" -> moment.getHour() < 12 ? "am" : "pm";
            case "MST" -> zone();
            case "-0700" -> offset();
            case "-07" -> offset().substring(0, 3);
            case "Z0700" -> offset().equals("+0000") ? "Z" : offset();
            case "-07:00" -> withColon();
            case "Z07:00" -> offset().equals("+0000") ? "Z" : withColon();
            default -> part;
        };
    }

    private String zone() {
        if (offset().equals("+0000")) {
            return "UTC";
        }
        return moment.getZone() instanceof ZoneOffset
                ? offset()
                : moment.getZone().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
    }

    private int hour() {
        return (moment.getHour() + 11) % 12 + 1;
    }

    private static String two(int number) {
        return String.format("%02d", number);
    }

    private String offset() {
        int minutes = moment.getOffset().getTotalSeconds() / 60;
        return String.format("%s%02d%02d", minutes < 0 ? "-" : "+", Math.abs(minutes) / 60, Math.abs(minutes) % 60);
    }

    private String withColon() {
        return offset().substring(0, 3) + ":" + offset().substring(3);
    }
}
