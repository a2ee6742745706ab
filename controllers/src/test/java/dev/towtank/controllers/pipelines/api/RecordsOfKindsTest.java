package dev.towtank.controllers.pipelines.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Records;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordsOfKindsTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                Task.class,
                TaskRun.class,
                Pipeline.class,
                PipelineRun.class,
                StepAction.class,
                CustomRun.class,
                ResolutionRequest.class,
                VerificationPolicy.class
            })
    void readsAnEmptyObject(Class<? extends Record> kind) {
        assertThat(Records.write(Records.read(kind, Json.Obj.EMPTY))).isEqualTo(Json.Obj.EMPTY);
    }

    @Test
    void readsAPipelineInsideARun() {
        var run = Records.read(PipelineRun.class, YamlText.parse("""
                metadata: {name: run, namespace: space}
                spec:
                  timeouts: {pipeline: 1h30m, finally: 5m}
                  params:
                  - {name: texts, value: [a, b]}
                  pipelineSpec:
                    tasks:
                    - name: outer
                      pipelineSpec:
                        tasks:
                        - name: inner
                          taskSpec:
                            steps: [{name: s, image: i, timeout: 5s}]
                            params: [{name: p, default: {k: v}}]
                    finally:
                    - name: last
                      taskRef: {name: t, resolver: git, params: [{name: url, value: x}]}
                      matrix: {params: [{name: m, value: [1x, 2x]}], include: [{name: i}]}
                """));
        assertThat(run.spec().timeouts().orElseThrow().pipelineLimit()).contains(Duration.ofMinutes(90));
        assertThat(run.spec().params().getFirst().value()).isEqualTo(new ParamValue.Array(List.of("a", "b")));
        var spec = run.spec().pipelineSpec().orElseThrow();
        var inner = spec.tasks().getFirst().pipelineSpec().orElseThrow().tasks().getFirst();
        var task = inner.taskSpec().orElseThrow().taskSpec();
        assertThat(task.steps().getFirst().timeLimit()).contains(Duration.ofSeconds(5));
        assertThat(task.params().getFirst().effectiveType()).isEqualTo("object");
        assertThat(task.params().getFirst().defaultValue()).contains(new ParamValue.Keyed(Map.of("k", "v")));
        assertThat(spec.finals().getFirst().isMatrixed()).isTrue();
        assertThat(spec.finals().getFirst().taskRef().orElseThrow().isRemote()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text          | string | text",
                "5             | string | 5",
                "1.5           | string | 1.5",
                "true          | string | true",
                "[1, a]        | string | '[1,\"a\"]'",
                "{b: {c: 1}, a: x} | string | '{\"a\":\"x\",\"b\":{\"c\":1}}'",
                "'[]'          | array  | ''",
                "{a: x}        | object | ''"
            })
    void readsValuesAsTektonDoes(String yaml, String type, String text) {
        var value = ParamValue.read(YamlText.parse(yaml));
        assertThat(value.type()).isEqualTo(type);
        assertThat(value.textOrEmpty()).isEqualTo(text);
    }
}
