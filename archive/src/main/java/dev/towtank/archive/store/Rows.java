package dev.towtank.archive.store;

import dev.towtank.archive.sql.Dialect;
import dev.towtank.archive.sql.Session;
import dev.towtank.archive.sql.Sql;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// Results and records in their tables.
public final class Rows {

    private Rows() {}

    private static Sql resultColumns(Dialect dialect) {
        return Sql.of("SELECT parent, id, name, " + dialect.jsonText("annotations")
                + ", created_time, updated_time, recordsummary_record, recordsummary_type, recordsummary_start_time,"
                + " recordsummary_end_time, recordsummary_status, "
                + dialect.jsonText("recordsummary_annotations") + ", etag FROM results ");
    }

    private static Sql recordColumns(Dialect dialect) {
        return Sql.of("SELECT parent, result_id, result_name, id, name, type, " + dialect.jsonText("data")
                + ", digest, created_time, updated_time, etag FROM records ");
    }

    /// @param rest begins with WHERE or ORDER BY
    public static List<ResultRow> results(Session session, Sql rest) throws SQLException {
        return session.query(
                Sql.builder().add(resultColumns(session.dialect())).add(rest).build(), Rows::result);
    }

    /// @param rest begins with WHERE or ORDER BY
    public static List<RecordRow> records(Session session, Sql rest) throws SQLException {
        return session.query(
                Sql.builder().add(recordColumns(session.dialect())).add(rest).build(), Rows::record);
    }

    public static Optional<ResultRow> result(Session session, String parent, String name) throws SQLException {
        return results(session, Sql.of("WHERE parent = ? AND name = ?", parent, name)).stream()
                .findFirst();
    }

    public static Optional<RecordRow> record(Session session, String parent, String result, String name)
            throws SQLException {
        return records(session, Sql.of("WHERE parent = ? AND result_name = ? AND name = ?", parent, result, name))
                .stream()
                .findFirst();
    }

    public static void insert(Session session, ResultRow row) throws SQLException {
        session.update(insertion(session.dialect(), row).build());
    }

    private static Sql.Builder insertion(Dialect dialect, ResultRow row) {
        var json = dialect.jsonParameter();
        var sql = Sql.builder()
                .add(
                        "INSERT INTO results VALUES (?, ?, ?, " + json + ", ?, ?, ",
                        row.parent(),
                        row.id(),
                        row.name(),
                        JsonText.write(row.annotations()),
                        row.created(),
                        row.updated());
        return sql.add(summary(row.summary())).add(json + ", ?)", annotations(row.summary()), row.etag());
    }

    private static Sql summary(Optional<ResultRow.Summary> summary) {
        return Sql.of(
                "?, ?, ?, ?, ?, ",
                summary.<Object>map(ResultRow.Summary::record).orElse(Sql.Absent.TEXT),
                summary.<Object>map(ResultRow.Summary::type).orElse(Sql.Absent.TEXT),
                summary.flatMap(ResultRow.Summary::start)
                        .<Object>map(Long::valueOf)
                        .orElse(Sql.AbsentNumber.NUMBER),
                summary.flatMap(ResultRow.Summary::end)
                        .<Object>map(Long::valueOf)
                        .orElse(Sql.AbsentNumber.NUMBER),
                summary.<Object>map(ResultRow.Summary::status).orElse(Sql.AbsentNumber.NUMBER));
    }

    private static Object annotations(Optional<ResultRow.Summary> summary) {
        return summary.<Object>map(known -> JsonText.write(known.annotations())).orElse(Sql.Absent.TEXT);
    }

    /// Replaces annotations and summary; the row must be there.
    public static void replace(Session session, ResultRow row) throws SQLException {
        var json = session.dialect().jsonParameter();
        session.update(Sql.builder()
                .add("UPDATE results SET annotations = " + json, JsonText.write(row.annotations()))
                .add(", updated_time = ?, etag = ?", row.updated(), row.etag())
                .add(", (recordsummary_record, recordsummary_type, recordsummary_start_time,"
                        + " recordsummary_end_time, recordsummary_status, recordsummary_annotations) = (")
                .add(summary(row.summary()))
                .add(json + ") WHERE parent = ? AND id = ?", annotations(row.summary()), row.parent(), row.id())
                .build());
    }

    public static void insert(Session session, RecordRow row) throws SQLException {
        session.update(Sql.of(
                "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, "
                        + session.dialect().jsonParameter() + ", ?, ?, ?, ?)",
                row.parent(),
                row.resultId(),
                row.resultName(),
                row.id(),
                row.name(),
                row.type(),
                row.data(),
                row.digest(),
                row.created(),
                row.updated(),
                row.etag()));
        labels(session, row);
    }

    /// Replaces type and data; the row must be there.
    public static void replace(Session session, RecordRow row) throws SQLException {
        session.update(Sql.of(
                "UPDATE records SET type = ?, data = " + session.dialect().jsonParameter()
                        + ", digest = ?, updated_time = ?, etag = ? WHERE parent = ? AND result_id = ? AND id = ?",
                row.type(),
                row.data(),
                row.digest(),
                row.updated(),
                row.etag(),
                row.parent(),
                row.resultId(),
                row.id()));
        if (!session.dialect().keepsLabels()) {
            session.update(Sql.of(
                    "DELETE FROM record_labels WHERE parent = ? AND result_id = ? AND record_id = ?",
                    row.parent(),
                    row.resultId(),
                    row.id()));
        }
        labels(session, row);
    }

    /// So that a label is found without reading every record.
    private static void labels(Session session, RecordRow row) throws SQLException {
        if (session.dialect().keepsLabels() || !(JsonText.parse(row.data()) instanceof Json.Obj object)) {
            return;
        }
        for (var label : object.stringMap("metadata", "labels").entrySet()) {
            session.update(Sql.of(
                    "INSERT INTO record_labels VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    label.getKey(),
                    label.getValue(),
                    row.parent(),
                    row.resultId(),
                    row.id()));
        }
    }

    public static int delete(Session session, ResultRow row) throws SQLException {
        return session.update(Sql.of("DELETE FROM results WHERE parent = ? AND id = ?", row.parent(), row.id()));
    }

    public static int delete(Session session, RecordRow row) throws SQLException {
        return session.update(Sql.of(
                "DELETE FROM records WHERE parent = ? AND result_id = ? AND id = ?",
                row.parent(),
                row.resultId(),
                row.id()));
    }

    private static ResultRow result(ResultSet row) throws SQLException {
        var record = row.getString(7);
        var summary = record == null
                ? Optional.<ResultRow.Summary>empty()
                : Optional.of(new ResultRow.Summary(
                        record,
                        row.getString(8),
                        number(row, 9),
                        number(row, 10),
                        row.getInt(11),
                        object(row.getString(12))));
        return new ResultRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                object(row.getString(4)),
                row.getLong(5),
                row.getLong(6),
                summary,
                row.getString(13));
    }

    private static Json.Obj object(String text) {
        return JsonText.parseObject(text);
    }

    private static Optional<Long> number(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(value);
    }

    private static RecordRow record(ResultSet row) throws SQLException {
        return new RecordRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                row.getString(8),
                row.getLong(9),
                row.getLong(10),
                row.getString(11));
    }
}
