package dev.towtank.archive.sql;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.List;

/// A file of SQLite.
public record SqliteDialect() implements Dialect {

    /// A function that [SqliteFunctions] adds to each connection.
    static final String MATCHES = "archive_matches";

    @Override
    public Sql text(String column, List<Object> path) {
        return Sql.of("CAST(json_extract(" + column + ", ?) AS TEXT)", path(path));
    }

    @Override
    public Sql number(String column, List<Object> path) {
        return Sql.of(
                "CASE WHEN json_type(" + column + ", ?) IN ('integer', 'real') THEN json_extract(" + column
                        + ", ?) END",
                path(path),
                path(path));
    }

    @Override
    public Sql truth(String column, List<Object> path) {
        return Sql.of(
                "CASE json_type(" + column + ", ?) WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END", path(path));
    }

    @Override
    public Sql exists(String column, List<Object> path) {
        return Sql.of("json_type(" + column + ", ?) IS NOT NULL", path(path));
    }

    @Override
    public Sql instant(Sql text) {
        return Sql.builder()
                .add("CAST(round(unixepoch(")
                .add(text)
                .add(", 'subsec') * 1000) * 1000 AS INTEGER)")
                .build();
    }

    @Override
    public Sql part(Part part, Sql instant) {
        var format = switch (part) {
            case DAY -> "%d";
            case DAY_OF_WEEK -> "%w";
            case DAY_OF_YEAR -> "%j";
            case YEAR -> "%Y";
        };
        return Sql.builder()
                .add("CAST(strftime('" + format + "', ")
                .add(instant)
                .add(" / 1000000, 'unixepoch') AS INTEGER)")
                .build();
    }

    @Override
    public Sql truncated(Period period, Sql instant) {
        var start = switch (period) {
            case MINUTE -> "strftime('%Y-%m-%dT%H:%M:00Z', %s / 1000000, 'unixepoch')";
            case HOUR -> "strftime('%Y-%m-%dT%H:00:00Z', %s / 1000000, 'unixepoch')";
            case DAY -> "strftime('%Y-%m-%d', %s / 1000000, 'unixepoch')";
            // The Sunday that ends the week, and six days back.
            case WEEK -> "date(%s / 1000000, 'unixepoch', 'weekday 0', '-6 days')";
            case MONTH -> "date(%s / 1000000, 'unixepoch', 'start of month')";
            case YEAR -> "date(%s / 1000000, 'unixepoch', 'start of year')";
        };
        int hole = start.indexOf("%s");
        return Sql.builder()
                .add("unixepoch(" + start.substring(0, hole))
                .add(instant)
                .add(start.substring(hole + 2) + ") * 1000000")
                .build();
    }

    @Override
    public Sql contains(Sql text, Sql wanted) {
        return Sql.builder()
                .add("instr(")
                .add(text)
                .add(", ")
                .add(wanted)
                .add(") > 0")
                .build();
    }

    @Override
    public Sql matches(Sql text, Sql pattern) {
        return Sql.builder()
                .add(MATCHES + "(")
                .add(text)
                .add(", ")
                .add(pattern)
                .add(")")
                .build();
    }

    @Override
    public String jsonParameter() {
        return "?";
    }

    @Override
    public String jsonText(String column) {
        return column;
    }

    @Override
    public List<Migration> migrations() {
        return List.of(Tables.first("TEXT", "INTEGER", "BLOB", ""));
    }

    /// A path as SQLite reads it, whose quoted fields are escaped as JSON is.
    private static String path(List<Object> path) {
        var text = new StringBuilder("$");
        for (var step : path) {
            if (step instanceof Long position) {
                text.append('[').append(position.longValue()).append(']');
            } else {
                text.append('.').append(JsonText.write(Json.of(step.toString())));
            }
        }
        return text.toString();
    }
}
