package dev.towtank.apiserver.admission.webhooks;

import static dev.towtank.apiserver.admission.webhooks.HookedServer.allow;
import static dev.towtank.apiserver.admission.webhooks.HookedServer.patch;
import static dev.towtank.apiserver.admission.webhooks.HookedServer.yaml;
import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Objects;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What webhooks answer, and what becomes of it.
class WebhooksTest {

    @TempDir
    static Path directory;

    private static Pki pki;
    private HookedServer server;

    @BeforeAll
    static void makeKeys() {
        pki = HookedServer.pki(directory);
    }

    @BeforeEach
    void start() throws IOException {
        server = new HookedServer(pki);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aValidatingWebhookRefuses() {
        var url = server.hook("/no", _ -> yaml("{allowed: false, status: {message: no pods today}}"));
        server.register("Validating", "no", url, "");

        var refusal = refused(() -> server.pod("a"));

        assertThat(refusal.text()).isEqualTo("admission webhook \"no.example.com\" denied the request: no pods today");
        assertThat(refusal.code()).isEqualTo(400);
        assertThat(server.requests).singleElement().satisfies(request -> {
            assertThat(request.string("operation")).isEqualTo("CREATE");
            assertThat(request.string("namespace")).isEqualTo("shop");
            assertThat(request.string("name")).isEqualTo("a");
            assertThat(request.object("kind").toString())
                    .isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"kind\":\"Pod\"}");
            assertThat(request.string("resource", "resource")).isEqualTo("pods");
            assertThat(request.string("userInfo", "username")).isEqualTo("jane");
            assertThat(request.get("dryRun")).isEqualTo(Json.of(false));
            assertThat(request.string("object", "kind")).isEqualTo("Pod");
            assertThat(request.get("oldObject")).isEqualTo(Json.Null.NULL);
            assertThat(request.string("options", "kind")).isEqualTo("CreateOptions");
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {code: 403, reason: Forbidden, message: x} | 403 | Forbidden | denied the request: x
            {code: 418, reason: Teapot}                | 418 | Teapot    | denied the request: Teapot
            {code: 200}                                | 400 | ``        | denied the request without explanation
            """)
    void relaysTheStatusOfARefusal(String status, int code, String reason, String end) {
        var url = server.hook("/no", _ -> yaml("{allowed: false, status: " + status + "}"));
        server.register("Mutating", "no", url, "");

        var json = refused(() -> server.pod("a")).toJson();

        assertThat(json.integer("code")).isEqualTo(code);
        assertThat(json.string("reason")).isEqualTo(reason);
        assertThat(json.string("status")).isEqualTo("Failure");
        assertThat(json.string("message")).isEqualTo("admission webhook \"no.example.com\" " + end);
    }

    @Test
    void aMutatingWebhookChangesTheObject() {
        var url = server.hook("/label", _ -> patch("""
                [{"op": "add", "path": "/metadata/labels", "value": {"by": "hook"}},
                 {"op": "replace", "path": "/metadata/uid", "value": "mine"},
                 {"op": "add", "path": "/spec/unknown", "value": 1},
                 {"op": "add", "path": "/spec/containers/-", "value": {"name": "sidecar", "image": "s"}}]
                """));
        server.register("Mutating", "label", url, "");

        var pod = server.pod("a");

        assertThat(pod.string("metadata", "labels", "by")).isEqualTo("hook");
        assertThat(pod.string("metadata", "uid")).isNotEqualTo("mine");
        assertThat(pod.object("spec").has("unknown")).isFalse();
        // Defaults, and the rules of the server, count for what webhooks add.
        var sidecar = pod.objects("spec", "containers").getLast();
        assertThat(sidecar.string("imagePullPolicy")).isEqualTo("Always");
        assertThat(sidecar.array("volumeMounts").size()).isEqualTo(1);
        assertThat(server.get("pods/shop/a")).isEqualTo(pod);
    }

    @Test
    void mutatingWebhooksSeeWhatTheOthersDidInTheOrderOfTheirNames() {
        var seen = new ArrayList<String>();
        var add = server.hook("/add", _ -> patch("""
                [{"op": "add", "path": "/metadata/annotations", "value": {"step": "1"}}]"""));
        var look = server.hook("/look", request -> {
            seen.add(request.string("object", "metadata", "annotations", "step"));
            return allow();
        });
        server.register("Mutating", "b-look", look, "");
        server.register("Mutating", "a-add", add, "");

        server.pod("a");

        assertThat(seen).containsExactly("1");
    }

    @ParameterizedTest
    @CsvSource({"Never, 1", "IfNeeded, 2"})
    void asksAgainWhereOthersChangedTheObjectSince(String policy, int times) {
        var calls = new AtomicInteger();
        var first = server.hook("/first", _ -> {
            calls.incrementAndGet();
            return allow();
        });
        var second = server.hook(
                "/second",
                request -> request.object("object", "metadata").has("annotations")
                        ? allow()
                        : patch("[{\"op\": \"add\", \"path\": \"/metadata/annotations\", \"value\": {\"a\": \"b\"}}]"));
        server.register("Mutating", "a-first", first, "reinvocationPolicy: " + policy);
        server.register("Mutating", "b-second", second, "reinvocationPolicy: IfNeeded");

        server.pod("a");

        assertThat(calls).hasValue(times);
        // The second one knows its own change: nobody changed anything after it.
        assertThat(server.requests).hasSize(times + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mutating", "Validating"})
    void aWebhookThatCannotBeReachedCountsAsItsPolicySays(String kind) {
        server.register(kind, "gone", "https://127.0.0.1:1/x", "failurePolicy: Fail");

        var refusal = refused(() -> server.pod("a"));

        assertThat(refusal.is(StatusError.Reason.INTERNAL_ERROR)).isTrue();
        assertThat(refusal.text())
                .isEqualTo("Internal error occurred: failed calling webhook \"gone.example.com\": failed to call"
                        + " webhook: Post \"https://127.0.0.1:1/x?timeout=10s\": dial tcp 127.0.0.1:1: connect:"
                        + " connection refused");

        server.merge(
                kind.toLowerCase(Locale.ROOT) + "webhookconfigurations.admissionregistration.k8s.io//gone",
                "{webhooks: [" + server.webhook("gone", "https://127.0.0.1:1/x", "failurePolicy: Ignore") + "]}");
        assertThat(server.pod("a").string("metadata", "name")).isEqualTo("a");
    }

    @Test
    void aWebhookThatTakesTooLongCountsAsUnreachable() {
        var done = new CountDownLatch(1);
        var url = server.hook("/slow", _ -> {
            try {
                done.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return allow();
        });
        server.register("Validating", "slow", url, "timeoutSeconds: 1");

        var refusal = refused(() -> server.pod("a"));
        done.countDown();

        assertThat(refusal.text()).endsWith("Post \"" + url + "?timeout=1s\": context deadline exceeded");
    }

    @Test
    void trustsOnlyTheAuthorityThatIsNamed() {
        var url = server.hook("/x", _ -> allow());
        server.register("Validating", "x", url, "clientConfig: {url: '" + url + "'}");

        assertThat(refused(() -> server.pod("a")).text()).contains("tls: failed to verify certificate: ");

        server.register("Mutating", "y", url, "clientConfig: {url: '" + url + "', caBundle: bm9uZQ==}");
        assertThat(refused(() -> server.pod("a")).text())
                .endsWith("unable to load root certificates: unable to parse bytes as PEM block");
    }

    @Test
    void findsWhatIsBehindAService() {
        server.hook("/in", _ -> yaml("{allowed: false}"));
        server.register(
                "Validating",
                "in",
                "",
                "clientConfig: {caBundle: " + server.caBundle + ", service: {namespace: shop, name: hook, path: /in}}");
        var failure = "failed to call webhook: Post \"https://hook.shop.svc:443/in?timeout=10s\": ";

        assertThat(refused(() -> server.pod("a")).text()).endsWith(failure + "service \"hook\" not found");
        server.create("services/shop", "{metadata: {name: hook}, spec: {ports: [{port: 443}]}}");
        assertThat(refused(() -> server.pod("a")).text())
                .endsWith(failure + "no endpoints available for service \"hook\"");

        // The API lets nobody name an address of this machine.
        Objects.put(
                server.server.store(),
                LogicalCluster.DEFAULT,
                "endpointslices.discovery.k8s.io",
                yaml("{metadata: {name: hook-1, namespace: shop, labels: {kubernetes.io/service-name: hook}}, ports:"
                        + " [{name: '', port: " + server.port() + "}], endpoints: [{addresses: [127.0.0.1]}]}"));
        assertThat(refused(() -> server.pod("a")).text())
                .isEqualTo("admission webhook \"in.example.com\" denied the request without explanation");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            Validating | {}                            | received invalid webhook response: webhook response was absent
            Validating | not json                      | failed to call webhook: couldn't get version/kind; json parse error:
            Validating | {"response": {"uid": "x"}}    | received invalid webhook response: expected response.uid=
            Validating | {"apiVersion": "v1", "kind": "Pod", "response": {"uid": "UID", "allowed": true}} | received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got v1, Kind=Pod
            Validating | {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": {"uid": "UID", "allowed": true, "patch": "W10="}} | received invalid webhook response: validating webhook may not return response.patch
            Mutating   | {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": {"uid": "UID", "allowed": true, "patch": "W10="}} | received invalid webhook response: webhook returned response.patch but not response.patchType
            Mutating   | {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": {"uid": "UID", "allowed": true, "patch": "W10=", "patchType": "Merge"}} | received invalid webhook response: unsupported patch type "Merge"
            Mutating   | {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": {"uid": "UID", "allowed": true, "patch": "!", "patchType": "JSONPatch"}} | received invalid webhook response: received undecodable patch in webhook response
            """)
    void anAnswerThatIsNoneIsAFailure(String kind, String answer, String problem) {
        var url = server.raw("/odd", 200, body -> {
            var text = new String(body, StandardCharsets.UTF_8);
            var uid = text.replaceFirst("(?s).*\"request\":\\{\"uid\":\"([^\"]*)\".*", "$1");
            return answer.replace("UID", uid).getBytes(StandardCharsets.UTF_8);
        });
        server.register(kind, "odd", url, "");

        assertThat(refused(() -> server.pod("a")).text())
                .startsWith("Internal error occurred: failed calling webhook \"odd.example.com\": " + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            404 | the server could not find the requested resource
            500 | an error on the server ("oh \\"no\\"") has prevented the request from succeeding
            302 | an error on the server ("unknown") has prevented the request from succeeding
            """)
    void anotherStatusIsAFailure(int code, String problem) {
        var url = server.raw("/odd", code, _ -> "oh \"no\"".getBytes(StandardCharsets.UTF_8));
        server.register("Validating", "odd", url, "");

        assertThat(refused(() -> server.pod("a")).text())
                .isEqualTo("Internal error occurred: failed calling webhook \"odd.example.com\": failed to call"
                        + " webhook: " + problem);
    }

    @Test
    void aPatchThatDoesNotApplyIsRefused() {
        var url = server.hook("/bad", _ -> patch("[{\"op\": \"remove\", \"path\": \"/spec/nothing\"}]"));
        server.register("Mutating", "bad", url, "failurePolicy: Ignore");
        assertThat(refused(() -> server.pod("a")).text())
                .isEqualTo("Internal error occurred: error in remove for path: '/spec/nothing': Unable to remove"
                        + " nonexistent key: nothing: missing value");

        server.delete("mutatingwebhookconfigurations.admissionregistration.k8s.io//bad");
        var name =
                server.hook("/name", _ -> patch("[{\"op\": \"add\", \"path\": \"/metadata/name\", \"value\": \"z\"}]"));
        server.register("Mutating", "name", name, "");
        assertThat(refused(() -> server.pod("a")).text()).contains("attempted to change metadata.name");
    }

    @Test
    void anAnswerThatNeverEndsIsCutOff() {
        var url = server.raw("/endless", 200, _ -> new byte[(32 << 20) + 1]);
        server.register("Validating", "endless", url, "timeoutSeconds: 30");

        assertThat(refused(() -> server.pod("a")).text())
                .startsWith("Internal error occurred: failed calling webhook \"endless.example.com\": ")
                .endsWith("the answer has more than 33554432 bytes");
    }

    @Test
    void aPatchOfTenMegabytesMakesNoObject() {
        var text = "x".repeat(10_000_000);
        var url = server.hook(
                "/huge",
                _ -> patch("[{\"op\": \"add\", \"path\": \"/metadata/annotations\", \"value\": {\"a\": \"" + text
                        + "\"}}]"));
        server.register("Mutating", "huge", url, "failurePolicy: Ignore, timeoutSeconds: 30");

        assertThat(refused(() -> server.pod("a")).text())
                .isEqualTo("Internal error occurred: admission webhook \"huge.example.com\" attempted to make an object"
                        + " of more than 3145728 bytes");
        server.delete("mutatingwebhookconfigurations.admissionregistration.k8s.io//huge");
        server.pod("a");
    }
}
