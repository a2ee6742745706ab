package dev.towtank.app.run.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelines.TektonKinds;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnknownFieldsTest {
    private static final String TASK = """
            # A task.
            apiVersion: tekton.dev/v1
            kind: Task
            metadata:
              name: a
              lables: {}
            spec:
              steps:
                - name: say
                  image: busybox
                  Script: "no"
                  script: echo
            """;

    private static List<String> problems(String text, int line, String message) {
        var document = new Document("a.yaml", line, (Json.Obj) YamlText.parse(text));
        var kinds = KnownKinds.with(List.of(document), TektonKinds.DEFINITIONS::objects);
        return UnknownFields.of(document, text, message, kinds);
    }

    @Test
    void everyFieldHasItsPlaceAndWhatMayBeMeant() {
        assertThat(problems(
                        TASK,
                        2,
                        "Task in version \"v1\" cannot be handled as a Task: strict decoding error:"
                                + " unknown field \"metadata.lables\", unknown field \"spec.steps[0].Script\","
                                + " unknown field \"spec.nothing\""))
                .containsExactly(
                        "a.yaml:6: unknown field \"metadata.lables\" in the Task. Did you mean \"labels\"?",
                        "a.yaml:11: unknown field \"spec.steps[0].Script\" in the Task. Did you mean \"script\"?",
                        "a.yaml:7: unknown field \"spec.nothing\" in the Task.");
    }

    @Test
    void builtInKindsHaveNamesToo() {
        var text = """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: a}
                spec:
                  template:
                    spec:
                      containers:
                        - name: a
                          imagePullpolicy: Always
                dta: {}
                """;

        assertThat(problems(
                        text,
                        1,
                        "strict decoding error: unknown field \"dta\","
                                + " unknown field \"spec.template.spec.containers[0].imagePullpolicy\""))
                .containsExactly(
                        "a.yaml:10: unknown field \"dta\" in the Deployment.",
                        "a.yaml:9: unknown field \"spec.template.spec.containers[0].imagePullpolicy\" in the"
                                + " Deployment. Did you mean \"imagePullPolicy\"?");
    }

    @Test
    void aNameAloneIsLookedFor() {
        var run = """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: a}
                spec:
                  pipelineSpec:
                    tasks:
                      - name: a
                        taskRfe: {name: b}
                """;
        var said = "admission webhook \"x\" denied the request: mutation failed: cannot decode incoming new object:"
                + " json: unknown field \"taskRfe\"";

        assertThat(problems(run, 1, said))
                .containsExactly("a.yaml:8: unknown field \"spec.pipelineSpec.tasks[0].taskRfe\" in the PipelineRun."
                        + " Did you mean \"taskRef\"?");
    }

    @Test
    void otherRefusalsAreNoneOfThem() {
        assertThat(problems(TASK, 2, "validation failed: missing field(s): spec.steps"))
                .isEmpty();
    }

    @Test
    void whatIsForPipelinesAsCodeIsKnownByItsFolderOrItsNotes() {
        var task = (Json.Obj) YamlText.parse(TASK);
        var noted = task.with(
                "metadata",
                Json.Obj.of("annotations", Json.Obj.of("pipelinesascode.tekton.dev/on-event", Json.of("[push]"))));

        assertThat(new Document("app/.tekton/push.yaml", 1, task).isForPipelinesAsCode())
                .isTrue();
        assertThat(new Document("push.yaml", 1, noted).isForPipelinesAsCode()).isTrue();
        assertThat(new Document("my.tekton/push.yaml", 1, task).isForPipelinesAsCode())
                .isFalse();
    }
}
