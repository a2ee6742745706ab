package dev.towtank.archive.sql;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.List;

/// A file of SQLite.
public record SqliteDialect() implements Dialect {

    /// A function that [SqliteFunctions] adds to each connection.
    static final String MATCHES = "archive_matches";

    private static final String NAME = "CAST(json_extract(data, '$.\"metadata\".\"name\"') AS TEXT)";

    /// Labels by their names alone, with nothing that finds them by their record: what a record has is in its data.
    /// That
    /// is a third of the room that they had.
    private static final Migration LABELS = new Migration(
            "labels in less room, objects by their names",
            List.of(
                    "DROP TABLE record_labels",
                    "CREATE TABLE record_labels (name TEXT NOT NULL, value TEXT NOT NULL, record_id TEXT NOT NULL,"
                            + " PRIMARY KEY (name, value, record_id)) WITHOUT ROWID",
                    "INSERT OR IGNORE INTO record_labels SELECT label.key, label.value, records.id"
                            + " FROM records, json_each(records.data, '$.metadata.labels') label WHERE label.type = 'text'",
                    "CREATE TRIGGER record_labels_added AFTER INSERT ON records BEGIN " + added() + "; END",
                    "CREATE TRIGGER record_labels_changed AFTER UPDATE OF data ON records BEGIN " + removed() + "; "
                            + added() + "; END",
                    "CREATE TRIGGER record_labels_removed AFTER DELETE ON records BEGIN " + removed() + "; END",
                    Tables.byObjectName(NAME)));

    private static String added() {
        return "INSERT OR IGNORE INTO record_labels SELECT key, value, NEW.id"
                + " FROM json_each(NEW.data, '$.metadata.labels') WHERE type = 'text'";
    }

    private static String removed() {
        return "DELETE FROM record_labels WHERE record_id = OLD.id AND (name, value) IN"
                + " (SELECT key, value FROM json_each(OLD.data, '$.metadata.labels') WHERE type = 'text')";
    }

    @Override
    public Sql text(String column, List<Object> path) {
        return column.equals("data") && path.equals(Tables.OBJECT_NAME)
                ? Sql.of(NAME)
                : Sql.of("CAST(json_extract(" + column + ", ?) AS TEXT)", path(path));
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
    public boolean keepsLabels() {
        return true;
    }

    @Override
    public List<Migration> migrations() {
        return List.of(Tables.first("TEXT", "INTEGER", "BLOB", ""), Tables.second(), LABELS);
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
