package dev.towtank.archive.api;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.sql.Dialect;
import dev.towtank.archive.sql.Session;
import dev.towtank.archive.sql.Sql;
import dev.towtank.model.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedSet;

/// Counts and durations of records, of all or in groups.
final class Summaries {

    private static final List<String> KNOWN = List.of(
            "total",
            "avg_duration",
            "max_duration",
            "total_duration",
            "min_duration",
            "last_runtime",
            "succeeded",
            "failed",
            "cancelled",
            "running",
            "others");
    private static final List<Object> REASON = List.of("status", "conditions", 0L, "reason");

    private final Dialect dialect;
    private final SequencedSet<String> wanted;
    private final Optional<Sql> group;
    private final boolean groupIsTime;
    private final String order;

    Summaries(Dialect dialect, String summary, String groupBy, String orderBy) {
        this.dialect = dialect;
        this.wanted = wanted(summary);
        this.group = groupBy.isEmpty() ? Optional.empty() : Optional.of(group(groupBy));
        this.groupIsTime = period(groupBy.split(" ", -1)[0]).isPresent();
        // Without groups there is only one row.
        this.order = orderBy.isEmpty() || group.isEmpty() ? "" : order(orderBy);
    }

    private static SequencedSet<String> wanted(String summary) {
        var wanted = new LinkedHashSet<String>();
        for (var name : (summary.isEmpty() ? "total" : summary).split(",", -1)) {
            if (!KNOWN.contains(name)) {
                throw ArchiveRefusal.invalid("invalid aggregate query: " + name);
            }
            wanted.add(name);
        }
        return wanted;
    }

    private static Optional<Dialect.Period> period(String name) {
        for (var period : Dialect.Period.values()) {
            if (period.name().toLowerCase(Locale.ROOT).equals(name)) {
                return Optional.of(period);
            }
        }
        return Optional.empty();
    }

    private Sql group(String text) {
        var parts = text.split(" ", -1);
        var period = period(parts[0]);
        if (period.isPresent() && parts.length <= 2) {
            var field = parts.length == 1 ? "creationTimestamp" : parts[1];
            if (parts.length == 2 && !field.equals("completionTime") && !field.equals("startTime")) {
                throw ArchiveRefusal.invalid("group_by does not recognize " + field);
            }
            var place = List.<Object>of(parts.length == 1 ? "metadata" : "status", field);
            return dialect.truncated(period.get(), dialect.instant(dialect.text("data", place)));
        }
        if (parts.length != 1) {
            throw ArchiveRefusal.invalid("group_by does not recognize " + text);
        }
        var namespace = dialect.text("data", List.of("metadata", "namespace"));
        return switch (text) {
            case "namespace" -> namespace;
            case "pipeline" -> below(namespace, List.of("metadata", "labels", "tekton.dev/pipeline"));
            case "repository" ->
                below(namespace, List.of("metadata", "annotations", "pipelinesascode.tekton.dev/repository"));
            default -> throw ArchiveRefusal.invalid("group_by does not recognize " + text);
        };
    }

    private Sql below(Sql namespace, List<Object> path) {
        return Sql.builder()
                .add("CONCAT(")
                .add(namespace)
                .add(", '/', ")
                .add(dialect.text("data", path))
                .add(")")
                .build();
    }

    /// In either order of the two words, as both are documented.
    private String order(String text) {
        var parts = text.split(" ", -1);
        if (parts.length != 2) {
            throw ArchiveRefusal.invalid("order_by does not recognize " + text);
        }
        boolean directionFirst = parts[0].equalsIgnoreCase("asc") || parts[0].equalsIgnoreCase("desc");
        var field = directionFirst ? parts[1] : parts[0];
        var direction = (directionFirst ? parts[0] : parts[1]).toUpperCase(Locale.ROOT);
        if (!direction.equals("ASC") && !direction.equals("DESC")) {
            throw ArchiveRefusal.invalid("order_by does not recognize " + text);
        }
        if (!wanted.contains(field)) {
            throw ArchiveRefusal.invalid("field name " + field + " is not allowed, must be one of summary");
        }
        // One of the known words by now.
        return " ORDER BY " + field + " " + direction;
    }

    /// @param where begins with WHERE, or is empty
    Json.Arr of(Session session, Sql where) throws SQLException {
        var sql = Sql.builder().add("SELECT ");
        var columns = new ArrayList<>(wanted);
        for (int i = 0; i < columns.size(); i++) {
            sql.add(i == 0 ? "" : ", ").add(aggregate(columns.get(i))).add(" AS " + columns.get(i));
        }
        group.ifPresent(expression -> sql.add(", ").add(expression).add(" AS group_value"));
        sql.add(" FROM records ").add(where);
        if (group.isPresent()) {
            sql.add(" GROUP BY group_value").add(order);
        }
        return new Json.Arr(List.copyOf(session.query(sql.build(), row -> row(row, columns))));
    }

    private Sql aggregate(String name) {
        return switch (name) {
            case "total" -> Sql.of("COUNT(*)");
            case "last_runtime" -> row("MAX(", time("startTime"), ")");
            case "avg_duration" -> row("AVG(", time("completionTime"), " - ", time("startTime"), ")");
            case "max_duration" -> row("MAX(", time("completionTime"), " - ", time("startTime"), ")");
            case "min_duration" -> row("MIN(", time("completionTime"), " - ", time("startTime"), ")");
            case "total_duration" -> row("SUM(", time("completionTime"), " - ", time("startTime"), ")");
            case "succeeded" -> counted(" IN ('Succeeded', 'Completed')");
            case "others" -> counted(" NOT IN ('Failed', 'Succeeded', 'Cancelled', 'Running', 'Completed')");
            case "failed" -> counted(" = 'Failed'");
            case "cancelled" -> counted(" = 'Cancelled'");
            case "running" -> counted(" = 'Running'");
            default -> throw new IllegalStateException(name);
        };
    }

    private Sql counted(String condition) {
        return row("COUNT(CASE WHEN ", dialect.text("data", REASON), condition + " THEN 1 END)");
    }

    private Sql time(String field) {
        return dialect.instant(dialect.text("data", List.of("status", field)));
    }

    private static Sql row(Object... pieces) {
        var all = Sql.builder();
        for (var piece : pieces) {
            if (piece instanceof Sql sql) {
                all.add(sql);
            } else {
                all.add(piece.toString());
            }
        }
        return all.build();
    }

    private Json.Obj row(ResultSet row, List<String> columns) throws SQLException {
        var json = Json.Obj.builder();
        for (var column : columns) {
            long value = (long) row.getDouble(column);
            if (row.wasNull()) {
                json.put(column, Json.Null.NULL);
            } else if (column.endsWith("_duration")) {
                json.put(column, duration(value));
            } else {
                json.put(column, column.equals("last_runtime") ? value / 1_000_000 : value);
            }
        }
        if (group.isPresent()) {
            var text = row.getString("group_value");
            json.put(
                    "group_value",
                    text == null
                            ? Json.Null.NULL
                            : groupIsTime ? Json.of(row.getLong("group_value") / 1_000_000) : Json.of(text));
        }
        return json.build();
    }

    /// As PostgreSQL writes an interval: `00:01:16.21875`.
    private static String duration(long micros) {
        long seconds = Math.floorDiv(micros, 1_000_000);
        long rest = Math.floorMod(micros, 1_000_000);
        var text = "%02d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
        return rest == 0 ? text : text + "." + "%06d".formatted(rest).replaceAll("0+$", "");
    }
}
