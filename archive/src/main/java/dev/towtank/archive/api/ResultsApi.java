package dev.towtank.archive.api;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.sql.Sql;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.RecordRow;
import dev.towtank.archive.store.Rows;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.Arrays;
import java.util.List;

/// Answers requests as the REST gateway of Tekton Results does, version v1alpha2.
///
/// Who is not allowed something is told no more than who is not known, so that nobody learns which namespaces there
/// are.
public final class ResultsApi {

    private static final String PREFIX = "/apis/results.tekton.dev/v1alpha2/parents/";
    private static final int MAX_BODY = 16 << 20;
    private static final List<Object> RESOURCE_UID = List.of("spec", "resource", "uid");

    private final Archive archive;
    private final Permissions permissions;
    private final Lists lists;
    private final Writes writes;

    /// @param tokenKey signs page tokens
    public ResultsApi(Archive archive, Permissions permissions, byte[] tokenKey) {
        this.archive = archive;
        this.permissions = permissions;
        this.lists = new Lists(archive.database(), new PageTokens(tokenKey));
        this.writes = new Writes(archive);
    }

    public Response handle(Request request) {
        try {
            if (request.body().length() > MAX_BODY) {
                throw ArchiveRefusal.invalid("a request has at most " + MAX_BODY + " characters");
            }
            return routed(request);
        } catch (ArchiveRefusal e) {
            return Response.of(e);
        }
    }

    private Response routed(Request request) {
        if (request.path().equals("/healthz") && request.method().equals("GET")) {
            return Response.json(200, Json.Obj.of("status", Json.of("SERVING")));
        }
        if (!request.path().startsWith(PREFIX)) {
            throw unknown();
        }
        var parts = Arrays.asList(request.path().substring(PREFIX.length()).split("/", -1));
        if (parts.size() < 2 || !parts.get(1).equals("results")) {
            throw unknown();
        }
        return switch (parts.size()) {
            case 2 -> results(request, parts.getFirst());
            case 3 -> result(request, parts.getFirst(), parts.get(2));
            case 4 -> collection(request, parts.getFirst(), parts.get(2), parts.get(3));
            case 5 -> item(request, parts.getFirst(), parts.get(2), parts.get(3), parts.get(4));
            default -> throw unknown();
        };
    }

    private static ArchiveRefusal unknown() {
        return new ArchiveRefusal(ArchiveRefusal.Code.NOT_FOUND, "Not Found");
    }

    private static ArchiveRefusal unimplemented() {
        return new ArchiveRefusal(ArchiveRefusal.Code.UNIMPLEMENTED, "Method Not Allowed");
    }

    private Response results(Request request, String parent) {
        RecordName.result(parent, RecordName.ANY);
        return switch (request.method()) {
            case "GET" -> {
                check(request, "list", "results", parent);
                yield answer(request, lists.results(parent, request));
            }
            case "POST" -> {
                var body = body(request);
                var names = resultNames(body.string("name"));
                if (!names.parent().equals(parent)) {
                    throw ArchiveRefusal.invalid("requested parent does not match resource name");
                }
                check(request, "create", "results", parent);
                yield answer(request, writes.createResult(names, body));
            }
            default -> throw unimplemented();
        };
    }

    private Response result(Request request, String parent, String name) {
        var names = RecordName.result(parent, name);
        return switch (request.method()) {
            case "GET" -> {
                check(request, "get", "results", parent);
                yield answer(
                        request,
                        archive.database()
                                .read(session -> Rows.result(session, parent, name))
                                .map(Shapes::json)
                                .orElseThrow(ArchiveRefusal::notFound));
            }
            case "PATCH" -> {
                check(request, "update", "results", parent);
                yield answer(request, writes.updateResult(names, body(request), request.parameter("etag")));
            }
            case "DELETE" -> {
                check(request, "delete", "results", parent);
                yield answer(request, writes.deleteResult(names));
            }
            default -> throw unimplemented();
        };
    }

    private Response collection(Request request, String parent, String result, String collection) {
        var names = RecordName.result(parent, result);
        return switch (request.method() + " " + collection) {
            case "GET records" -> {
                check(request, "list", "records", parent);
                yield answer(request, lists.records(names, request));
            }
            case "GET logs" -> {
                check(request, "list", "logs", parent);
                yield answer(request, lists.logs(names, request));
            }
            case "POST records" -> {
                var body = body(request);
                var record = recordNames(body.string("name"));
                if (!record.resultName().equals(names.resultName())) {
                    throw ArchiveRefusal.invalid("requested parent does not match resource name");
                }
                check(request, "create", "records", parent);
                yield answer(request, writes.createRecord(record, body));
            }
            default -> throw collection.equals("records") || collection.equals("logs") ? unimplemented() : unknown();
        };
    }

