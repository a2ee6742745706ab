package dev.towtank.controllers.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.controllers.models.api.ModelKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ModelReconcilerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Resource version(String name, String more) {
        return object("""
                apiVersion: towtank.dev/v1
                kind: ModelVersion
                metadata: {name: m-%1$s, namespace: team}
                spec: {model: m, version: %1$s, storageUri: 'pvc://models/m/%1$s'%2$s
                """.formatted(name, more));
    }

    private static Optional<Resource> serving(String version, String transition) {
        return Optional.of(object("""
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: m, namespace: team, generation: 2}
                spec: {predictor: {model: {storageUri: 'pvc://models/m/%s/'}}}
                status:
                  observedGeneration: 2
                  conditions: [{type: Ready, status: 'True'}]
                  modelStatus: {transitionStatus: %s}
                """.formatted(version, transition)));
    }

    private static List<Change> decide(String status, List<Resource> versions, Optional<Resource> service) {
        return decide(0, status, versions, service);
    }

    private static List<Change> decide(int keep, String status, List<Resource> versions, Optional<Resource> service) {
        var model = object("""
                apiVersion: towtank.dev/v1
                kind: Model
                metadata: {name: m, namespace: team, generation: 1}
                spec: {storageUri: 'pvc://models/m', keep: %d}
                status: %s
                """.formatted(keep, status));
        return new ModelReconciler()
                .reconcile(
                        Observed.of(ModelKinds.MODEL, model), new ModelFacts(versions, service, Optional.empty()), NOW)
                .changes();
    }

    private static Map<String, String> states(List<Change> changes) {
        var states = new TreeMap<String, String>();
        for (var change : changes) {
            if (change instanceof Change.SetStatus(var kind, var seen, var status)
                    && kind.equals(ModelKinds.MODEL_VERSION)) {
                states.put(seen.spec().string("version"), status.string("state"));
            }
        }
        return states;
    }

    @Test
    void whatServesIsCurrentAndWhatDidIsPrevious() {
        var versions = List.of(
                version("v1", "}\nstatus: {state: current, promotedAt: '2025-12-01T00:00:00Z'}"),
                version("v2", ", gate: {verdict: failed}}"),
                version("v3", ", gate: {verdict: passed}}"),
                version("v4", "}"));

        var changes = decide("{current: v1}", versions, serving("v3", "UpToDate"));

        assertThat(states(changes))
                .isEqualTo(Map.of("v1", "previous", "v2", "rejected", "v3", "current", "v4", "candidate"));
        assertThat(changes)
                .anyMatch(change -> change.toString().contains("Normal Promoted: v3 serves now in place of v1"));
    }

    @Test
    void aModelOnItsWayIsNotCurrentYet() {
        var versions = List.of(version("v1", "}\nstatus: {state: current}"), version("v2", "}"));

        for (var transition : List.of("InProgress", "BlockedByFailedLoad")) {
            assertThat(states(decide("{current: v1}", versions, serving("v2", transition))))
                    .containsEntry("v2", "candidate")
                    .doesNotContainEntry("v1", "previous");
        }
    }

    @Test
    void goingBackIsToldAsSuch() {
        var versions = List.of(
                version("v1", "}\nstatus: {state: previous, promotedAt: '2025-12-01T00:00:00Z'}"),
                version("v2", "}\nstatus: {state: current, promotedAt: '2025-12-02T00:00:00Z'}"));

        var changes = decide("{current: v2, previous: v1}", versions, serving("v1", "UpToDate"));

        assertThat(states(changes)).isEqualTo(Map.of("v1", "current", "v2", "previous"));
        assertThat(changes)
                .anyMatch(change -> change.toString().contains("Warning RolledBack: Went back from v2 to v1"));
    }

    @Test
    void oldVersionsGoAndCandidatesStay() {
        var versions = List.of(
                version("v1", "}\nstatus: {state: retired, promotedAt: '2025-12-01T00:00:00Z'}"),
                version("v2", "}\nstatus: {state: current, promotedAt: '2025-12-02T00:00:00Z'}"),
                version("v3", "}\nstatus: {state: candidate}"));

        assertThat(decide("{current: v2}", versions, serving("v2", "UpToDate")))
                .filteredOn(Change.Delete.class::isInstance)
                .singleElement()
                .asString()
                .contains("m-v1");
    }

    /// The last ones are kept by their age, beside what serves and what did before; rejected ones count, too.
    @Test
    void asManyOldVersionsAreKeptAsTheModelSays() {
        var versions = new ArrayList<Resource>();
        for (int i = 1; i <= 7; i++) {
            var state = i == 7 ? "current" : i == 6 ? "previous" : i == 5 ? "rejected" : "retired";
            var aged = version("v" + i, "}\nstatus: {state: " + state + ", promotedAt: '2025-12-01T00:00:00Z'}");
            versions.add(aged.with(aged.json()
                    .with(List.of("metadata", "creationTimestamp"), Json.of("2025-12-0" + i + "T00:00:00Z"))));
        }
        for (int keep = 0; keep <= 6; keep++) {
            var gone = decide(keep, "{current: v7, previous: v6}", versions, serving("v7", "UpToDate")).stream()
                    .filter(Change.Delete.class::isInstance)
                    .map(change -> ((Change.Delete) change).seen().name())
                    .sorted()
                    .toList();
            var expected = new ArrayList<String>();
            for (int i = 1; i <= 5 - keep; i++) {
                expected.add("m-v" + i);
            }
            assertThat(gone).as("keep %d", keep).isEqualTo(expected);
        }
    }

    @Test
    void aVersionThatDidNotProveItselfIsRejectedAndItsServicePointedBack() {
        var versions = List.of(
                version("v1", "}\nstatus: {state: current, promotedAt: '2025-12-01T00:00:00Z'}"), version("v2", "}"));
        var failed = serving("v2", "BlockedByFailedLoad")
                .map(service -> service.with(
                        service.json().with(List.of("status", "rollout", "failure"), Json.of("it failed 5 of 10"))));

        var changes = decide("{current: v1, linked: v1}", versions, failed);

        assertThat(states(changes)).containsEntry("v2", "rejected");
        assertThat(changes)
                .anyMatch(change -> change.toString()
                        .contains("Warning RolloutFailed: v2 did not prove itself, v1 serves: it failed 5 of 10"))
                .anyMatch(change -> change instanceof Change.PatchFields(var _, var seen, var fields)
                        && seen.kind().equals("InferenceService")
                        && fields.string("spec", "predictor", "model", "storageUri")
                                .equals("pvc://models/m/v1"));
    }

    @Test
    void theLinkFollowsWhatServes() {
        var versions = List.of(version("v1", "}\nstatus: {state: current, promotedAt: '2025-12-01T00:00:00Z'}"));

        var pod = decide("{current: v1}", versions, serving("v1", "UpToDate")).stream()
                .filter(Change.Create.class::isInstance)
                .map(change -> ((Change.Create) change).object())
                .findFirst()
                .orElseThrow();
        assertThat(pod.name()).isEqualTo("m-link");
        assertThat(pod.spec()
                        .objects("containers")
                        .getFirst()
                        .objects("volumeMounts")
                        .getFirst()
                        .string("subPath"))
                .isEqualTo("m");
        assertThat(decide("{current: v1, linked: v1}", versions, serving("v1", "UpToDate")))
                .noneMatch(Change.Create.class::isInstance);

        var done = pod.with(pod.json().with("status", YamlText.parse("{phase: Succeeded}")));
        var model = object(
                "{apiVersion: towtank.dev/v1, kind: Model, metadata: {name: m}, spec: {storageUri: 'pvc://models/m'}}");
        var decision = ModelLink.decide(model, Optional.of(done), "v1", Optional.of(versions.getFirst()));
        assertThat(decision.linked()).isEqualTo("v1");
        assertThat(decision.plan().toString()).contains("delete Pod");
    }

    @Test
    void everybodyIsToldWhatHappenedInTurn() {
        var model = object("""
                apiVersion: towtank.dev/v1
                kind: Model
                metadata: {name: m, namespace: team, uid: u}
                spec: {notifications: [{url: 'http://one/'}, {url: 'http://two/', format: json}]}
                """);
        var status = ModelHistory.of(model)
                .with(List.of(new ModelHistory.Item(ModelHistory.Deed.PROMOTED, "v1", "v1 serves now")), NOW);
        var told = new ArrayList<String>();
        var now = Json.Obj.of("history", status.json(), "current", Json.of("v1"));
        for (var plan = ModelNotice.next(model, now); !plan.isNone(); plan = ModelNotice.next(model, now)) {
            var act = (Change.Act) plan.changes().getFirst();
            var deed = (ModelDeed) act.deed();
            // What it became by this, which is not written yet: sent again, it is the same.
            assertThat(((Json.Obj) deed.body()).string("current")).isEqualTo("v1");
            told.add(deed.address() + " " + deed.headers().getOrDefault("Ce-Type", "")
                    + deed.headers().getOrDefault("Ce-Id", ""));
            now = ((Change.SetStatus) act.sequel().after(Json.of("")).changes().getFirst()).status();
        }

        assertThat(told).containsExactly("http://one/ dev.towtank.model.promoted.v1u-1", "http://two/ ");
        assertThat(now.integer("notified")).isEqualTo(1);
    }

    @Test
    void aVersionChangesOnlyByItsGate() {
        var rules = new ModelRules();
        var old = version("v1", "}").json();
        var judged = version("v1", ", gate: {verdict: failed}}").json();
        var cleared = version("v1", ", gate: {verdict: passed}}").json();
        var moved = version("v1", ", source: {commit: abc}}").json();

        assertThat(rules.refusal(judged, old)).isEmpty();
        assertThat(rules.refusal(cleared, judged).map(StatusError::text).orElse(""))
                .contains("a rejected version stays rejected");
        assertThat(rules.refusal(moved, old).map(StatusError::text).orElse("")).contains("versions are immutable");
        assertThat(rules.refusal(old.with(List.of("metadata", "name"), Json.of("x")), null)
                        .map(StatusError::text)
                        .orElse(""))
                .contains("must be m-v1");
    }
}
