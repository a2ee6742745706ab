package dev.towtank.archive.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.archive.sql.Database;
import dev.towtank.archive.sql.Databases;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.Bundle;
import dev.towtank.archive.store.ResultRow;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsApiTest {

    private static final String BASE = "/apis/results.tekton.dev/v1alpha2/parents/";
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path directory;

    /// A server with runs one to twelve in `dev` and one in `secret`, seen by who may see `dev` only.
    private static final class Server {
        private final ResultsApi api;
        private final Archive archive;

        Server(Database database) {
            var time = new Instant[] {NOON};
            InstantSource clock = () -> time[0] = time[0].plusSeconds(1);
            archive = new Archive(database, clock, Archive.Limits.DEFAULT);
            for (int i = 1; i <= 12; i++) {
                archive.store(bundle("dev", i));
            }
            archive.store(bundle("secret", 13));
            api = new ResultsApi(
                    archive,
                    (caller, _, _, namespace) -> caller.user().equals("admin") || namespace.equals("dev"),
                    KEY);
        }

        Json.Obj ask(int status, String method, String path, String... query) {
            return (Json.Obj) JsonText.parse(text(status, method, path, "", "alice", query));
        }

        Json.Obj send(int status, String method, String path, String body, String... query) {
            return (Json.Obj) JsonText.parse(text(status, method, path, body, "alice", query));
        }

        String text(int status, String method, String path, String body, String user, String... query) {
            var parameters = new HashMap<String, List<String>>();
            for (int i = 0; i < query.length; i += 2) {
                parameters.put(query[i], List.of(query[i + 1]));
            }
            var caller = user.isEmpty()
                    ? Optional.<Request.Caller>empty()
                    : Optional.of(new Request.Caller(user, "", List.of(), Map.of()));
            var response = api.handle(new Request(method, BASE + path, parameters, body, caller));
            var out = new ByteArrayOutputStream();
            try {
                response.body().writeTo(out);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            var text = out.toString(StandardCharsets.UTF_8);
            assertThat(response.status()).as(text).isEqualTo(status);
            return text;
        }
    }

    private static Bundle bundle(String namespace, int number) {
        var uid = "uid-" + number;
        var data = (Json.Obj) JsonText.parse("""
            {"apiVersion": "tekton.dev/v1", "kind": "PipelineRun",
             "metadata": {"name": "run-%d", "namespace": "%s", "uid": "%s",
               "creationTimestamp": "2026-01-0%dT10:00:00Z", "labels": {"tekton.dev/pipeline": "build"}},
             "status": {"startTime": "2026-01-01T10:00:00Z", "completionTime": "2026-01-01T10:00:%02dZ",
               "conditions": [{"type": "Succeeded", "status": "True", "reason": "%s"}]}}\
            """.formatted(
                        number, namespace, uid, number % 2 + 1, number, number % 3 == 0 ? "Failed" : "Completed"));
        var log = (Json.Obj) JsonText.parse("""
            {"spec": {"resource": {"kind": "PipelineRun", "uid": "%s"}}}\
            """.formatted(uid));
        return new Bundle(
                namespace,
                uid,
                Json.Obj.EMPTY,
                Optional.of(new ResultRow.Summary(
                        namespace + "/results/" + uid + "/records/" + uid,
                        "tekton.dev/v1.PipelineRun",
                        Optional.empty(),
                        Optional.empty(),
                        1,
                        Json.Obj.EMPTY)),
                List.of(new Bundle.Item(uid, "tekton.dev/v1.PipelineRun", data, "d")),
                List.of(new Bundle.Log(
                        "log-" + number,
                        log,
                        List.of(new Bundle.Part(
                                "t",
                                "s",
                                "c" + uid,
                                () -> Optional.of(
                                        new ByteArrayInputStream("hi\n".getBytes(StandardCharsets.UTF_8))))))));
    }

    private void everywhere(Consumer<Server> test) {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                test.accept(new Server(database));
            }
        }
    }

    @Test
    void aListIsReadPageByPageInItsOrder() {
        everywhere(server -> {
            for (var order : List.of("", "create_time desc", "update_time asc")) {
                var names = new ArrayList<String>();
                var token = "";
                do {
                    var page = server.ask(
                            200, "GET", "dev/results", "page_size", "5", "order_by", order, "page_token", token);
                    page.objects("results").forEach(result -> names.add(result.string("name")));
                    token = page.string("next_page_token");
                } while (!token.isEmpty());
                assertThat(names).hasSize(12).doesNotHaveDuplicates();
                if (order.equals("create_time desc")) {
                    assertThat(names).startsWith("dev/results/uid-12", "dev/results/uid-11");
                }
            }
        });
    }

    @Test
    void aTokenOfAnotherListOrOfNobodyIsRefused() {
        everywhere(server -> {
            var token = server.ask(200, "GET", "dev/results", "page_size", "5").string("next_page_token");
            assertThat(message(server.ask(400, "GET", "dev/results", "page_token", token, "filter", "uid == \"x\"")))
                    .startsWith("invalid page token: the provided filter differs");
            assertThat(message(server.ask(400, "GET", "dev/results", "page_token", token, "order_by", "create_time")))
                    .startsWith("invalid page token: the provided order by clause differs");
            assertThat(message(server.ask(400, "GET", "dev/results", "page_token", token.substring(1) + "A")))
                    .startsWith("invalid page token: it was not given by this server");
            assertThat(message(server.ask(400, "GET", "dev/results", "page_token", "%%%")))
                    .startsWith("invalid page token");
        });
    }

    private static String message(Json.Obj refusal) {
        assertThat(refusal.integer("code")).isEqualTo(3);
        return refusal.string("message");
    }

    @Test
    void nobodySeesAnothersNamespace() {
        everywhere(server -> {
            for (var path : List.of(
                    "secret/results",
                    "-/results",
                    "secret/results/uid-13/records/uid-13",
                    "secret/results/-/records",
                    "-/results/-/records/summary",
                    "secret/results/uid-13/logs/log-13")) {
                assertThat(server.ask(401, "GET", path)).isEqualTo(JsonText.parse("""
                    {"code": 16, "message": "permission denied", "details": []}\
                    """));
            }
            assertThat(server.text(401, "GET", "dev/results", "", "")).contains("unable to find token");
            var all = server.ask(200, "GET", "dev/results/-/records", "filter", "parent == \"secret\" || true");
            assertThat(all.objects("records"))
                    .allMatch(record -> record.string("name").startsWith("dev/"));
            assertThat(server.text(200, "GET", "-/results", "", "admin")).contains("secret/results/uid-13");
        });
    }

    @Test
    void whatTknResultsAsksForIsFound() {
        everywhere(server -> {
            var found = server.ask(
                    200,
                    "GET",
                    "dev/results/-/records",
                    "page_size",
                    "5",
                    "order_by",
                    "create_time desc",
                    "filter",
                    "(data_type==\"tekton.dev/v1.PipelineRun\" || data_type==\"tekton.dev/v1beta1.PipelineRun\")"
                            + " && data.metadata.labels[\"tekton.dev/pipeline\"]==\"build\"",
                    "fields",
                    "records.name,records.data.value.metadata.name,next_page_token");
            var first = found.objects("records").getFirst();
            assertThat(first.keys()).containsExactly("name", "data");
            assertThat(new String(Base64.getDecoder().decode(first.string("data", "value")), StandardCharsets.UTF_8))
                    .isEqualTo("{\"metadata\":{\"name\":\"run-12\"}}");
            assertThat(found.string("next_page_token")).isNotEmpty();
            // The log of a run under the run's own name, as raw text.
            assertThat(server.text(200, "GET", "dev/results/uid-3/logs/uid-3", "", "alice"))
                    .isEqualTo("[t : s] hi\n\n");
            assertThat(server.ask(200, "GET", "dev/results/-/logs").objects("records"))
                    .hasSize(12)
                    .allMatch(log -> log.string("name").contains("/logs/log-"));
        });
    }

    @Test
    void summariesCountAndMeasureInGroups() {
        everywhere(server -> {
            var runs = "data_type == PIPELINE_RUN";
            var all = server.ask(
                    200,
                    "GET",
                    "dev/results/-/records/summary",
                    "filter",
                    runs,
                    "summary",
                    "total,succeeded,failed,avg_duration,max_duration,last_runtime");
            assertThat(all).isEqualTo(JsonText.parse("""
                {"summary": [{"total": 12, "succeeded": 8, "failed": 4, "avg_duration": "00:00:06.5",
                  "max_duration": "00:00:12", "last_runtime": 1767261600}]}\
                """));
            var days = server.ask(
                    200,
                    "GET",
                    "dev/results/-/records/summary",
                    "filter",
                    runs,
                    "group_by",
                    "day",
                    "summary",
                    "total,max_duration",
                    "order_by",
                    "max_duration DESC");
            assertThat(days).isEqualTo(JsonText.parse("""
                {"summary": [{"total": 6, "max_duration": "00:00:12", "group_value": 1767225600},
                  {"total": 6, "max_duration": "00:00:11", "group_value": 1767312000}]}\
                """));
            for (var period : List.of("minute", "hour", "week", "month", "year startTime", "namespace", "repository")) {
                assertThat(server.ask(200, "GET", "dev/results/-/records/summary", "filter", runs, "group_by", period)
                                .objects("summary"))
                        .as(period)
                        .isNotEmpty();
            }
            var pipelines =
                    server.ask(200, "GET", "dev/results/-/records/summary", "filter", runs, "group_by", "pipeline");
            assertThat(pipelines.objects("summary").getFirst().string("group_value"))
                    .isEqualTo("dev/build");
        });
    }

    @Test
    void mistakesAreToldInTheWordsOfTektonResults() {
        everywhere(server -> {
            assertThat(message(server.ask(400, "GET", "dev/results", "page_size", "3")))
                    .isEqualTo("invalid page size (3): value must be greater than 5 and less than 10000");
            assertThat(message(server.ask(400, "GET", "dev/results", "order_by", "name")))
                    .startsWith("name: field is unknown or cannot be used in the order by clause");
            assertThat(message(server.ask(400, "GET", "dev/results/UPPER")))
                    .startsWith("name must match (^[a-z0-9_-]{1,63})/results/");
            assertThat(message(server.ask(400, "GET", "dev/results/-/records/summary", "summary", "nonsense")))
                    .isEqualTo("invalid aggregate query: nonsense");
            assertThat(message(server.ask(400, "GET", "dev/results/-/records/summary", "group_by", "day; DROP")))
                    .isEqualTo("group_by does not recognize day; DROP");
            assertThat(server.ask(404, "GET", "dev/results/nope").string("message"))
                    .isEqualTo("record not found");
            assertThat(server.ask(404, "GET", "dev/nonsense").integer("code")).isEqualTo(5);
        });
    }

    @Test
    void resultsAndRecordsAreCreatedChangedAndDeleted() {
        everywhere(server -> {
            var result = server.send(200, "POST", "dev/results", """
                {"name": "dev/results/mine", "annotations": {"a": "b"}, "unknown": 1}\
                """);
            assertThat(server.send(409, "POST", "dev/results", "{\"name\": \"dev/results/mine\"}")
                            .integer("code"))
                    .isEqualTo(6);
            assertThat(message(server.send(400, "POST", "dev/results", "{\"name\": \"other/results/mine\"}")))
                    .isEqualTo("requested parent does not match resource name");
            var record = server.send(200, "POST", "dev/results/mine/records", """
                {"name": "dev/results/mine/records/r", "data": {"type": "x", "value": "eyJhIjogMX0="}}\
                """);
            assertThat(record.string("etag")).startsWith(record.string("uid") + "-");
            var changed = server.send(200, "PATCH", "dev/results/mine/records/r", """
                {"data": {"type": "y"}}\
                """, "etag", record.string("etag"));
            assertThat(changed.string("data", "type")).isEqualTo("y");
            assertThat(JsonText.parse(Base64.getDecoder().decode(changed.string("data", "value"))))
                    .isEqualTo(JsonText.parse("{\"a\": 1}"));
            assertThat(server.send(400, "PATCH", "dev/results/mine/records/r", "{}", "etag", "old")
                            .toString())
                    .contains("\"code\":9", "the etag mismatches");
            assertThat(server.send(200, "PATCH", "dev/results/mine", "{}", "etag", result.string("etag"))
                            .has("annotations"))
                    .isFalse();
            server.ask(200, "DELETE", "dev/results/mine");
            server.ask(404, "GET", "dev/results/mine/records/r");
            server.ask(404, "DELETE", "dev/results/mine");
        });
    }
}
