package dev.towtank.controllers.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InferenceServiceReconcilerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Routes NOWHERE = new Routes(List.of(), Duration.ofSeconds(60));

    private static final Resource RUNTIME = object("""
            apiVersion: serving.kserve.io/v1alpha1
            kind: ClusterServingRuntime
            metadata: {name: kserve-sklearnserver}
            spec:
              supportedModelFormats: [{name: sklearn, version: "1", autoSelect: true}]
              containers:
              - {name: kserve-container, image: kserve/sklearnserver, args: ["--model_name={{.Name}}", --http_port=8080]}
            """);

    private final List<Revision> revisions = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private Optional<Integer> port = Optional.of(4000);
    private Optional<Routes> routes = Optional.of(NOWHERE);
    private Optional<String> otherFile = Optional.empty();
    private boolean networks = true;

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Resource service(String version, String status) {
        return object("""
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata:
                  {name: a, namespace: team, uid: a-uid, generation: 1, annotations: {serving.kserve.io/deploymentMode: Standard}}
                spec: {predictor: {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://models/a/%s'}}}
                status: %s
                """.formatted(version, status));
    }

    private Plan decide(Resource service) {
        var facts = new ServiceFacts(
                new Runtimes(List.of(), List.of(RUNTIME)),
                new Credentials(List.of(), List.of()),
                revisions,
                workers,
                Optional.empty(),
                Optional.empty(),
                port,
                routes,
                Map.of(),
                Optional.empty(),
                networks,
                otherFile);
        return new InferenceServiceReconciler()
                .reconcile(Observed.of(ServingKinds.INFERENCE_SERVICE, service), facts, NOW);
    }

    /// All changes, with those that follow a deed.
    private static List<Change> all(Plan plan) {
        var changes = new ArrayList<Change>();
        for (var change : plan.changes()) {
            changes.add(change);
            if (change instanceof Change.Act act) {
                changes.addAll(all(act.sequel().after(Json.of(5000))));
            }
        }
        return changes;
    }

    private Revision revise(Resource service) {
        var created = decide(service).changes().stream()
                .map(change -> ((Change.Create) change).object())
                .findFirst()
                .orElseThrow();
        var revision = new Revision(created);
        revisions.add(revision);
        return revision;
    }

    private void pod(Revision revision, String status) {
        var pod = Worker.of(
                service("v1", "{}"),
                Track.ofPredictor(service("v1", "{}")),
                revision,
                revision.name() + "-0",
                Optional.of(5000));
        workers.add(new Worker(pod.with(pod.json().with("status", YamlText.parse(status)))));
    }

    private static final String READY =
            "{podIP: 10.0.0.1, hostIP: 10.0.0.1, conditions: [{type: Ready, status: 'True'}]}";
    private static final String BROKEN = """
            {containerStatuses: [{name: kserve-container, state: {waiting: {reason: CrashLoopBackOff}},
              lastState: {terminated: {exitCode: 1, message: No model file}}}]}
            """;

    private static Json.Obj status(List<Change> changes) {
        return changes.stream()
                .filter(Change.SetStatus.class::isInstance)
                .map(change -> ((Change.SetStatus) change).status())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void firstItListensThenItHasARevisionThenAPod() {
        port = Optional.empty();
        assertThat(decide(service("v1", "{}")).toString()).startsWith("act {\"open\":\"team/a\"}");
        port = Optional.of(4000);
        var revision = revise(service("v1", "{}"));
        assertThat(revision.name()).isEqualTo("a-predictor-00001");

        var pod = createdPod(service("v1", "{}"));
        var container = pod.spec().objects("containers").getFirst();
        assertThat(pod.name()).isEqualTo("a-predictor-00001-0");
        assertThat(container.array("args").strings()).containsExactly("--model_name=a", "--http_port=8080");
        assertThat(container.string("readinessProbe", "httpGet", "path")).isEqualTo("/v1/models/a");
        assertThat(container.integer("readinessProbe", "httpGet", "port")).isEqualTo(8080);
        assertThat(pod.annotations()).doesNotContainKey("towtank.dev/network");
        assertThat(container.objects("volumeMounts").getFirst().string("subPath"))
                .isEqualTo("a/v1");
    }

    private Resource createdPod(Resource service) {
        return all(decide(service)).stream()
                .filter(Change.Create.class::isInstance)
                .map(change -> ((Change.Create) change).object())
                .filter(created -> created.kind().equals("Pod"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whoSharesTheMachinesNetworkIsToldAPortThatNobodyHas() {
        networks = false;
        revise(service("v1", "{}"));
        var container =
                createdPod(service("v1", "{}")).spec().objects("containers").getFirst();
        assertThat(container.array("args").strings()).containsExactly("--model_name=a", "--http_port=5000");
        assertThat(container.integer("readinessProbe", "httpGet", "port")).isEqualTo(5000);

        networks = true;
        revisions.clear();
        var plain = service("v1", "{}");
        var asking = plain.with(plain.json()
                .with(
                        List.of("spec", "predictor", "annotations"),
                        Json.Obj.of("towtank.dev/network", Json.of("machine"))));
        revise(asking);
        assertThat(createdPod(asking)
                        .spec()
                        .objects("containers")
                        .getFirst()
                        .array("args")
                        .strings())
                .contains("--http_port=5000");
    }

    @Test
    void nothingIsLedToAPodThatIsNotReady() {
        pod(revise(service("v1", "{}")), "{phase: Running}");

        var changes = all(decide(service("v1", "{}")));

        assertThat(changes).noneMatch(change -> change.toString().contains("\"lead\""));
        assertThat(status(changes).string("modelStatus", "transitionStatus")).isEqualTo("InProgress");
        assertThat(status(changes).has("url")).isFalse();
    }

    @Test
    void aReadyPodIsLedToBeforeTheStatusSaysSo() {
        pod(revise(service("v1", "{}")), READY);

        var plan = decide(service("v1", "{}"));

        assertThat(plan.changes().getFirst().toString())
                .contains(
                        "\"lead\":\"team/a\"",
                        "\"revision\":\"a-predictor-00001\",\"percent\":100,\"targets\":[\"127.0.0.1:5000\"]");
        var status = status(all(plan));
        assertThat(status.string("components", "predictor", "latestRolledoutRevision"))
                .isEqualTo("a-predictor-00001");
        assertThat(status.string("modelStatus", "transitionStatus")).isEqualTo("UpToDate");
    }

    private static final String ROLLED_OUT = "{components: {predictor: {latestRolledoutRevision: a-predictor-00001}}}";

    @Test
    void aModelThatDoesNotLoadChangesNothingAboutTheOneThatServes() {
        pod(revise(service("v1", "{}")), READY);
        pod(revise(service("v2", ROLLED_OUT)), BROKEN);

        var plan = decide(service("v2", ROLLED_OUT));

        assertThat(plan.changes().getFirst().toString())
                .contains("a-predictor-00001")
                .doesNotContain("a-predictor-00002");
        assertThat(all(plan)).noneMatch(Change.Delete.class::isInstance);
        var status = status(all(plan));
        assertThat(status.string("modelStatus", "transitionStatus")).isEqualTo("BlockedByFailedLoad");
        assertThat(status.string("modelStatus", "lastFailureInfo", "message")).isEqualTo("No model file");
        assertThat(status.string("modelStatus", "states", "activeModelState")).isEqualTo("Loaded");
    }

    @Test
    void podsOfTheOldRevisionEndOnlyAfterRequestsGoElsewhere() {
        pod(revise(service("v1", "{}")), READY);
        pod(revise(service("v2", ROLLED_OUT)), READY);

        var plan = decide(service("v2", ROLLED_OUT));

        assertThat(plan.changes()).hasSize(1);
        assertThat(plan.changes().getFirst().toString())
                .contains("a-predictor-00002")
                .doesNotContain("a-predictor-00001");
        assertThat(all(plan))
                .filteredOn(Change.Delete.class::isInstance)
                .singleElement()
                .asString()
                .contains("a-predictor-00001-0");
    }

    @Test
    void anotherFileIsARevisionWhereThatIsWanted() {
        var plain = service("v1", ROLLED_OUT);
        var watched = plain.with(
                plain.json().with(List.of("metadata", "annotations", "towtank.dev/reload-model"), Json.of("true")));
        pod(revise(service("v1", "{}")), READY);
        assertThat(decide(watched).changes()).noneMatch(Change.Create.class::isInstance);

        otherFile = Optional.of("model.pkl-2");
        assertThat(decide(plain).changes()).noneMatch(Change.Create.class::isInstance);
        var second = revise(watched);
        assertThat(second.name()).isEqualTo("a-predictor-00002");

        // The new one serves, and knows of no other file: its mark stays.
        pod(second, READY);
        otherFile = Optional.empty();
        assertThat(all(decide(watched)))
                .filteredOn(Change.Create.class::isInstance)
                .isEmpty();
    }

    @Test
    void goingBackToWhatServesNeedsNoRevision() {
        pod(revise(service("v1", "{}")), READY);
        pod(revise(service("v2", ROLLED_OUT)), BROKEN);

        var changes = all(decide(service("v1", ROLLED_OUT)));

        assertThat(changes).noneMatch(Change.Create.class::isInstance);
        assertThat(changes).anyMatch(change -> change.toString().contains("delete Pod team/a-predictor-00002-0"));
        assertThat(status(changes).string("modelStatus", "transitionStatus")).isEqualTo("UpToDate");
    }

    @Test
    void withoutARuntimeTheSpecIsInvalid() {
        var service = object("""
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: a, namespace: team, uid: a-uid, generation: 1}
                spec: {predictor: {model: {modelFormat: {name: xgboost}, storageUri: 'pvc://models/a'}}}
                """);

        var status = status(all(decide(service)));

        assertThat(status.string("modelStatus", "transitionStatus")).isEqualTo("InvalidSpec");
        assertThat(status.string("modelStatus", "lastFailureInfo", "reason")).isEqualTo("NoSupportingRuntime");
        assertThat(status.string("modelStatus", "lastFailureInfo", "message"))
                .isEqualTo("No runtime found to support specified framework/version");
    }
}
