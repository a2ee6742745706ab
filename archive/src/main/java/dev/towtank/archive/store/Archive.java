package dev.towtank.archive.store;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.sql.Database;
import dev.towtank.archive.sql.Session;
import dev.towtank.archive.sql.Sql;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finished runs, with their logs, for as long as they are kept.
public final class Archive implements AutoCloseable {

    public static final String LOG_TYPE = "results.tekton.dev/v1alpha3.Log";
    public static final String EVENTS_TYPE = "results.tekton.dev/v1.EventList";

    private static final String DIGEST = "SELECT digest FROM records WHERE parent = ? AND result_name = ? AND name = ?";

    /// How long a log that was written ahead may wait for its run.
    private static final Duration STAGED = Duration.ofDays(1);

    /// @param maxLogBytes of one step; the rest is cut off, which its record says
    /// @param maxObjectBytes of one object as JSON
    public record Limits(long maxLogBytes, int maxObjectBytes) {
        public static final Limits DEFAULT = new Limits(4L << 30, 8 << 20);
    }

    private final Database database;
    private final InstantSource clock;
    private final Limits limits;

    public Archive(Database database, InstantSource clock, Limits limits) {
        this.database = database;
        this.clock = clock;
        this.limits = limits;
    }

    public Database database() {
        return database;
    }

