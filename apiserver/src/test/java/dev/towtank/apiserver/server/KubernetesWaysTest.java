package dev.towtank.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.http.Options;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Small things that Kubernetes does one way and no other, as recorded from a real one.
@Timeout(120)
class KubernetesWaysTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";

    @TempDir
    static Path directory;

    private static WholeServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new WholeServer(directory.resolve("pki"), Options.on("127.0.0.1", 0));
        define(
                "widgets",
                "Widget",
                "Namespaced",
                "status: {}, scale: {specReplicasPath: .spec.replicas," + " statusReplicasPath: .status.replicas}");
        define("plains", "Plain", "Namespaced", "");
        define("gadgets", "Gadget", "Cluster", "");
        created(MAPS, "{metadata: {name: a}}");
        created(DEPLOYMENTS, """
            metadata: {name: web}
            spec:
              replicas: 3
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: main, image: 'nginx:1'}]}
            """);
        created(WIDGETS, "{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {replicas: 1}}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void define(String plural, String kind, String scope, String subresources) {
        created("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
            metadata: {name: %1$s.example.com}
            spec:
              group: example.com
              scope: %3$s
              names: {plural: %1$s, kind: %2$s}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {%4$s}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties: {replicas: {type: integer}, small: {type: integer, format: int32}}
                      status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """.formatted(
                        plural, kind, scope, subresources));
    }

    private static HttpResponse<String> send(String method, String path, String type, String body) {
        return server.send(method, path, type, body.getBytes(StandardCharsets.UTF_8));
    }

    private static Json.Obj created(String path, String yaml) {
        var answer = send("POST", path, "application/yaml", yaml);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return JsonText.parseObject(answer.body());
    }

    private static Json.Obj patched(String path, String type, String body) {
        var answer = send("PATCH", path, type, body);
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
        return JsonText.parseObject(answer.body());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET    | /apis/example.com/v1/namespaces/default/gadgets   | 404",
                "GET    | /api/v1/namespaces/default/nodes                  | 404",
                "GET    | /api/v1/configmaps/a                              | 404",
                "POST   | /api/v1/configmaps                                | 405",
                "DELETE | /api/v1/configmaps                                | 405",
                "DELETE | /api/v1/namespaces                                | 405",
                "GET    | /api/v1/namespaces/default/configmaps?timeoutSeconds=x            | 400",
                "GET    | /api/v1/namespaces/default/configmaps?resourceVersion=x           | 400",
                "GET    | /api/v1/namespaces/default/configmaps/a?resourceVersion=x         | 500"
            })
    void addressesAndQueriesHaveTheirCodes(String method, String path, int code) {
        var answer = method.equals("GET")
                ? server.get(path)
                : send(method, path, "application/json", "{\"metadata\":{\"name\":\"x\"}}");
        assertThat(answer.statusCode()).isEqualTo(code);
    }

    @Test
    void aRefusedAddressHasDetailsThatSayNothing() {
        var status = JsonText.parseObject(server.get("/apis/apps/v1/nothing").body());
        assertThat(status.get("details")).isEqualTo(Json.Obj.EMPTY);
    }

    @Test
    void aNamespaceOnWhatHasNoneIsForgotten() {
        assertThat(created("/api/v1/namespaces", "{metadata: {name: team, namespace: other}}")
                        .object("metadata")
                        .has("namespace"))
                .isFalse();
        assertThat(created(
                                "/apis/example.com/v1/gadgets",
                                "{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a, namespace: other}}")
                        .object("metadata")
                        .has("namespace"))
                .isFalse();
    }

    @Test
    void annotationsOfADeploymentRaiseItsGeneration() {
        long before = patched(DEPLOYMENTS + "/web", MERGE, "{}").integer("metadata", "generation");
        var annotated = patched(DEPLOYMENTS + "/web", MERGE, "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");
        assertThat(annotated.integer("metadata", "generation")).isEqualTo(before + 1);
        var labelled = patched(DEPLOYMENTS + "/web", MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        assertThat(labelled.integer("metadata", "generation")).isEqualTo(before + 1);
    }

    @Test
    void theStatusOfACustomKindWithoutTheSubresourceIsAFieldLikeOthers() {
        var plains = "/apis/example.com/v1/namespaces/default/plains";
        created(plains, "{apiVersion: example.com/v1, kind: Plain, metadata: {name: a}}");
        assertThat(patched(plains + "/a", MERGE, "{\"status\":{\"x\":1}}").integer("metadata", "generation"))
                .isEqualTo(2);
    }

    @Test
    void anApplyCreatesWhateverRevisionItNames() {
        var applied = patched(
                MAPS + "/applied?fieldManager=me",
                APPLY,
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: applied, resourceVersion: '5'}}");
        assertThat(applied.string("metadata", "name")).isEqualTo("applied");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{kind: ConfigMap, metadata: {name: z}} | invalid object type: /, Kind=ConfigMap",
                "{apiVersion: v1, metadata: {name: z}}  | invalid object type: /v1, Kind="
            })
    void anAppliedConfigurationSaysWhatItIs(String body, String why) {
        var answer = send("PATCH", MAPS + "/z?fieldManager=me", APPLY, body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JsonText.parseObject(answer.body()).string("message")).isEqualTo(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"z\"}} | the object provided is"
                        + " unrecognized (must be of type Widget): Object 'Kind' is missing in"
                        + " '{\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"z\"}}'"
                        + " ({\"apiVersion\":\"example.com/v1\" ...)",
                "{\"kind\":\"Widget\",\"metadata\":{\"name\":\"z\"}} | the API version in the data () does not match"
                        + " the expected API version (example.com/v1)"
            })
    void aCustomObjectSaysWhatItIs(String body, String why) {
        var answer = server.post(WIDGETS, body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JsonText.parseObject(answer.body()).string("message")).isEqualTo(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PATCH | {\"metadata\":{\"deletionTimestamp\":\"2020-01-01T00:00:00Z\"}}",
                "PUT   | {\"metadata\":{\"name\":\"a\",\"deletionTimestamp\":\"2020-01-01T00:00:00Z\"}}",
                "PUT   | {\"metadata\":{\"name\":\"a\",\"deletionGracePeriodSeconds\":5}}"
            })
    void nobodyWritesWhenAnObjectGoes(String method, String body) {
        var answer = send(method, MAPS + "/a", method.equals("PUT") ? "application/json" : MERGE, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
        assertThat(answer.body()).contains("field is immutable");
    }

    @Test
    void theFirstOfSeveralDocumentsCounts() {
        created(MAPS, "{metadata: {name: first}}\n---\n{metadata: {name: second}}\n");
        assertThat(server.get(MAPS + "/second").statusCode()).isEqualTo(404);
    }

    @Test
    void aPodWithoutANodeHasSaidNothing() {
        created("/api/v1/namespaces/default/pods", """
            {metadata: {name: waiting}, spec: {containers: [{name: main, image: 'nginx:1'}]}}
            """);
        assertThat(server.get("/api/v1/namespaces/default/pods/waiting/log").statusCode())
                .isEqualTo(204);
    }

    @Test
    void theFormatOfAnIntegerBoundsNothing() {
        assertThat(patched(WIDGETS + "/a", MERGE, "{\"spec\":{\"small\":9999999999}}")
                        .integer("spec", "small"))
                .isEqualTo(9_999_999_999L);
    }

    @Test
    void aNegativeScaleOfACustomKindIsToldAboutItsField() {
        var answer = send(
                "PUT",
                WIDGETS + "/a/scale",
                "application/json",
                "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"replicas\":-2}}");
        assertThat(JsonText.parseObject(answer.body()).string("message"))
                .isEqualTo("Widget.example.com \"a\" is invalid: .spec.replicas: Invalid value: -2: should be a"
                        + " non-negative integer");
    }

    @Test
    void aServiceThatIsOnlyANameHasNoAddress() {
        var answer = server.post("/api/v1/namespaces/default/services", """
            {"metadata":{"name":"en"},"spec":{"type":"ExternalName","externalName":"a.b","clusterIP":"10.96.0.7"}}
            """);
        assertThat(JsonText.parseObject(answer.body()).string("message"))
                .isEqualTo("Service \"en\" is invalid: spec.clusterIPs: Forbidden: may not be set for ExternalName"
                        + " services");
    }

    @Test
    void aWriteOfTheStatusWritesMetadataWhereTheKindLetsIt() {
        var both = "{\"metadata\":{\"labels\":{\"by\":\"status\"},\"annotations\":{\"by\":\"status\"}},"
                + "\"status\":{\"replicas\":1}}";
        var deployment = patched(DEPLOYMENTS + "/web/status", MERGE, both).object("metadata");
        assertThat(deployment.string("annotations", "by")).isEqualTo("status");
        assertThat(deployment.string("labels", "by")).isEmpty();
        var widget = patched(WIDGETS + "/a/status", MERGE, both).object("metadata");
        assertThat(widget.has("annotations") || widget.has("labels")).isFalse();
        var namespace =
                patched("/api/v1/namespaces/default/status", MERGE, both).object("metadata");
        assertThat(namespace.string("labels", "by")).isEqualTo("status");
    }

    @Test
    void aWrongTokenIsRefusedWhereNoneIsNeeded() {
        var wrong = HttpRequest.newBuilder(server.request("/version").build().uri())
                .header("Authorization", "Bearer made-up");
        var none = HttpRequest.newBuilder(server.request("/version").build().uri());

        assertThat(server.send(wrong).statusCode()).isEqualTo(401);
        assertThat(server.send(none).statusCode()).isEqualTo(200);
        assertThat(server.send(server.request("/readyz")).statusCode()).isEqualTo(200);
    }

    @Test
    void readersHearThatAVersionIsDeprecated() {
        var warning = "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\"";

        assertThat(server.send(server.request("/api/v1/namespaces/default/endpoints"))
                        .headers()
                        .allValues("Warning"))
                .containsExactly(warning);
        created("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                metadata: {name: olds.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: olds, kind: Old}
                  versions:
                  - {name: v1, served: true, storage: true, deprecated: true, schema: {openAPIV3Schema: {type: object}}}
                """);
        assertThat(server.send(server.request("/apis/example.com/v1/olds"))
                        .headers()
                        .allValues("Warning"))
                .containsExactly("299 - \"example.com/v1 Old is deprecated\"");
    }

    @Test
    void nothingIsFinerThanAThousandth() {
        var pod = created("/api/v1/namespaces/default/pods", """
                metadata: {name: fine}
                spec: {containers: [{name: main, image: 'nginx:1', resources: {limits: {cpu: 100u, memory: 1Gi}}}]}
                """);

        assertThat(pod.objects("spec", "containers").getFirst().object("resources", "limits"))
                .isEqualTo(JsonText.parseObject("{\"cpu\":\"1m\",\"memory\":\"1Gi\"}"));
    }

    @Test
    void whatAnApplyGivesUpIsDefaultedAgain() {
        var path = DEPLOYMENTS + "/given-up?fieldManager=a";
        var whole = """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: given-up}
                spec:
                  replicas: 3
                  selector: {matchLabels: {app: web}}
                  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: 'nginx:1'}]}}
                """;
        patched(path, APPLY, whole);

        var less = patched(path, APPLY, whole.replace("  replicas: 3\n", ""));

        assertThat(less.integer("spec", "replicas")).isEqualTo(1);
        var budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/given-up?fieldManager=a";
        patched(budgets, APPLY, """
                {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: given-up}, spec: {minAvailable: 1}}
                """);
        var none = patched(budgets, APPLY, """
                {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: given-up}}
                """);
        assertThat(none.get("spec")).isEqualTo(Json.Obj.EMPTY);
    }

    @Test
    void aNamespaceIsFinalizedUnderItsOwnName() {
        created("/api/v1/namespaces", "{metadata: {name: kept}}");

        var answer = send("PUT", "/api/v1/namespaces/kept/finalize", JSON, "{\"metadata\":{\"name\":\"other\"}}");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("the name of the object (other) does not match the name on the URL (kept)");
        assertThat(send("GET", "/api/v1/namespaces/kept", JSON, "").body()).contains("\"finalizers\":[\"kubernetes\"]");
    }

    @Test
    void aPodIsBoundToANodeAndNothingElse() {
        var pods = "/api/v1/namespaces/default/pods";
        created(pods, "{metadata: {name: free}, spec: {containers: [{name: main, image: 'nginx:1'}]}}");
        var binding = """
                {"metadata":{"name":"free"},"target":{"kind":"Pod","name":"x"}}""";

        assertThat(send("POST", pods + "/free/binding", JSON, binding).body())
                .contains("target.kind: Unsupported value: \\\"Pod\\\"");
        assertThat(send("GET", pods + "/free", JSON, "").body()).doesNotContain("nodeName");
    }

    @ParameterizedTest
    @CsvSource({"PUT, 405", "PATCH, 405", "DELETE, 405", "GET, 204"})
    void logsAreOnlyRead(String method, int code) {
        var pods = "/api/v1/namespaces/default/pods";
        var name = "told-" + method.toLowerCase(Locale.ROOT);
        created(pods, "{metadata: {name: " + name + "}, spec: {containers: [{name: main, image: 'nginx:1'}]}}");

        var type = method.equals("PATCH") ? MERGE : JSON;
        var body = method.equals("GET") || method.equals("DELETE") ? "" : "{}";
        assertThat(send(method, pods + "/" + name + "/log", type, body).statusCode())
                .isEqualTo(code);
    }

    @Test
    void aReviewTellsWhoAsked() {
        var review = created("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", """
                spec: {resourceAttributes: {verb: get, resource: pods}}
                """);

        assertThat(review.object("metadata").objects("managedFields"))
                .singleElement()
                .extracting(owner -> JsonText.write(owner.object("fieldsV1")))
                .isEqualTo("""
                        {"f:spec":{"f:resourceAttributes":{".":{},"f:resource":{},"f:verb":{}}}}""");
    }

    @Test
    void aTokenTellsWhoAskedForIt() {
        created("/api/v1/namespaces/default/serviceaccounts", "{metadata: {name: asked}}");

        var token = created("/api/v1/namespaces/default/serviceaccounts/asked/token", "spec: {audiences: [a]}");

        assertThat(token.object("metadata").objects("managedFields"))
                .singleElement()
                .extracting(owner -> JsonText.write(owner.object("fieldsV1")) + owner.string("subresource"))
                .isEqualTo("{\"f:spec\":{\"f:audiences\":{},\"f:expirationSeconds\":{}}}token");
    }

    @Test
    void nobodyOwnsWhatTheServerFilledIn() {
        var service = created(
                "/api/v1/namespaces/default/services", "{metadata: {name: owned}, spec: {ports: [{port: 80}]}}");
        assertThat(ownedOf(service, "spec").keys())
                .containsExactlyInAnyOrder("f:internalTrafficPolicy", "f:ports", "f:sessionAffinity", "f:type");
        var job = created("/apis/batch/v1/namespaces/default/jobs", """
                metadata: {name: owned}
                spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: 'nginx:1'}]}}}
                """);
        assertThat(job.object("spec").has("selector")).isTrue();
        assertThat(ownedOf(job, "spec").has("f:selector")).isFalse();
        assertThat(ownedOf(job, "metadata")).isEqualTo(Json.Obj.EMPTY);
        assertThat(ownedOf(job, "spec").object("f:template").has("f:metadata")).isFalse();
    }

    private static Json.Obj ownedOf(Json.Obj object, String part) {
        return object.objects("metadata", "managedFields").getFirst().object("fieldsV1", "f:" + part);
    }

    @Test
    void aDeletionThatIsTriedShowsWhatItWouldLeave() {
        created(MAPS, "{metadata: {name: held, finalizers: [example.com/hold]}}");

        var tried = send("DELETE", MAPS + "/held", JSON, "{\"dryRun\":[\"All\"]}");

        assertThat(tried.body()).contains("\"deletionTimestamp\"");
        assertThat(send("GET", MAPS + "/held", JSON, "").body()).doesNotContain("deletionTimestamp");
    }

    @Test
    void refusalsWarnOfDeprecatedVersions() {
        var missing = send("GET", "/api/v1/namespaces/default/endpoints/none", JSON, "");

        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.headers().firstValue("Warning").orElse("")).contains("v1 Endpoints is deprecated");
    }

    @Test
    void podTemplatesAreKept() {
        var templates = "/api/v1/namespaces/default/podtemplates";
        var made = created(templates, """
                metadata: {name: t}
                template: {metadata: {labels: {app: a}}, spec: {containers: [{name: main, image: nginx}]}}
                """);
        assertThat(made.string("template", "spec", "restartPolicy")).isEqualTo("Always");
        assertThat(send("GET", templates, JSON, "").body()).contains("\"PodTemplateList\"", "\"name\":\"t\"");
        var bad = send("POST", templates, JSON, "{\"metadata\":{\"name\":\"bad\"},\"template\":{\"spec\":{}}}");
        assertThat(JsonText.parseObject(bad.body()).string("message"))
                .isEqualTo("PodTemplate \"bad\" is invalid: template.spec.containers: Required value");
        assertThat(send("DELETE", templates + "/t", JSON, "").statusCode()).isEqualTo(200);
        assertThat(server.get(templates + "/t").statusCode()).isEqualTo(404);
    }

    @Test
    void objectsHaveTheZeroValuesOfGo() {
        assertThat(created("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", "{metadata: {name: none}}")
                        .get("rules"))
                .isEqualTo(Json.Null.NULL);
        var budget = created("/apis/policy/v1/namespaces/default/poddisruptionbudgets", """
                {metadata: {name: none}, spec: {minAvailable: 1}}
                """);
        assertThat(budget.object("status").integer("expectedPods")).isZero();
        assertThat(budget.object("status").keys()).contains("disruptionsAllowed", "expectedPods");
    }
}
