package dev.towtank.model;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/// A column of `kubectl get`: its heading, and the cell of an object at a moment.
///
/// @param priority 0 is always shown, more only with `-o wide`
public record Column(String name, String type, String format, String description, int priority, Cell cell) {

    @FunctionalInterface
    public interface Cell {
        Json of(Json.Obj object, Instant now);
    }

    public static Column of(String name, String type, Cell cell) {
        return new Column(name, type, "", "", 0, cell);
    }

    /// A text column.
    public static Column text(String name, Cell cell) {
        return of(name, "string", cell);
    }

    /// A text column that shows what stands at a path, or an empty cell.
    public static Column path(String name, String... path) {
        return text(name, (object, _) -> {
            var value = object.at(path);
            return value == null ? Json.of("") : Json.of(value.display());
        });
    }

    /// The first column of nearly every kind.
    public static Column ofName() {
        return new Column("Name", "string", "name", "", 0, (object, _) -> Json.of(object.string("metadata", "name")));
    }

    /// How long ago the object was created.
    public static Column ofAge() {
        return text("Age", (object, now) -> Json.of(age(object.string("metadata", "creationTimestamp"), now)));
    }

    public Column wide() {
        return new Column(name, type, format, description, 1, cell);
    }

    /// Also without `-o wide`.
    public Column always() {
        return new Column(name, type, format, description, 0, cell);
    }

    public Column describedAs(String text) {
        return new Column(name, type, format, text, priority, cell);
    }

    /// The time since a timestamp as kubectl writes it, or `<unknown>`.
    public static String age(String timestamp, Instant now) {
        if (timestamp.isEmpty()) {
            return "<unknown>";
        }
        try {
            return humanDuration(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeParseException e) {
            return "<invalid>";
        }
    }

    /// Two units at most, and the smaller one only while it matters: `45s`, `3m20s`, `5h`, `2d4h`, `400d`, `3y120d`.
    public static String humanDuration(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 0) {
            return "0s";
        }
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return pair(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return pair(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = hours / 24;
        if (hours < 192) {
            return pair(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        if (days < 2920) {
            return pair(days / 365, "y", days % 365, "d");
        }
        return days / 365 + "y";
    }

    private static String pair(long big, String bigUnit, long small, String smallUnit) {
        return small == 0 ? big + bigUnit : big + bigUnit + small + smallUnit;
    }
}
