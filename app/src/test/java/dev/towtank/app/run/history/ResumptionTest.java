package dev.towtank.app.run.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.app.run.history.Resumption.Choice;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResumptionTest {
    private static final Json.Obj SPEC = (Json.Obj) YamlText.parse("""
            tasks:
              - {name: clone, taskRef: {name: clone}}
              - name: test
                matrix: {params: [{name: os, value: [a, b, c]}]}
                params: [{name: rev, value: $(tasks.clone.results.rev)}]
                taskRef: {name: test}
              - {name: docs, runAfter: [clone], taskRef: {name: docs}}
              - {name: optional, when: [{input: a, operator: in, values: [b]}], taskRef: {name: docs}}
              - {name: deploy, runAfter: [test], taskRef: {name: deploy}}
            finally:
              - {name: notify, taskRef: {name: notify}}
            results:
              - {name: rev, value: $(tasks.clone.results.rev)}
              - {name: url, value: $(tasks.deploy.results.url)}
            """);

    private static Resource run(String state) {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: ci-abcde, generateName: ci-, namespace: default, uid: old, resourceVersion: "9"}
                spec:
                  pipelineRef: {name: ci}
                  params: [{name: p, value: v}]
                  taskRunSpecs: [{pipelineTaskName: deploy}, {pipelineTaskName: docs}]
                status:
                  conditions: [{type: Succeeded, status: "%s", reason: R}]
                  skippedTasks: [{name: optional, reason: When Expressions evaluated to false}]
                """.formatted(state)));
    }

    private static Resource child(String name, String task, String state) {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata:
                  name: %s
                  namespace: default
                  uid: uid-%s
                  labels: {tekton.dev/pipelineTask: %s, tekton.dev/pipelineRun: ci-abcde, other: kept}
                  ownerReferences: [{apiVersion: tekton.dev/v1, kind: PipelineRun, name: ci-abcde, uid: old, controller: true}]
                spec: {taskRef: {name: x}, params: [{name: os, value: %s}]}
                status:
                  conditions: [{type: Succeeded, status: "%s", reason: R}]
                  results: [{name: rev, value: abc}]
                """.formatted(name, name, task, name, state)));
    }

    private final List<Resource> children = new ArrayList<>(List.of(
            child("ci-abcde-clone", "clone", "True"),
            child("ci-abcde-test-0", "test", "True"),
            child("ci-abcde-test-1", "test", "False"),
            child("ci-abcde-test-2", "test", "True"),
            child("ci-abcde-docs", "docs", "True"),
            child("ci-abcde-notify", "notify", "True")));

    private Resumption resumption(Choice choice) {
        var old = new RunRecord("ci-abcde", Json.Obj.EMPTY, run("False"), children, List.of(), List.of());
        return new Resumption(old, SPEC, choice);
    }

    private static Resource created() {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: ci-new, namespace: default, uid: new}
                """));
    }

    private static Choice from(String task) {
        return new Choice(Optional.of(task), Optional.empty());
    }

    private static Choice only(String task) {
        return new Choice(Optional.empty(), Optional.of(task));
    }

    @Test
    void whatSucceededIsTakenOverAlsoOfAMatrix() {
        assertThat(resumption(Choice.WHAT_FAILED).reused(created()))
                .extracting(Resource::name)
                .containsExactly("ci-new-clone", "ci-new-test-0", "ci-new-test-2", "ci-new-docs");
    }

    @Test
    void whatIsTakenOverBelongsToTheNewRunAndIsDone() {
        assertThat(resumption(Choice.WHAT_FAILED).reused(created()).getFirst().json())
                .isEqualTo(YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata:
                  name: ci-new-clone
                  namespace: default
                  labels:
                    tekton.dev/pipelineTask: clone
                    tekton.dev/pipelineRun: ci-new
                    tekton.dev/pipelineRunUID: new
                    other: kept
                  annotations: {towtank.dev/reused-from: ci-abcde}
                  ownerReferences:
                    - apiVersion: tekton.dev/v1
                      kind: PipelineRun
                      name: ci-new
                      uid: new
                      controller: true
                      blockOwnerDeletion: true
                spec:
                  taskRef: {name: x}
                  params: [{name: os, value: ci-abcde-clone}]
                  managedBy: towtank.dev/resume
                status:
                  conditions: [{type: Succeeded, status: "True", reason: R}]
                  results: [{name: rev, value: abc}]
                """));
    }

    @Test
    void theNewRunWaitsForThem() {
        assertThat(resumption(Choice.WHAT_FAILED).run()).isEqualTo(YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata:
                  generateName: ci-
                  namespace: default
                  annotations: {towtank.dev/resumes: ci-abcde}
                spec:
                  pipelineRef: {name: ci}
                  params: [{name: p, value: v}]
                  taskRunSpecs: [{pipelineTaskName: deploy}, {pipelineTaskName: docs}]
                  status: PipelineRunPending
                """));
    }

    @Test
    void aClaimOfTheOldRunIsUsedAgain() {
        var old = run("False");
        old = old.with(old.json()
                .with(
                        List.of("spec", "workspaces"),
                        YamlText.parse("[{name: w, subPath: x, volumeClaimTemplate: {metadata: {name: t}}}]")));
        var record = new RunRecord("ci-abcde", Json.Obj.EMPTY, old, children, List.of(), List.of());

        assertThat(new Resumption(record, SPEC, Choice.WHAT_FAILED).run().at("spec", "workspaces"))
                .isEqualTo(YamlText.parse("[{name: w, subPath: x, persistentVolumeClaim: {claimName: "
                        + ChildNames.claim("t", "w", "old") + "}}]"));
    }

    @Test
    void fromATaskEverythingBehindItRunsAgain() {
        assertThat(resumption(from("test")).reused(created()))
                .extracting(Resource::name)
                .containsExactly("ci-new-clone", "ci-new-docs");
        assertThat(resumption(from("clone")).reused(created())).isEmpty();
    }

    @Test
    void whatBuildsOnAFailedTaskRunsAgainThoughItSucceeded() {
        children.set(0, child("ci-abcde-clone", "clone", "False"));

        assertThat(resumption(Choice.WHAT_FAILED).reused(created())).isEmpty();
    }

    @Test
    void aTaskAloneLosesTheRestOfThePipeline() {
        var run = resumption(only("docs")).run();

        assertThat(run.object("spec", "pipelineSpec")).isEqualTo(YamlText.parse("""
                tasks:
                  - {name: clone, taskRef: {name: clone}}
                  - {name: docs, runAfter: [clone], taskRef: {name: docs}}
                results:
                  - {name: rev, value: $(tasks.clone.results.rev)}
                """));
        assertThat(run.object("spec").has("pipelineRef")).isFalse();
        assertThat(run.at("spec", "taskRunSpecs")).isEqualTo(YamlText.parse("[{pipelineTaskName: docs}]"));
        assertThat(resumption(only("docs")).reused(created()))
                .extracting(Resource::name)
                .containsExactly("ci-new-clone");
    }

    @Test
    void aTaskAloneNeedsWhatItIsMadeOf() {
        assertThatThrownBy(() -> resumption(only("deploy")).run())
                .isInstanceOf(BadInput.class)
                .hasMessage("--only deploy: it needs what task test makes, which has not succeeded in ci-abcde. Use"
                        + " --from test.");
    }

    @Test
    void aTaskThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> resumption(from("nope")))
                .hasMessage("ci-abcde has no task nope. There are: clone, test, docs, optional, deploy.");
        assertThatThrownBy(() -> resumption(from("notify")))
                .hasMessage("notify is a finally task, which runs after all others: choose one of those.");
    }

    @Test
    void whereNothingFailedThereIsNothingToResume() {
        children.set(2, child("ci-abcde-test-1", "test", "True"));
        var old = new RunRecord("ci-abcde", Json.Obj.EMPTY, run("True"), children, List.of(), List.of());

        assertThatThrownBy(() -> new Resumption(old, SPEC, Choice.WHAT_FAILED))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith("Nothing of ci-abcde failed. To run a task and all that depend on it again, use"
                        + " --from TASK.");
    }

    @Test
    void whereItRanFirstIsRememberedOverSeveralRuns() {
        var first = children.getFirst();
        children.set(
                0,
                first.with(first.json()
                        .with(
                                List.of("metadata", "annotations"),
                                Json.Obj.of("towtank.dev/reused-from", Json.of("ci-first")))));

        assertThat(resumption(Choice.WHAT_FAILED).reused(created()).getFirst().annotations())
                .containsEntry("towtank.dev/reused-from", "ci-first");
    }

    @Test
    void aTaskRunHasNoTasksToChooseFrom() {
        var run = run("False");
        var taskRun = run.with(run.json().with("kind", Json.of("TaskRun")));
        var old = new RunRecord("one", Json.Obj.EMPTY, taskRun, List.of(), List.of(), List.of());

        assertThatThrownBy(() -> new Resumption(old, SPEC, Choice.WHAT_FAILED))
                .hasMessage("one is a TaskRun, which has no tasks to choose from: run it again with --replay one");
    }
}
