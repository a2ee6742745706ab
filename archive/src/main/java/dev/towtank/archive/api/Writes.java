package dev.towtank.archive.api;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.RecordRow;
import dev.towtank.archive.store.ResultRow;
import dev.towtank.archive.store.Rows;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;

/// What callers create, change and delete themselves.
final class Writes {

    private final Archive archive;

    Writes(Archive archive) {
        this.archive = archive;
    }

    Json.Obj createResult(RecordName names, Json.Obj body) {
        long now = archive.now();
        var id = UUID.randomUUID().toString();
        var row = new ResultRow(
                        names.parent(), id, names.result(), annotations(body), now, now, Shapes.summary(body), "")
                .at(now);
        archive.database().write(session -> {
            if (Rows.result(session, names.parent(), names.result()).isPresent()) {
                throw exists();
            }
            Rows.insert(session, row);
            return true;
        });
        return Shapes.json(row);
    }

    /// Annotations and summary are replaced, also by nothing.
    Json.Obj updateResult(RecordName names, Json.Obj body, String etag) {
        return archive.database().write(session -> {
            var before = Rows.result(session, names.parent(), names.result())
                    .orElseThrow(() -> new ArchiveRefusal(
                            ArchiveRefusal.Code.NOT_FOUND,
                            "failed to find a result: rpc error: code = NotFound desc = record not found"));
            checkEtag(etag, before.etag());
            var after = new ResultRow(
                            before.parent(),
                            before.id(),
                            before.name(),
                            annotations(body),
                            before.created(),
                            before.updated(),
                            Shapes.summary(body),
                            before.etag())
                    .at(Math.max(archive.now(), before.updated() + 1));
            Rows.replace(session, after);
            return Shapes.json(after);
        });
    }

    Json.Obj deleteResult(RecordName names) {
        return archive.database().write(session -> {
            var row = Rows.result(session, names.parent(), names.result()).orElseThrow(ArchiveRefusal::notFound);
            Rows.delete(session, row);
            return Json.Obj.EMPTY;
        });
    }

    Json.Obj createRecord(RecordName names, Json.Obj body) {
        var content = content(body.object("data"));
        long now = archive.now();
        return archive.database().write(session -> {
            var result = Rows.result(session, names.parent(), names.result()).orElseThrow(ArchiveRefusal::notFound);
            if (Rows.record(session, names.parent(), names.result(), names.name())
                    .isPresent()) {
                throw exists();
            }
            var row = new RecordRow(
                            names.parent(),
                            result.id(),
                            names.result(),
                            UUID.randomUUID().toString(),
                            names.name(),
                            "",
                            "",
                            "",
                            now,
                            now,
                            "")
                    .with(type(body), content, now);
            Rows.insert(session, row);
            return Shapes.json(row, "records");
        });
    }

    /// What is not given stays.
    Json.Obj updateRecord(RecordName names, Json.Obj body, String etag) {
        return archive.database().write(session -> {
            var before = Rows.record(session, names.parent(), names.result(), names.name())
                    .orElseThrow(ArchiveRefusal::notFound);
            checkEtag(etag, before.etag());
            var data = body.object("data");
            var after = before.with(
                    data.has("type") ? type(body) : before.type(),
                    data.has("value") ? content(data) : before.data(),
                    Math.max(archive.now(), before.updated() + 1));
            Rows.replace(session, after);
            return Shapes.json(after, "records");
        });
    }

    Json.Obj deleteRecord(RecordName names) {
        return archive.database().write(session -> {
            var row = Rows.record(session, names.parent(), names.result(), names.name())
                    .orElseThrow(ArchiveRefusal::notFound);
            Rows.delete(session, row);
            return Json.Obj.EMPTY;
        });
    }

    private static ArchiveRefusal exists() {
        return new ArchiveRefusal(ArchiveRefusal.Code.ALREADY_EXISTS, "UNIQUE constraint failed: the name is taken");
    }

    private static void checkEtag(String given, String known) {
        if (!given.isEmpty() && !given.equals(known)) {
            throw new ArchiveRefusal(ArchiveRefusal.Code.FAILED_PRECONDITION, "the etag mismatches");
        }
    }

    private static Json.Obj annotations(Json.Obj body) {
        return Json.Obj.ofStrings(body.stringMap("annotations"));
    }

    private static String type(Json.Obj body) {
        var type = body.object("data").string("type");
        Shapes.checkType(type);
        return type;
    }

    /// The JSON text that the value is in base64.
    private static String content(Json.Obj data) {
        try {
            var text = new String(Base64.getDecoder().decode(data.string("value")), StandardCharsets.UTF_8);
            return JsonText.write(JsonText.parse(text));
        } catch (IllegalArgumentException | JsonText.Malformed e) {
            throw ArchiveRefusal.invalid("the value of data is no JSON in base64: " + e.getMessage());
        }
    }
}
