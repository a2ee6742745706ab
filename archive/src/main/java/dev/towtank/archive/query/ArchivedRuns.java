package dev.towtank.archive.query;

import dev.towtank.archive.sql.Dialect;
import dev.towtank.archive.sql.Sql;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.RecordRow;
import dev.towtank.archive.store.Rows;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Finds archived runs, and reads and searches their logs.
public final class ArchivedRuns {

    private static final String PIPELINE = "tekton.dev/pipeline";
    private static final List<Object> STARTED = List.of("status", "startTime");

    private final Archive archive;

    public ArchivedRuns(Archive archive) {
        this.archive = archive;
    }

    public List<ArchivedRun> list(RunQuery query) {
        var sql = where(query, archive.database().dialect());
        return archive.database().read(session -> Rows.records(session, sql)).stream()
                .map(ArchivedRuns::run)
                .toList();
    }

    private static Sql where(RunQuery query, Dialect dialect) {
        var sql = Sql.builder()
                .add("WHERE type IN ('tekton.dev/v1.PipelineRun', 'tekton.dev/v1.TaskRun',"
                        + " 'tekton.dev/v1beta1.CustomRun') AND NOT (")
                .add(dialect.exists("data", List.of("metadata", "ownerReferences", 0L)))
                .add(")");
        query.namespace().ifPresent(namespace -> sql.add(" AND parent = ?", namespace));
        query.name()
                .ifPresent(name -> sql.add(" AND ")
                        .add(dialect.text("data", List.of("metadata", "name")))
                        .add(" = ?", name));
        query.since()
                .ifPresent(since -> sql.add(" AND created_time >= ? AND COALESCE(", Archive.micros(since))
                        .add(dialect.instant(dialect.text("data", STARTED)))
                        .add(", created_time) >= ?", Archive.micros(since)));
        query.outcome()
                .ifPresent(outcome -> sql.add(
                        " AND EXISTS (SELECT 1 FROM results WHERE results.parent = records.parent"
                                + " AND results.id = records.result_id AND results.recordsummary_status = ?)",
                        outcome.code()));
        query.pipeline().ifPresent(pipeline -> label(sql, PIPELINE, pipeline));
        query.labels().forEach((name, value) -> label(sql, name, value));
        return sql.add(" ORDER BY created_time DESC, id DESC LIMIT ?", (long) query.limit())
                .build();
    }

    private static void label(Sql.Builder sql, String name, String value) {
        sql.add(" AND id IN (SELECT record_id FROM record_labels WHERE name = ? AND value = ?)", name, value);
    }

    private static ArchivedRun run(RecordRow row) {
        var object = JsonText.parseObject(row.data());
        var condition = object.objects("status", "conditions").stream()
                .filter(each -> each.string("type").equals("Succeeded"))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
        return new ArchivedRun(
                row.parent(),
                object.string("metadata", "name"),
                object.string("metadata", "uid"),
                row.resultName(),
                object.string("kind"),
                object.string("metadata", "labels", PIPELINE),
                moment(object.string("status", "startTime")),
                moment(object.string("status", "completionTime")),
                outcome(condition),
                condition.string("reason"),
                object);
    }

    private static ArchivedRun.Outcome outcome(Json.Obj condition) {
        var reason = condition.string("reason");
        return switch (condition.string("status")) {
            case "True" -> ArchivedRun.Outcome.SUCCEEDED;
            case "False" -> {
                if (reason.endsWith("Timeout") || reason.endsWith("TimedOut")) {
                    yield ArchivedRun.Outcome.TIMED_OUT;
                }
                yield reason.endsWith("Cancelled") ? ArchivedRun.Outcome.CANCELLED : ArchivedRun.Outcome.FAILED;
            }
            default -> ArchivedRun.Outcome.UNKNOWN;
        };
    }

    private static Optional<Instant> moment(String text) {
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(OffsetDateTime.parse(text).toInstant());
    }

    /// The parts of a run's log, in their order: of each task its steps.
    public List<Archive.LogPart> logs(ArchivedRun run) {
        var dialect = archive.database().dialect();
        var where = Sql.builder()
                .add(
                        "WHERE parent = ? AND result_name = ? AND type = ? AND ",
                        run.namespace(),
                        run.result(),
                        Archive.LOG_TYPE)
                .add(dialect.text("data", List.of("spec", "resource", "uid")))
                .add(" = ?", run.uid())
                .build();
        var parts = new ArrayList<Archive.LogPart>();
        archive.database()
                .read(session -> Rows.records(session, where))
                .forEach(log -> parts.addAll(archive.parts(log)));
        return parts;
    }

    /// Writes one part as its step has written it.
    public void copy(Archive.LogPart part, OutputStream out) throws IOException {
        archive.copy(part, out);
    }

    /// @param number of the line in its step, from one
    public record Line(ArchivedRun run, String task, String step, long number, String text) {}

    /// Lines of logs in which a text is found, up to a number of them.
    public List<Line> search(RunQuery query, Predicate<Archive.LogPart> parts, String text, int limit)
            throws IOException {
        var found = new ArrayList<Line>();
        for (var run : list(query)) {
            for (var part : logs(run)) {
                if (found.size() < limit && parts.test(part)) {
                    var search = new LineSearch(text, limit - found.size());
                    archive.copy(part, search);
                    search.matches()
                            .forEach(
                                    (number, line) -> found.add(new Line(run, part.task(), part.step(), number, line)));
                }
            }
        }
        return found;
    }
}
