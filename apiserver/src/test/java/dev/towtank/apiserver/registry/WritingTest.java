package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.patch;
import static dev.towtank.apiserver.registry.TestApi.refused;
import static dev.towtank.apiserver.registry.TestApi.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WritingTest {

    private static final String CONFIG = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: app, labels: {tier: web}}
            data: {color: blue}
            """;

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: main, image: 'nginx:1'}]}
            """;

    private final TestApi api = new TestApi();

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void creationFillsInWhatBelongsToTheServer() {
        var created = api.create("configmaps/default", CONFIG);
        assertThat(created.string("metadata", "namespace")).isEqualTo("default");
        assertThat(created.string("metadata", "uid")).hasSize(36);
        assertThat(created.string("metadata", "creationTimestamp")).isEqualTo("2026-03-01T10:00:00Z");
        assertThat(created.string("metadata", "resourceVersion")).isNotEmpty();
        assertThat(api.get("configmaps/default/app")).isEqualTo(created);
    }

    @Test
    void creatingTwiceIsRefused() {
        api.create("configmaps/default", CONFIG);
        var error = refused(() -> api.create("configmaps/default", CONFIG));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.ALREADY_EXISTS);
        assertThat(error.text()).isEqualTo("configmaps \"app\" already exists");
        assertThat(error.details()).isEqualTo(Json.Obj.of("name", Json.of("app"), "kind", Json.of("configmaps")));
    }

    @Test
    void generatedNamesKeepTheirPrefix() {
        var yaml = "{apiVersion: v1, kind: ConfigMap, metadata: {generateName: run-}}";
        var one = api.create("configmaps/default", yaml).string("metadata", "name");
        var other = api.create("configmaps/default", yaml).string("metadata", "name");
        assertThat(one).matches("run-[bcdfghjklmnpqrstvwxz2456789]{5}").isNotEqualTo(other);
    }

    @Test
    void anObjectWithoutNameIsRefused() {
        var error = refused(() -> api.create("configmaps/default", "{apiVersion: v1, kind: ConfigMap}"));
        assertThat(error.text())
                .isEqualTo(
                        "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is required");
    }

    @Test
    void anObjectOfAnotherNamespaceIsRefused() {
        var yaml = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: other}}";
        assertThat(refused(() -> api.create("configmaps/default", yaml)).text())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }

    @Test
    void anObjectOfAnotherVersionOrKindIsRefused() {
        assertThat(refused(() -> api.create("configmaps/default", "{apiVersion: v2, kind: ConfigMap}"))
                        .text())
                .isEqualTo("the API version in the data (v2) does not match the expected API version (v1)");
        assertThat(refused(() -> api.create("configmaps/default", "{apiVersion: v1, kind: Pod}"))
                        .text())
                .startsWith("Pod in version \"v1\" cannot be handled as a ConfigMap");
    }

    @Test
    void textThatIsNoJsonIsRefused() {
        var body = new Body.Text("application/json", "{\"a\":".getBytes(StandardCharsets.UTF_8));
        var error = refused(() -> api.call(Verb.CREATE, "configmaps/default", "", body));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.BAD_REQUEST);
        assertThat(error.text())
                .startsWith(
                        "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind;"
                                + " json parse error: ");
    }

    @Test
    void unknownAndDuplicateFieldsAreToldOrRefused() {
        var text = """
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"a","color":1},"extra":true}""";
        var body = new Body.Text("application/json", text.getBytes(StandardCharsets.UTF_8));
        var answer = api.one(Verb.CREATE, "configmaps/default", "dryRun=All", body);
        assertThat(answer.warnings())
                .containsExactlyInAnyOrder(
                        "duplicate field \"metadata.name\"",
                        "unknown field \"metadata.color\"",
                        "unknown field \"extra\"");
        assertThat(answer.object().tree().has("extra")).isFalse();
        var error = refused(() -> api.call(Verb.CREATE, "configmaps/default", "fieldValidation=Strict", body));
        assertThat(error.text())
                .startsWith("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: ")
                .contains("duplicate field \"metadata.name\"", "unknown field \"extra\"");
    }

    @Test
    void aWrongTypeIsToldInTheWordsOfTheDecoder() {
        var error = refused(
                () -> api.create("configmaps/default", "{apiVersion: v1, kind: ConfigMap, metadata: {name: 7}}"));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.BAD_REQUEST);
        assertThat(error.text())
                .startsWith(
                        "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number");
    }

    @Test
    void dryRunWritesNothing() {
        long before = api.store.revision();
        var answer = api.one(Verb.CREATE, "configmaps/default", "dryRun=All", yaml(CONFIG));
        assertThat(answer.code()).isEqualTo(201);
        assertThat(api.store.revision()).isEqualTo(before);
        assertThat(refused(() -> api.call(Verb.CREATE, "configmaps/default", "dryRun=Some", yaml(CONFIG)))
                        .text())
                .contains("dryRun: Unsupported value");
    }

    @Test
    void updatesNeedTheNewestRevisionWhereTheyNameOne() {
        var created = api.create("configmaps/default", CONFIG);
        var updated =
                api.update("configmaps/default/app", created.with("data", Json.Obj.of("color", Json.of("green"))));
        assertThat(updated.string("data", "color")).isEqualTo("green");
        var error = refused(() -> api.update("configmaps/default/app", created));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.CONFLICT);
        assertThat(error.text())
                .isEqualTo("Operation cannot be fulfilled on configmaps \"app\": the object has been modified; please"
                        + " apply your changes to the latest version and try again");
        var unconditional = created.with("metadata", created.object("metadata").without("resourceVersion"));
        assertThat(api.update("configmaps/default/app", unconditional).string("data", "color"))
                .isEqualTo("blue");
    }

    @Test
    void anUpdateThatChangesNothingWritesNothing() {
        var created = api.create("configmaps/default", CONFIG);
        assertThat(api.update("configmaps/default/app", created)).isEqualTo(created);
        assertThat(Long.toString(api.store.revision())).isEqualTo(created.string("metadata", "resourceVersion"));
    }

    @Test
    void anUpdateCannotTouchWhatBelongsToTheServer() {
        var created = api.create("configmaps/default", CONFIG);
        var forged = created.with(List.of("metadata", "creationTimestamp"), Json.of("2001-01-01T00:00:00Z"))
                .with(List.of("metadata", "generation"), Json.of(99))
                .with("data", Json.Obj.EMPTY);
        var updated = api.update("configmaps/default/app", forged);
        assertThat(updated.string("metadata", "creationTimestamp")).isEqualTo("2026-03-01T10:00:00Z");
        assertThat(updated.object("metadata").has("generation")).isFalse();
    }

    @Test
    void theNameOnTheUrlMustMatch() {
        var created = api.create("configmaps/default", CONFIG);
        assertThat(refused(() -> api.update("configmaps/default/other", created))
                        .text())
                .isEqualTo("the name of the object (app) does not match the name on the URL (other)");
    }

    @Test
    void allThreePatchesChangeTheObject() {
        api.create("deployments.apps/default", DEPLOYMENT);
        api.patch("deployments.apps/default/web", "merge", "{\"spec\":{\"replicas\":2}}");
        api.patch(
                "deployments.apps/default/web",
                "json",
                "[{\"op\":\"replace\",\"path\":\"/spec/paused\",\"value\":true}]");
        var patched = api.patch(
                "deployments.apps/default/web",
                "strategic-merge",
                "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"side\",\"image\":\"busybox:1\"}]}}}}");
        assertThat(patched.integer("spec", "replicas")).isEqualTo(2);
        assertThat(patched.flag("spec", "paused")).isTrue();
        assertThat(patched.objects("spec", "template", "spec", "containers"))
                .extracting(container -> container.string("name"))
                .containsExactlyInAnyOrder("main", "side");
        assertThat(patched.integer("metadata", "generation")).isEqualTo(4);
    }

    @Test
    void aPatchThatNamesAnOldRevisionConflicts() {
        var created = api.create("configmaps/default", CONFIG);
        api.patch("configmaps/default/app", "merge", "{\"data\":{\"color\":\"red\"}}");
        var patch = "{\"metadata\":{\"resourceVersion\":\"" + created.string("metadata", "resourceVersion") + "\"}}";
        assertThat(refused(() -> api.patch("configmaps/default/app", "merge", patch))
                        .reason())
                .isEqualTo(StatusError.Reason.CONFLICT);
    }

    @Test
    void anUnknownPatchTypeIsRefused() {
        api.create("configmaps/default", CONFIG);
        assertThat(refused(() -> api.call(Verb.PATCH, "configmaps/default/app", "", patch("odd", "{}")))
                        .reason())
                .isEqualTo(StatusError.Reason.UNSUPPORTED_MEDIA_TYPE);
    }

    @Test
    void statusAndSpecAreWrittenApart() {
        var created = api.create("deployments.apps/default", DEPLOYMENT + "status: {replicas: 5}\n");
        assertThat(created.object("status").integer("replicas")).isZero();
        var withBoth =
                created.with(List.of("status", "replicas"), Json.of(3)).with(List.of("spec", "replicas"), Json.of(9));
        var status = api.update("deployments.apps/default/web/status", withBoth);
        assertThat(status.integer("status", "replicas")).isEqualTo(3);
        assertThat(status.integer("spec", "replicas")).isEqualTo(1);
        assertThat(status.integer("metadata", "generation")).isEqualTo(1);
        var spec = api.update(
                "deployments.apps/default/web",
                status.with(List.of("status", "replicas"), Json.of(7)).with(List.of("spec", "replicas"), Json.of(2)));
        assertThat(spec.integer("status", "replicas")).isEqualTo(3);
        assertThat(spec.integer("metadata", "generation")).isEqualTo(2);
    }

    @Test
    void scaleShowsAndSetsReplicas() {
        api.create("deployments.apps/default", DEPLOYMENT);
        var scale = api.get("deployments.apps/default/web/scale");
        assertThat(scale.string("kind")).isEqualTo("Scale");
        assertThat(scale.string("status", "selector")).isEqualTo("app=web");
        api.patch("deployments.apps/default/web/scale", "merge", "{\"spec\":{\"replicas\":4}}");
        assertThat(api.get("deployments.apps/default/web").integer("spec", "replicas"))
                .isEqualTo(4);
        var stale = scale.with(List.of("spec", "replicas"), Json.of(5));
        assertThat(refused(() -> api.update("deployments.apps/default/web/scale", stale))
                        .reason())
                .isEqualTo(StatusError.Reason.CONFLICT);
    }

    @Test
    void invalidObjectsNameEveryField() {
        var error = refused(() -> api.create("deployments.apps/default", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: Web}
                spec: {replicas: -1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: api}}}}
                """));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.INVALID);
        assertThat(error.text())
                .startsWith("Deployment.apps \"Web\" is invalid: [")
                .contains("metadata.name: Invalid value: \"Web\"")
                .contains("spec.replicas: Invalid value: -1: must be greater than or equal to 0");
        assertThat(error.details().objects("causes")).hasSizeGreaterThan(2);
    }

    @Test
    void eventsOfBothGroupsAreTheSameObjects() {
        api.create("events/default", """
                apiVersion: v1
                kind: Event
                metadata: {name: e1}
                involvedObject: {kind: Pod, namespace: default, name: web}
                reason: Started
                message: hello
                type: Normal
                """);
        var newer = api.get("events.events.k8s.io/default/e1");
        assertThat(newer.string("apiVersion")).isEqualTo("events.k8s.io/v1");
        assertThat(newer.string("note")).isEqualTo("hello");
        assertThat(newer.string("regarding", "name")).isEqualTo("web");
    }

    @Test
    void ownersOfAnEventAreKeptWhicheverGroupItIsWrittenThrough() {
        api.create("events/default", """
                apiVersion: v1
                kind: Event
                metadata: {name: e1}
                involvedObject: {kind: Pod, namespace: default, name: web}
                reason: Started
                message: hello
                type: Normal
                """);
        api.patch("events.events.k8s.io/default/e1", "merge", """
                {"series": {"count": 2, "lastObservedTime": "2026-03-01T10:00:00.000000Z"}}
                """);
        assertThat(api.get("events/default/e1").objects("metadata", "managedFields"))
                .extracting(
                        each -> each.string("apiVersion"),
                        each -> each.object("fieldsV1").has("f:message"),
                        each -> each.object("fieldsV1").has("f:series"))
                .containsExactlyInAnyOrder(tuple("v1", true, false), tuple("events.k8s.io/v1", false, true));
    }

    @Test
    void anObjectThatNamesNoNamespaceIsInTheOneOfTheRequest() {
        api.create("configmaps/default", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
        var updated = api.one(Verb.UPDATE, "configmaps/default/a", "", yaml("""
                {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: '1'}}"""));
        assertThat(updated.object().tree().string("metadata", "namespace")).isEqualTo("default");
        var patched = api.patch("configmaps/default/a", "merge", "{\"metadata\":{\"namespace\":null}}");
        assertThat(patched.string("metadata", "namespace")).isEqualTo("default");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {name: a, namespace: other} | the namespace of the provided object does not match the namespace sent on the request
            {name: b}                   | the name of the object (b) does not match the name on the URL (a)
            {labels: {x: '1'}}          | the name of the object (a based on URL) was undeterminable: name must be provided
            """)
    void anUpdateOfAnotherObjectThanTheUrlSaysIsRefused(String metadata, String expected) {
        api.create("configmaps/default", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
        var body = yaml("{apiVersion: v1, kind: ConfigMap, metadata: " + metadata + "}");
        assertThat(refused(() -> api.call(Verb.UPDATE, "configmaps/default/a", "", body))
                        .text())
                .isEqualTo(expected);
    }

    @Test
    void aPatchMovesNoObjectToAnotherNamespace() {
        api.create("configmaps/default", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
        assertThat(refused(() -> api.patch("configmaps/default/a", "merge", "{\"metadata\":{\"namespace\":\"other\"}}"))
                        .text())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"daemonset", "deployment", "statefulset"})
    void anEmptySelectorIsNotAMissingOne(String kind) {
        var object = """
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {}}
                  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: 'b:1'}]}}
                """;
        assertThat(refused(() -> api.create(kind + "s.apps/default", object)).text())
                .endsWith("is invalid: spec.selector: Invalid value: {}: empty selector is invalid for " + kind);
    }
}
