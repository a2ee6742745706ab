package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Server-side apply and the account of owners, through the whole write path.
class ApplyingTest {

    private static final String CONFIG = "configmaps/default/settings";
    private static final String WEB = "deployments.apps/default/web";

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers:
                  - {name: web, image: "nginx:1"}
            """;

    private final TestApi api = new TestApi();

    @AfterEach
    void close() {
        api.close();
    }

    private Answer.One apply(String path, String query, String yaml) {
        var body = new Body.Text("application/apply-patch+yaml", yaml.getBytes(StandardCharsets.UTF_8));
        return api.one(Verb.PATCH, path, query, body);
    }

    private static String config(String data) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: " + data + "}";
    }

    /// `manager operation subresource fields` of each entry.
    private static List<String> owners(Json.Obj object) {
        return object.objects("metadata", "managedFields").stream()
                .map(each -> String.join(
                        " ",
                        each.string("manager"),
                        each.string("operation"),
                        each.string("subresource"),
                        each.object("fieldsV1").toString()))
                .toList();
    }

    @Test
    void createsWhatIsNotThere() {
        var answer = apply(CONFIG, "fieldManager=me", config("{a: '1'}"));

        assertThat(answer.code()).isEqualTo(201);
        assertThat(owners(api.get(CONFIG))).containsExactly("me Apply  {\"f:data\":{\"f:a\":{}}}");
        assertThat(api.get(CONFIG).string("data", "a")).isEqualTo("1");
    }

    @Test
    void remembersWhatMadeNoDifferenceOnlyWhileTheObjectStays() {
        for (int i = 0; i < 3; i++) {
            apply(CONFIG, "fieldManager=me", config("{a: '1'}"));
        }
        apply(CONFIG, "fieldManager=you&force=true", config("{a: '2'}"));

        assertThatThrownBy(() -> apply(CONFIG, "fieldManager=me", config("{a: '1'}")))
                .isInstanceOf(StatusError.class)
                .hasMessageContaining("conflict with \"you\"");
        apply(CONFIG, "fieldManager=me&force=true", config("{a: '1'}"));
        assertThat(api.get(CONFIG).string("data", "a")).isEqualTo("1");
    }

    @Test
    void saysTheSameOfABodyEachTime() {
        var twice = "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: '1', a: '2'}}";
        var said = apply(CONFIG, "fieldManager=me", twice).warnings();

        assertThat(said).singleElement().asString().contains("\"a\" already set");
        for (int i = 0; i < 3; i++) {
            assertThat(apply(CONFIG, "fieldManager=me", twice).warnings()).isEqualTo(said);
        }
        assertThatThrownBy(() -> apply(CONFIG, "fieldManager=me&fieldValidation=Strict", twice))
                .isInstanceOf(StatusError.class);
    }

    @Test
    void writesNothingWhenNothingChanges() {
        apply(CONFIG, "fieldManager=me", config("{a: '1'}"));
        var before = api.get(CONFIG);
        api.now.set(api.now.get().plusSeconds(60));

        var answer = apply(CONFIG, "fieldManager=me", config("{a: '1'}"));

        assertThat(answer.code()).isEqualTo(200);
        assertThat(api.get(CONFIG)).isEqualTo(before);
    }

    @Test
    void takesAwayWhatIsNoLongerApplied() {
        apply(CONFIG, "fieldManager=me", config("{a: '1', b: '2'}"));
        apply(CONFIG, "fieldManager=me", config("{b: '2'}"));

        assertThat(api.get(CONFIG).object("data")).isEqualTo(TestApi.json("{\"b\":\"2\"}"));
    }

    @Test
    void refusesToTakeAFieldOfAnotherManager() {
        apply(CONFIG, "fieldManager=me", config("{a: '1'}"));

        var refusal = refused(() -> apply(CONFIG, "fieldManager=you", config("{a: '2'}")));

        assertThat(refusal.reason()).isEqualTo(Reason.CONFLICT);
        assertThat(refusal.text()).isEqualTo("Apply failed with 1 conflict: conflict with \"me\": .data.a");
        assertThat(refusal.details().objects("causes").getFirst()).isEqualTo(TestApi.json("""
                {"reason":"FieldManagerConflict","message":"conflict with \\"me\\"","field":".data.a"}"""));
    }

    @Test
    void takesItByForce() {
        apply(CONFIG, "fieldManager=me", config("{a: '1', b: '1'}"));
        apply(CONFIG, "fieldManager=you&force=true", config("{a: '2'}"));

        assertThat(owners(api.get(CONFIG)))
                .containsExactlyInAnyOrder(
                        "me Apply  {\"f:data\":{\"f:b\":{}}}", "you Apply  {\"f:data\":{\"f:a\":{}}}");
    }

    @Test
    void sharesAFieldThatBothApplyAlike() {
        apply(CONFIG, "fieldManager=me", config("{a: '1'}"));
        apply(CONFIG, "fieldManager=you", config("{a: '1'}"));
        apply(CONFIG, "fieldManager=me", config("{}"));

        assertThat(api.get(CONFIG).string("data", "a")).isEqualTo("1");
        assertThat(owners(api.get(CONFIG)))
                .containsExactlyInAnyOrder("you Apply  {\"f:data\":{\"f:a\":{}}}", "me Apply  {\"f:data\":{}}");
    }

    @Test
    void createdFieldsBelongToWhoeverCreatedThem() {
        api.one(Verb.CREATE, "configmaps/default", "fieldManager=maker", TestApi.yaml(config("{a: '1'}")));

        assertThat(owners(api.get(CONFIG))).containsExactly("maker Update  {\"f:data\":{\".\":{},\"f:a\":{}}}");
        var refusal = refused(() -> apply(CONFIG, "fieldManager=me", config("{a: '2'}")));
        assertThat(refusal.text()).isEqualTo("Apply failed with 1 conflict: conflict with \"maker\" using v1: .data.a");
    }

    @Test
    void aPatchOwnsWhatItChanges() {
        apply(CONFIG, "fieldManager=me", config("{a: '1', b: '1'}"));
        api.one(Verb.PATCH, CONFIG, "fieldManager=patcher", TestApi.patch("merge", "{\"data\":{\"a\":\"2\"}}"));

        assertThat(owners(api.get(CONFIG)))
                .containsExactly("me Apply  {\"f:data\":{\"f:b\":{}}}", "patcher Update  {\"f:data\":{\"f:a\":{}}}");
    }

    @Test
    void anUpdateThatLeavesOwnersOutKeepsThem() {
        apply(CONFIG, "fieldManager=me", config("{a: '1'}"));
        var object = api.get(CONFIG);
        api.update(CONFIG, object.without(List.of("metadata", "managedFields")));

        assertThat(owners(api.get(CONFIG))).isEqualTo(owners(object));
    }

    @Test
    void anEmptyListForgetsAllOwners() {
        apply(CONFIG, "fieldManager=me", config("{a: '1'}"));
        var object = api.get(CONFIG);
        api.update(CONFIG, object.with(List.of("metadata", "managedFields"), Json.Arr.of()));

        assertThat(owners(api.get(CONFIG))).isEmpty();
    }

    @Test
    void statusAndSpecHaveOwnersOfTheirOwn() {
        api.one(Verb.CREATE, "deployments.apps/default", "fieldManager=maker", TestApi.yaml(DEPLOYMENT));
        apply(
                WEB + "/status",
                "fieldManager=watcher",
                "{apiVersion: apps/v1, kind: Deployment, status: {replicas: 2}}");

        var owners = owners(api.get(WEB));
        assertThat(owners).contains("watcher Apply status {\"f:status\":{\"f:replicas\":{}}}");
        assertThat(owners.stream().filter(each -> each.startsWith("maker")))
                .singleElement()
                .asString()
                .doesNotContain("f:status");
    }

    @Test
    void statusByUpdateIsOwnedAsStatus() {
        api.create("deployments.apps/default", DEPLOYMENT);
        api.one(
                Verb.PATCH,
                WEB + "/status",
                "fieldManager=watcher",
                TestApi.patch("merge", "{\"status\":{\"replicas\":2}}"));

        assertThat(owners(api.get(WEB))).contains("watcher Update status {\"f:status\":{\"f:replicas\":{}}}");
    }

    @Test
    void anAppliedStatusLeavesTheSpecAlone() {
        api.create("deployments.apps/default", DEPLOYMENT);
        apply(
                WEB + "/status",
                "fieldManager=watcher",
                "{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 9}, status: {replicas: 2}}");

        assertThat(api.get(WEB).integer("spec", "replicas")).isEqualTo(2);
        assertThat(api.get(WEB).integer("status", "replicas")).isEqualTo(2);
    }

    @Test
    void scaleOwnsTheReplicas() {
        apply(WEB, "fieldManager=me", DEPLOYMENT);
        var refusal = refused(() -> apply(
                WEB + "/scale",
                "fieldManager=scaler",
                "{apiVersion: autoscaling/v1, kind: Scale, spec: {replicas: 5}}"));
        assertThat(refusal.text()).isEqualTo("Apply failed with 1 conflict: conflict with \"me\": .spec.replicas");

        var scale = apply(
                WEB + "/scale",
                "fieldManager=scaler&force=true",
                "{apiVersion: autoscaling/v1, kind: Scale, spec: {replicas: 5}}");

        assertThat(scale.object().tree().integer("spec", "replicas")).isEqualTo(5);
        assertThat(owners(api.get(WEB))).contains("scaler Apply scale {\"f:spec\":{\"f:replicas\":{}}}");
    }

    @Test
    void anUpdateOfTheScaleIsOwnedAsScale() {
        api.create("deployments.apps/default", DEPLOYMENT);
        api.one(
                Verb.PATCH,
                WEB + "/scale",
                "fieldManager=scaler",
                TestApi.patch("merge", "{\"spec\":{\"replicas\":7}}"));

        assertThat(owners(api.get(WEB))).contains("scaler Update scale {\"f:spec\":{\"f:replicas\":{}}}");
    }

    @Test
    void mergesContainersByName() {
        apply(WEB, "fieldManager=me", DEPLOYMENT);
        apply(WEB, "fieldManager=mesh", """
                apiVersion: apps/v1
                kind: Deployment
                spec: {template: {spec: {containers: [{name: proxy, image: "envoy:1"}]}}}
                """);

        assertThat(api.get(WEB).objects("spec", "template", "spec", "containers"))
                .extracting(each -> each.string("name"))
                .containsExactly("web", "proxy");
    }

    @Test
    void kubectlsOlderApplyHandsOverItsFields() {
        var last = "{\\\"apiVersion\\\":\\\"v1\\\",\\\"kind\\\":\\\"ConfigMap\\\",\\\"data\\\":{\\\"a\\\":\\\"1\\\"},"
                + "\\\"metadata\\\":{\\\"name\\\":\\\"settings\\\"}}";
        api.one(
                Verb.CREATE,
                "configmaps/default",
                "fieldManager=kubectl-client-side-apply",
                Body.of(TestApi.json("""
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings","annotations":
                {"kubectl.kubernetes.io/last-applied-configuration":"%s"}},"data":{"a":"1"}}""".formatted(last))));

        apply(CONFIG, "fieldManager=kubectl", config("{a: '2'}"));

        assertThat(api.get(CONFIG).string("data", "a")).isEqualTo("2");
    }

    @Test
    void doesNotCreateByTheStatus() {
        var refusal = refused(() -> apply(
                WEB + "/status", "fieldManager=me", "{apiVersion: apps/v1, kind: Deployment, status: {replicas: 2}}"));
        assertThat(refusal.reason()).isEqualTo(Reason.NOT_FOUND);
    }

    @Test
    void aDryRunWritesNothing() {
        var answer = apply(CONFIG, "fieldManager=me&dryRun=All", config("{a: '1'}"));

        assertThat(answer.object().tree().string("data", "a")).isEqualTo("1");
        assertThat(api.exists(CONFIG)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "''|{apiVersion: v1, kind: ConfigMap}|PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is"
                        + " required for apply patch",
                "fieldManager=me|{apiVersion: v2, kind: ConfigMap}|Incorrect version specified in apply patch. Specified patch"
                        + " version: v2, expected: v1",
                "fieldManager=me|{apiVersion: v1, kind: ConfigMap, metadata: {managedFields: []}}|metadata.managedFields must be"
                        + " nil",
                "fieldManager=me|{apiVersion: v1, kind: ConfigMap, metadata: {name: other}}|the name of the object (other) does"
                        + " not match the name on the URL (settings)",
                "fieldManager=me|{apiVersion: v1, kind: ConfigMap, metadata: {uid: x}}|Operation cannot be fulfilled on"
                        + " configmaps \"settings\": uid mismatch: the provided object specified uid x, and no existing object was"
                        + " found",
                "fieldManager=me|{apiVersion: v1, kind: ConfigMap, oops: 1}|failed to create typed patch object (/settings; /v1,"
                        + " Kind=ConfigMap): .oops: field not declared in schema",
            })
    void refusesWhatCannotBeApplied(String query, String yaml, String message) {
        var full =
                yaml.contains("metadata") ? yaml : yaml.replace("ConfigMap", "ConfigMap, metadata: {name: settings}");
        var refusal = refused(() -> apply(CONFIG, query.replace("''", ""), full));

        assertThat(refusal.text()).isEqualTo(message);
    }

    @Test
    void otherPatchesHaveNoForce() {
        api.create("configmaps/default", config("{a: '1'}"));
        var refusal = refused(() -> api.one(Verb.PATCH, CONFIG, "force=true", TestApi.patch("merge", "{}")));

        assertThat(refusal.text())
                .isEqualTo(
                        "PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may not be specified for non-apply"
                                + " patch");
    }
}
