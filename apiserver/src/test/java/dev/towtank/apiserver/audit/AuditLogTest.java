package dev.towtank.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Notes;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.audit.AuditEvent.Exchange;
import dev.towtank.apiserver.audit.AuditEvent.Origin;
import dev.towtank.apiserver.audit.AuditEvent.Outcome;
import dev.towtank.apiserver.audit.AuditEvent.Who;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {

    private static final Instant RECEIVED = Instant.parse("2026-03-01T10:00:00.001002Z");
    private static final Target POD = new Target("", "v1", "pods", "default", "web", "");

    @TempDir
    Path data;

    private AuditLog open(AuditSink.Level level, AuditLog.Limits limits) throws IOException {
        return AuditLog.open(data.resolve("audit"), level, limits, InstantSource.fixed(RECEIVED));
    }

    private List<Json.Obj> written(AuditSink.Level level, AuditEvent... events) throws IOException {
        try (var log = open(level, AuditLog.Limits.DEFAULT)) {
            List.of(events).forEach(log::record);
        }
        return lines("audit.log");
    }

    private List<Json.Obj> lines(String file) throws IOException {
        return Files.readAllLines(data.resolve("audit").resolve(file)).stream()
                .map(JsonText::parseObject)
                .toList();
    }

    private static AuditEvent event(String uri, Target target, Outcome outcome, Exchange exchange) {
        var notes = Notes.empty();
        notes.put("authorization.k8s.io/decision", "allow");
        notes.put("authorization.k8s.io/reason", "");
        var jane = new User("jane", "7", Set.of("b", "a"), Map.of("scopes", List.of("x", "y")));
        return new AuditEvent(
                "id-1",
                new Origin(uri, "192.0.2.1", "kubectl/v1.35"),
                new Who(Optional.of(jane), Optional.of(User.of("joe"))),
                LogicalCluster.DEFAULT,
                "get",
                target,
                outcome,
                notes,
                exchange,
                RECEIVED,
                RECEIVED.plusMillis(3));
    }

    private static AuditEvent event(String uri) {
        return event(uri, POD, new Outcome(200, null), Exchange.NOTHING);
    }

    private static Exchange exchange(String request, @Nullable String response) {
        return new Exchange(
                new Body.Text("application/json", request.getBytes(StandardCharsets.UTF_8)),
                response == null ? null : Content.of(JsonText.parseObject(response)));
    }

    @Test
    void tellsWhoDidWhatAndHowLongItTook() throws IOException {
        assertThat(written(AuditSink.Level.METADATA, event("/api/v1/namespaces/default/pods/web?pretty=true")))
                .containsExactly(JsonText.parseObject("""
                {"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "Metadata", "auditID": "id-1",
                 "stage": "ResponseComplete", "requestURI": "/api/v1/namespaces/default/pods/web?pretty=true",
                 "verb": "get",
                 "user": {"username": "jane", "uid": "7", "groups": ["a", "b"], "extra": {"scopes": ["x", "y"]}},
                 "impersonatedUser": {"username": "joe"},
                 "sourceIPs": ["192.0.2.1"], "userAgent": "kubectl/v1.35",
                 "objectRef": {"resource": "pods", "namespace": "default", "name": "web", "apiVersion": "v1"},
                 "responseStatus": {"metadata": {}, "code": 200},
                 "requestReceivedTimestamp": "2026-03-01T10:00:00.001002Z",
                 "stageTimestamp": "2026-03-01T10:00:00.004002Z",
                 "annotations": {"authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": ""}}
                """));
    }

    @Test
    void tellsWhyARequestWasRefused() throws IOException {
        var error = StatusError.forbidden(new GroupResource("", "pods"), "web", "no \"role\"\n");
        var status = written(AuditSink.Level.METADATA, event("/x", POD, new Outcome(403, error), Exchange.NOTHING))
                .getFirst()
                .object("responseStatus");
        assertThat(status.string("reason")).isEqualTo("Forbidden");
        assertThat(status.string("message")).isEqualTo("pods \"web\" is forbidden: no \"role\"\n");
        assertThat(status.integer("code")).isEqualTo(403);
    }

    @Test
    void isForItsOwnerOnly() throws IOException {
        written(AuditSink.Level.METADATA, event("/x"));
        var directory = data.resolve("audit");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("audit.log"))))
                .isEqualTo("rw-------");
    }

    @Test
    void leavesOutQueriesThatMayHoldSecrets() throws IOException {
        var uri =
                "/api/v1/namespaces/default/pods/web/exec?command=echo&command=hunter2&stdin=true&token=abc&container=main";
        assertThat(written(AuditSink.Level.METADATA, event(uri)).getFirst().string("requestURI"))
                .isEqualTo("/api/v1/namespaces/default/pods/web/exec?stdin=true&container=main");
    }

    @Test
    void writesBodiesOnlyWhenAskedAndNeverThoseOfSecrets() throws IOException {
        var pod = event("/x", POD, new Outcome(200, null), exchange("{\"a\":\n1}", "{\"b\":2}"));
        var secret = event(
                "/x",
                new Target("", "v1", "secrets", "default", "s", ""),
                new Outcome(200, null),
                exchange("{\"data\":\"hunter2\"}", "{\"data\":\"hunter2\"}"));
        var token = event(
                "/x",
                new Target("", "v1", "serviceaccounts", "default", "s", "token"),
                new Outcome(201, null),
                exchange("{}", "{\"status\":\"hunter2\"}"));
        var lines = written(AuditSink.Level.REQUEST, pod, secret, token);
        assertThat(lines.getFirst().string("level")).isEqualTo("RequestResponse");
        assertThat(lines.getFirst().object("requestObject")).isEqualTo(JsonText.parseObject("{\"a\":1}"));
        assertThat(lines.getFirst().object("responseObject")).isEqualTo(JsonText.parseObject("{\"b\":2}"));
        assertThat(lines.get(1).string("level")).isEqualTo("Metadata");
        assertThat(lines.subList(1, 3).toString()).doesNotContain("hunter2", "requestObject", "responseObject");
    }

    @Test
    void doesNotQuoteWhatIsWrongWithASecret() throws IOException {
        var secret = new Target("", "v1", "secrets", "default", "s", "");
        var error = StatusError.badRequest("cannot read \"hunter2\"");
        var line = written(AuditSink.Level.METADATA, event("/x", secret, new Outcome(400, error), Exchange.NOTHING))
                .getFirst();
        assertThat(line.toString()).doesNotContain("hunter2").contains("BadRequest");
    }

    @Test
    void leavesOutBodiesThatAreTooLarge() throws IOException {
        var large = "{\"a\":\"" + "x".repeat(200_000) + "\"}";
        var line = written(
                        AuditSink.Level.REQUEST, event("/x", POD, new Outcome(200, null), exchange(large, "{\"b\":2}")))
                .getFirst();
        assertThat(line.has("requestObject")).isFalse();
        assertThat(line.object("responseObject").integer("b")).isEqualTo(2);
        assertThat(line.string("annotations", "audit.k8s.io/truncated")).isEqualTo("true");
    }

    @Test
    void keepsOneLineWhateverTheTextIs() throws IOException {
        var odd = "/x?labelSelector=\u0000\n\r\t\"\\\u007f\u00e4\u20ac\ud83d\ude80\ud800";
        assertThat(written(AuditSink.Level.METADATA, event(odd)).getFirst().string("requestURI"))
                .isEqualTo(odd.replace("\ud83d\ude80\ud800", "\ud83d\ude80\ufffd"));
    }

    @Test
    void hasALargestSizeAndBeginsNewFiles() throws Exception {
        try (var log = open(AuditSink.Level.METADATA, new AuditLog.Limits(8_000, 3, 1000, 0))) {
            for (int i = 0; i < 200; i++) {
                log.record(event("/" + i));
                log.flush();
            }
        }
        try (var files = Files.list(data.resolve("audit"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("audit.log", "audit.log.1", "audit.log.2");
        }
        for (var file : List.of("audit.log", "audit.log.1", "audit.log.2")) {
            assertThat(Files.size(data.resolve("audit").resolve(file))).isBetween(1L, 8_000L);
        }
        assertThat(lines("audit.log").getLast().string("requestURI")).isEqualTo("/199");
        var older = lines("audit.log.1");
        var newer = lines("audit.log");
        assertThat(Integer.parseInt(newer.getFirst().string("requestURI").substring(1)))
                .isEqualTo(Integer.parseInt(older.getLast().string("requestURI").substring(1)) + 1);
    }

    @Test
    void losesEventsRatherThanTimeAndSaysSo() throws Exception {
        try (var log = open(AuditSink.Level.METADATA, new AuditLog.Limits(1 << 20, 2, 10, 0))) {
            for (int i = 0; i < 100_000; i++) {
                log.record(event("/" + i));
            }
        }
        long lost = 0;
        long told = 0;
        for (var file : List.of("audit.log.1", "audit.log")) {
            if (Files.exists(data.resolve("audit").resolve(file))) {
                for (var line : lines(file)) {
                    var count = line.string("annotations", "audit.towtank.dev/lost-events");
                    told += count.isEmpty() ? 1 : 0;
                    lost += count.isEmpty() ? 0 : Long.parseLong(count);
                }
            }
        }
        assertThat(lost).isPositive();
        assertThat(lost + told).isLessThanOrEqualTo(100_000);
    }

    @Test
    void endsALineThatAPowerCutTore() throws IOException {
        Files.createDirectories(data.resolve("audit"));
        Files.writeString(data.resolve("audit/audit.log"), "{\"kind\":\"Ev");
        try (var log = open(AuditSink.Level.METADATA, AuditLog.Limits.DEFAULT)) {
            log.record(event("/x"));
        }
        var lines = Files.readAllLines(data.resolve("audit/audit.log"));
        assertThat(lines).hasSize(2);
        assertThat(JsonText.parseObject(lines.get(1)).string("requestURI")).isEqualTo("/x");
    }

    @Test
    void goesOnWithoutAnybodyNoticingWhenItCannotWrite() throws Exception {
        try (var log = open(AuditSink.Level.METADATA, new AuditLog.Limits(500, 2, 1000, 0))) {
            log.record(event("/first"));
            log.flush();
            // A directory that is not empty stands where the next file would go.
            Files.createDirectories(data.resolve("audit/audit.log.1/in-the-way"));
            for (int i = 0; i < 5; i++) {
                log.record(event("/lost"));
                log.flush();
            }
            Files.delete(data.resolve("audit/audit.log.1/in-the-way"));
            Files.delete(data.resolve("audit/audit.log.1"));
            log.record(event("/last"));
            log.flush();
        }
        var all = Files.readString(data.resolve("audit/audit.log"));
        assertThat(all).contains("lost-events\":\"5\"").contains("/last").doesNotContain("/lost\"");
    }
}
