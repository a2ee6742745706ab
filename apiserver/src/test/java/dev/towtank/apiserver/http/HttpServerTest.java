package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpServerTest {

    private static final String POD = "/api/v1/namespaces/default/pods/web";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        server.fake.calls.clear();
        server.fake.api = call -> FakeBackend.one(200, FakeBackend.pod("web", 7));
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void servesAnObject(HttpClient.Version version) throws Exception {
        var response = server.client(version).send(server.request(POD).build(), BodyHandlers.ofString());

        assertThat(response.version()).isEqualTo(version);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response.body())).isEqualTo(FakeBackend.pod("web", 7));
        assertThat(response.body()).endsWith("\n");
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-cache, private");
        assertThat(response.headers().firstValue("Audit-Id")).isPresent();
        assertThat(response.headers().firstValue("Server")).isEmpty();
        var call = server.fake.calls.remove();
        assertThat(call.user().name()).isEqualTo("admin");
        assertThat(call.cluster()).isEqualTo(LogicalCluster.DEFAULT);
        assertThat(call.verb()).isEqualTo(Verb.GET);
        assertThat(call.target().name()).isEqualTo("web");
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void servesLongLists(HttpClient.Version version) throws Exception {
        server.fake.api = _ -> FakeBackend.many(5_000);

        var response = server.client(version).send(server.request(PODS).build(), BodyHandlers.ofString());

        var list = json(response.body());
        assertThat(list.string("kind")).isEqualTo("PodList");
        assertThat(list.string("metadata", "resourceVersion")).isEqualTo("42");
        assertThat(list.objects("items")).hasSize(5_000);
        assertThat(list.objects("items").get(4_999))
                .as("the type is that of the list")
                .isEqualTo(FakeBackend.pod("web-4999", 5_000).without("kind").without("apiVersion"));
        assertThat(response.headers().firstValueAsLong("Content-Length"))
                .hasValue(response.body().length());
    }

    @Test
    void compressesLongAnswersForWhoAccepts() throws Exception {
        server.fake.api = _ -> FakeBackend.many(5_000);
        var request = server.request(PODS).header("Accept-Encoding", "gzip").build();

        var response = server.client(HttpClient.Version.HTTP_2).send(request, BodyHandlers.ofByteArray());

        assertThat(response.headers().firstValue("Content-Encoding")).contains("gzip");
        var text = new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
        assertThat(JsonText.parseObject(text).objects("items")).hasSize(5_000);
        assertThat(response.body().length).isLessThan(text.length / 5);
    }

    @Test
    void sendsShortAnswersUncompressed() throws Exception {
        var response = server.get(POD, "Accept-Encoding", "gzip");

        assertThat(response.headers().firstValue("Content-Encoding")).isEmpty();
    }

    @Test
    void tellsHowToGoOnWithAList() throws Exception {
        server.fake.api = _ -> new Answer.Many(FakeBackend.PODS, 42, List.of(), "token", Optional.of(7L), List.of());

        var metadata = json(server.get(PODS).body()).object("metadata");

        assertThat(metadata.string("continue")).isEqualTo("token");
        assertThat(metadata.integer("remainingItemCount")).isEqualTo(7);
    }

    @Test
    void showsTables() throws Exception {
        server.fake.api = _ -> FakeBackend.many(2);

        var table = json(server.get(PODS, "Accept", TABLE).body());

        assertThat(table.string("kind")).isEqualTo("Table");
        assertThat(table.string("apiVersion")).isEqualTo("meta.k8s.io/v1");
        assertThat(table.objects("columnDefinitions"))
                .extracting(column -> column.string("name"))
                .containsExactly("Name", "Status", "Age", "Node");
        var row = table.objects("rows").getFirst();
        assertThat(row.array("cells").strings()).containsExactly("web-0", "Running", "10m", "node-1");
        assertThat(row.string("object", "kind")).isEqualTo("PartialObjectMetadata");
        assertThat(row.string("object", "metadata", "name")).isEqualTo("web-0");
    }

    @ParameterizedTest
    @CsvSource({"None, ''", "Metadata, PartialObjectMetadata", "Object, Pod"})
    void includesAsMuchOfTheObjectAsAsked(String include, String kind) throws Exception {
        var table = json(
                server.get(POD + "?includeObject=" + include, "Accept", TABLE).body());

        assertThat(table.objects("rows").getFirst().string("object", "kind")).isEqualTo(kind);
    }

    @Test
    void refusesUnknownPartsOfTables() throws Exception {
        var response = server.get(POD + "?includeObject=Some", "Accept", TABLE);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response.body()).string("message"))
                .isEqualTo("Unable to convert to Table as requested: includeObject: Invalid value: \"Some\":"
                        + " must be 'Metadata', 'Object', 'None', or empty");
    }

    @Test
    void showsMetadataOnly() throws Exception {
        var accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

        var object = json(server.get(POD, "Accept", accept).body());

        assertThat(object.keys()).containsExactly("kind", "apiVersion", "metadata");
    }

    @Test
    void showsListsOfMetadata() throws Exception {
        server.fake.api = _ -> FakeBackend.many(3);
        var accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

        var list = json(server.get(PODS, "Accept", accept).body());

        assertThat(list.string("kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(list.objects("items"))
                .hasSize(3)
                .allSatisfy(item -> assertThat(item.has("spec")).isFalse());
    }

    @Test
    void speaksYaml() throws Exception {
        var response = server.get(POD, "Accept", "application/yaml");

        assertThat(response.headers().firstValue("Content-Type")).contains("application/yaml");
        assertThat(response.body()).startsWith("kind: Pod\napiVersion: v1\nmetadata:\n  name: web\n");
    }

    @Test
    void indentsForPeople() throws Exception {
        assertThat(server.get(POD + "?pretty=true").body()).contains("\n    \"kind\": \"Pod\"");
        assertThat(server.get(POD, "User-Agent", "curl/8").body()).contains("\n");
        assertThat(server.get(POD + "?pretty=false", "User-Agent", "curl/8").body())
                .startsWith("{\"kind\":");
    }

    @Test
    void refusesFormatsItDoesNotSpeak() throws Exception {
        var response = server.get(POD, "Accept", "application/vnd.kubernetes.protobuf");

        assertThat(response.statusCode()).isEqualTo(406);
        assertThat(json(response.body()).string("message"))
                .isEqualTo("only the following media types are accepted: application/json, application/yaml");
        assertThat(server.fake.calls).isEmpty();
    }

    @Test
    void fallsBackToWhatItSpeaks() throws Exception {
        var response = server.get(POD, "Accept", "application/vnd.kubernetes.protobuf,application/json");

        assertThat(response.statusCode()).isEqualTo(200);
    }

    @Test
    void turnsRefusalsIntoStatusObjects() throws Exception {
        server.fake.api = _ -> {
            throw StatusError.notFound(FakeBackend.PODS.resource(), "web");
        };

        var response = server.get(POD, "Accept", TABLE);

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(json(response.body())).isEqualTo(JsonText.parseObject("""
                {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                 "message": "pods \\"web\\" not found", "reason": "NotFound",
                 "details": {"name": "web", "kind": "pods"}, "code": 404}
                """));
    }

    @Test
    void saysWhenToTryAgain() throws Exception {
        server.fake.api = _ -> {
            throw new StatusError(
                    StatusError.Reason.TOO_MANY_REQUESTS, "later", Json.Obj.of("retryAfterSeconds", Json.of(5)));
        };

        assertThat(server.get(POD).headers().firstValue("Retry-After")).contains("5");
    }

    @Test
    void hidesWhyItFailed() throws Exception {
        server.fake.api = _ -> {
            throw new IllegalStateException("password is hunter2");
        };

        var response = server.get(POD);

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).contains("InternalError").doesNotContain("hunter2");
    }

    @Test
    void passesWarningsOn() throws Exception {
        server.fake.api = _ -> FakeBackend.one(
                200, FakeBackend.pod("web", 7), "use \"apps/v1\"", "line\nbreak", "ü", "ü", "x".repeat(9_000));

        var warnings = server.get(POD).headers().allValues("Warning");

        assertThat(warnings)
                .containsExactly(
                        "299 - \"use \\\"apps/v1\\\"\"",
                        "299 - \"line break\"",
                        "299 - \"?\"",
                        "299 - \"" + "x".repeat(256) + "\"");
    }

    @Test
    void handsBodiesOver() throws Exception {
        server.fake.api = _ -> FakeBackend.one(201, FakeBackend.pod("web", 7));

        var response = server.send("POST", PODS, "application/json; charset=utf-8", "{\"a\":1}");

        assertThat(response.statusCode()).isEqualTo(201);
        var body = (Body.Text) server.fake.calls.remove().body();
        assertThat(body.mediaType()).isEqualTo("application/json");
        assertThat(new String(body.bytes(), StandardCharsets.UTF_8)).isEqualTo("{\"a\":1}");
    }

    @Test
    void writesOnVirtualThreadsAndReadsOnItsOwn() throws Exception {
        server.fake.api = call -> FakeBackend.one(
                200, Json.Obj.of("virtual", Json.of(Thread.currentThread().isVirtual())));

        assertThat(json(server.get(POD).body()).flag("virtual")).isFalse();
        assertThat(json(server.send("PUT", POD, "application/json", "{}").body())
                        .flag("virtual"))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/namespaces/default/pods, application/cbor, 'application/json, application/yaml, "
                + "application/vnd.kubernetes.protobuf'",
        "PUT, /api/v1/namespaces/default/pods/web, text/plain, 'application/json, application/yaml, "
                + "application/vnd.kubernetes.protobuf'",
        "PATCH, /api/v1/namespaces/default/pods/web, application/json, 'application/json-patch+json, "
                + "application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml'"
    })
    void refusesBodiesItCannotRead(String method, String path, String mediaType, String accepted) throws Exception {
        var response = server.send(method, path, mediaType, "x");

        assertThat(response.statusCode()).isEqualTo(415);
        assertThat(json(response.body()).string("message"))
                .isEqualTo(
                        "the body of the request was in an unknown format - accepted media types include: " + accepted);
        assertThat(server.fake.calls).isEmpty();
    }

    @Test
    void refusesCompressedBodies() throws Exception {
        var response = server.send(server.request(PODS)
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofString("x")));

        assertThat(response.statusCode()).isEqualTo(415);
    }

    @Test
    void refusesLargeBodies() throws Exception {
        var large = "x".repeat(3 * 1024 * 1024 + 1);
        // Without a length in the header as well.
        var streamed =
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large.getBytes(StandardCharsets.US_ASCII)));

        var told = server.send("POST", PODS, "application/json", large);
        var untold = server.send(
                server.request(PODS).header("Content-Type", "application/json").POST(streamed));

        assertThat(told.statusCode()).isEqualTo(413);
        assertThat(untold.statusCode()).isEqualTo(413);
        assertThat(json(untold.body()).string("message")).isEqualTo("Request entity too large: limit is 3145728");
        assertThat(server.fake.calls).isEmpty();
    }

    @Test
    void deletesWithoutBody() throws Exception {
        server.fake.api = _ ->
                new Answer.One(200, Optional.empty(), Content.of(Json.Obj.of("kind", Json.of("Status"))), List.of());

        var response = server.send(server.request(POD).header("Accept", TABLE).DELETE());

        assertThat(json(response.body()).string("kind")).isEqualTo("Status");
        assertThat(server.fake.calls.remove().body()).isEqualTo(Body.None.NONE);
    }

    @Test
    void knowsClientsByTheirCertificate() throws Exception {
        try (var client = TestServer.client(HttpClient.Version.HTTP_2, true)) {
            var request =
                    HttpRequest.newBuilder(server.request(POD).build().uri()).build();

            client.send(request, BodyHandlers.ofString());
        }

        assertThat(server.fake.calls.remove().user().name()).isEqualTo("O=testers,CN=alice");
    }

    @Test
    void takesWhoShowsNothingForAnonymous() throws Exception {
        server.send(HttpRequest.newBuilder(server.request(POD).build().uri()));

        assertThat(server.fake.calls.remove().user()).isEqualTo(User.ANONYMOUS);
    }

    @Test
    void refusesWrongCredentials() throws Exception {
        var response = server.send(
                HttpRequest.newBuilder(server.request(POD).build().uri()).header("Authorization", "Bearer wrong"));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(json(response.body()).string("message")).isEqualTo("Unauthorized");
    }

    @ParameterizedTest
    @CsvSource({
        "admin, /clusters/blue, blue",
        "admin, '', default",
        "tenant, '', tenant",
        "tenant, /clusters/tenant, tenant"
    })
    void speaksToTheRightLogicalCluster(String token, String prefix, String cluster) throws Exception {
        server.send(as(token, prefix + POD));

        assertThat(server.fake.calls.remove().cluster().id()).isEqualTo(cluster);
    }

    @Test
    void keepsTenantsOutOfOtherClusters() throws Exception {
        var response = server.send(as("tenant", "/clusters/blue" + POD));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.body()).contains("Unauthorized");
    }

    @Test
    void letsThoseWhoMayBeSomebodyElse() throws Exception {
        server.fake.calls.clear();
        assertThat(server.get(POD, "Impersonate-User", "jane", "Impersonate-Group", "devs")
                        .statusCode())
                .isEqualTo(200);
        var user = server.fake.calls.take().user();
        assertThat(user.name()).isEqualTo("jane");
        assertThat(user.groups()).contains("devs").doesNotContain(User.MASTERS);

        var refused = server.send(
                server.request(POD).setHeader("Authorization", "Bearer nobody").header("Impersonate-User", "root"));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(json(refused.body()).string("message")).contains("cannot impersonate resource \"users\"");
    }

    @Test
    void authorizesPaths() throws Exception {
        var response = server.send(as("nobody", "/metrics"));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(json(response.body()).string("message"))
                .isEqualTo("forbidden: User \"nobody\" cannot get path \"/metrics\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v2", "/apis/apps/v9", "/healthz/none"})
    void knowsWhatItDoesNotServe(String path) throws Exception {
        var response = server.get(path);

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(json(response.body()).string("message"))
                .isEqualTo("the server could not find the requested resource");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/apis/none", "/apis/none/v1", "/openapi/v9"})
    void hasAPlainTextWhereNoObjectsCanBe(String path) throws Exception {
        var response = server.get(path);

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("content-type")).contains("text/plain; charset=utf-8");
        assertThat(response.body()).isEqualTo("404 page not found\n");
    }

    private static HttpRequest.Builder as(String token, String path) {
        return HttpRequest.newBuilder(server.request(path).build().uri()).header("Authorization", "Bearer " + token);
    }

    private static Json.Obj json(String text) {
        return JsonText.parseObject(text);
    }
}
