package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command that tries Tekton's examples, on some of our own.
class ConformanceIT {

    @TempDir
    Path examples;

    private void example(String name, String yaml) throws IOException {
        var file = examples.resolve(name + ".yaml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, yaml);
    }

    private Program.Outcome tried(String... more) {
        var command = new String[more.length + 2];
        command[0] = "conformance";
        command[1] = examples.toString();
        System.arraycopy(more, 0, command, 2, more.length);
        return Program.towtank(command);
    }

    private static String taskRun(String script) {
        return """
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {generateName: own-}
                spec:
                  taskSpec:
                    steps:
                    - {name: s, image: busybox, script: "%s"}
                """.formatted(script);
    }

    /// Needs the nodes and the sidecar of Tekton's own builds.
    private static final String RESULT = """
            apiVersion: tekton.dev/v1
            kind: TaskRun
            metadata: {generateName: own-}
            spec:
              podTemplate: {nodeSelector: {node-type: worker-2}}
              taskSpec:
                results: [{name: long}]
                steps:
                - {name: s, image: busybox, script: "head -c 4000 /dev/zero | tr '\\\\0' x > $(results.long.path)"}
            """;

    /// Needs the flags that are set for what is new.
    private static final String EXPRESSION = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {generateName: own-}
            spec:
              pipelineSpec:
                tasks:
                - name: a
                  when: [{cel: "'x' == 'x'"}]
                  taskSpec:
                    results: [{name: r}]
                    steps: [{name: s, image: busybox, script: "printf told > $(results.r.path)"}]
                - name: b
                  params: [{name: r, value: $(tasks.a.results.r)}]
                  taskSpec:
                    params: [{name: r}]
                    steps: [{name: s, image: busybox, script: "test $(params.r) = told"}]
            """;

    @Test
    void tellsWhatPassesWhatFailsAndWhatCannotBeTried() throws IOException {
        example("taskruns/passes", taskRun("true"));
        example("taskruns/beta/result", RESULT);
        example("pipelineruns/alpha/expression", EXPRESSION);
        example("taskruns/fails", taskRun("exit 3"));
        example("taskruns/lacks", taskRun("no-such-program"));
        example("taskruns/unknown", "apiVersion: example.com/v1\nkind: Rocket\nmetadata: {name: r}\n");
        example(
                "taskruns/refused",
                "apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {generateName: x-}\nspec: {}\n");

        var outcome = tried();

        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.out())
                .containsPattern("(?m)^passed +\\d+\\.\\d s  taskruns/passes\\.yaml$")
                .containsPattern("(?m)^passed +\\d+\\.\\d s  taskruns/beta/result\\.yaml$")
                .containsPattern("(?m)^passed +\\d+\\.\\d s  pipelineruns/alpha/expression\\.yaml$")
                .containsPattern("(?m)^failed +\\d+\\.\\d s  taskruns/fails\\.yaml$")
                .contains("""

                        Failed:
                          taskruns/fails.yaml
                              StepFailed: "step-s" exited with code 3: Error
                          taskruns/refused.yaml
                              admission webhook "validation.webhook.pipeline.tekton.dev" denied the request:\
                         validation failed: expected exactly one, got neither: spec.taskRef, spec.taskSpec

                        Skipped, because this machine does not have what they need:
                          taskruns/lacks.yaml
                              needs a program that is not here: no-such-program, in the container step-s
                          taskruns/unknown.yaml
                              needs the kind Rocket of example.com/v1, which is not served

                        """)
                .containsPattern("\n3 of 7 passed, 2 failed, 2 skipped, in \\d+\\.\\d s\\.\n$");
    }

    @Test
    void isContentWhenNothingFails() throws IOException {
        example("taskruns/passes", taskRun("true"));

        var outcome = tried("--output", "json", "--parallel", "1");

        assertThat(outcome.exit()).as(outcome.out() + outcome.err()).isZero();
        var report = JsonText.parseObject(outcome.out());
        assertThat(report.integer("passed")).isEqualTo(1);
        assertThat(report.objects("examples"))
                .extracting(example ->
                        example.string("name") + " " + example.string("stage") + " " + example.string("verdict"))
                .containsExactly("taskruns/passes.yaml stable passed");
    }

    @Test
    void saysThatThereIsNothingToTry() {
        var outcome = tried();

        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.err()).contains("There are no YAML files below " + examples);
    }
}
