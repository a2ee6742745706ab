package dev.towtank.archive.sql;

import java.util.List;
import java.util.stream.Stream;

/// The tables, whose columns are named as those of Tekton Results where they mean the same.
final class Tables {

    /// The name of an archived object, by which people ask for it: both databases have an index for it.
    static final List<Object> OBJECT_NAME = List.of("metadata", "name");

    private Tables() {}

    /// @param json the type of JSON, and so on
    static Dialect.Migration first(String json, String number, String bytes, String order) {
        var text = "TEXT" + order + " NOT NULL";
        var maybeText = "TEXT" + order;
        var results = """
            CREATE TABLE results (
                parent {text}, id {text}, name {text},
                annotations {json} NOT NULL, created_time {number} NOT NULL, updated_time {number} NOT NULL,
                recordsummary_record {maybe}, recordsummary_type {maybe},
                recordsummary_start_time {number}, recordsummary_end_time {number},
                recordsummary_status {number}, recordsummary_annotations {json}, etag {text},
                PRIMARY KEY (parent, id), UNIQUE (parent, name))\
            """;
        var records = """
            CREATE TABLE records (
                parent {text}, result_id {text}, result_name {text}, id {text}, name {text},
                type {text}, data {json} NOT NULL, digest {text},
                created_time {number} NOT NULL, updated_time {number} NOT NULL, etag {text},
                PRIMARY KEY (parent, result_id, id), UNIQUE (parent, result_name, name),
                FOREIGN KEY (parent, result_id) REFERENCES results (parent, id) ON DELETE CASCADE)\
            """;
        var labels = """
            CREATE TABLE record_labels (
                name {text}, value {text}, parent {text}, result_id {text}, record_id {text},
                PRIMARY KEY (name, value, record_id),
                FOREIGN KEY (parent, result_id, record_id) REFERENCES records (parent, result_id, id)
                    ON DELETE CASCADE)\
            """;
        var logs = """
            CREATE TABLE logs (
                parent {text}, result_id {text}, record_id {text}, position {number} NOT NULL,
                task {text}, step {text}, content_id {text}, size {number} NOT NULL, state {text},
                PRIMARY KEY (parent, result_id, record_id, position),
                FOREIGN KEY (parent, result_id, record_id) REFERENCES records (parent, result_id, id)
                    ON DELETE CASCADE)\
            """;
        var chunks = """
            CREATE TABLE log_chunks (
                content_id {text}, position {number} NOT NULL, staged_time {number} NOT NULL,
                content {bytes} NOT NULL,
                PRIMARY KEY (content_id, position))\
            """;
        var names = List.of(results, records, labels, logs, chunks).stream()
                .map(table -> table.replace("{text}", text)
                        .replace("{maybe}", maybeText)
                        .replace("{json}", json)
                        .replace("{number}", number)
                        .replace("{bytes}", bytes));
        var indexes = List.of(
                "CREATE INDEX results_by_time ON results (parent, created_time, id)",
                "CREATE INDEX records_by_time ON records (parent, created_time, id)",
                "CREATE INDEX records_by_type ON records (type, created_time, id)",
                "CREATE INDEX records_by_name ON records (name)",
                "CREATE INDEX record_labels_of ON record_labels (parent, result_id, record_id)",
                "CREATE INDEX logs_by_content ON logs (content_id)");
        return new Dialect.Migration(
                "tables for results, records and logs",
                Stream.concat(names, indexes.stream()).toList());
    }

    /// Lists of one kind of run in one namespace, which is what people mostly ask for.
    static Dialect.Migration second() {
        return new Dialect.Migration(
                "lists by namespace, type and time",
                List.of("CREATE INDEX records_by_kind ON records (parent, type, created_time, id)"));
    }

    /// One object by its name, without reading all of its namespace.
    ///
    /// @param name as [Dialect#text] writes it: only then a database sees that the index is about it
    static String byObjectName(String name) {
        // With time and id, as lists are read in that order and the other indexes would be preferred for it.
        return "CREATE INDEX records_by_object_name ON records ((" + name + "), parent, created_time, id)";
    }
}
