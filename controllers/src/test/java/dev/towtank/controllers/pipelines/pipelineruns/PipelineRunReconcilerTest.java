package dev.towtank.controllers.pipelines.pipelineruns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineRunReconcilerTest {

    private static final String STEP = "{results: [{name: r}], steps: [{image: bash, command: [echo]}]}";

    private final PipelineRunWorld world = new PipelineRunWorld();

    /// @param spec `TASK` stands for a task with a result r
    private void started(String spec) {
        world.given(
                PipelineKinds.PIPELINE_RUN,
                "metadata: {name: p}\nspec:\n" + spec.indent(2).replace("TASK", STEP));
        world.settle("p");
    }

    private static final String CHAIN = """
            pipelineSpec:
              tasks:
              - {name: a, taskSpec: TASK}
              - {name: b, taskSpec: TASK, params: [{name: x, value: "$(tasks.a.results.r)"}]}
              - {name: c, taskSpec: TASK, runAfter: [b]}
              finally:
              - {name: f, taskSpec: TASK, params: [{name: s, value: "$(tasks.b.status) $(tasks.status)"}]}
            """;

    @Test
    void runsAChainOneAfterAnotherAndThenFinally() {
        started(CHAIN);
        assertThat(world.taskRuns()).containsExactly("p-a");
        assertThat(world.outcome("p"))
                .isEqualTo("Unknown/Running: Tasks Completed: 0 (Failed: 0, Cancelled 0), Incomplete: 4, Skipped: 0");

        world.succeed("p-a", "r=hello");
        assertThat(world.taskRun("p-b").spec().objects("params").getFirst().string("value"))
                .isEqualTo("hello");
        assertThat(world.taskRuns()).containsExactly("p-a", "p-b");
        world.succeed("p-b");
        world.succeed("p-c");
        assertThat(world.taskRun("p-f").spec().objects("params").getFirst().string("value"))
                .isEqualTo("Succeeded Succeeded");
        assertThat(world.run("p").status().has("finallyStartTime")).isTrue();
        world.succeed("p-f");

        assertThat(world.outcome("p"))
                .isEqualTo("True/Succeeded: Tasks Completed: 4 (Failed: 0, Cancelled 0), Skipped: 0");
        assertThat(world.run("p").status().objects("childReferences"))
                .extracting(child -> child.string("name"))
                .containsExactly("p-a", "p-b", "p-c", "p-f");
        assertThat(world.run("p").status().has("completionTime")).isTrue();
        assertThat(world.events()).contains("Normal Started", "Normal Running", "Normal Succeeded");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            when: [{input: a, operator: in, values: [b]}]        | true
            params: [{name: x, value: $(tasks.a.results.r)}]     | false
            """)
    void notesWhenFinallyWasReachedThoughAllOfItIsSkipped(String skipped, boolean reached) {
        started("""
                pipelineSpec:
                  tasks:
                  - {name: a, onError: continue, taskSpec: {results: [{name: r}], steps: [{image: bash}]}}
                  finally:
                  - {name: f, taskSpec: TASK, %s}
                """.formatted(skipped));
        assertThat(world.run("p").status().has("finallyStartTime")).isFalse();

        world.fail("p-a");

        assertThat(world.taskRuns()).containsExactly("p-a");
        assertThat(world.run("p").status().has("completionTime")).isTrue();
        assertThat(world.run("p").status().has("finallyStartTime")).isEqualTo(reached);
    }

    @Test
    void failsARunWhoseEmbeddedTasksItsParamsMakeTooLong() {
        var steps = "- {image: bash, script: '%s'}\n".formatted("$(params.p)".repeat(10));
        var task = "- name: task%d\n  taskSpec:\n    steps:\n" + steps.repeat(5).indent(4);
        var tasks = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            tasks.append(task.formatted(i));
        }
        started("""
                params: [{name: p, value: "%s"}]
                pipelineSpec:
                  params: [{name: p}]
                  tasks:
                %s""".formatted("x".repeat(40_000), tasks.toString().indent(2)));

        assertThat(world.outcome("p"))
                .startsWith(
                        "False/PipelineValidationFailed: Failed to apply parameters to PipelineRun ns/p: [User error]"
                                + " with the values of its variables it would be longer than 3145728 characters");
        assertThat(world.taskRuns()).isEmpty();
    }

    @Test
    void childrenHaveTheLabelsThatClientsLookFor() {
        started(CHAIN);
        var child = world.taskRun("p-a");

        assertThat(child.labels())
                .containsEntry("tekton.dev/pipelineRun", "p")
                .containsEntry("tekton.dev/pipeline", "p")
                .containsEntry("tekton.dev/pipelineTask", "a")
                .containsEntry("tekton.dev/memberOf", "tasks")
                .containsEntry("tekton.dev/pipelineRunUID", world.run("p").uid());
        assertThat(child.controller().map(owner -> owner.uid()))
                .contains(world.run("p").uid());
    }

    @Test
    void aFailureStopsWhatHasNotStartedAndRunsFinally() {
        started(CHAIN);
        world.fail("p-a");
        assertThat(world.taskRuns()).containsExactly("p-a", "p-f");
        assertThat(world.skipped("p"))
                .isEqualTo(Map.of("b", "PipelineRun was stopping", "c", "PipelineRun was stopping"));
        world.succeed("p-f");

        assertThat(world.outcome("p"))
                .isEqualTo("False/Failed: Tasks Completed: 2 (Failed: 1, Cancelled 0), Skipped: 2");
    }

    @Test
    void aResultThatIsNotEmittedFailsTheRun() {
        started(CHAIN);
        world.succeed("p-a");
        world.succeed("p-f");

        assertThat(world.outcome("p"))
                .isEqualTo("False/PipelineValidationFailed: Tasks Completed: 2 (Failed: 0, Cancelled 0), Skipped: 1,"
                        + " Failed Validation: 1 (task \"a\" completed successfully but did not emit the result \"r\","
                        + " which is referenced by task \"b\")");
        assertThat(world.events()).contains("Warning ResultValidationFailed");
    }

    @Test
    void aWhenThatIsFalseSkipsItsTaskAndThoseThatNeedItsResult() {
        started("""
                params: [{name: go, value: "no"}]
                pipelineSpec:
                  params: [{name: go}]
                  tasks:
                  - {name: a, taskSpec: TASK, when: [{input: $(params.go), operator: in, values: ["yes"]}]}
                  - {name: b, taskSpec: TASK, params: [{name: x, value: "$(tasks.a.results.r)"}]}
                  - {name: c, taskSpec: TASK, runAfter: [a]}
                  - {name: d, taskSpec: TASK, runAfter: [b]}
                """);
        assertThat(world.taskRuns()).containsExactly("p-c");
        world.succeed("p-c");

        assertThat(world.outcome("p"))
                .isEqualTo("True/Completed: Tasks Completed: 1 (Failed: 0, Cancelled 0), Skipped: 3");
        assertThat(world.skipped("p"))
                .isEqualTo(Map.of(
                        "a", "When Expressions evaluated to false",
                        "b", "Results were missing",
                        "d", "Parent Tasks were skipped"));
        assertThat(world.run("p")
                        .status()
                        .objects("skippedTasks")
                        .getFirst()
                        .objects("whenExpressions")
                        .getFirst()
                        .string("input"))
                .isEqualTo("no");
    }

    @Test
    void anIgnoredFailureLetsTheRunSucceed() {
        started("""
                pipelineSpec:
                  tasks:
                  - {name: a, taskSpec: TASK, onError: continue}
                  - {name: b, taskSpec: TASK, runAfter: [a]}
                """);
        assertThat(world.taskRun("p-a").annotations())
                .containsEntry("pipeline.tekton.dev/pipeline-task-on-error", "continue");
        world.end("p-a", "False", "FailureIgnored");
        world.succeed("p-b");

        assertThat(world.outcome("p"))
                .isEqualTo("True/Succeeded: Tasks Completed: 2 (Failed: 1 (Ignored: 1), Cancelled 0), Skipped: 0");
    }

    @Test
    void aMatrixFansOutAndItsResultsComeTogether() {
        started("""
                pipelineSpec:
                  tasks:
                  - name: m
                    taskSpec: TASK
                    matrix: {params: [{name: os, value: [linux, mac]}, {name: v, value: ["1", "2"]}]}
                  - {name: after, taskSpec: TASK, params: [{name: all, value: "$(tasks.m.results.r[*])"}, {name: len, value: "$(tasks.m.matrix.length)"}]}
                """);
        assertThat(world.taskRuns()).containsExactly("p-m-0", "p-m-1", "p-m-2", "p-m-3");
        assertThat(world.taskRun("p-m-1").spec().array("params").toString())
                .isEqualTo("[{\"name\":\"os\",\"value\":\"mac\"},{\"name\":\"v\",\"value\":\"1\"}]");
        for (int i = 0; i < 4; i++) {
            world.succeed("p-m-" + i, "r=x" + i);
        }

        assertThat(world.taskRun("p-after").spec().array("params").toString())
                .isEqualTo(
                        "[{\"name\":\"all\",\"value\":[\"x0\",\"x1\",\"x2\",\"x3\"]},{\"name\":\"len\",\"value\":\"4\"}]");
    }

    @Test
    void combinationsThatACrashLeftOutAreMadeUp() {
        started("""
                pipelineSpec:
                  tasks: [{name: m, taskSpec: TASK, matrix: {params: [{name: os, value: [linux, mac]}]}}]
                """);
        world.cluster.delete(
                PipelineKinds.TASK_RUN,
                ObjectName.of("ns", "p-m-1"),
                dev.towtank.cluster.Cluster.DeleteOptions.DEFAULT);
        world.settle("p");

        assertThat(world.taskRuns()).containsExactly("p-m-0", "p-m-1");
    }

    @Test
    void cancellingCancelsTheChildrenAndEndsTheRun() {
        started(CHAIN);
        world.patch("p", "status", "Cancelled");

        assertThat(world.outcome("p")).isEqualTo("False/Cancelled: PipelineRun \"p\" was cancelled");
        assertThat(world.taskRun("p-a").spec().string("status")).isEqualTo("TaskRunCancelled");
        assertThat(world.taskRun("p-a").spec().string("statusMessage"))
                .isEqualTo("TaskRun cancelled as the PipelineRun it belongs to has been cancelled.");
        assertThat(world.taskRuns()).containsExactly("p-a");
    }

    @Test
    void cancellingGracefullyRunsFinally() {
        started(CHAIN);
        world.patch("p", "status", "CancelledRunFinally");
        assertThat(world.outcome("p")).startsWith("Unknown/CancelledRunningFinally: ");
        world.end("p-a", "False", "TaskRunCancelled");
        assertThat(world.taskRuns()).containsExactly("p-a", "p-f");
        assertThat(world.skipped("p")).containsEntry("b", "PipelineRun was stopping");
        world.succeed("p-f");

        assertThat(world.outcome("p")).isEqualTo("False/Cancelled: PipelineRun \"p\" was cancelled");
    }

    @Test
    void stoppingGracefullyLetsWhatRunsFinish() {
        started(CHAIN);
        world.patch("p", "status", "StoppedRunFinally");
        assertThat(world.taskRun("p-a").spec().has("status")).isFalse();
        assertThat(world.outcome("p")).startsWith("Unknown/StoppedRunningFinally: ");
        world.succeed("p-a", "r=x");
        assertThat(world.taskRuns()).containsExactly("p-a", "p-f");
        assertThat(world.skipped("p")).containsEntry("b", "PipelineRun was gracefully stopped");
        world.succeed("p-f");

        assertThat(world.outcome("p")).isEqualTo("False/Cancelled: PipelineRun \"p\" was cancelled");
    }

    @Test
    void aPendingRunWaitsUntilItIsLetGo() {
        started("status: PipelineRunPending\n" + CHAIN);
        assertThat(world.outcome("p")).isEqualTo("Unknown/PipelineRunPending: PipelineRun \"p\" is pending");
        assertThat(world.taskRuns()).isEmpty();

        world.patch("p", "status", "");
        assertThat(world.taskRuns()).containsExactly("p-a");
    }

    @Test
    void thePipelineTimeoutEndsEverything() {
        started("timeouts: {pipeline: 1m}\n" + CHAIN);
        // The run may have begun up to a second later than is written.
        assertThat(world.look("p").lookAgain()).contains(world.timers.instant().plusSeconds(61));
        world.timers.advance(Duration.ofSeconds(61));
        world.settle("p");

        assertThat(world.outcome("p"))
                .isEqualTo("False/PipelineRunTimeout: PipelineRun \"p\" failed to finish within \"1m0s\"");
        assertThat(world.taskRun("p-a").spec().string("statusMessage"))
                .isEqualTo("TaskRun cancelled as the PipelineRun it belongs to has timed out.");
    }

    @Test
    void theTasksTimeoutStillRunsFinally() {
        started("timeouts: {pipeline: 1h, tasks: 1m}\n" + CHAIN);
        world.timers.advance(Duration.ofSeconds(61));
        world.settle("p");
        assertThat(world.outcome("p")).startsWith("Unknown/PipelineRunTimeoutRunningFinally: ");
        assertThat(world.taskRun("p-a").spec().string("status")).isEqualTo("TaskRunCancelled");
        world.end("p-a", "False", "TaskRunCancelled");
        world.succeed("p-f");

        assertThat(world.outcome("p"))
                .isEqualTo(
                        "False/PipelineRunTimeout: PipelineRun \"p\" failed due to tasks failed to finish within \"1m0s\"");
    }

    @Test
    void aReferencedPipelineGivesItsNameAndLabels() {
        world.given(PipelineKinds.PIPELINE, """
                metadata: {name: build, labels: {team: a}}
                spec:
                  params: [{name: who, default: me}]
                  tasks: [{name: a, taskRef: {name: task}, params: [{name: w, value: "$(params.who) $(context.pipeline.name)"}]}]
                  results: [{name: out, value: "$(tasks.a.results.r)"}]
                """);
        world.given(
                PipelineKinds.TASK,
                "metadata: {name: task, labels: {kind: of}}\nspec: "
                        + STEP.replace("{results", "{params: [{name: w}], results"));
        started("pipelineRef: {name: build}");
        assertThat(world.run("p").labels())
                .containsEntry("tekton.dev/pipeline", "build")
                .containsEntry("team", "a");
        var child = world.taskRun("p-a");
        assertThat(child.spec().object("taskRef").string("name")).isEqualTo("task");
        assertThat(child.labels()).containsEntry("tekton.dev/task", "task").containsEntry("kind", "of");
        assertThat(child.spec().objects("params").getFirst().string("value")).isEqualTo("me build");
        world.succeed("p-a", "r=done");

        assertThat(world.run("p").status().objects("results"))
                .containsExactly(Json.Obj.of("name", Json.of("out"), "value", Json.of("done")));
    }

    /// Dashboards and tkn find a run by its pipeline, whatever became of it.
    @ParameterizedTest
    @CsvSource({
        "PipelineRunPending, Unknown/PipelineRunPending",
        "Cancelled, False/Cancelled",
        "'', False/ParameterMissing"
    })
    void aRunThatNeverStartedTellsItsPipeline(String status, String outcome) {
        world.given(
                PipelineKinds.PIPELINE,
                "metadata: {name: build}\nspec: {params: [{name: who}], tasks: [{name: a, taskSpec: " + STEP + "}]}");
        started("status: '" + status + "'\npipelineRef: {name: build}");

        assertThat(world.outcome("p")).startsWith(outcome);
        assertThat(world.run("p").labels()).containsEntry("tekton.dev/pipeline", "build");
        assertThat(world.run("p").status().has("pipelineSpec")).isEqualTo(status.isEmpty());
    }

    @Test
    void aPipelineThatIsNotThereFailsTheRun() {
        started("pipelineRef: {name: nope}");

        assertThat(world.outcome("p"))
                .isEqualTo(
                        "False/CouldntGetPipeline: Error retrieving pipeline for pipelinerun ns/p: error when getting"
                                + " Pipeline for PipelineRun p: tekton client cannot get pipeline nope from local cluster:"
                                + " pipelines.tekton.dev \"nope\" not found");
    }

    @Test
    void aTaskThatIsNotThereFailsTheRun() {
        started("pipelineSpec: {tasks: [{name: a, taskRef: {name: nope}}]}");

        assertThat(world.outcome("p"))
                .isEqualTo("False/CouldntGetTask: Pipeline ns/p can't be Run; it contains Tasks that don't exist:"
                        + " Couldn't retrieve Task \"nope\": tasks.tekton.dev \"nope\" not found");
    }

    @Test
    void aCycleFailsTheRun() {
        started("""
                pipelineSpec:
                  tasks: [{name: a, taskSpec: TASK, runAfter: [b]}, {name: b, taskSpec: TASK, runAfter: [a]}]
                """);

        assertThat(world.outcome("p"))
                .isEqualTo("False/PipelineInvalidGraph: [User error] PipelineRun ns/p's Pipeline DAG is invalid: cycle"
                        + " detected; task \"a\" depends on \"b\"");
    }

    @Test
    void missingParamsAndWorkspacesFailTheRun() {
        started("pipelineSpec: {params: [{name: x}], tasks: [{name: a, taskSpec: TASK}]}");
        assertThat(world.outcome("p"))
                .isEqualTo(
                        "False/ParameterMissing: [User error] PipelineRun ns/p is missing some parameters required by Pipeline"
                                + " ns/p: pipelineRun missing parameters: [x]");
    }

    @Test
    void aResultThatNoTaskDeclaresFailsTheRun() {
        started("""
                pipelineSpec:
                  tasks:
                  - {name: a, taskSpec: TASK}
                  - {name: b, taskSpec: TASK, params: [{name: x, value: "$(tasks.a.results.typo)"}]}
                """);

        assertThat(world.outcome("p"))
                .isEqualTo("False/InvalidTaskResultReference: invalid result reference in pipeline task"
                        + " \"b\": \"typo\" is not a named result returned by pipeline task \"a\"");
        assertThat(world.taskRuns()).isEmpty();
    }

    @Test
    void workspacesReachTasksWithTheClaimOfTheRun() {
        started("""
                workspaces:
                - {name: data, subPath: a, volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce]}}}
                pipelineSpec:
                  workspaces: [{name: data}]
                  tasks:
                  - {name: a, taskSpec: TASK, workspaces: [{name: src, workspace: data, subPath: b}]}
                  - {name: b, taskSpec: {steps: [{image: bash, script: "ls $(workspaces.data.path)"}]}}
                """);
        var claim = ChildNames.claim("", "data", world.run("p").uid());

        assertThat(world.cluster.get(PersistentVolumeClaims.KIND, ObjectName.of("ns", claim)))
                .isPresent();
        assertThat(world.taskRun("p-a").spec().objects("workspaces"))
                .containsExactly(Json.Obj.builder()
                        .put("name", "src")
                        .put("subPath", "a/b")
                        .put("persistentVolumeClaim", Json.Obj.of("claimName", Json.of(claim)))
                        .build());
        assertThat(world.taskRun("p-b").spec().objects("workspaces").getFirst().string("name"))
                .isEqualTo("data");
    }

    @Test
    void customTasksBecomeCustomRuns() {
        started("""
                pipelineSpec:
                  tasks:
                  - {name: w, taskRef: {apiVersion: example.dev/v1, kind: Wait, name: x}, params: [{name: d, value: 1s}], retries: 2}
                  - {name: b, taskSpec: TASK, params: [{name: x, value: "$(tasks.w.results.out)"}]}
                """);
        var custom = world.cluster
                .list(PipelineKinds.CUSTOM_RUN, Selection.EVERYWHERE)
                .items()
                .getFirst();
        assertThat(custom.spec().object("customRef").string("kind")).isEqualTo("Wait");
        assertThat(custom.spec().integer("retries")).isEqualTo(2);
        world.end(PipelineKinds.CUSTOM_RUN, "p-w", "True", "Succeeded", "out=ok");

        assertThat(world.taskRun("p-b").spec().objects("params").getFirst().string("value"))
                .isEqualTo("ok");
    }

    @Test
    void pipelinesInPipelinesRunAndAreCancelledWithTheirParent() {
        started("""
                pipelineSpec:
                  tasks:
                  - {name: child, pipelineSpec: {tasks: [{name: a, taskSpec: TASK}], results: [{name: o, value: "$(tasks.a.results.r)"}]}}
                  - {name: b, taskSpec: TASK, params: [{name: x, value: "$(tasks.child.results.o)"}]}
                """);
        assertThat(world.run("p-child").controller().map(owner -> owner.name())).contains("p");
        world.patch("p", "status", "Cancelled");

        assertThat(world.run("p-child").spec().string("status")).isEqualTo("Cancelled");
        assertThat(world.outcome("p")).startsWith("False/Cancelled");
    }

    @Test
    void aChildPipelinesResultsReachTheNextTask() {
        started("""
                pipelineSpec:
                  tasks:
                  - {name: child, pipelineSpec: {tasks: [{name: a, taskSpec: TASK}], results: [{name: o, value: "$(tasks.a.results.r)"}]}}
                  - {name: b, taskSpec: TASK, params: [{name: x, value: "$(tasks.child.results.o)"}]}
                """);
        world.settle("p-child");
        world.succeed("p-child-a", "r=deep");
        world.settle("p");

        assertThat(world.taskRun("p-b").spec().objects("params").getFirst().string("value"))
                .isEqualTo("deep");
    }

    @Test
    void whatIsSaidForOneTaskWinsOverWhatIsSaidForAll() {
        started("""
                taskRunTemplate: {serviceAccountName: all, podTemplate: {nodeSelector: {a: b}, schedulerName: s}}
                taskRunSpecs:
                - {pipelineTaskName: a, serviceAccountName: one, podTemplate: {schedulerName: t}, timeout: 5m, metadata: {labels: {own: "1"}}}
                pipelineSpec: {tasks: [{name: a, taskSpec: TASK, timeout: 1m}, {name: b, taskSpec: TASK}]}
                """);
        var one = world.taskRun("p-a");

        assertThat(one.spec().string("serviceAccountName")).isEqualTo("one");
        assertThat(one.spec().object("podTemplate").string("schedulerName")).isEqualTo("t");
        assertThat(one.spec().string("podTemplate", "nodeSelector", "a")).isEqualTo("b");
        assertThat(one.spec().string("timeout")).isEqualTo("5m");
        assertThat(one.labels()).containsEntry("own", "1");
        assertThat(world.taskRun("p-b").spec().string("serviceAccountName")).isEqualTo("all");
    }

    @ParameterizedTest
    @CsvSource({"300, 1, 1", "2600, 3, 1"})
    void theStatusOfALargeRunIsNotWrittenForEveryTask(int size, int early, int more) {
        var tasks = new StringBuilder("pipelineSpec:\n  tasks:\n");
        for (int i = 0; i < size; i++) {
            tasks.append("  - {name: t").append(i).append(", taskSpec: TASK");
            tasks.append(i == 0 ? "}\n" : ", runAfter: [t" + (i - 1) + "]}\n");
        }
        started(tasks.toString());
        for (int i = 0; i < 20; i++) {
            world.succeed("p-t" + i);
        }

        assertThat(world.taskRuns()).contains("p-t20").hasSize(21);
        // Within a moment the large status is not written again; children are created all the same.
        world.timers.advance(Duration.ofSeconds(early));
        world.settle("p");
        assertThat(world.run("p").status().objects("childReferences")).hasSizeLessThan(21);
        world.timers.advance(Duration.ofSeconds(more));
        world.settle("p");
        assertThat(world.run("p").status().objects("childReferences")).hasSize(21);
    }
}
