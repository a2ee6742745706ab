package dev.towtank.controllers.notebooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Plan;
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
        var facts = new NotebookFacts(pod, new Outside.Answer.Known<>(report, NOW));
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

    @Test
    void aPodThatNeverEndsIsEnded() {
        var late = job("phase: ValidationRunning, observedGeneration: 1, startTime: '2026-01-01T00:00:00Z'");
        var plan = plan(late, Optional.of(pod("phase: Pending")), Json.Obj.EMPTY);

        assertThat(conditions(status(plan))).contains("Failed=True/ValidationTimeout");
        assertThat(plan.changes()).anyMatch(Change.Delete.class::isInstance);
    }

    @Test
    void lackOfMemoryIsToldByItsLimit() {
        var killed =
                pod("phase: Failed, containerStatuses: [{state: {terminated: {exitCode: 137, reason: OOMKilled}}}]");

        assertThat(conditions(status(plan(job(RUNNING), Optional.of(killed), Json.Obj.EMPTY))))
                .contains("Failed=True/OOMKilled");
    }
}