    private Response item(Request request, String parent, String result, String collection, String name) {
        if (collection.equals("records")
                && name.equals("summary")
                && request.method().equals("GET")) {
            var names = RecordName.result(parent, result);
            check(request, "get", "records", parent);
            return answer(request, lists.summary(names, request));
        }
        return switch (collection) {
            case "records" -> record(request, RecordName.item(parent, result, "records", name));
            case "logs" -> log(request, RecordName.item(parent, result, "logs", name));
            default -> throw unknown();
        };
    }

    private Response record(Request request, RecordName names) {
        return switch (request.method()) {
            case "GET" -> {
                check(request, "get", "records", names.parent());
                yield answer(request, Shapes.json(found(names), "records"));
            }
            case "PATCH" -> {
                check(request, "update", "records", names.parent());
                yield answer(request, writes.updateRecord(names, body(request), request.parameter("etag")));
            }
            case "DELETE" -> {
                check(request, "delete", "records", names.parent());
                yield answer(request, writes.deleteRecord(names));
            }
            default -> throw unimplemented();
        };
    }

    private RecordRow found(RecordName names) {
        return archive.database()
                .read(session -> Rows.record(session, names.parent(), names.result(), names.name()))
                .orElseThrow(ArchiveRefusal::notFound);
    }

    private Response log(Request request, RecordName names) {
        return switch (request.method()) {
            case "GET" -> {
                check(request, "get", "logs", names.parent());
                yield logText(logRecord(names));
            }
            case "DELETE" -> {
                check(request, "delete", "logs", names.parent());
                var log = logRecord(names);
                yield answer(request, writes.deleteRecord(new RecordName(log.parent(), log.resultName(), log.name())));
            }
            default -> throw unimplemented();
        };
    }

    /// Of the log itself, or of the run whose log it is.
    private RecordRow logRecord(RecordName names) {
        var row = found(names);
        if (row.type().equals(Archive.LOG_TYPE)) {
            return row;
        }
        var dialect = archive.database().dialect();
        var where = Sql.builder()
                .add(
                        "WHERE parent = ? AND result_name = ? AND type = ? AND ",
                        names.parent(),
                        names.result(),
                        Archive.LOG_TYPE)
                .add(dialect.text("data", RESOURCE_UID))
                .add(" = ?", names.name())
                .build();
        return archive.database().read(session -> Rows.records(session, where)).stream()
                .findFirst()
                .orElseThrow(ArchiveRefusal::notFound);
    }

    private Response logText(RecordRow log) {
        var about = JsonText.parseObject(log.data());
        if (!about.flag("status", "isStored") || about.integer("status", "size") == 0) {
            throw new ArchiveRefusal(ArchiveRefusal.Code.NOT_FOUND, "Log doesn't exist");
        }
        boolean ofPipeline = about.string("spec", "resource", "kind").equals("PipelineRun");
        return new Response(200, "text/plain", out -> archive.copy(log, ofPipeline, out));
    }

    private void check(Request request, String verb, String resource, String parent) {
        var caller = request.caller()
                .orElseThrow(() -> new ArchiveRefusal(ArchiveRefusal.Code.UNAUTHENTICATED, "unable to find token"));
        // All parents are all namespaces only where a list is asked for, or a summary of one.
        var namespace = parent.equals(RecordName.ANY) ? "" : parent;
        if (!permissions.may(caller, verb, resource, namespace)) {
            throw new ArchiveRefusal(ArchiveRefusal.Code.UNAUTHENTICATED, "permission denied");
        }
    }

    private static Response answer(Request request, Json.Obj json) {
        var fields = request.parameter("fields");
        return Response.json(200, fields.isEmpty() ? json : FieldMask.of(fields).apply(json));
    }

    private static Json.Obj body(Request request) {
        try {
            return JsonText.parseObject(request.body());
        } catch (JsonText.Malformed e) {
            throw ArchiveRefusal.invalid("the body is no JSON object: " + e.getMessage());
        }
    }

    private static RecordName resultNames(String text) {
        var parts = text.split("/", -1);
        return parts.length == 3 && parts[1].equals("results")
                ? RecordName.result(parts[0], parts[2])
                : RecordName.result(text, "");
    }

    private static RecordName recordNames(String text) {
        var parts = text.split("/", -1);
        return parts.length == 5 && parts[1].equals("results") && parts[3].equals("records")
                ? RecordName.item(parts[0], parts[2], "records", parts[4])
                : RecordName.item(text, "", "records", "");
    }
}
