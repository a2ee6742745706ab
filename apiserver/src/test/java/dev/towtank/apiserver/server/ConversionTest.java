package dev.towtank.apiserver.server;

import static dev.towtank.apiserver.server.CustomServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Objects;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.WatchStream;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Kinds of several versions: what is stored in one is served in all, by name alone or through a webhook.
class ConversionTest {

    private static final String V1 = "example.com/v1/links";
    private static final String V2 = "example.com/v2/links";
    private static final String CRD = "apiextensions.k8s.io/v1/~customresourcedefinitions/links.example.com";

    @TempDir
    private Path directory;

    private ConversionServer webhook;
    private final CustomServer server = new CustomServer();

    @BeforeEach
    void start() throws IOException {
        webhook = new ConversionServer(directory.resolve("pki"));
    }

    @AfterEach
    void close() {
        server.close();
        webhook.close();
    }

    static String definition(String conversion, String storage) {
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: links.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: links, kind: Link}
                  conversion: %s
                  versions:
                    - name: v1
                      served: true
                      storage: %s
                      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
                        address: {type: string}, note: {type: string}}}}}}
                    - name: v2
                      served: true
                      storage: %s
                      subresources: {status: {}}
                      schema: {openAPIV3Schema: {type: object, properties: {
                        spec: {type: object, properties: {host: {type: string}, port: {type: integer},
                          note: {type: string}}},
                        status: {type: object, properties: {seen: {type: boolean}}}}}}
                """.formatted(conversion, storage.equals("v1"), storage.equals("v2"));
    }

    private void define() {
        server.define(definition(webhook.strategy(), "v1"));
    }

    static String link(String version, String name, String spec) {
        return "{apiVersion: example.com/" + version + ", kind: Link, metadata: {name: " + name
                + ", labels: {app: x}}, spec: " + spec + "}";
    }

    private Stored stored(String name) {
        var key = new Key(new GroupResource("example.com", "links"), LogicalCluster.DEFAULT, "default", name);
        var found = server.server.store().get(key);
        assertThat(found).isNotNull();
        return found;
    }

    @Test
    void withoutAStrategyOnlyTheNameOfTheVersionChanges() {
        server.define(definition("{strategy: None}", "v1"));
        server.create(V2, link("v2", "a", "{note: hello}"));
        assertThat(stored("a").tree().string("apiVersion")).isEqualTo("example.com/v1");
        assertThat(server.get(V2 + "/a").string("apiVersion")).isEqualTo("example.com/v2");
        assertThat(server.get(V1 + "/a").at("spec", "note")).isEqualTo(Json.of("hello"));
        assertThat(webhook.requests).isEmpty();
    }

    @Test
    void theStorageVersionIsServedAsItsStoredBytes() {
        server.define(definition("{strategy: None}", "v1"));
        server.create(V1, link("v1", "a", "{note: hello}"));
        assertThat(server.handle(Verb.GET, V1 + "/a", "", Body.None.NONE))
                .isInstanceOfSatisfying(
                        Answer.One.class, one -> assertThat(one.object()).isSameAs(stored("a")));
    }

    @Test
    void aWebhookConvertsOnTheWayInAndOut() {
        define();
        var made = server.create(V2, link("v2", "a", "{host: one, port: 80}"));
        assertThat(made.string("apiVersion")).isEqualTo("example.com/v2");
        assertThat(stored("a").tree().at("spec")).isEqualTo(Json.Obj.of("address", Json.of("one:80")));
        assertThat(server.get(V1 + "/a").string("spec", "address")).isEqualTo("one:80");
        var patched = server.patch(V2 + "/a", "{spec: {port: 81}, metadata: {labels: {app: other}}}");
        assertThat(patched.integer("spec", "port")).isEqualTo(81);
        assertThat(server.get(V1 + "/a").string("spec", "address")).isEqualTo("one:81");
        assertThat(server.get(V1 + "/a").string("metadata", "labels", "app")).isEqualTo("other");
        assertThat(webhook.requests)
                .allSatisfy(request -> assertThat(request.string("uid")).hasSize(36));
    }

    @Test
    void fieldsThatTheOtherVersionDoesNotHaveGo() {
        define();
        server.create(V1, link("v1", "a", "{address: 'one:1'}"));
        webhook.spoil = answer -> edit(answer, object -> object.with(List.of("spec", "extra"), Json.of(true)));
        assertThat(server.get(V2 + "/a").object("spec").has("extra")).isFalse();
    }

    @Test
    void aListAsksOnceAndRemembers() {
        define();
        for (int i = 0; i < 300; i++) {
            server.create(V1, link("v1", "a" + i, "{address: 'one:" + i + "'}"));
        }
        assertThat(server.list(V2, ""))
                .hasSize(300)
                .allSatisfy(object -> assertThat(object.string("spec", "host")).isEqualTo("one"));
        assertThat(webhook.requests)
                .extracting(request -> request.objects("objects").size())
                .containsExactly(250, 50);
        server.patch(V1 + "/a7", "{spec: {address: 'two:7'}}");
        assertThat(server.list(V2, "labelSelector=app=x")).hasSize(300);
        assertThat(webhook.requests).hasSize(3);
        assertThat(webhook.requests.getLast().objects("objects")).hasSize(1);
    }

    @Test
    void aWatchTellsObjectsInItsVersion() throws InterruptedException {
        define();
        server.create(V1, link("v1", "a", "{address: 'one:1'}"));
        try (var stream = server.watch(V2, "").stream()) {
            var first = stream.await(10, Duration.ofMinutes(2));
            assertThat(first).extracting(WatchStream.Event::type).containsExactly(WatchStream.Type.ADDED);
            assertThat(first.getFirst().object().tree().string("spec", "host")).isEqualTo("one");
            server.patch(V1 + "/a", "{spec: {address: 'two:2'}}");
            server.delete(V1 + "/a");
            var rest = stream.await(10, Duration.ofMinutes(2));
            assertThat(rest)
                    .extracting(WatchStream.Event::type)
                    .containsExactly(WatchStream.Type.MODIFIED, WatchStream.Type.DELETED);
            assertThat(rest.getLast().object().tree().string("spec", "host")).isEqualTo("two");
        }
    }

    @Test
    void aWatchThatIsReadyHasConvertedAlready() throws InterruptedException {
        define();
        try (var stream =
                server.watch(V2, "resourceVersion=" + server.server.store().revision()).stream()) {
            var ready = new java.util.concurrent.CountDownLatch(1);
            stream.whenReady(ready::countDown);
            var before = stream.bookmark();
            server.create(V1, link("v1", "a", "{address: 'one:1'}"));
            ready.await();
            int asked = webhook.requests.size();
            assertThat(stream.bookmark().object().tree())
                    .isEqualTo(before.object().tree());
            assertThat(stream.poll(10))
                    .singleElement()
                    .satisfies(event -> assertThat(event.object().tree().string("spec", "host"))
                            .isEqualTo("one"));
            assertThat(webhook.requests).hasSize(asked);
        }
    }

    @Test
    void deletionAnswersInTheVersionOfTheRequest() {
        define();
        server.create(V1, link("v1", "a", "{address: 'one:1'}"));
        server.patch(V1 + "/a", "{metadata: {finalizers: [example.com/wait]}}");
        assertThat(server.delete(V2 + "/a")).isInstanceOfSatisfying(Answer.One.class, one -> {
            assertThat(one.object().tree().string("apiVersion")).isEqualTo("example.com/v2");
            assertThat(one.object().tree().string("spec", "host")).isEqualTo("one");
        });
        assertThat(stored("a").tree().string("apiVersion")).isEqualTo("example.com/v1");
    }

    @Test
    void applyAnswersInTheVersionOfTheRequest() {
        define();
        var applied = apply("a", "{host: one, port: 80}");
        assertThat(applied.string("apiVersion")).isEqualTo("example.com/v2");
        assertThat(stored("a").tree().string("spec", "address")).isEqualTo("one:80");
        assertThat(apply("a", "{host: one, port: 81}").integer("spec", "port")).isEqualTo(81);
        assertThat(server.get(V1 + "/a").string("spec", "address")).isEqualTo("one:81");
    }

    private Json.Obj apply(String name, String spec) {
        var body = new Body.Tree("application/apply-patch+yaml", YamlText.parse(link("v2", name, spec)));
        if (server.handle(Verb.PATCH, V2 + "/" + name, "fieldManager=tester", body) instanceof Answer.One one) {
            return one.object().tree();
        }
        throw new IllegalStateException("an apply answered with something else");
    }

    @Test
    void aStatusOfOneVersionIsWrittenThroughTheOther() {
        server.define(definition("{strategy: None}", "v2"));
        server.create(V2, link("v2", "a", "{host: one, port: 1}"));
        server.patch(V2 + "/a/status", "{status: {seen: true}}");
        assertThat(server.get(V2 + "/a").flag("status", "seen")).isTrue();
    }

    @Test
    void anotherStorageVersionRewritesAtTheNextWriteOnly() {
        define();
        server.create(V1, link("v1", "a", "{address: 'one:1'}"));
        var changed = server.patch(CRD, """
                spec:
                  versions:
                    - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object,
                        x-kubernetes-preserve-unknown-fields: true}}}
                    - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object,
                        x-kubernetes-preserve-unknown-fields: true}}}
                """);
        assertThat(changed.array("status", "storedVersions").strings()).containsExactly("v1", "v2");
        assertThat(stored("a").tree().string("apiVersion")).isEqualTo("example.com/v1");
        assertThat(server.get(V2 + "/a").string("spec", "host")).isEqualTo("one");
        server.patch(V2 + "/a", "{}");
        assertThat(stored("a").tree().string("apiVersion")).isEqualTo("example.com/v2");
        assertThat(server.get(V1 + "/a").string("spec", "address")).isEqualTo("one:1");
        long revision = stored("a").revision();
        server.patch(V2 + "/a", "{}");
        assertThat(stored("a").revision()).isEqualTo(revision);
    }

    @Test
    void aVersionThatIsStillStoredCannotGo() {
        server.define(definition("{strategy: None}", "v1"));
        server.patch(CRD, definition("{strategy: None}", "v2"));
        var refusal = refused(() -> server.patch(CRD, """
                spec: {versions: [{name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}
                """));
        assertThat(refusal.text())
                .contains("status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions; v1 was"
                        + " previously a storage version");
        var current = server.get(CRD);
        server.update(
                CRD + "/status", current.with(List.of("status", "storedVersions"), Json.Arr.ofStrings(List.of("v2"))));
        server.patch(CRD, """
                spec: {versions: [{name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}
                """);
    }

    @Test
    void defaultsThatCameLaterShowOnWhatWasStoredBefore() {
        server.define(definition("{strategy: None}", "v1"));
        server.create(V1, link("v1", "a", "{address: x}"));
        server.patch(CRD, """
                spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,
                  properties: {spec: {type: object, properties: {note: {type: string, default: later}}}}}}}]}
                """);
        var shown = server.get(V1 + "/a");
        assertThat(shown.string("spec", "note")).isEqualTo("later");
        assertThat(shown.object("spec").has("address")).isFalse();
        assertThat(server.list(V1, "")).singleElement().isEqualTo(shown);
        assertThat(stored("a").tree().object("spec").has("note")).isFalse();
        server.patch(V1 + "/a", "{}");
        assertThat(stored("a").tree().string("spec", "note")).isEqualTo("later");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            name       | returned invalid object: must have the same name: a != b
            uid        | returned invalid object: must have the same UID:
            version    | returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)
            kind       | returned invalid object at index 0: invalid kind (expected Link, received Chain)
            label      | returned invalid metadata: metadata.labels: Invalid value: "-": a valid label must be
            labelType  | returned invalid metadata: metadata.labels[app] must be a string, but is int64 in converted object
            metadata   | returned invalid object: must have the same name: a !=
            fewer      | returned 0 objects, expected 1
            failed     | failed: no idea
            silent     | failed: response.result.status was '', not 'Success'
            otherUid   | failed: expected response.uid="
            otherKind  | failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got x/v1, Kind=ConversionReview
            none       | failed: no response provided
            """)
    void anAnswerThatIsWrongIsRefused(String mistake, String expected) {
        define();
        server.create(V1, link("v1", "a", "{address: 'one:1'}"));
        webhook.spoil = answer -> spoiled(answer, mistake);
        var refusal = refused(() -> server.get(V2 + "/a"));
        assertThat(refusal.code()).isEqualTo(500);
        assertThat(refusal.text()).startsWith("conversion webhook for example.com/v1, Kind=Link " + expected);
    }

    private static Json.Obj spoiled(Json.Obj answer, String mistake) {
        return switch (mistake) {
            case "name", "uid" -> edit(answer, object -> object.with(List.of("metadata", mistake), Json.of("b")));
            case "version" -> edit(answer, object -> object.with("apiVersion", Json.of("example.com/v1")));
            case "kind" -> edit(answer, object -> object.with("kind", Json.of("Chain")));
            case "label" -> edit(answer, object -> object.with(List.of("metadata", "labels", "x"), Json.of("-")));
            case "labelType" -> edit(answer, object -> object.with(List.of("metadata", "labels", "app"), Json.of(1)));
            case "metadata" -> edit(answer, object -> object.without("metadata"));
            case "fewer" -> answer.with(List.of("response", "convertedObjects"), Json.Arr.EMPTY);
            case "failed" -> answer.with(List.of("response", "result"), Json.Obj.of("message", Json.of("no idea")));
            case "silent" -> answer.with(List.of("response", "result"), Json.Obj.EMPTY);
            case "otherUid" -> answer.with(List.of("response", "uid"), Json.of("another"));
            case "otherKind" -> answer.with("apiVersion", Json.of("x/v1"));
            case "none" -> answer.without("response");
            default -> throw new IllegalArgumentException(mistake);
        };
    }

    private static Json.Obj edit(Json.Obj answer, UnaryOperator<Json.Obj> change) {
        var changed = answer.objects("response", "convertedObjects").stream()
                .<Json>map(change)
                .toList();
        return answer.with(List.of("response", "convertedObjects"), new Json.Arr(changed));
    }

    @Test
    void metadataComesFromTheOriginalButForLabelsAndAnnotations() {
        define();
        server.create(V1, link("v1", "a", "{address: 'one:1'}"));
        webhook.spoil = answer -> edit(
                answer,
                object -> object.with(List.of("metadata", "generation"), Json.of(99))
                        .with(List.of("metadata", "annotations"), Json.Obj.of("was", Json.of("v1"))));
        var seen = server.get(V2 + "/a");
        assertThat(seen.integer("metadata", "generation")).isEqualTo(1);
        assertThat(seen.string("metadata", "annotations", "was")).isEqualTo("v1");
    }

    @Test
    void aWebhookThatIsNotThereIsNamed() {
        define();
        server.create(V1, link("v1", "a", "{address: 'one:1'}"));
        int port = webhook.port();
        webhook.close();
        var refusal = refused(() -> server.get(V2 + "/a"));
        assertThat(refusal.reason()).isEqualTo(StatusError.Reason.UNKNOWN);
        assertThat(refusal.toJson().has("reason")).isFalse();
        assertThat(refusal.text())
                .isEqualTo("conversion webhook for example.com/v1, Kind=Link failed: Post \"https://localhost:" + port
                        + "/convert?timeout=30s\": dial tcp localhost:" + port + ": connect: connection refused");
        assertThat(server.get(V1 + "/a").string("spec", "address")).isEqualTo("one:1");
    }

    @Test
    void aWebhookThatFailsIsQuoted() {
        define();
        server.create(V1, link("v1", "a", "{address: 'one:1'}"));
        webhook.code = 500;
        webhook.spoil = _ -> Json.Obj.of("oh", Json.of("dear"));
        assertThat(refused(() -> server.get(V2 + "/a")).text())
                .endsWith(
                        "failed: an error on the server (\"{\\\"oh\\\":\\\"dear\\\"}\") has prevented the request from"
                                + " succeeding");
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() throws IOException {
        try (var other = new ConversionServer(directory.resolve("other"))) {
            server.define(definition(
                    "{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {caBundle: "
                            + other.caBundle() + ", url: 'https://localhost:" + webhook.port() + "/convert'}}}",
                    "v1"));
            server.create(V1, link("v1", "a", "{address: 'one:1'}"));
            assertThat(refused(() -> server.get(V2 + "/a")).text())
                    .endsWith("tls: failed to verify certificate: x509: certificate signed by unknown authority");
        }
    }

    @Test
    void aServiceIsReachedThroughItsEndpoints() {
        server.define(
                definition(webhook.strategy("service: {namespace: default, name: converter, path: /convert}"), "v1"));
        server.create(V1, link("v1", "a", "{address: 'one:1'}"));
        assertThat(refused(() -> server.get(V2 + "/a")).text())
                .endsWith("failed: Post \"https://converter.default.svc:443/convert?timeout=30s\": service"
                        + " \"converter\" not found");
        server.create("/v1/services", """
                {apiVersion: v1, kind: Service, metadata: {name: converter}, spec: {ports: [{name: https, port: 443}]}}
                """);
        assertThat(refused(() -> server.get(V2 + "/a")).text())
                .endsWith("no endpoints available for service \"converter\"");
        // Past the API, which takes no loopback addresses.
        Objects.put(server.server.store(), "endpointslices.discovery.k8s.io", """
                {'apiVersion': 'discovery.k8s.io/v1', 'kind': 'EndpointSlice', 'addressType': 'IPv4',
                 'metadata': {'name': 'converter-1', 'namespace': 'default',
                   'labels': {'kubernetes.io/service-name': 'converter'}},
                 'endpoints': [{'addresses': ['10.0.0.1'], 'conditions': {'ready': false}},
                   {'addresses': ['127.0.0.1'], 'conditions': {'ready': true}}],
                 'ports': [{'name': 'https', 'port': %s, 'protocol': 'TCP'}]}
                """.formatted(webhook.port()));
        assertThat(server.get(V2 + "/a").string("spec", "host")).isEqualTo("one");
    }

    @Test
    void objectsOfADefinitionGoWithoutItsWebhook() {
        define();
        server.create(V1, link("v1", "a", "{address: 'one:1'}"));
        webhook.close();
        server.delete(CRD);
        server.until(() -> server.list("apiextensions.k8s.io/v1/~customresourcedefinitions", "")
                .isEmpty());
    }
}
