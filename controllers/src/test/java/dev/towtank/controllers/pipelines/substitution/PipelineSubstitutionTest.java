package dev.towtank.controllers.pipelines.substitution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelines.api.Matrix;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.PipelineRunSpec;
import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import dev.towtank.model.YamlText;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineSubstitutionTest {

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private static PipelineVariables.Resolution params(String declared, String given) {
        return PipelineVariables.params(
                Records.read(PipelineSpec.class, yaml(declared)).params(),
                Records.read(PipelineRunSpec.class, yaml(given)).params());
    }

    private static Replacements resolved(String declared, String given) {
        return ((PipelineVariables.Resolution.Resolved) params(declared, given)).replacements();
    }

    @Test
    void followsReferencesBetweenDefaults() {
        var variables = resolved("""
                params:
                - {name: a, default: "$(params.b)-a"}
                - {name: b, default: "$(params.c)-b"}
                - {name: c, default: never}
                - {name: list, type: array, default: [$(params.a), x]}
                - {name: map, type: object, default: {k: $(params.b)}}
                """, "params: [{name: c, value: given}]");
        assertThat(variables.apply("$(params.a) $(params['b']) $(params.list[0]) $(params.map.k)"))
                .isEqualTo("given-b-a given-b given-b-a given-b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{name: a, default: $(params.b)}, {name: b, default: $(params.a)} "
                        + "| parameter resolution failed: circular dependency detected in param \"params.a\"",
                "{name: a, default: $(params.nobody)} "
                        + "| parameter resolution failed: param \"params.a\" references undefined param \"params.nobody\""
            })
    void tellsWhyDefaultsCannotBeResolved(String declared, String message) {
        assertThat(params("params: [" + declared + "]", "{}"))
                .isEqualTo(new PipelineVariables.Resolution.Failed(message));
    }

    @Test
    void givesUpOnLongChainsOfDefaults() {
        var declared = new StringBuilder("params:\n");
        for (int i = 0; i < 12; i++) {
            declared.append("- {name: p%d, default: $(params.p%d)}%n".formatted(i, i + 1));
        }
        assertThat(params(declared + "- {name: p12, default: x}", "{}"))
                .isEqualTo(new PipelineVariables.Resolution.Failed("parameter resolution failed:"
                        + " maximum recursion depth (10) exceeded for param \"params.p11\""));
    }

    @Test
    void replacesInTasks() {
        var spec = yaml("""
                tasks:
                - name: t
                  displayName: $(params.text)
                  taskRef: {name: $(params.text), resolver: git, params: [{name: url, value: $(params.text)}]}
                  onError: $(params.text)
                  params: [{name: p, value: "$(params.list[*])"}, {name: q, value: ["$(params.list[*])", $(params.text)]}]
                  workspaces: [{name: w, subPath: $(params.text)/$(context.pipelineRun.name)}]
                  when: [{input: $(params.text), operator: in, values: ["$(params.list[*])"]}]
                - name: m
                  displayName: $(params.text) $(context.pipeline.name)
                  taskRef: {name: x}
                  matrix:
                    params: [{name: p, value: "$(params.list[*])"}]
                    include: [{name: i, params: [{name: q, value: $(params.text)}]}]
                """);
        var variables = resolved(
                        "params: [{name: text, default: hello}, {name: list, type: array, default: [a, b]}]", "{}")
                .and(PipelineVariables.context("pipe", "run", "space", "id"));
        assertThat(PipelineSubstitution.apply(spec, variables)).isEqualTo(yaml("""
                tasks:
                - name: t
                  displayName: hello
                  taskRef: {name: hello, resolver: git, params: [{name: url, value: hello}]}
                  onError: hello
                  params: [{name: p, value: [a, b]}, {name: q, value: [a, b, hello]}]
                  workspaces: [{name: w, subPath: hello/run}]
                  when: [{input: hello, operator: in, values: [a, b]}]
                - name: m
                  displayName: $(params.text) pipe
                  taskRef: {name: x}
                  matrix:
                    params: [{name: p, value: [a, b]}]
                    include: [{name: i, params: [{name: q, value: hello}]}]
                """));
    }

    @Test
    void givesEmbeddedTasksTheParamsOfThePipelineUnlessTheyHaveTheirOwn() {
        var spec = yaml("""
                tasks:
                - name: t
                  params: [{name: own, value: inner-$(params.outer)}]
                  taskSpec: {steps: [{name: s, script: $(params.outer) $(params.own)}]}
                - name: referenced
                  taskRef: {name: x}
                """);
        var variables = resolved("params: [{name: outer, default: o}, {name: own, default: pipeline}]", "{}");
        assertThat(PipelineSubstitution.apply(spec, variables)
                        .objects("tasks")
                        .getFirst()
                        .object("taskSpec")
                        .objects("steps"))
                .containsExactly(yaml("{name: s, script: o inner-o}"));
    }

    @Test
    void replacesResults() {
        var task = yaml("""
                params:
                - {name: text, value: $(tasks.a.results.text)}
                - {name: one, value: "$(tasks.a.results.list[1])"}
                - {name: all, value: "$(tasks.a.results.list[*])"}
                - {name: key, value: $(tasks.a.results.map.k)}
                - {name: map, value: "$(tasks.a.results.map[*])"}
                - {name: other, value: $(tasks.b.results.text)}
                matrix: {params: [{name: m, value: "$(tasks.a.results.list[*])"}]}
                workspaces: [{name: w, subPath: $(tasks.a.results.text)}]
                """);
        var variables = ResultVariables.of("a", "text", ParamValue.of("t"))
                .and(ResultVariables.of("a", "list", new ParamValue.Array(List.of("x", "y"))))
                .and(ResultVariables.of("a", "map", new ParamValue.Keyed(Map.of("k", "v"))));
        assertThat(PipelineSubstitution.applyToTask(task, variables)).isEqualTo(yaml("""
                params:
                - {name: text, value: t}
                - {name: one, value: "y"}
                - {name: all, value: [x, "y"]}
                - {name: key, value: v}
                - {name: map, value: {k: v}}
                - {name: other, value: $(tasks.b.results.text)}
                matrix: {params: [{name: m, value: [x, "y"]}]}
                workspaces: [{name: w, subPath: t}]
                """));
    }

    @Test
    void findsTheResultsThatATaskUses() {
        var task = Records.read(PipelineTask.class, yaml("""
                params: [{name: p, value: ["$(tasks.a.results.r[1])"]}]
                matrix:
                  params: [{name: m, value: "$(tasks.b.results.r[*])"}]
                  include: [{name: i, params: [{name: q, value: $(tasks.c.results.r.k)}]}]
                when: [{input: $(tasks.d.results.r), operator: in, values: [$(tasks.e.results.r)]}]
                workspaces: [{name: w, subPath: $(tasks.nobody.results.r)}]
                taskSpec:
                  steps: [{script: $(tasks.f.results.r), env: [{name: e, value: $(tasks.g.results.r)}]}]
                  sidecars: [{image: $(tasks.h.results.r)}]
                """));
        assertThat(ResultReference.of(task))
                .extracting(ResultReference::task)
                .containsExactly("a", "b", "c", "d", "e", "f", "g", "h");
        assertThat(ResultReference.of(task).getFirst().index()).hasValue(1);
        assertThat(ResultReference.of(task).get(1).isWhole()).isTrue();
        assertThat(ResultReference.of(task).get(2).key()).isEqualTo("k");
    }

    private static String combinations(String matrix) {
        return MatrixExpansion.combinations(Records.read(Matrix.class, yaml(matrix))).stream()
                .map(params -> params.stream()
                        .map(param -> param.name() + "=" + param.value().textOrEmpty())
                        .collect(Collectors.joining(",")))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{params: [{name: b, value: [1x, 2x]}, {name: a, value: [p, q]}]} "
                        + "| 4 | a=p,b=1x a=p,b=2x a=q,b=1x a=q,b=2x",
                "{include: [{name: i, params: [{name: a, value: p}]}, {name: j, params: [{name: b, value: q}]}]} "
                        + "| 2 | a=p b=q",
                "{params: [{name: a, value: [p, q]}], include: [{params: [{name: a, value: p}, {name: f, value: x}]}]} "
                        + "| 2 | a=p,f=x a=q",
                "{params: [{name: a, value: [p, q]}], include: [{params: [{name: f, value: x}]}]} "
                        + "| 2 | a=p,f=x a=q,f=x",
                "{params: [{name: a, value: [p]}], include: [{params: [{name: a, value: z}, {name: f, value: x}]}]} "
                        + "| 2 | a=p a=z,f=x"
            })
    void makesTheCombinationsOfAMatrix(String matrix, long count, String expected) {
        assertThat(combinations(matrix)).isEqualTo(expected);
        assertThat(MatrixExpansion.count(Records.read(Matrix.class, yaml(matrix))))
                .isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{input: a, operator: in, values: [a, b]}     | Holds[]",
                "{input: c, operator: in, values: [a, b]}     | DoesNotHold[]",
                "{input: c, operator: notin, values: [a, b]}  | Holds[]",
                "{cel: \"'a' == 'a'\"}                        | Holds[]",
                "{cel: \"'abc'.matches('^x')\"}               | DoesNotHold[]",
                "{cel: \"'abc'\"} | Failed[message=The CEL expression 'abc' is not evaluated to a boolean]"
            })
    void evaluatesConditions(String when, String outcome) {
        var task = Records.read(PipelineTask.class, yaml("when: [" + when + "]"));
        assertThat(WhenConditions.evaluate(task.when())).hasToString(outcome);
    }

    @Test
    void makesTheResultsOfARun() {
        var spec = Records.read(PipelineSpec.class, yaml("""
                results:
                - {name: text, value: "<$(tasks.a.results.text)>"}
                - {name: all, value: "$(tasks.a.results.list[*])"}
                - {name: last, value: $(finally.z.results.r)}
                - {name: failed, value: $(tasks.failed.results.r)}
                - {name: gone, value: $(tasks.a.results.gone)}
                - {name: beyond, value: "$(tasks.a.results.list[9])"}
                """));
        var made = PipelineResults.of(
                spec.results(),
                Map.of(
                        "a", Map.of("text", ParamValue.of("t"), "list", new ParamValue.Array(List.of("x"))),
                        "z", Map.of("r", ParamValue.of("z"))),
                Map.of("a", "Succeeded", "failed", "Failed"));
        assertThat(made.results())
                .extracting(result -> result.name() + result.value().json())
                .containsExactly("text\"<t>\"", "all[\"x\"]", "last\"z\"");
        assertThat(made.complaint())
                .contains("invalid pipelineresults [gone beyond], the referenced results don't exist");
    }

    @Test
    void readsTheResultsOfCustomTasks() {
        assertThat(ResultVariables.custom("[\"a\",\"b\"]")).isEqualTo(new ParamValue.Array(List.of("a", "b")));
        assertThat(ResultVariables.custom("[]")).isEqualTo(ParamValue.of("[]"));
        assertThat(ResultVariables.custom("[1]")).isEqualTo(ParamValue.of("[1]"));
        assertThat(ResultVariables.custom("[oops")).isEqualTo(ParamValue.of("[oops"));
    }
}
