package dev.towtank.archive.api;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.sql.Sql;
import dev.towtank.archive.store.RecordRow;
import dev.towtank.archive.store.ResultRow;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// How a list is ordered: by a time, and by uid where that is the same. Rows without the time come last.
///
/// @param field as callers name it; empty for the order of uids alone
/// @param column a name of ours
/// @param direction ASC or DESC; empty where nobody said
record SortOrder(String field, String column, String direction) {

    private static final Map<String, String> RECORDS =
            new TreeMap<>(Map.of("create_time", "created_time", "update_time", "updated_time"));
    private static final Map<String, String> RESULTS = new TreeMap<>(Map.of(
            "create_time", "created_time",
            "update_time", "updated_time",
            "summary.start_time", "recordsummary_start_time",
            "summary.end_time", "recordsummary_end_time"));
    private static final Set<String> ALWAYS_THERE = Set.of("created_time", "updated_time");
    private static final Pattern FORM = Pattern.compile("([\\w.]+)\\s*(ASC|asc|DESC|desc)?");

    static SortOrder ofResults(String text) {
        return of(text, RESULTS);
    }

    static SortOrder ofRecords(String text) {
        return of(text, RECORDS);
    }

    private static SortOrder of(String text, Map<String, String> columns) {
        if (text.isEmpty()) {
            return new SortOrder("", "", "");
        }
        var explanation = "the value must obey the format <" + String.join("|", columns.keySet()) + "> [asc|desc]";
        var match = FORM.matcher(text);
        if (!match.matches()) {
            throw ArchiveRefusal.invalid("invalid order by statement:\n" + explanation);
        }
        var field = match.group(1);
        var column = columns.get(field);
        if (column == null) {
            throw ArchiveRefusal.invalid(
                    field + ": field is unknown or cannot be used in the order by clause\n" + explanation);
        }
        var direction = match.group(2) == null ? "ASC" : match.group(2).toUpperCase(Locale.ROOT);
        return new SortOrder(field, column, direction);
    }

    Sql clause() {
        var way = direction.isEmpty() ? "ASC" : direction;
        if (column.isEmpty()) {
            return Sql.of(" ORDER BY id ASC");
        }
        // What is always there is in an index as it is, and is read from it in its order.
        var absent = ALWAYS_THERE.contains(column) ? "" : "(" + column + " IS NULL), ";
        return Sql.of(" ORDER BY " + absent + column + " " + way + ", id " + way);
    }

    /// What comes behind the last row of a page.
    Sql behind(PageTokens.Token token) {
        var than = direction.equals("DESC") ? "<" : ">";
        if (column.isEmpty()) {
            return Sql.of("id > ?", token.uid());
        }
        if (token.value().isEmpty()) {
            return Sql.of("(" + column + " IS NULL AND id " + than + " ?)", token.uid());
        }
        long value = token.value().get();
        if (ALWAYS_THERE.contains(column)) {
            return Sql.of("(" + column + ", id) " + than + " (?, ?)", value, token.uid());
        }
        return Sql.of(
                "(" + column + " " + than + " ? OR (" + column + " = ? AND id " + than + " ?) OR " + column
                        + " IS NULL)",
                value,
                value,
                token.uid());
    }

    Optional<Long> value(ResultRow row) {
        return switch (field) {
            case "create_time" -> Optional.of(row.created());
            case "update_time" -> Optional.of(row.updated());
            case "summary.start_time" -> row.summary().flatMap(ResultRow.Summary::start);
            case "summary.end_time" -> row.summary().flatMap(ResultRow.Summary::end);
            default -> Optional.empty();
        };
    }

    Optional<Long> value(RecordRow row) {
        return switch (field) {
            case "create_time" -> Optional.of(row.created());
            case "update_time" -> Optional.of(row.updated());
            default -> Optional.empty();
        };
    }
}
