package dev.towtank.controllers.notebooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.notebooks.ImageRunReconciler.ImageRunFacts;
import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.controllers.notebooks.api.RunOrder;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// NVJ-14, strategy `tekton`: an image that a pipeline makes.
class PipelineBuildTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");

    private static Resource resource(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Resource job(String build) {
        return resource("""
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: train, namespace: team, uid: u1, generation: 2}
                spec:
                  timeout: 5m
                  notebook: {path: a/b.ipynb, git: {url: 'https://git.example.com/x', ref: main, credentialsSecret: login}}
                  podConfig:
                    containerImage: notebooks
                    serviceAccountName: trainer
                    buildConfig: {enabled: true, strategy: tekton, baseImage: 'jupyter:1', timeout: 15m, %s}
                status: {phase: Initializing, observedGeneration: 2, startTime: '2026-01-01T00:09:00Z'}
                """.formatted(build));
    }

    private static final Resource JOB = job("autoGenerateRequirements: true");

    private static Resource run(String owner, String generation, String status) {
        return resource("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata:
                  name: train-build
                  namespace: team
                  annotations: {towtank.dev/job-generation: "%s"}
                  ownerReferences: [{apiVersion: mlops.mlops.dev/v1alpha1, kind: NotebookValidationJob, name: train, uid: %s, controller: true}]
                status: {%s}
                """.formatted(generation, owner, status));
    }

    private static Plan plan(Resource job, Optional<Resource> run, Optional<String> problem) {
        var facts = new NotebookFacts(
                Optional.empty(), new Outside.Answer.Pending<>(), Optional.empty(), Optional.empty(), run, problem);
        return new NotebookReconciler().reconcile(Observed.of(NotebookKinds.JOB, job), facts, NOW);
    }

    private static Plan plan(Resource run) {
        return plan(JOB, Optional.of(run), Optional.empty());
    }

    private static Json.Obj status(Plan plan) {
        return plan.changes().stream()
                .filter(Change.SetStatus.class::isInstance)
                .map(change -> ((Change.SetStatus) change).status())
                .findFirst()
                .orElseThrow();
    }

    private static List<Resource> made(Plan plan) {
        return plan.changes().stream()
                .flatMap(change -> switch (change) {
                    case Change.Apply apply -> List.of(apply.object()).stream();
                    case Change.TryCreate create -> List.of(create.object()).stream();
                    default -> List.<Resource>of().stream();
                })
                .toList();
    }

    @Test
    void asksForAStreamAPipelineAndARunThatGoWithTheJob() {
        var asked = plan(JOB, Optional.empty(), Optional.empty());

        var all = made(asked);
        assertThat(all)
                .extracting(each -> each.kind() + "/" + each.name())
                .containsExactly("ImageStream/train-build", "Pipeline/train-pipeline", "PipelineRun/train-build");
        assertThat(all)
                .allSatisfy(each ->
                        assertThat(each.controller().orElseThrow().uid()).isEqualTo("u1"));
        assertThat(all.get(1).spec().objects("tasks"))
                .extracting(each -> each.string("name"))
                .containsExactly("fetch-repository", "generate-dockerfile", "build-image");
        var run = all.get(2);
        assertThat(run.spec().string("taskRunTemplate", "serviceAccountName")).isEqualTo("trainer");
        assertThat(run.spec().string("timeouts", "pipeline")).isEqualTo("15m0s");
        assertThat(run.spec().objects("params").toString())
                .contains("a/requirements.txt", "requirements.txt", "jupyter:1", "/team/train-build:latest");
        assertThat(RunOrder.on(run).source())
                .contains(new RunOrder.Checkout("https://git.example.com/x", "main", "login"));
        assertThat(status(asked).string("buildStatus", "strategy")).isEqualTo("tekton");
        assertThat(status(asked).string("phase")).isEqualTo("Building");
    }

    @Test
    void withoutGenerationNoPackagesAreLookedFor() {
        var run = made(plan(job("autoGenerateRequirements: false"), Optional.empty(), Optional.empty()))
                .getLast();

        assertThat(run.spec().objects("params").getLast())
                .isEqualTo(Json.Obj.of("name", Json.of("requirements"), "value", Json.Arr.EMPTY));
    }

    @Test
    void followsTheRunAndTellsWhatItMade() {
        var going = status(
                plan(
                        run(
                                "u1",
                                "2",
                                "startTime: '2026-01-01T00:09:10Z', conditions: [{type: Succeeded, status: Unknown, message: 'Tasks Completed: 1'}]")));
        assertThat(going.string("buildStatus", "phase")).isEqualTo("Running");
        assertThat(going.string("buildStatus", "buildName")).isEqualTo("train-build");
        assertThat(going.string("buildStatus", "message")).isEqualTo("Tasks Completed: 1");

        var complete = status(plan(run("u1", "2", """
                startTime: '2026-01-01T00:09:10Z', completionTime: '2026-01-01T00:09:40Z',
                conditions: [{type: Succeeded, status: "True"}],
                results: [{name: image-reference, value: "r/team/train-build@sha256:1"}, {name: message, value: fine}]""")));
        assertThat(complete.string("phase")).isEqualTo("BuildComplete");
        assertThat(complete.object("buildStatus").toString())
                .contains("\"phase\":\"Complete\"", "\"message\":\"fine\"", "\"strategy\":\"tekton\"")
                .contains("\"buildName\":\"train-build\"", "\"duration\":\"30s\"")
                .contains("\"imageReference\":\"r/team/train-build@sha256:1\"");

        var next = Resource.of(JOB.json().with("status", complete));
        assertThat(made(plan(next, Optional.empty(), Optional.empty()))
                        .getFirst()
                        .spec()
                        .toString())
                .contains("r/team/train-build@sha256:1");
    }

    @Test
    void aRunThatFailedSaysWhyAndOneOfSomebodyElseIsLeftAlone() {
        var failed =
                run("u1", "2", "conditions: [{type: Succeeded, status: \"False\", message: 'Tasks Completed: 1'}]");
        assertThat(status(plan(failed)).string("message")).isEqualTo("Build failed: Tasks Completed: 1");
        var told = status(plan(JOB, Optional.of(failed), Optional.of("fetch-repository: no such branch")));
        assertThat(told.string("message")).isEqualTo("Build failed: fetch-repository: no such branch");
        assertThat(told.string("buildStatus", "phase")).isEqualTo("Failed");

        var other = status(plan(run("somebody", "2", "")));
        assertThat(other.string("message")).contains("There is a PipelineRun train-build already");
        var silent = status(plan(run("u1", "2", "conditions: [{type: Succeeded, status: \"True\"}]")));
        assertThat(silent.string("message")).contains("does not tell what it has made");
    }

    @Test
    void theRunOfAnOlderStateGoesFirstWithAllThatItMade() {
        var changes = plan(run("u1", "1", "")).changes();

        assertThat(changes).hasSize(1);
        assertThat(changes.getFirst().json().toString()).contains("PipelineRun", "\"propagation\":\"Foreground\"");
    }

    @Test
    void aTaskThatFailedIsTakenByItsOwnWords() {
        var child = """
                metadata: {name: x, labels: {tekton.dev/pipelineTask: fetch-repository}}
                status:
                  conditions: [{type: Succeeded, status: "False", message: exited with code 1}]
                  %s
                """;
        assertThat(PipelineBuilding.problem(resource(child.formatted(""))))
                .isEqualTo("fetch-repository: exited with code 1");
        assertThat(PipelineBuilding.problem(
                        resource(child.formatted("results: [{name: problem, value: \"no branch\\n\"}]"))))
                .isEqualTo("fetch-repository: no branch");
    }

    private static Resource image(String spec, String status) {
        return resource("""
                apiVersion: tekton.dev/v1beta1
                kind: CustomRun
                metadata: {name: train-build-build-image, namespace: team, uid: c1}
                spec:
                  customRef: {apiVersion: mlops.mlops.dev/v1alpha1, kind: NotebookImage, name: train}
                  params: [{name: DOCKERFILE, value: "FROM jupyter:1\\n"}, {name: COMMIT, value: abc}]
                  %s
                status: {%s}
                """.formatted(spec, status));
    }

    private static Resource build(String owner, String status) {
        return resource("""
                apiVersion: build.openshift.io/v1
                kind: Build
                metadata:
                  name: train-build-build-image
                  namespace: team
                  ownerReferences: [{apiVersion: tekton.dev/v1beta1, kind: CustomRun, name: x, uid: %s, controller: true}]
                status: {%s}
                """.formatted(owner, status));
    }

    private static Plan imagePlan(Resource image, Optional<Resource> job, Optional<Resource> build) {
        return new ImageRunReconciler()
                .reconcile(Observed.of(NotebookKinds.CUSTOM_RUN, image), new ImageRunFacts(job, build), NOW);
    }

    private static String outcome(Plan plan) {
        var condition = status(plan).objects("conditions").getFirst();
        return condition.string("status") + "/" + condition.string("reason") + ": " + condition.string("message");
    }

    @Test
    void theLastTaskHasTheImageBuiltOfTheCommitThatWasFetched() {
        var asked = imagePlan(image("", ""), Optional.of(JOB), Optional.empty());

        var build = made(asked).getFirst();
        assertThat(build.controller().orElseThrow().uid()).isEqualTo("c1");
        assertThat(build.spec().string("source", "dockerfile")).isEqualTo("FROM jupyter:1\n");
        assertThat(build.spec().string("source", "sourceSecret", "name")).isEqualTo("login");
        assertThat(build.spec().string("revision", "git", "commit")).isEqualTo("abc");
        assertThat(build.spec().string("output", "to", "name")).isEqualTo("train-build:latest");
        assertThat(outcome(asked)).startsWith("Unknown/Running");

        var own = made(imagePlan(image("", ""), Optional.of(job("dockerfile: d/Dockerfile")), Optional.empty()))
                .getFirst();
        assertThat(own.spec().object("source").has("dockerfile")).isFalse();
        assertThat(own.spec().string("strategy", "dockerStrategy", "dockerfilePath"))
                .isEqualTo("d/Dockerfile");
    }

    @Test
    void theLastTaskEndsAsItsBuildDoes() {
        var run = image("", "startTime: '2026-01-01T00:09:00Z'");
        var complete = imagePlan(
                run,
                Optional.of(JOB),
                Optional.of(build("c1", "phase: Complete, message: fine, output: {to: {imageDigest: 'sha256:1'}}")));
        assertThat(outcome(complete)).isEqualTo("True/Succeeded: fine");
        assertThat(status(complete).objects("results").toString())
                .contains("/team/train-build@sha256:1", "\"message\"");
        assertThat(status(complete).string("startTime")).isEqualTo("2026-01-01T00:09:00Z");

        assertThat(outcome(imagePlan(
                        run, Optional.of(JOB), Optional.of(build("c1", "phase: Failed, message: no such file")))))
                .isEqualTo("False/BuildFailed: no such file");
        assertThat(outcome(imagePlan(run, Optional.of(JOB), Optional.of(build("c1", "phase: Running")))))
                .startsWith("Unknown/Running");
        assertThat(outcome(imagePlan(run, Optional.of(JOB), Optional.of(build("somebody", "phase: Complete")))))
                .startsWith("False/BuildNameTaken");
        assertThat(outcome(imagePlan(run, Optional.empty(), Optional.empty()))).startsWith("False/JobNotFound");
        var refused = (Change.TryCreate)
                imagePlan(run, Optional.of(JOB), Optional.empty()).changes().getFirst();
        assertThat(outcome(refused.otherwise().after(new StatusError(StatusError.Reason.FORBIDDEN, "not today"))))
                .isEqualTo("False/BuildRefused: not today");
    }

    @Test
    void aCancelledTaskStopsItsBuildAndOneThatIsOverIsLeftAlone() {
        var cancelled = imagePlan(
                image("status: RunCancelled", ""), Optional.of(JOB), Optional.of(build("c1", "phase: Running")));
        assertThat(status(cancelled).flag("cancelled")).isTrue();
        assertThat(cancelled.toString()).contains("CustomRunCancelled");

        var over = image("", "conditions: [{type: Succeeded, status: \"True\"}]");
        assertThat(imagePlan(over, Optional.of(JOB), Optional.empty())).isEqualTo(Plan.none());
        var foreign = Resource.of(image("", "").json().with(List.of("spec", "customRef", "kind"), Json.of("Other")));
        assertThat(imagePlan(foreign, Optional.of(JOB), Optional.empty())).isEqualTo(Plan.none());
    }
}
