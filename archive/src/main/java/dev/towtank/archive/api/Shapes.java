package dev.towtank.archive.api;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.RecordRow;
import dev.towtank.archive.store.ResultRow;
import dev.towtank.model.Json;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Rows as JSON of the API, and back. Empty fields are left out.
final class Shapes {

    private static final List<String> STATUSES = List.of("UNKNOWN", "SUCCESS", "FAILURE", "TIMEOUT", "CANCELLED");
    private static final int MAX_TYPE = 768;
    private static final Pattern RECORD =
            Pattern.compile("[a-z0-9_-]{1,63}/results/[a-z0-9_-]{1,63}/records/[a-z0-9_-]{1,63}");

    private Shapes() {}

    static Json.Obj json(ResultRow row) {
        var json = Json.Obj.builder()
                .put("name", row.parent() + "/results/" + row.name())
                .put("id", row.id())
                .put("created_time", time(row.created()))
                .putNonEmpty("annotations", row.annotations())
                .put("etag", row.etag())
                .put("updated_time", time(row.updated()))
                .put("uid", row.id())
                .put("create_time", time(row.created()))
                .put("update_time", time(row.updated()));
        row.summary().ifPresent(summary -> json.put("summary", json(summary)));
        return json.build();
    }

    private static Json.Obj json(ResultRow.Summary summary) {
        var json = Json.Obj.builder().put("record", summary.record()).put("type", summary.type());
        summary.start().ifPresent(start -> json.put("start_time", time(start)));
        summary.end().ifPresent(end -> json.put("end_time", time(end)));
        if (summary.status() > 0 && summary.status() < STATUSES.size()) {
            json.put("status", STATUSES.get(summary.status()));
        }
        return json.putNonEmpty("annotations", summary.annotations()).build();
    }

    /// @param collection records or logs: how the same row is named
    static Json.Obj json(RecordRow row, String collection) {
        var value = Base64.getEncoder().encodeToString(row.data().getBytes(StandardCharsets.UTF_8));
        return Json.Obj.builder()
                .put("name", row.parent() + "/results/" + row.resultName() + "/" + collection + "/" + row.name())
                .put("id", row.id())
                .put("data", Json.Obj.of("type", Json.of(row.type()), "value", Json.of(value)))
                .put("etag", row.etag())
                .put("created_time", time(row.created()))
                .put("updated_time", time(row.updated()))
                .put("uid", row.id())
                .put("create_time", time(row.created()))
                .put("update_time", time(row.updated()))
                .build();
    }

    static String time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }

    static Optional<ResultRow.Summary> summary(Json.Obj result) {
        if (!result.has("summary") || result.get("summary") instanceof Json.Null) {
            return Optional.empty();
        }
        var json = result.object("summary");
        if (json.string("record").isEmpty() || json.string("type").isEmpty()) {
            throw ArchiveRefusal.invalid("record and type fields required for RecordSummary");
        }
        if (!RECORD.matcher(json.string("record")).matches()) {
            throw ArchiveRefusal.invalid("invalid record format");
        }
        checkType(json.string("type"));
        return Optional.of(new ResultRow.Summary(
                json.string("record"),
                json.string("type"),
                moment(json, "start_time", "startTime"),
                moment(json, "end_time", "endTime"),
                status(json),
                Json.Obj.ofStrings(json.stringMap("annotations"))));
    }

    private static int status(Json.Obj summary) {
        if (!summary.has("status")) {
            return 0;
        }
        int status = summary.get("status") instanceof Json.Str(var name)
                ? STATUSES.indexOf(name)
                : (int) summary.integer("status");
        if (status < 0 || status >= STATUSES.size()) {
            throw ArchiveRefusal.invalid("invalid value for enum field status: " + summary.get("status"));
        }
        return status;
    }

    private static Optional<Long> moment(Json.Obj object, String name, String other) {
        var text = object.has(name) ? object.string(name) : object.string(other);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Archive.micros(OffsetDateTime.parse(text).toInstant()));
        } catch (DateTimeException e) {
            throw ArchiveRefusal.invalid("invalid google.protobuf.Timestamp value \"" + text + "\"");
        }
    }

    static void checkType(String type) {
        if (type.length() > MAX_TYPE) {
            throw ArchiveRefusal.invalid("type must not exceed " + MAX_TYPE + " characters");
        }
    }
}
