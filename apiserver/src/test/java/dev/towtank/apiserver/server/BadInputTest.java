package dev.towtank.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.http.Options;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.protobuf.ProtobufReader;
import java.io.IOException;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What no client should send, over the network to everything there is. Each gets its error, and the next client is
/// served.
@Timeout(120)
class BadInputTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final int MEBIBYTE = 1 << 20;

    @TempDir
    static Path directory;

    private static WholeServer server;

    @BeforeAll
    static void start() throws Exception {
        var second = Duration.ofSeconds(1);
        var options = Options.on("127.0.0.1", 0).withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30), second);
        server = new WholeServer(directory.resolve("pki"), options);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void servesTheNext() {
        assertThat(server.get("/readyz").body()).isEqualTo("ok");
        assertThat(server.get("/api/v1/namespaces/default").statusCode()).isEqualTo(200);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void refused(HttpResponse<String> response, int code, String message) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(code);
        var status = JsonText.parseObject(response.body());
        assertThat(status.string("kind")).isEqualTo("Status");
        assertThat(status.string("message")).contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "application/json | {\"apiVersion\": \"v1\", | 400",
                "application/json | {\"a\": NaN} | 400",
                "application/json | {\"a\": Infinity} | 400",
                "application/json | `` | 400",
                "application/json | [] | 400",
                "application/json | {} {} | 400",
                "application/yaml | a: [ | 400",
                "application/yaml | a: *b | 400",
                "application/yaml | &a [*a] | 400",
                "application/yaml | a: .nan | 400",
                "application/yaml | a: -.inf | 400",
                "application/vnd.kubernetes.protobuf | k8s\0 | 400",
                "application/vnd.kubernetes.protobuf | {} | 400",
                "text/plain | {} | 415",
                "application/xml | <a/> | 415",
                "application/merge-patch+json | {} | 415",
            })
    void bodiesThatAreNoObjects(String type, String body, int code) {
        refused(server.send("POST", MAPS, type, bytes(body)), code, "");
    }

    @Test
    void yamlThatGrows() {
        var bomb = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i < 40; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        refused(server.send("POST", MAPS, "application/yaml", bytes(bomb.toString())), 400, "more than 1000000 values");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "application/json-patch+json | {} | 400 | cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
                "application/json-patch+json | [{\"op\": \"explode\", \"path\": \"/data\"}] | 422 | ",
                "application/json-patch+json | [{\"op\": \"add\", \"path\": \"data\", \"value\": 1}] | 422 | ",
                "application/json-patch+json | [{\"op\": \"remove\", \"path\": \"/data/none\"}] | 422 | ",
                "application/merge-patch+json | {\"data\": NaN} | 400 | ",
                "application/merge-patch+json | [] | 400 | cannot unmarshal array into Go value of type map[string]interface {}",
                "application/strategic-merge-patch+json | {\"data\": {\"$patch\": \"explode\"}} | 500 | unknown patch type: explode",
                "application/apply-patch+yaml | a: [ | 400 | ",
                "application/apply-patch+yaml | a: .nan | 400 | ",
                "application/apply-patch+yaml | [] | 400 | ",
                "application/apply-patch+yaml | `` | 400 | ",
                "application/apply-patch+yaml | {} | 400 | ",
                "application/json | {} | 415 | ",
                "text/plain | {} | 415 | ",
            })
    void patchesThatAreNone(String type, String body, int code, String message) {
        server.post(
                MAPS,
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"patched\"},\"data\":{\"a\":\"b\"}}");
        var path = MAPS + "/patched?fieldManager=me";

        refused(server.send("PATCH", path, type, bytes(body)), code, message == null ? "" : message);

        var rest = bytes("{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"data\": {\"a\": \"?\"}}");
        rest[rest.length - 4] = (byte) 0xff;
        refused(server.send("PATCH", path, "application/apply-patch+yaml", rest), 400, "");
        var deep = "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000);
        refused(server.send("PATCH", path, "application/apply-patch+yaml", bytes(deep)), 400, "");
    }

    @Test
    void bytesThatAreNoText() {
        var body = bytes(
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"},\"data\":{\"a\":\"?\"}}");
        body[body.length - 4] = (byte) 0xff;
        refused(server.send("POST", MAPS, "application/json", body), 400, "");
        refused(server.send("POST", MAPS, "application/yaml", body), 400, "");
    }

    @Test
    void fieldsThatAreUnknownOrThereTwice() {
        var body = """
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "odd", "nane": "x"}, "data": {"a": "1", "a": "2"}}""";
        refused(
                server.post(MAPS + "?fieldValidation=Strict", body),
                400,
                "strict decoding error: duplicate field \"data.a\", unknown field \"metadata.nane\"");
        var warned = server.post(MAPS + "?dryRun=All", body);
        assertThat(warned.statusCode()).isEqualTo(201);
        assertThat(warned.headers().allValues("Warning"))
                .containsExactlyInAnyOrder(
                        "299 - \"unknown field \\\"metadata.nane\\\"\"", "299 - \"duplicate field \\\"data.a\\\"\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/yaml"})
    void nestingOfTenThousandLevels(String type) {
        refused(server.send("POST", MAPS, type, bytes("{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000))), 400, "");
        refused(server.send("POST", MAPS, type, bytes("[".repeat(10_000))), 400, "");
    }

    @Test
    void nestingInProtobuf() {
        // A schema that is not a schema that is not a schema …
        var schema = new byte[0];
        for (int i = 0; i < 10_000; i++) {
            schema = field(28, schema);
        }
        var definition = field(2, field(7, field(4, field(1, schema))));
        var type = concat(field(1, bytes("apiextensions.k8s.io/v1")), field(2, bytes("CustomResourceDefinition")));
        var body = concat(new byte[] {'k', '8', 's', 0}, concat(field(1, type), field(2, definition)));
        refused(server.send("POST", DEFINITIONS, ProtobufReader.MEDIA_TYPE, body), 400, "");
    }

    private static byte[] field(int number, byte[] content) {
        return concat(concat(varint(number << 3 | 2), varint(content.length)), content);
    }

    private static byte[] varint(int value) {
        var out = new byte[5];
        int size = 0;
        int rest = value;
        while (rest > 0x7f) {
            out[size++] = (byte) ((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out[size++] = (byte) rest;
        return Arrays.copyOf(out, size);
    }

    private static byte[] concat(byte[] one, byte[] other) {
        var both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 104857600", "Transfer-Encoding: chunked"})
    void aBodyOfAHundredMegabytes(String header) throws Exception {
        try (var socket = server.connect(0)) {
            var out = socket.getOutputStream();
            out.write(bytes("POST " + MAPS + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" + header
                    + "\r\n\r\n"));
            var answer = new AtomicReference<>("");
            var reading = Thread.startVirtualThread(() -> answer.set(firstBytes(socket)));
            var chunk = concat(concat(bytes("100000\r\n"), new byte[MEBIBYTE]), bytes("\r\n"));
            try {
                for (int i = 0; i < 100 && reading.isAlive(); i++) {
                    out.write(chunk);
                }
            } catch (IOException e) {
                // The server has heard enough.
            }
            reading.join();
            assertThat(answer).hasValue("HTTP/1.1 413");
        }
    }

    private static String firstBytes(Socket socket) {
        try {
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/namespaces/default/../../secrets, 400",
        "/api/v1/namespaces/default/%2e%2e/secrets, 400",
        "/api/v1/namespaces/%2E/secrets, 400",
        "/api/v1/namespaces/default%2fsecrets, 400",
        "/api/v1/namespaces/default%00/secrets, 400",
        "/api/v1/namespaces/%ff/secrets, 400",
        "/api/v1/namespaces/%zz/secrets, 400",
        "/api//v1/secrets, 404",
        "/api/v1/namespaces//secrets, 404",
        "/api/v1/namespaces/default/configmaps/%25, 400",
        "/clusters/../api/v1/secrets, 400",
        "/clusters//api/v1/secrets, 404",
        "/clusters/nobody-made-this/api/v1/secrets, 404",
    })
    void pathsWithTricks(String path, int code) throws Exception {
        try (var socket = server.connect(0)) {
            var request = "GET " + path + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + server.pki.adminToken()
                    + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(bytes(request));
            var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 " + code).contains("\"kind\":\"Status\"");
        }
    }

    @Test
    void overlongNames() {
        var name = "x".repeat(300);
        var body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\"}}";
        refused(server.post(MAPS, body), 422, "must be no more than 253 characters");
        refused(server.get(MAPS + "/" + name), 404, "not found");
        refused(server.get(MAPS + "/" + "x".repeat(9000)), 400, "longer than");
        refused(
                server.post("/api/v1/namespaces", body.replace("ConfigMap", "Namespace")),
                422,
                "must be no more than 63 characters");
    }

    @Test
    void namesThatNoKeyCanHave() {
        var role = """
                {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "%s"}}""";
        var roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
        refused(server.post(roles, role.formatted("x".repeat(600))), 422, "must be no more than 512 characters");
        refused(server.post(roles, role.formatted("rocket-\\ud83d\\ude80")), 422, "must not contain '/'");
        refused(server.post(roles, role.formatted("a\\u0000b")), 422, "must not contain '/'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "labelSelector | a in | unable to parse requirement",
                "labelSelector | =,=,= | expected: !, identifier",
                "labelSelector | a in (((( | unable to parse requirement",
                "labelSelector | -a=b | ",
                "fieldSelector | spec | invalid selector",
                "fieldSelector | spec.nothing=a | ",
                "limit | ten | invalid syntax",
                "continue | x | ",
                "continue | eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ | ",
            })
    void selectorsAndOptionsThatCannotBeRead(String name, String value, String message) {
        var query = name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
        refused(server.get(MAPS + "?" + query), 400, message == null ? "" : message);
    }

    @Test
    void revisionsThatAreNoNumbers() {
        refused(server.get(MAPS + "?resourceVersion=x"), 400, "resourceVersion: Invalid value");
    }

    @Test
    void aSelectorOfManyTerms() {
        var selector = IntStream.range(0, 700).mapToObj(i -> "k" + i + "!=v").collect(Collectors.joining(","));
        assertThat(server.get(MAPS + "?labelSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void staleContinueTokens() {
        for (int i = 0; i < 3; i++) {
            server.post(
                    MAPS, "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"page-" + i + "\"}}");
        }
        var page = JsonText.parseObject(server.get(MAPS + "?limit=1").body());
        server.post(MAPS, "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"generateName\":\"page-\"}}");
        var store = server.server.store();
        store.compact(store.revision());
        refused(
                server.get(MAPS + "?limit=1&continue=" + page.string("metadata", "continue")),
                410,
                "The provided continue parameter is too old");
    }

    @Test
    void hugeMapsOfLabels() {
        var labels =
                IntStream.range(0, 60_000).mapToObj(i -> "\"k" + i + "\":\"v\"").collect(Collectors.joining(","));
        var map = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"huge\",\"%s\":{" + labels
                + "}}}";
        refused(server.post(MAPS, map.formatted("annotations")), 422, "may not be more than 262144 bytes");
        assertThat(server.post(MAPS, map.formatted("labels")).statusCode()).isEqualTo(201);
        assertThat(server.get(MAPS + "?labelSelector=k7%3Dv").body()).contains("\"huge\"");
        assertThat(server.send(server.request(MAPS + "/huge").DELETE()).statusCode())
                .isEqualTo(200);
    }

    private static String definition(String plural, String schema) {
        return """
                {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                 "metadata": {"name": "%1$s.bad.example.com"},
                 "spec": {"group": "bad.example.com", "scope": "Namespaced", "names": {"plural": "%1$s", "kind": "X%1$s"},
                   "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": %2$s}}]}}""".formatted(plural, schema);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#\"}}} | $ref",
                "{\"type\": \"banana\"} | ",
                "{\"properties\": {\"a\": {}}} | type: Required value",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\", \"pattern\": \"(\"}}} | pattern",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"array\"}}} | items: Required value",
                "{\"type\": \"object\", \"x-kubernetes-validations\": [{\"rule\": \"self.\"}]} | compilation failed",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"integer\", \"default\": \"x\"}}} | default",
            })
    void definitionsThatAreBroken(String schema, String message) {
        refused(server.post(DEFINITIONS, definition("brokens", schema)), 422, message == null ? "" : message);
    }

    @Test
    void definitionsOfEnormousSize() {
        var deep = "{\"type\": \"object\"}";
        for (int i = 0; i < 240; i++) {
            deep = "{\"type\": \"object\", \"properties\": {\"a\": " + deep + "}}";
        }
        var tooDeep = server.post(DEFINITIONS, definition("deeps", deep));
        assertThat(tooDeep.statusCode()).as(tooDeep.body()).isIn(400, 422);
        var wide = IntStream.range(0, 40_000)
                .mapToObj(i -> "\"p" + i + "\": {\"type\": \"string\", \"maxLength\": 5}")
                .collect(Collectors.joining(", "));
        var made =
                server.post(DEFINITIONS, definition("wides", "{\"type\": \"object\", \"properties\": {" + wide + "}}"));
        assertThat(made.statusCode()).isEqualTo(201);
        refused(
                server.post(
                        "/apis/bad.example.com/v1/namespaces/default/wides",
                        "{\"apiVersion\":\"bad.example.com/v1\",\"kind\":\"Xwides\",\"metadata\":{\"name\":\"a\"},\"p39999\":\"toolong\"}"),
                422,
                "p39999: Too long");
        server.send(server.request(DEFINITIONS + "/wides.bad.example.com").DELETE());
    }

    @Test
    void rulesThatCostTooMuch() {
        var schema = """
                {"type": "object", "properties": {"list": {"type": "array", "items": {"type": "integer"}}},
                 "x-kubernetes-validations": [
                   {"rule": "self.list.all(a, self.list.all(b, self.list.all(c, a + b + c > 0)))"}]}""";
        refused(server.post(DEFINITIONS, definition("costlies", schema)), 422, "cost");
    }

    @Test
    void patternsThatExplode() {
        var schema = """
                {"type": "object", "properties": {
                   "text": {"type": "string", "pattern": "^(a+)+$"},
                   "line": {"type": "string", "maxLength": 100}},
                 "x-kubernetes-validations": [
                   {"rule": "!has(self.line) || self.line.matches('^(([a-z])+.)+[A-Z]([a-z])+$')"}]}""";
        var made = server.post(DEFINITIONS, definition("patterns", schema));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        var object = "{\"apiVersion\":\"bad.example.com/v1\",\"kind\":\"Xpatterns\",\"metadata\":{\"name\":\"a\"},%s}";
        var path = "/apis/bad.example.com/v1/namespaces/default/patterns";
        refused(server.post(path, object.formatted("\"text\":\"" + "a".repeat(50_000) + "!\"")), 422, "text");
        refused(server.post(path, object.formatted("\"line\":\"" + "a".repeat(100) + "\"")), 422, "failed rule");
        server.send(server.request(DEFINITIONS + "/patterns.bad.example.com").DELETE());
    }

    @Test
    void tokensThatAreExpiredForgedOrOfAnotherCluster() {
        server.post(
                "/apis/towtank.dev/v1/logicalclusters",
                "{\"apiVersion\":\"towtank.dev/v1\",\"kind\":\"LogicalCluster\",\"metadata\":{\"name\":\"other\"}}");
        var request =
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{\"expirationSeconds\":600}}";
        var token = token("", request);
        assertThat(as(token, "/api/v1/namespaces/default/secrets").statusCode()).isEqualTo(403);
        var parts = token.split("\\.", -1);
        var claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        var forged = parts[0] + "."
                + Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(bytes(claims.replace("default", "kube-system")))
                + "." + parts[2];
        refused(as(forged, "/api/v1/namespaces/default/secrets"), 401, "Unauthorized");
        refused(as("x".repeat(20_000), "/api/v1/namespaces/default/secrets"), 401, "Unauthorized");
        refused(as("a.b.c", "/api/v1/namespaces/default/secrets"), 401, "Unauthorized");
        refused(as(token("/clusters/other", request), "/clusters/default/api/v1/secrets"), 401, "Unauthorized");
        server.now.set(server.now.get().plus(Duration.ofHours(1)));
        refused(as(token, "/api/v1/namespaces/default/secrets"), 401, "Unauthorized");
    }

    private static String token(String cluster, String request) {
        var answer = server.post(cluster + "/api/v1/namespaces/default/serviceaccounts/default/token", request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return JsonText.parseObject(answer.body()).string("status", "token");
    }

    private static HttpResponse<String> as(String token, String path) {
        return server.send(server.request(path).setHeader("Authorization", "Bearer " + token));
    }

    @Test
    void aClientThatStopsReading() throws Exception {
        var value = "x".repeat(900_000);
        for (int i = 0; i < 12; i++) {
            var map = Json.Obj.builder()
                    .put("apiVersion", "v1")
                    .put("kind", "ConfigMap")
                    .put("metadata", Json.Obj.of("name", Json.of("large-" + i)))
                    .put("data", Json.Obj.of("k", Json.of(value)))
                    .build();
            assertThat(server.post(MAPS, map.toString()).statusCode()).isEqualTo(201);
        }
        try (var socket = server.connect(8192)) {
            socket.getOutputStream().write(bytes("GET " + MAPS + " HTTP/1.1\r\nHost: a\r\n\r\n"));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            // Not a word more is read: the server gives up on this one by itself.
            while (!server.get("/metrics")
                    .body()
                    .contains("apiserver_current_inflight_requests{request_kind=\"readOnly\"} 0.0")) {
                assertThat(server.get("/api/v1/namespaces/default").statusCode())
                        .isEqualTo(200);
            }
        }
        server.send(server.request(MAPS).DELETE());
    }
}
