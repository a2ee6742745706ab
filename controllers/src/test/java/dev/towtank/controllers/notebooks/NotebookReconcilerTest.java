package dev.towtank.controllers.notebooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.notebooks.api.Follower;
import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NotebookReconcilerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");

    private static Resource job(String status) {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: train, namespace: team, uid: u1, generation: 1}
                spec:
                  timeout: 5m
                  notebook: {path: a/b.ipynb, git: {url: 'https://git.example.com/x', ref: main, credentialsSecret: login}}
                  podConfig:
                    containerImage: notebooks
                    env: [{name: DATA_SOURCE, value: synthetic}]
                    envFrom: [{secretRef: {name: keys}}]
                status: {%s}
                """.formatted(status)));
    }

    private static Resource pod(String status) {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: train-validation
                  namespace: team
                  uid: p1
                  annotations: {towtank.dev/job-generation: "1"}
                  ownerReferences: [{apiVersion: mlops.mlops.dev/v1alpha1, kind: NotebookValidationJob, name: train, uid: u1, controller: true}]
                status: {%s}
                """.formatted(status)));
    }

    private static Plan plan(Resource job, Optional<Resource> pod, Json.Obj report) {
        return plan(job, pod, report, Optional.empty(), Optional.empty());
    }

    private static Plan plan(
            Resource job,
            Optional<Resource> pod,
            Json.Obj report,
            Optional<Resource> config,
            Optional<Resource> build) {
        var facts = new NotebookFacts(
                pod, new Outside.Answer.Known<>(report, NOW), config, build, Optional.empty(), Optional.empty());
        return new NotebookReconciler().reconcile(Observed.of(NotebookKinds.JOB, job), facts, NOW);
    }

    private static Json.Obj status(Plan plan) {
        return plan.changes().stream()
                .filter(Change.SetStatus.class::isInstance)
                .map(change -> ((Change.SetStatus) change).status())
                .findFirst()
                .orElseThrow();
    }

    private static List<String> conditions(Json.Obj status) {
        return status.objects("conditions").stream()
                .map(each -> each.string("type") + "=" + each.string("status") + "/" + each.string("reason"))
                .toList();
    }

    private static final String RUNNING =
            "phase: ValidationRunning, observedGeneration: 1, startTime: '2026-01-01T00:09:00Z'";

    /// NVJ-3; of the defects: `env` does not take HOME and PYTHONUSERBASE away.
    @Test
    void beginsAndThenMakesAPodWithoutSecretsInIt() {
        assertThat(status(plan(job(""), Optional.empty(), Json.Obj.EMPTY)).string("phase"))
                .isEqualTo("Initializing");

        var begun = job("phase: Initializing, observedGeneration: 1, startTime: '2026-01-01T00:09:00Z'");
        var pod = ((Change.TryCreate)
                        plan(begun, Optional.empty(), Json.Obj.EMPTY).changes().getFirst())
                .object();
        assertThat(pod.name()).isEqualTo("train-validation");
        assertThat(pod.spec().objects("initContainers"))
                .extracting(each -> each.string("name"))
                .containsExactly("git-clone");
        var validator = pod.spec().objects("containers").getFirst();
        assertThat(validator.objects("env"))
                .extracting(each -> each.string("name"))
                .contains("HOME", "PYTHONUSERBASE", "DATA_SOURCE");
        assertThat(validator.array("envFrom").toString()).contains("keys");
    }

    /// NVJ-4, NVJ-13.
    @Test
    void tellsOfCellsWhileTheNotebookRuns() {
        var report = (Json.Obj) YamlText.parse("""
                {status: running, statistics: {code_cells: 3}, cells: [{cellIndex: 1, status: Success, seconds: 1.5, output: hi}]}""");
        var status = status(plan(job(RUNNING), Optional.of(pod("phase: Running")), report));

        assertThat(status.string("phase")).isEqualTo("ValidationRunning");
        assertThat(status.string("message")).isEqualTo("1 of 3 cells are done");
        assertThat(status.array("results").toString())
                .isEqualTo("[{\"cellIndex\":1,\"status\":\"Success\",\"executionTime\":\"1.5s\",\"output\":\"hi\"}]");
        assertThat(conditions(status)).contains("ValidationComplete=Unknown/PodRunning");
    }

    /// NVJ-4, NVJ-6; of the defects: every failure is run again.
    @Test
    void aFailureKeepsItsResultsAndIsNotTriedAgain() {
        var report = (Json.Obj) YamlText.parse("""
                {status: failed, reason: CellFailed, message: 'Cell 1 failed: ValueError: x',
                 cells: [{cellIndex: 1, status: Failure, seconds: 0, errorMessage: 'ValueError: x'}]}""");
        var plan = plan(job(RUNNING), Optional.of(pod("phase: Failed")), report);

        assertThat(status(plan).string("phase")).isEqualTo("Failed");
        assertThat(status(plan).array("results").size()).isEqualTo(1);
        assertThat(conditions(status(plan))).contains("Failed=True/CellFailed");
        assertThat(plan.changes()).noneMatch(Change.Delete.class::isInstance);
        assertThat(plan(job("phase: Failed, observedGeneration: 1"), Optional.of(pod("phase: Failed")), report))
                .isEqualTo(Plan.none());
    }

    /// NVJ-6.
    @Test
    void whatTheNetworkSpoiledIsTriedThreeTimes() {
        var failed = pod(
                "phase: Failed, initContainerStatuses: [{state: {terminated: {exitCode: 75, message: no such host}}}]");
        var first = plan(job(RUNNING), Optional.of(failed), Json.Obj.EMPTY);
        assertThat(status(first).integer("retryCount")).isEqualTo(1);
        assertThat(status(first).string("lastRetryTime")).isEqualTo("2026-01-01T00:11:00Z");
        assertThat(first.changes()).anyMatch(Change.Delete.class::isInstance);

        var waiting =
                job("phase: Initializing, observedGeneration: 1, retryCount: 1, lastRetryTime: '2026-01-01T00:11:00Z'");
        assertThat(plan(waiting, Optional.empty(), Json.Obj.EMPTY).lookAgain())
                .contains(NOW.plus(Duration.ofMinutes(1)));

        var last = status(plan(job(RUNNING + ", retryCount: 3"), Optional.of(failed), Json.Obj.EMPTY));
        assertThat(last.string("message")).isEqualTo("Validation failed after 3 retries: no such host");
    }

    /// NVJ-5, NVJ-6: three pauses are seven minutes, and the timeout of the job is five.
    @Test
    void eachAttemptHasTheWholeTimeout() {
        var again = job("phase: Initializing, observedGeneration: 1, retryCount: 3, startTime: '2026-01-01T00:00:00Z',"
                + " lastRetryTime: '2026-01-01T00:09:00Z'");

        var going = plan(again, Optional.of(pod("phase: Running")), Json.Obj.EMPTY);

        assertThat(status(going).string("phase")).isEqualTo("ValidationRunning");
        assertThat(going.lookAgain()).contains(Instant.parse("2026-01-01T00:15:30Z"));
    }

    /// NVJ-7.
    @Test
    void aChangedSpecRunsAgain() {
        var changed = plan(
                job("phase: Failed, observedGeneration: 0, retryCount: 2"),
                Optional.of(pod("phase: Failed")),
                Json.Obj.EMPTY);

        assertThat(status(changed).string("phase")).isEqualTo("Initializing");
        assertThat(status(changed).integer("observedGeneration")).isEqualTo(1);
        assertThat(status(changed).integer("retryCount")).isZero();
    }

    /// NVJ-5.
    @Test
    void aPodThatNeverEndsIsEnded() {
        var late = job("phase: ValidationRunning, observedGeneration: 1, startTime: '2026-01-01T00:00:00Z'");
        var plan = plan(late, Optional.of(pod("phase: Pending")), Json.Obj.EMPTY);

        assertThat(conditions(status(plan))).contains("Failed=True/ValidationTimeout");
        assertThat(plan.changes()).anyMatch(Change.Delete.class::isInstance);
    }

    /// NVJ-6.
    @Test
    void lackOfMemoryIsToldByItsLimit() {
        var killed =
                pod("phase: Failed, containerStatuses: [{state: {terminated: {exitCode: 137, reason: OOMKilled}}}]");

        assertThat(conditions(status(plan(job(RUNNING), Optional.of(killed), Json.Obj.EMPTY))))
                .contains("Failed=True/OOMKilled");
    }

    private static Resource annotated(Resource job, String name, String value) {
        return Resource.of(job.json().with(List.of("metadata", "annotations", name), Json.of(value)));
    }

    private static final Json.Obj SUCCESS =
            (Json.Obj) YamlText.parse("{status: succeeded, message: 'Validation completed: 1/1 cells succeeded'}");

    /// NVJ-6: as the operator does, where somebody wants that, but never with the same memory.
    @Test
    void aFailedNotebookIsRunAgainWhereThatIsWanted() {
        var failure = (Json.Obj) YamlText.parse("{status: failed, reason: CellFailed, message: x}");
        var always = annotated(job(RUNNING), NotebookJob.RETRIES, "always");
        var killed =
                pod("phase: Failed, containerStatuses: [{state: {terminated: {exitCode: 137, reason: OOMKilled}}}]");

        assertThat(status(plan(always, Optional.of(pod("phase: Failed")), failure))
                        .integer("retryCount"))
                .isEqualTo(1);
        assertThat(status(plan(always, Optional.of(killed), failure)).string("phase"))
                .isEqualTo("Failed");
    }

    private static Plan checked(String result) {
        var job = Resource.of(job(RUNNING)
                .json()
                .with(List.of("spec", "modelValidation"), YamlText.parse("{enabled: true, targetModels: [m]}")));
        var plan = plan(job, Optional.of(pod("phase: Succeeded")), SUCCESS);
        var act = (Change.Act) plan.changes().getFirst();
        assertThat(act.deed()).isInstanceOf(CheckModels.class);
        return act.sequel().after(YamlText.parse(result));
    }

    /// NVJ-10: after the notebook, not before it, and what it finds counts.
    @Test
    void whatModelsAnswerDecidesTheEnd() {
        var good = status(checked("{success: true, models: [{name: m, status: healthy}]}"));
        assertThat(good.string("phase")).isEqualTo("Succeeded");
        assertThat(good.flag("modelValidationResult", "success")).isTrue();

        var bad = status(checked("{success: false, models: [{name: m, status: unhealthy, message: m answered 500}]}"));
        assertThat(conditions(bad)).contains("Failed=True/ModelValidationFailed");
        assertThat(bad.string("message")).isEqualTo("Model validation failed: m answered 500");
    }

    /// NVJ-11: only after the success is written, once, and with its results.
    @Test
    void whatFollowsFollowsASuccessThatIsWritten() {
        var list = "[{kind: Deployment, name: web, action: restart}]";
        var running = annotated(job(RUNNING), Follower.ANNOTATION, list);
        var done = annotated(job("phase: Succeeded, observedGeneration: 1"), Follower.ANNOTATION, list);
        var told = annotated(
                job("phase: Succeeded, observedGeneration: 1, onSuccessTriggers: []"), Follower.ANNOTATION, list);
        var failed = annotated(job("phase: Failed, observedGeneration: 1"), Follower.ANNOTATION, list);

        assertThat(plan(running, Optional.of(pod("phase: Succeeded")), SUCCESS).changes())
                .noneMatch(Change.ActOnce.class::isInstance);
        var plan = plan(done, Optional.of(pod("phase: Succeeded")), SUCCESS);
        var act = (Change.ActOnce) plan.changes().getFirst();
        assertThat(status(act.sequel().after(YamlText.parse("[{name: web, result: done}]")))
                        .array("onSuccessTriggers")
                        .toString())
                .contains("done");
        assertThat(status(act.sequel().after(Json.Null.NULL))
                        .array("onSuccessTriggers")
                        .toString())
                .contains("unknown");
        assertThat(plan(told, Optional.of(pod("phase: Succeeded")), SUCCESS)).isEqualTo(Plan.none());
        assertThat(plan(failed, Optional.of(pod("phase: Failed")), SUCCESS)).isEqualTo(Plan.none());
    }

    private static final String WAVE = "argocd.argoproj.io/sync-wave";

    private static Json.Obj annotationsOf(Plan plan) {
        return ((Change.PatchFields) plan.changes().getFirst()).fields().object("metadata", "annotations");
    }

    /// Section 3.1, `mlops.dev/block-wave`: a wave may go on, or may not, when the job is over.
    @Test
    void aJobInAWaveSaysOnItselfHowThatEnded() {
        var ended = ", observedGeneration: 1, completionTime: '2026-01-01T00:09:50Z'";
        var good = annotated(job("phase: Succeeded" + ended), WAVE, "3");
        var told = annotationsOf(plan(good, Optional.of(pod("phase: Succeeded")), SUCCESS));
        assertThat(told)
                .isEqualTo(Json.Obj.of(
                        "mlops.dev/wave-complete",
                        Json.of("3"),
                        "mlops.dev/completion-time",
                        Json.of("2026-01-01T00:09:50Z")));

        var bad = annotated(job("phase: Failed" + ended), "mlops.dev/block-wave", "2");
        assertThat(annotationsOf(plan(bad, Optional.empty(), Json.Obj.EMPTY)).string("mlops.dev/wave-failed"))
                .as("a job without a wave is in wave 0")
                .isEqualTo("0");

        var known = annotated(
                annotated(good, "mlops.dev/wave-complete", "3"), "mlops.dev/completion-time", "2026-01-01T00:09:50Z");
        assertThat(plan(known, Optional.of(pod("phase: Succeeded")), SUCCESS)).isEqualTo(Plan.none());
        assertThat(plan(job("phase: Succeeded" + ended), Optional.of(pod("phase: Succeeded")), SUCCESS))
                .isEqualTo(Plan.none());
    }

    /// NVJ-7.
    @Test
    void aJobThatBeginsAnewDoesNotSayAnyMoreThatItsWaveIsOver() {
        var changed = annotated(
                annotated(job("phase: Failed, observedGeneration: 0"), WAVE, "3"), "mlops.dev/wave-failed", "3");

        var plan = plan(changed, Optional.empty(), Json.Obj.EMPTY);

        assertThat(annotationsOf(plan).get("mlops.dev/wave-failed")).isEqualTo(Json.Null.NULL);
        assertThat(status(plan).string("phase")).isEqualTo("Initializing");
    }

    private static Resource built(String strategy, String status) {
        return Resource.of(job(status)
                .json()
                .with(
                        List.of("spec", "podConfig", "buildConfig"),
                        YamlText.parse("{enabled: true, strategy: " + strategy
                                + ", baseImage: 'jupyter:1', autoGenerateRequirements: true, timeout: 15m}")));
    }

    private static Resource made(String kind, String owner, String rest) {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: build.openshift.io/v1
                kind: %s
                metadata:
                  name: train-build
                  namespace: team
                  generation: 3
                  annotations: {towtank.dev/job-generation: "1"}
                  ownerReferences: [{apiVersion: v1, kind: X, name: train, uid: %s, controller: true}]
                %s
                """.formatted(kind, owner, rest)));
    }

    private static final String INITIALIZING =
            "phase: Initializing, observedGeneration: 1, startTime: '2026-01-01T00:09:00Z'";

    private static Plan building(String phase, String more) {
        return plan(
                built("s2i", INITIALIZING),
                Optional.empty(),
                Json.Obj.EMPTY,
                Optional.of(made("BuildConfig", "u1", "status: {observedGeneration: 3, lastVersion: 1}")),
                Optional.of(made("Build", "b1", "status: {phase: %s, %s}".formatted(phase, more))));
    }

    /// NVJ-14; of the defects: what is built belongs to nobody, and is looked at every thirty seconds.
    @Test
    void anImageIsBuiltBeforeThePodIsMade() {
        var asked = plan(built("s2i", INITIALIZING), Optional.empty(), Json.Obj.EMPTY);
        var config = asked.changes().stream()
                .filter(Change.Apply.class::isInstance)
                .map(change -> ((Change.Apply) change).object())
                .filter(each -> each.kind().equals("BuildConfig"))
                .findFirst()
                .orElseThrow();
        assertThat(config.name()).isEqualTo("train-build");
        assertThat(config.controller().orElseThrow().uid()).isEqualTo("u1");
        assertThat(config.spec().string("source", "sourceSecret", "name")).isEqualTo("login");
        assertThat(config.spec().string("source", "dockerfile"))
                .startsWith("FROM jupyter:1\n")
                .contains("if [ -f a/requirements.txt ]; then", "elif [ -f requirements.txt ]; then");
        assertThat(status(asked).string("phase")).isEqualTo("Building");

        assertThat(status(building("Running", "startTimestamp: '2026-01-01T00:09:30Z'"))
                        .string("buildStatus", "phase"))
                .isEqualTo("Running");
        var complete = status(building("Complete", "message: fine, output: {to: {imageDigest: 'sha256:1'}}"));
        assertThat(complete.string("phase")).isEqualTo("BuildComplete");
        assertThat(complete.string("buildStatus", "imageReference")).endsWith("/team/train-build@sha256:1");

        var next = built("s2i", INITIALIZING);
        var pod = plan(Resource.of(next.json().with("status", complete)), Optional.empty(), Json.Obj.EMPTY);
        assertThat(pod.changes().getFirst().toString()).contains("/team/train-build@sha256:1");
    }

    /// NVJ-14.
    @Test
    void aBuildThatFailsOrNeverEndsOrHasNoStrategyFailsTheJob() {
        var failed = status(building("Failed", "message: no such file"));
        assertThat(conditions(failed)).contains("Failed=True/BuildFailed");
        assertThat(failed.string("message")).isEqualTo("Build failed: no such file");
        assertThat(failed.string("buildStatus", "phase")).isEqualTo("Failed");

        var unknown = status(plan(built("kaniko", INITIALIZING), Optional.empty(), Json.Obj.EMPTY));
        assertThat(unknown.string("message")).isEqualTo("Unknown build strategy: kaniko");

        var longAgo = INITIALIZING.replace("00:09", "00:00").replace("2026-01-01", "2025-12-31");
        var late = plan(
                built("s2i", longAgo),
                Optional.empty(),
                Json.Obj.EMPTY,
                Optional.of(made("BuildConfig", "u1", "")),
                Optional.empty());
        assertThat(conditions(status(late))).contains("Failed=True/BuildTimeout");

        var taken = plan(
                built("s2i", INITIALIZING),
                Optional.empty(),
                Json.Obj.EMPTY,
                Optional.of(made("BuildConfig", "somebody", "")),
                Optional.empty());
        assertThat(conditions(status(taken))).contains("Failed=True/BuildNameTaken");
    }
}