    public static long micros(Instant moment) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
    }

    /// The time of a row that is written now.
    public long now() {
        return micros(clock.instant());
    }

    /// What the archived object of this name says, if there is one.
    public Optional<String> digest(String parent, String result, String record) {
        var wanted = Sql.of(DIGEST, parent, result, record);
        return database.read(session -> session.first(wanted, row -> row.getString(1)));
    }

    /// What the archived objects of these names say, as far as there are any.
    public Map<String, String> digests(String parent, String result, Collection<String> records) {
        return database.read(session -> {
            var digests = new HashMap<String, String>();
            for (var record : records) {
                var wanted = Sql.of(DIGEST, parent, result, record);
                session.first(wanted, row -> row.getString(1)).ifPresent(digest -> digests.put(record, digest));
            }
            return digests;
        });
    }

    /// Archives all of a bundle or nothing of it. To do it again changes nothing, and takes no log away.
    public void store(Bundle bundle) {
        long now = now();
        var chunks = new LogChunks(database, now, limits.maxLogBytes());
        var resultId = resultId(bundle);
        var taken = logs(bundle, chunks);
        database.write(session -> {
            chunks.write(session);
            writeResult(session, bundle, resultId, now);
            for (var item : bundle.items()) {
                write(session, bundle, resultId, item, now);
            }
            for (var log : bundle.logs()) {
                writeLog(session, bundle, resultId, log, taken, now);
            }
            return true;
        });
    }

    private String resultId(Bundle bundle) {
        return database.read(session -> Rows.result(session, bundle.parent(), bundle.name()))
                .map(ResultRow::id)
                .orElseGet(() -> Ids.ofResult(bundle.parent(), bundle.name()));
    }

    /// Reads each log once, though several records may show it; one that is stored is not read again.
    private Map<String, LogChunks.Taken> logs(Bundle bundle, LogChunks chunks) {
        var taken = new HashMap<String, LogChunks.Taken>();
        for (var log : bundle.logs()) {
            for (var part : log.parts()) {
                if (!taken.containsKey(part.content()) && !hasLog(part.content())) {
                    read(part, chunks).ifPresent(read -> taken.put(part.content(), read));
                }
            }
        }
        return taken;
    }

    private boolean hasLog(String content) {
        var wanted = Sql.of("SELECT size FROM logs WHERE content_id = ? AND state <> 'missing'", content);
        return database.read(session -> session.first(wanted, row -> row.getLong(1)))
                .isPresent();
    }

    private static Optional<LogChunks.Taken> read(Bundle.Part part, LogChunks chunks) {
        try {
            var stream = part.source().open();
            if (stream.isEmpty()) {
                return Optional.empty();
            }
            try (var open = stream.get()) {
                return Optional.of(
                        chunks.take(part.content(), open, part.source().lacksBeginning()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the log of " + part.task() + "/" + part.step(), e);
        }
    }

    private static void writeResult(Session session, Bundle bundle, String id, long now) throws SQLException {
        var known = Rows.result(session, bundle.parent(), bundle.name());
        if (known.isEmpty()) {
            Rows.insert(
                    session,
                    new ResultRow(
                            bundle.parent(),
                            id,
                            bundle.name(),
                            bundle.annotations(),
                            now,
                            now,
                            bundle.summary(),
                            ResultRow.etag(id, now)));
            return;
        }
        var before = known.get();
        if (bundle.summary().isEmpty()) {
            return;
        }
        var annotations = before.annotations().toBuilder();
        bundle.annotations().forEach(annotations::put);
        var after = new ResultRow(
                before.parent(),
                before.id(),
                before.name(),
                annotations.build(),
                before.created(),
                before.updated(),
                bundle.summary(),
                before.etag());
        if (!after.equals(before)) {
            Rows.replace(session, after.at(now));
        }
    }

    private void write(Session session, Bundle bundle, String resultId, Bundle.Item item, long now)
            throws SQLException {
        var text = JsonText.write(item.data());
        if (text.length() > limits.maxObjectBytes()) {
            throw ArchiveRefusal.invalid(bundle.parent() + "/results/" + bundle.name() + "/records/" + item.name()
                    + " has " + text.length() + " bytes, but at most " + limits.maxObjectBytes() + " are archived");
        }
        var known = Rows.record(session, bundle.parent(), bundle.name(), item.name());
        if (known.isPresent()) {
            var before = known.get();
            if (!before.digest().equals(item.digest()) || !before.type().equals(item.type())) {
                var after = before.with(item.type(), text, now);
                Rows.replace(session, digested(after, item.digest()));
            }
            return;
        }
        var id = Ids.ofRecord(resultId, item.name());
        Rows.insert(
                session,
                new RecordRow(
                        bundle.parent(),
                        resultId,
                        bundle.name(),
                        id,
                        item.name(),
                        item.type(),
                        text,
                        item.digest(),
                        now,
                        now,
                        ResultRow.etag(id, now)));
    }

    private static RecordRow digested(RecordRow row, String digest) {
        return new RecordRow(
                row.parent(),
                row.resultId(),
                row.resultName(),
                row.id(),
                row.name(),
                row.type(),
                row.data(),
                digest,
                row.created(),
                row.updated(),
                row.etag());
    }

    private void writeLog(
            Session session,
            Bundle bundle,
            String resultId,
            Bundle.Log log,
            Map<String, LogChunks.Taken> taken,
            long now)
            throws SQLException {
        var recordId = Rows.record(session, bundle.parent(), bundle.name(), log.name())
                .map(RecordRow::id)
                .orElseGet(() -> Ids.ofRecord(resultId, log.name()));
        var before = new HashMap<String, LogPart>();
        for (var part : parts(session, bundle.parent(), recordId)) {
            before.put(part.content(), part);
        }
        var parts = new ArrayList<LogPart>();
        for (var part : log.parts()) {
            parts.add(part(session, part, taken, Optional.ofNullable(before.get(part.content()))));
        }
        write(session, bundle, resultId, item(log, parts), now);
        session.update(Sql.of(
                "DELETE FROM logs WHERE parent = ? AND result_id = ? AND record_id = ?",
                bundle.parent(),
                resultId,
                recordId));
        long position = 0;
        for (var part : parts) {
            session.update(Sql.of(
                    "INSERT INTO logs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    bundle.parent(),
                    resultId,
                    recordId,
                    position++,
                    part.task(),
                    part.step(),
                    part.content(),
                    part.size(),
                    part.state()));
        }
    }

    private static LogPart part(
            Session session, Bundle.Part part, Map<String, LogChunks.Taken> taken, Optional<LogPart> before)
            throws SQLException {
        var now = taken.get(part.content());
        if (now != null) {
            return new LogPart(
                    part.task(), part.step(), part.content(), now.size(), now.truncated() ? "truncated" : "complete");
        }
        if (before.isPresent()) {
            return before.get();
        }
        // Another record of the same log may know it.
        return session.first(
                        Sql.of(
                                "SELECT size, state FROM logs WHERE content_id = ? AND state <> 'missing'",
                                part.content()),
                        row -> new LogPart(part.task(), part.step(), part.content(), row.getLong(1), row.getString(2)))
                .orElseGet(() -> new LogPart(part.task(), part.step(), part.content(), 0, "missing"));
    }

    private static Bundle.Item item(Bundle.Log log, List<LogPart> parts) {
        long size = parts.stream().mapToLong(LogPart::size).sum();
        var problems = parts.stream()
                .filter(part -> !part.state().equals("complete"))
                .map(part -> "the log of step " + part.step() + " of " + part.task() + " is " + part.state())
                .toList();
        var status = Json.Obj.builder()
                .put("size", size)
                .put("isStored", true)
                .put("errorOnStoreMsg", String.join("; ", problems))
                .put("isRetryableErr", false)
                .build();
        var data = log.about().with("status", status);
        return new Bundle.Item(log.name(), LOG_TYPE, data, Digests.of(data));
    }

    /// @param state complete, truncated or missing
    public record LogPart(String task, String step, String content, long size, String state) {}

    private static List<LogPart> parts(Session session, String parent, String recordId) throws SQLException {
        return session.query(
                Sql.of(
                        "SELECT task, step, content_id, size, state FROM logs WHERE parent = ? AND record_id = ?"
                                + " ORDER BY position",
                        parent,
                        recordId),
                row -> new LogPart(
                        row.getString(1), row.getString(2), row.getString(3), row.getLong(4), row.getString(5)));
    }

    /// The parts of a log, in their order.
    public List<LogPart> parts(RecordRow log) {
        return database.read(session -> parts(session, log.parent(), log.id()));
    }

    /// Writes the text of one part, as the step has written it.
    public void copy(LogPart part, OutputStream out) throws IOException {
        LogChunks.copy(database, part.content(), part.size(), out);
    }

    /// Writes the log of a run as `tkn` shows it.
    ///
    /// @param withTask whether lines begin with the name of the task too
    public void copy(RecordRow log, boolean withTask, OutputStream out) throws IOException {
        for (var part : parts(log)) {
            var prefix = withTask ? "[" + part.task() + " : " + part.step() + "] " : "[" + part.step() + "] ";
            var prefixed = new PrefixedOutput(out, prefix);
            copy(part, prefixed);
            prefixed.end();
        }
    }

    /// Takes away logs that no run shows: of deleted runs, and of attempts that never came to an end.
    public int sweepLogs() {
        return database.write(session -> session.update(Sql.of(
                "DELETE FROM log_chunks WHERE staged_time < ? AND NOT EXISTS"
                        + " (SELECT 1 FROM logs WHERE logs.content_id = log_chunks.content_id)",
                micros(clock.instant().minus(STAGED)))));
    }

    @Override
    public void close() {
        database.close();
    }
}
