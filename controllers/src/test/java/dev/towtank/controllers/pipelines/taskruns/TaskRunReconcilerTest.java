package dev.towtank.controllers.pipelines.taskruns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskRunReconcilerTest {

    private static final String SIMPLE = """
            metadata: {name: t}
            spec:
              taskSpec:
                results: [{name: digest}]
                steps:
                - {name: one, image: bash, script: "echo hi"}
                - {name: two, image: bash, command: [echo], args: [a, b]}
            """;

    private final TaskRunWorld world = new TaskRunWorld();

    private void started(String yaml) {
        world.given(PipelineKinds.TASK_RUN, yaml);
        world.settle("t");
    }

    @Test
    void failsARunThatItsParamsMakeTooLong() {
        var steps = "- {image: bash, command: [echo], args: ['%s']}\n".formatted("$(params.p)".repeat(10));
        started("""
                metadata: {name: t}
                spec:
                  params: [{name: p, value: "%s"}]
                  taskSpec:
                    params: [{name: p}]
                    steps:
                %s""".formatted("x".repeat(40_000), steps.repeat(20).indent(4)));

        assertThat(world.outcome("t"))
                .isEqualTo("False/TaskRunValidationFailed: [User error] with the values of its variables it would be"
                        + " longer than 3145728 characters: pass long values in a workspace, or name them less often");
        assertThat(world.run("t").json().object("status").has("completionTime")).isTrue();
    }

    @Test
    void failsARunWhoseDefaultsDoubleEachOther() {
        var params = new StringBuilder("- {name: p0, default: abcdefgh}\n");
        for (int i = 1; i < 40; i++) {
            params.append("- {name: p%d, default: '$(params.p%d)$(params.p%d)'}\n".formatted(i, i - 1, i - 1));
        }
        started("""
                metadata: {name: t}
                spec:
                  taskSpec:
                    steps: [{image: bash, script: 'echo $(params.p39)'}]
                    params:
                %s""".formatted(params.toString().indent(4)));

        assertThat(world.outcome("t")).startsWith("False/TaskRunValidationFailed: [User error] with the values");
    }

    @Test
    void makesAPodOfTheShapeThatTektonGivesIt() {
        started(SIMPLE);
        var pod = world.pod("t-pod");

        assertThat(pod.controller().map(owner -> owner.name())).contains("t");
        assertThat(pod.labels()).containsEntry("tekton.dev/taskRun", "t");
        assertThat(pod.spec().string("restartPolicy")).isEqualTo("Never");
        assertThat(pod.spec().objects("initContainers"))
                .extracting(container -> container.string("name"))
                .containsExactly("prepare", "place-scripts");
        var steps = pod.spec().objects("containers");
        assertThat(steps).extracting(step -> step.string("name")).containsExactly("step-one", "step-two");
        assertThat(steps.get(1).array("command").strings()).containsExactly("/tekton/bin/entrypoint");
        assertThat(steps.get(1).array("args").strings())
                .containsExactly(
                        "-wait_file",
                        "/tekton/run/0/out",
                        "-post_file",
                        "/tekton/run/1/out",
                        "-termination_path",
                        "/tekton/termination",
                        "-step_metadata_dir",
                        "/tekton/run/1/status",
                        "-results",
                        "digest",
                        "-entrypoint",
                        "echo",
                        "--",
                        "a",
                        "b");
        assertThat(steps.get(0).array("args").strings()).doesNotContain("-wait_file");
        assertThat(pod.annotations()).containsEntry("tekton.dev/ready", "READY");
        assertThat(steps.get(0).objects("volumeMounts"))
                .anyMatch(mount -> mount.string("mountPath").equals("/tekton/downward"));
        assertThat(steps.get(1).objects("volumeMounts"))
                .noneMatch(mount -> mount.string("mountPath").equals("/tekton/downward"));
        // Neither workspaces nor results: nobody knows how large these become.
        assertThat(pod.annotations())
                .containsEntry(
                        "node.towtank.dev/small-volumes",
                        "tekton-internal-bin,tekton-internal-steps,tekton-internal-run-*");
        assertThat(world.run("t").status().object("taskSpec").objects("steps")).hasSize(2);
    }

    @Test
    void namesThePodWhenItIsThereAndNeverBefore() {
        started(SIMPLE);
        assertThat(world.run("t").status().get("podName")).isEqualTo(Json.of(""));
        assertThat(world.look("t").lookAgain()).contains(world.timers.instant().plusSeconds(1));

        world.timers.advance(Duration.ofSeconds(1));
        world.settle("t");

        assertThat(world.run("t").status().string("podName")).isEqualTo("t-pod");
        assertThat(world.outcome("t")).startsWith("Unknown/Pending");
    }

    @Test
    void oneWriteForThePodAndOneForTheStatusWhenNothingIsToBeLabelled() {
        world.given(
                PipelineKinds.TASK_RUN,
                SIMPLE.replace("{name: t}", "{name: t, annotations: {pipeline.tekton.dev/release: 3ee1745}}"));

        assertThat(world.look("t").changes())
                .extracting(change -> change.getClass().getSimpleName())
                .containsExactly("SetStatus", "TryCreate", "Event", "Event");
    }

    @Test
    void followsThePodToItsEnd() {
        started(SIMPLE);
        world.podStatus("t-pod", """
                phase: Running
                containerStatuses:
                - {name: step-one, state: {running: {startedAt: "2026-01-01T00:00:01Z"}}}
                - {name: step-two, state: {running: {startedAt: "2026-01-01T00:00:01Z"}}}
                """);
        world.settle("t");
        assertThat(world.outcome("t")).isEqualTo("Unknown/Running: Not all Steps in the Task have finished executing");

        world.podStatus("t-pod", """
                phase: Succeeded
                containerStatuses:
                - name: step-one
                  imageID: bash@sha256:1
                  state:
                    terminated:
                      exitCode: 0
                      reason: Completed
                      message: '[{"key":"digest","value":"abc\\n","type":1},{"key":"StartedAt","value":"2026-01-01T00:00:02.500Z","type":3}]'
                - name: step-two
                  state:
                    terminated:
                      exitCode: 0
                      reason: Completed
                      message: '[{"key":"ExitCode","value":"7","type":3},{"key":"StartedAt","value":"2026-01-01T00:00:03.000Z","type":3}]'
                """);
        world.settle("t");

        assertThat(world.outcome("t")).isEqualTo("True/Succeeded: All Steps have completed executing");
        var status = world.run("t").status();
        assertThat(status.objects("results"))
                .containsExactly(Json.Obj.builder()
                        .put("name", "digest")
                        .put("type", "string")
                        .put("value", "abc\n")
                        .build());
        var one = status.objects("steps").get(0);
        assertThat(one.string("terminated", "startedAt")).isEqualTo("2026-01-01T00:00:02Z");
        assertThat(one.string("terminated", "message"))
                .isEqualTo("[{\"key\":\"digest\",\"value\":\"abc\\n\",\"type\":1}]");
        assertThat(one.string("terminationReason")).isEqualTo("Completed");
        var two = status.objects("steps").get(1);
        assertThat(two.string("terminationReason")).isEqualTo("Continued");
        assertThat(two.integer("terminated", "exitCode")).isEqualTo(7);
        assertThat(status.has("completionTime")).isTrue();
        assertThat(world.events()).contains("Normal Started", "Normal Running", "Normal Succeeded");
    }

    private static final String FAILED = """
            phase: Failed
            containerStatuses:
            - {name: step-one, state: {terminated: {exitCode: 3, reason: Error}}}
            - name: step-two
              state:
                terminated:
                  exitCode: 1
                  reason: Error
                  message: '[{"key":"Reason","value":"Skipped","type":3}]'
            """;

    @Test
    void aFailedStepFailsTheRun() {
        started(SIMPLE);
        world.podStatus("t-pod", FAILED);
        world.settle("t");

        assertThat(world.outcome("t")).isEqualTo("False/StepFailed: \"step-one\" exited with code 3: Error");
        assertThat(world.run("t").status().objects("steps").get(1).string("terminationReason"))
                .isEqualTo("Skipped");
        assertThat(world.events()).contains("Warning Failed");
    }

    @Test
    void aFailureThatThePipelineIgnoresSaysSo() {
        started(SIMPLE.replace(
                "{name: t}", "{name: t, annotations: {pipeline.tekton.dev/pipeline-task-on-error: continue}}"));
        world.podStatus("t-pod", FAILED);
        world.settle("t");

        assertThat(world.outcome("t")).startsWith("False/FailureIgnored: ");
    }

    @Test
    void aRunWithRetriesGetsANewPodForEachAttempt() {
        started(SIMPLE.replace("spec:\n  taskSpec", "spec:\n  retries: 1\n  taskSpec"));
        world.podStatus("t-pod", FAILED);
        world.settle("t");

        assertThat(world.pod("t-pod-retry1").isDeleting()).isFalse();
        var first = world.run("t").status().objects("retriesStatus").getFirst();
        assertThat(first.string("podName")).isEqualTo("t-pod");
        assertThat(first.objects("conditions").getFirst().string("reason")).isEqualTo("StepFailed");

        world.podStatus("t-pod-retry1", FAILED);
        world.settle("t");
        assertThat(world.outcome("t")).startsWith("False/StepFailed");
        assertThat(world.events()).contains("Normal ToBeRetried");
    }

    @Test
    void cancellingDeletesThePodAndMarksItsSteps() {
        started(SIMPLE);
        world.podStatus("t-pod", """
                phase: Running
                containerStatuses:
                - {name: step-one, state: {running: {startedAt: "2026-01-01T00:00:01Z"}}}
                - {name: step-two, state: {waiting: {reason: PodInitializing}}}
                """);
        world.settle("t");
        world.patchRun("t", "status", "TaskRunCancelled");
        world.settle("t");

        assertThat(world.outcome("t")).isEqualTo("False/TaskRunCancelled: TaskRun \"t\" was cancelled. ");
        assertThat(world.cluster.get(Pods.KIND, ObjectName.of("ns", "t-pod"))).isEmpty();
        assertThat(world.run("t").status().objects("steps")).allSatisfy(step -> {
            assertThat(step.integer("terminated", "exitCode")).isEqualTo(1);
            assertThat(step.string("terminationReason")).isEqualTo("TaskRunCancelled");
            assertThat(step.string("terminated", "message"))
                    .isEqualTo("Step %s terminated as pod t-pod is terminated".formatted(step.string("name")));
        });
    }

    @Test
    void aTimeoutEndsTheRun() {
        started(SIMPLE.replace("spec:\n  taskSpec", "spec:\n  timeout: 15s\n  taskSpec"));
        world.timers.advance(Duration.ofSeconds(1));
        world.settle("t");
        assertThat(world.look("t").lookAgain()).contains(world.timers.instant().plusSeconds(15));
        world.timers.advance(Duration.ofSeconds(15));
        world.settle("t");

        assertThat(world.outcome("t")).isEqualTo("False/TaskRunTimeout: TaskRun \"t\" failed to finish within \"15s\"");
        assertThat(world.cluster.get(Pods.KIND, ObjectName.of("ns", "t-pod"))).isEmpty();
    }

    @Test
    void aTimeoutHasPassedWhereverInASecondTheRunBegan() {
        world.timers.advance(Duration.ofMillis(900));
        started(SIMPLE.replace("spec:\n  taskSpec", "spec:\n  timeout: 2s\n  taskSpec"));
        world.timers.advance(Duration.ofMillis(1900));
        world.settle("t");
        assertThat(world.outcome("t")).startsWith("Unknown/");

        world.timers.advance(Duration.ofMillis(200));
        world.settle("t");
        assertThat(world.outcome("t")).startsWith("False/TaskRunTimeout: ");
    }

    @ParameterizedTest
    @CsvSource({"500ms, 2", "1s, 3", "2s, 4", "15s, 22"})
    void aPodMayTakeLongerThanItsRun(String timeout, long seconds) {
        started(SIMPLE.replace("spec:\n  taskSpec", "spec:\n  timeout: " + timeout + "\n  taskSpec"));

        assertThat(world.pod("t-pod").spec().integer("activeDeadlineSeconds")).isEqualTo(seconds);
    }

    @Test
    void aPendingRunWaits() {
        started(SIMPLE.replace("spec:\n  taskSpec", "spec:\n  status: TaskRunPending\n  taskSpec"));

        assertThat(world.outcome("t")).isEqualTo("Unknown/TaskRunPending: TaskRun \"t\" is pending");
        assertThat(world.run("t").status().has("startTime")).isFalse();
        assertThat(world.cluster.get(Pods.KIND, ObjectName.of("ns", "t-pod"))).isEmpty();
    }

    @Test
    void aTaskThatIsNotThereFailsTheRun() {
        started("metadata: {name: t}\nspec: {taskRef: {name: nope}}");

        assertThat(world.outcome("t"))
                .isEqualTo("False/TaskRunResolutionFailed: error when listing tasks for taskRun t:"
                        + " tasks.tekton.dev \"nope\" not found");
    }

    @Test
    void aTaskGivesItsLabelsAndParams() {
        world.given(PipelineKinds.TASK, """
                metadata: {name: build, labels: {team: a}, annotations: {note: hello}}
                spec:
                  params: [{name: who, default: world}, {name: list, type: array}]
                  steps:
                  - {image: bash, command: [echo], args: ["hello $(params.who)", "$(params.list[*])", "$(context.task.name)"]}
                """);
        started("""
                metadata: {name: t}
                spec:
                  taskRef: {name: build}
                  params: [{name: list, value: [x, z]}]
                """);

        assertThat(world.run("t").labels()).containsEntry("team", "a").containsEntry("tekton.dev/task", "build");
        assertThat(world.run("t").annotations()).containsEntry("note", "hello");
        var step = world.pod("t-pod").spec().objects("containers").getFirst();
        assertThat(step.string("name")).isEqualTo("step-unnamed-0");
        assertThat(step.array("args").strings()).endsWith("--", "hello world", "x", "z", "build");
        assertThat(world.pod("t-pod").labels()).containsEntry("team", "a");
    }

    @Test
    void missingParamsFailTheRun() {
        started("""
                metadata: {name: t}
                spec:
                  taskSpec:
                    params: [{name: a}, {name: b}, {name: c, default: x}]
                    steps: [{image: bash, command: [echo]}]
                """);

        assertThat(world.outcome("t"))
                .isEqualTo("False/TaskRunValidationFailed: [User error] invalid input params for task t: missing values"
                        + " for these params which have no default values: [a b]");
    }

    /// Dashboards and tkn find a run by its task, however early it failed.
    @Test
    void aRunThatFailsEarlyTellsItsTask() {
        world.given(PipelineKinds.TASK, """
                metadata: {name: build, labels: {team: a}}
                spec: {params: [{name: who}], steps: [{name: say, image: bash, command: [echo]}]}
                """);
        started("{metadata: {name: t}, spec: {taskRef: {name: build}}}");

        assertThat(world.outcome("t")).startsWith("False/TaskRunValidationFailed: [User error] ");
        assertThat(world.run("t").labels()).containsEntry("team", "a").containsEntry("tekton.dev/task", "build");
        assertThat(world.run("t").status().objects("taskSpec", "steps")).hasSize(1);
    }

    @Test
    void aRunWhoseKeysWillNotDoTellsItsTask() {
        world.given(ConfigMaps.KIND, """
                metadata: {name: feature-flags, namespace: tekton-pipelines}
                data: {require-git-ssh-secret-known-hosts: "true"}
                """);
        world.given(
                Secrets.KIND, "{metadata: {name: git}, type: kubernetes.io/ssh-auth, data: {ssh-privatekey: eA==}}");
        world.given(ServiceAccounts.KIND, "{metadata: {name: default}, secrets: [{name: git}]}");
        world.given(PipelineKinds.TASK, "{metadata: {name: build}, spec: {steps: [{image: bash, command: [echo]}]}}");
        started("{metadata: {name: t}, spec: {taskRef: {name: build}}}");

        assertThat(world.outcome("t"))
                .startsWith("False/TaskRunValidationFailed: ")
                .contains("known_hosts");
        assertThat(world.run("t").labels()).containsEntry("tekton.dev/task", "build");
        assertThat(world.run("t").status().objects("taskSpec", "steps")).hasSize(1);
    }

    @Test
    void workspacesBecomeVolumesAndMounts() {
        started("""
                metadata: {name: t}
                spec:
                  workspaces:
                  - {name: src, subPath: dir, volumeClaimTemplate: {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce]}}}
                  taskSpec:
                    workspaces: [{name: src}]
                    steps: [{image: bash, script: "ls $(workspaces.src.path)"}]
                """);
        var claim = ChildNames.claim("data", "src", world.run("t").uid());

        assertThat(world.cluster.get(PersistentVolumeClaims.KIND, ObjectName.of("ns", claim)))
                .isPresent();
        var volume = ChildNames.hashed("ws", "src", 5);
        assertThat(world.pod("t-pod").spec().objects("volumes")).anySatisfy(each -> {
            assertThat(each.string("name")).isEqualTo(volume);
            assertThat(each.string("persistentVolumeClaim", "claimName")).isEqualTo(claim);
        });
        assertThat(world.pod("t-pod").spec().objects("containers").getFirst().objects("volumeMounts"))
                .contains(Json.Obj.builder()
                        .put("name", volume)
                        .put("mountPath", "/workspace/src")
                        .put("subPath", "dir")
                        .build());
    }

    @Test
    void aWorkspaceThatIsNotBoundFailsTheRun() {
        started("""
                metadata: {name: t}
                spec: {taskSpec: {workspaces: [{name: src}], steps: [{image: bash, command: [ls]}]}}
                """);

        assertThat(world.outcome("t"))
                .isEqualTo("False/TaskRunValidationFailed: [User error] declared workspace \"src\" is required but has"
                        + " not been bound");
        // What dashboards show of a run that came to no pod.
        assertThat(world.run("t").status().get("podName")).isEqualTo(Json.of(""));
        assertThat(world.run("t").status().array("steps"))
                .isEqualTo(YamlText.parse("[{name: unnamed-0, provenance: {}}]"));
    }

    @Test
    void sidecarsAreAwaitedAndStopped() {
        started("""
                metadata: {name: t}
                spec:
                  taskSpec:
                    steps: [{name: one, image: bash, command: [ls]}]
                    sidecars: [{name: db, image: db}]
                """);
        var step = world.pod("t-pod").spec().objects("containers").getFirst();
        assertThat(step.array("args").strings())
                .startsWith("-wait_file", "/tekton/downward/ready", "-wait_file_content");
        assertThat(world.pod("t-pod").annotations()).doesNotContainKey("tekton.dev/ready");

        world.podStatus("t-pod", """
                phase: Running
                containerStatuses:
                - {name: step-one, state: {running: {startedAt: "2026-01-01T00:00:01Z"}}}
                - {name: sidecar-db, ready: true, state: {running: {startedAt: "2026-01-01T00:00:01Z"}}}
                """);
        world.settle("t");
        assertThat(world.pod("t-pod").annotations()).containsEntry("tekton.dev/ready", "READY");

        world.podStatus("t-pod", """
                phase: Running
                containerStatuses:
                - {name: step-one, state: {terminated: {exitCode: 0, reason: Completed}}}
                - {name: sidecar-db, ready: true, state: {running: {startedAt: "2026-01-01T00:00:01Z"}}}
                """);
        world.settle("t");
        assertThat(world.outcome("t")).startsWith("True/Succeeded");
        assertThat(world.pod("t-pod").spec().objects("containers").get(1).string("image"))
                .isEqualTo("tekton-nop");

        world.podStatus("t-pod", """
                phase: Succeeded
                containerStatuses:
                - {name: step-one, state: {terminated: {exitCode: 0, reason: Completed}}}
                - {name: sidecar-db, state: {terminated: {exitCode: 0}}, lastState: {terminated: {exitCode: 143}}}
                """);
        world.settle("t");
        var sidecar = world.run("t").status().objects("sidecars").getFirst();
        assertThat(sidecar.string("terminated", "message"))
                .isEqualTo("Sidecar container successfully stopped by nop image");
    }

    @Test
    void annotatedSecretsBecomeCredentials() {
        world.given(Secrets.KIND, """
                metadata: {name: git, annotations: {tekton.dev/git-0: https://example.com}}
                type: kubernetes.io/basic-auth
                """);
        world.given(ServiceAccounts.KIND, "{metadata: {name: default}, secrets: [{name: git}, {name: gone}]}");
        started(SIMPLE);

        assertThat(world.pod("t-pod")
                        .spec()
                        .objects("containers")
                        .getFirst()
                        .array("args")
                        .strings())
                .contains("-basic-git=git=https://example.com");
        assertThat(world.pod("t-pod").spec().objects("containers").getFirst().objects("volumeMounts"))
                .anySatisfy(mount -> assertThat(mount.string("mountPath")).isEqualTo("/tekton/creds-secrets/git"));
        assertThat(world.events()).contains("Warning FailedToRetrieveSecret");
    }

    @Test
    void resultsOfAnotherTypeFailTheRun() {
        started("""
                metadata: {name: t}
                spec: {taskSpec: {results: [{name: r, type: array}], steps: [{name: one, image: bash, command: [ls]}]}}
                """);
        world.podStatus("t-pod", """
                phase: Succeeded
                containerStatuses:
                - {name: step-one, state: {terminated: {exitCode: 0, message: '[{"key":"r","value":"plain","type":1}]'}}}
                """);
        world.settle("t");

        assertThat(world.outcome("t"))
                .isEqualTo("False/TaskRunValidationFailed: [User error] Provided results don't match declared results;"
                        + " may be invalid JSON or missing result declaration:  \"r\": task result is expected to be"
                        + " \"array\" type but was initialized to a different type \"string\"");
    }

    @Test
    void resultsOfStepsBecomeResultsOfTheTask() {
        started("""
                metadata: {name: t}
                spec:
                  taskSpec:
                    results: [{name: out, value: "$(steps.one.results.inner)"}]
                    steps: [{name: one, image: bash, results: [{name: inner}], command: [sh, "$(step.results.inner.path)"]}]
                """);
        var arguments = world.pod("t-pod")
                .spec()
                .objects("containers")
                .getFirst()
                .array("args")
                .strings();
        assertThat(arguments).contains("-step_results", "inner").endsWith("/tekton/steps/step-one/results/inner");
        world.podStatus("t-pod", """
                phase: Succeeded
                containerStatuses:
                - {name: step-one, state: {terminated: {exitCode: 0, message: '[{"key":"inner","value":"v","type":4}]'}}}
                """);
        world.settle("t");

        assertThat(world.run("t").status().objects("results").getFirst().string("value"))
                .isEqualTo("v");
        assertThat(world.run("t").status().objects("steps").getFirst().objects("results"))
                .hasSize(1);
    }

    @Test
    void anImageThatCannotBePulledEndsTheRun() {
        started(SIMPLE);
        world.podStatus("t-pod", """
                phase: Pending
                containerStatuses:
                - {name: step-one, image: one, state: {waiting: {reason: ImagePullBackOff, message: Back-off pulling image}}}
                """);
        world.settle("t");

        assertThat(world.outcome("t"))
                .isEqualTo(
                        "False/TaskRunImagePullFailed: the step \"one\" in TaskRun \"t\" failed to pull the image \"one\"."
                                + " The pod errored with the message: \"Back-off pulling image.\"");
    }

    @Test
    void aStepActionTakesThePlaceOfItsStep() {
        world.given(PipelineKinds.STEP_ACTION, """
                metadata: {name: act}
                spec:
                  image: bash
                  params: [{name: msg, default: none}]
                  results: [{name: r}]
                  env: [{name: MSG, value: "$(params.msg)"}]
                  script: echo $MSG
                """);
        started("""
                metadata: {name: t}
                spec:
                  params: [{name: p, value: hi}]
                  taskSpec:
                    params: [{name: p}]
                    steps: [{name: one, ref: {name: act}, params: [{name: msg, value: "$(params.p)"}]}]
                """);

        var step = world.pod("t-pod").spec().objects("containers").getFirst();
        assertThat(step.objects("env").getFirst().string("value")).isEqualTo("hi");
        assertThat(step.array("args").strings()).contains("-step_results", "r");
    }
}
