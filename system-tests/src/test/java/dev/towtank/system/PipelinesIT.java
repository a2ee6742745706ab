package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Tekton's tasks and pipelines, with real steps.
class PipelinesIT {

    private static final String SUCCEEDED = "{.status.conditions[0].status}";

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    private Kubectl kubectl;

    @BeforeEach
    void namespace() {
        kubectl = SERVER.inNewNamespace();
    }

    private void create(String yaml) {
        kubectl.withInput(yaml, "create", "-f", "-");
    }

    private String field(String object, String path) {
        return kubectl.run("get", object, "-o", "jsonpath=" + path);
    }

    @Test
    void runsTheStepsOfATaskOneAfterAnother() {
        create("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: count}
                spec:
                  params: [{name: who, value: "you; touch /tmp/oops"}]
                  taskSpec:
                    params: [{name: who}]
                    results: [{name: words}]
                    steps:
                    - name: write
                      image: alpine
                      script: |
                        #!/bin/sh
                        echo "hello $(params.who)"
                        printf two > $(results.words.path)
                    - name: read
                      image: debian
                      command: [cat]
                      args: [$(results.words.path)]
                """);
        kubectl.await("taskrun/count", SUCCEEDED, "True");

        assertThat(field("taskrun/count", "{.status.results[0].value}")).isEqualTo("two");
        assertThat(field("taskrun/count", "{.status.conditions[0].message}"))
                .isEqualTo("All Steps have completed executing");
        assertThat(kubectl.run("logs", "count-pod", "-c", "step-write")).isEqualTo("hello you; touch /tmp/oops\n");
        assertThat(kubectl.run("logs", "count-pod", "-c", "step-read")).isEqualTo("two");
    }

    @Test
    void tellsWhichStepFailed() {
        create("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: broken}
                spec:
                  taskSpec:
                    steps:
                    - {name: breaks, image: busybox, script: "exit 3"}
                    - {name: never, image: busybox, script: "echo never"}
                """);
        kubectl.await("taskrun/broken", SUCCEEDED, "False");

        assertThat(field("taskrun/broken", "{.status.conditions[0].reason}")).isEqualTo("StepFailed");
        assertThat(field("taskrun/broken", "{.status.conditions[0].message}"))
                .startsWith("\"step-breaks\" exited with code 3");
        assertThat(field("taskrun/broken", "{.status.steps[?(@.name=='breaks')].terminated.exitCode}"))
                .isEqualTo("3");
        assertThat(kubectl.attempt("logs", "broken-pod", "-c", "step-never").out())
                .doesNotContain("never\n");
    }

    @Test
    void passesResultsThroughAPipelineAndEndsWithFinally() {
        create("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: line}
                spec:
                  pipelineSpec:
                    tasks:
                    - name: make
                      taskSpec:
                        results: [{name: part}]
                        steps: [{name: s, image: busybox, script: "printf bolt > $(results.part.path)"}]
                    - name: use
                      params: [{name: part, value: $(tasks.make.results.part)}]
                      taskSpec:
                        params: [{name: part}]
                        results: [{name: said}]
                        steps: [{name: s, image: busybox, script: "printf 'used $(params.part)' > $(results.said.path)"}]
                    - name: skipped
                      when: [{input: $(tasks.make.results.part), operator: in, values: [nut]}]
                      taskSpec:
                        steps: [{name: s, image: busybox, script: "exit 1"}]
                    - name: each
                      matrix: {params: [{name: number, value: ["1", "2", "3"]}]}
                      taskSpec:
                        params: [{name: number}]
                        steps: [{name: s, image: busybox, script: "echo $(params.number)"}]
                    finally:
                    - name: tidy
                      params: [{name: how, value: $(tasks.use.status)}]
                      taskSpec:
                        params: [{name: how}]
                        steps: [{name: s, image: busybox, script: "test $(params.how) = Succeeded"}]
                    results: [{name: said, value: $(tasks.use.results.said)}]
                """);
        kubectl.await("pipelinerun/line", SUCCEEDED, "True");

        assertThat(field("pipelinerun/line", "{.status.conditions[0].message}"))
                .isEqualTo("Tasks Completed: 4 (Failed: 0, Cancelled 0), Skipped: 1");
        assertThat(field("pipelinerun/line", "{.status.results[0].value}")).isEqualTo("used bolt");
        assertThat(field("pipelinerun/line", "{.status.skippedTasks[0].name}")).isEqualTo("skipped");
        assertThat(field("pipelinerun/line", "{.status.childReferences[*].pipelineTaskName}"))
                .contains("make", "use", "each", "tidy");
    }

    @Test
    void stopsWhatIsCancelled() {
        create("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: long}
                spec:
                  pipelineSpec:
                    tasks:
                    - name: wait
                      taskSpec:
                        steps: [{name: s, image: busybox, script: "sleep 600"}]
                """);
        var ofRun = "-l=tekton.dev/pipelineRun=long";
        kubectl.await("taskruns", ofRun, "{.status.conditions[0].reason}", "Running");
        kubectl.run("patch", "pipelinerun", "long", "--type=merge", "-p", "{\"spec\":{\"status\":\"Cancelled\"}}");
        kubectl.await("pipelinerun/long", "{.status.conditions[0].reason}", "Cancelled");
        kubectl.await("taskruns", ofRun, "{.status.conditions[0].reason}", "TaskRunCancelled");
        assertThat(kubectl.run("get", "taskruns", "-o", "jsonpath={.items[*].status.conditions[0].reason}"))
                .isEqualTo("TaskRunCancelled");
    }

    @Test
    void refusesWhatTektonRefuses() {
        var outcome = kubectl.attempt(
                "---\n{apiVersion: tekton.dev/v1, kind: Task, metadata: {name: none}, spec: {steps: []}}",
                Map.of(),
                "create",
                "-f",
                "-");
        assertThat(outcome.err())
                .contains("admission webhook \"validation.webhook.pipeline.tekton.dev\" denied the request: validation"
                        + " failed: missing field(s): spec.steps");
    }

    @Test
    void aStepGoesOnWhenTheServerIsKilled() {
        create("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: survivor}
                spec:
                  taskSpec:
                    steps:
                    - {name: first, image: busybox, script: "echo begun; while ! test -e /workspace/go; do sleep 0.1; done; echo over"}
                    - {name: second, image: busybox, script: "echo second"}
                """);
        kubectl.await("taskrun/survivor", "{.status.conditions[0].reason}", "Running");
        kubectl.await("pod/survivor-pod", "{.status.phase}", "Running");
        SERVER.replace(RunningTowtank::killAndStart);
        // A server that has just started finds the pod again in its own time; and the step may end before it is told
        // that it was let go.
        kubectl.until(List.of("here"), "exec", "survivor-pod", "-c", "step-first", "--", "echo", "here");
        kubectl.attempt("exec", "survivor-pod", "-c", "step-first", "--", "touch", "/workspace/go");
        kubectl.await("taskrun/survivor", SUCCEEDED, "True");

        assertThat(kubectl.run("logs", "survivor-pod", "-c", "step-first")).isEqualTo("begun\nover\n");
        assertThat(kubectl.run("logs", "survivor-pod", "-c", "step-second")).isEqualTo("second\n");
    }
}
