package dev.towtank.controllers.pipelines.substitution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.TaskRunSpec;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import dev.towtank.model.YamlText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskSubstitutionTest {

    private static final Json.Obj SPEC = yaml("""
            params:
            - {name: text, default: hello}
            - {name: list, type: array, default: [a, b]}
            - {name: map, type: object, default: {k: v, other: o}}
            - {name: dotted.name, default: d}
            - {name: greeting, default: "$(params.text) $(params.name), bye"}
            - {name: name}
            """);

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private static Replacements params(String given) {
        var declared = Records.read(TaskSpec.class, SPEC).params();
        return TaskVariables.params(
                declared, Records.read(TaskRunSpec.class, yaml(given)).params());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "$(params.text)                     | hello",
                "$(params['text'])                  | hello",
                "$(params[\"text\"])                | hello",
                "$(inputs.params.text)              | hello",
                "$(params[\"dotted.name\"])         | d",
                "$(params.list[1])                  | b",
                "$(params.list[2])                  | $(params.list[2])",
                "$(params['list'][0])               | a",
                "$(params.map.k)                    | given",
                "$(params.map.other)                | o",
                "x$(params.text)$(params.text)y     | xhellohelloy",
                "$(params.$(params.text))           | $(params.hello)",
                "$(params.greeting)                 | hello you, bye",
                "$(params.unknown) $(params.text    | $(params.unknown) $(params.text",
                "$$(params.text)                    | $hello",
                "$(params.list[*])                  | $(params.list[*])",
                "$(params.name)                     | you"
            })
    void replacesParams(String text, String expected) {
        var variables = params("params: [{name: name, value: you}, {name: map, value: {k: given}}]");
        assertThat(variables.apply(text)).isEqualTo(expected);
    }

    @Test
    void neverReplacesInWhatItPutThere() {
        assertThat(params("params: [{name: name, value: $(params.text)}]").apply("$(params.name)"))
                .isEqualTo("$(params.text)");
    }

    @Test
    void staysLinearInHostileText() {
        var text = "$(".repeat(200_000) + "params.text)";
        assertThat(params("{}").apply(text)).endsWith("$(hello");
    }

    @Test
    void replacesInEveryFieldOfATask() {
        var spec = yaml("""
                unknown: $(params.text)
                stepTemplate: {image: $(params.text), env: [{name: n1, value: $(params.text)}]}
                workspaces: [{name: w, mountPath: /$(params.text)}]
                volumes:
                - name: $(params.text)
                  configMap: {name: $(params.text), items: [{key: $(params.text), path: $(params.text)}]}
                - projected: {sources: [{serviceAccountToken: {audience: $(params.text)}}]}
                - csi: {nodePublishSecretRef: {name: $(params.text)}, volumeAttributes: {a: $(params.text)}}
                steps:
                - name: s
                  image: $(params.text)
                  command: ["$(params.list[*])", x-$(params.text)]
                  args: [$(params.list), "-$(params.list[*])"]
                  script: echo $(params.text)
                  onError: $(params.text)
                  timeout: $(params.text)
                  stdoutConfig: {path: $(params.text)}
                  env:
                  - {name: a, valueFrom: {secretKeyRef: {name: $(params.text), key: $(params.text)}}}
                  envFrom: [{prefix: $(params.text), configMapRef: {name: $(params.text)}}]
                  volumeMounts: [{name: $(params.text), mountPath: $(params.text), subPath: $(params.text)}]
                  params: [{name: p, value: "$(params.map[*])"}, {name: l, value: ["$(params.list[*])", z]}]
                  when:
                  - {input: "$(params.list[*])", operator: in, values: ["$(params.list[*])", $(params.text)]}
                  - {cel: "'$(params.text)' == 'x'"}
                sidecars: [{name: c, image: $(params.text), script: $(params.text)}]
                """);
        assertThat(TaskSubstitution.apply(spec, params("{}"))).isEqualTo(yaml("""
                unknown: $(params.text)
                stepTemplate: {image: hello, env: [{name: n1, value: hello}]}
                workspaces: [{name: w, mountPath: /hello}]
                volumes:
                - name: hello
                  configMap: {name: hello, items: [{key: hello, path: hello}]}
                - projected: {sources: [{serviceAccountToken: {audience: hello}}]}
                - csi: {nodePublishSecretRef: {name: hello}, volumeAttributes: {a: hello}}
                steps:
                - name: s
                  image: hello
                  command: [a, b, x-hello]
                  args: [a, b, "-$(params.list[*])"]
                  script: echo hello
                  onError: hello
                  timeout: $(params.text)
                  stdoutConfig: {path: hello}
                  env:
                  - {name: a, valueFrom: {secretKeyRef: {name: hello, key: hello}}}
                  envFrom: [{prefix: hello, configMapRef: {name: hello}}]
                  volumeMounts: [{name: hello, mountPath: hello, subPath: hello}]
                  params: [{name: p, value: {k: v, other: o}}, {name: l, value: [a, b, z]}]
                  when:
                  - {input: '["a","b"]', operator: in, values: [a, b, hello]}
                  - {cel: "'hello' == 'x'"}
                sidecars: [{name: c, image: hello, script: hello}]
                """));
    }

    @Test
    void dropsAListThatBecameEmpty() {
        var spec = yaml("steps: [{name: s, args: ['$(params.list[*])']}]");
        assertThat(TaskSubstitution.apply(spec, params("params: [{name: list, value: []}]")))
                .isEqualTo(yaml("steps: [{name: s}]"));
    }

    @Test
    void knowsThePathsOfWorkspaces() {
        var spec = yaml("""
                workspaces: [{name: one}, {name: two, mountPath: /two}, {name: three, optional: true}]
                steps:
                - {name: a, script: "$(workspaces.one.path) $(workspaces.two.path) $(workspaces.three.path)|"}
                - name: b
                  script: "$(workspaces.one.path) $(workspaces.three.bound) $(workspaces.one.volume)"
                  args: ["$(workspaces.one.claim)", "$(workspaces.two.claim)"]
                  workspaces: [{name: one, mountPath: /own}]
                """);
        var task = Records.read(TaskSpec.class, spec);
        var bindings = Records.read(TaskRunSpec.class, yaml("""
                workspaces:
                - {name: one, persistentVolumeClaim: {claimName: c}}
                - {name: two, emptyDir: {}}
                """)).workspaces();
        var variables = TaskVariables.workspaces(task.workspaces(), bindings, Map.of("one", "ws-1"));
        assertThat(TaskSubstitution.applyWorkspaces(spec, task.workspaces(), variables)
                        .array("steps"))
                .isEqualTo(YamlText.parse("""
                        - {name: a, script: "/workspace/one /two |"}
                        - name: b
                          script: "/own false ws-1"
                          args: [c, ""]
                          workspaces: [{name: one, mountPath: /own}]
                        """));
    }

    @Test
    void knowsWhereResultsAndExitCodesAre() {
        var spec = yaml("""
                results: [{name: r}, {name: a.b}]
                steps:
                - name: one
                  script: $(results.r.path) $(results['a.b'].path) $(step.results.own.path) $(credentials.path)
                  results: [{name: own}]
                - script: $(steps.step-one.exitCode.path) $(step.artifacts.path) $(artifacts.path)
                - script: $(steps.step-unnamed-1.exitCode.path) $(steps.one.results.own)
                """);
        assertThat(TaskSubstitution.applyPaths(spec, "/tekton/creds").objects("steps"))
                .extracting(step -> step.string("script"))
                .containsExactly(
                        "/tekton/results/r /tekton/results/a.b /tekton/steps/step-one/results/own /tekton/creds",
                        "/tekton/steps/step-one/exitCode /tekton/steps/step-unnamed-1/artifacts/provenance.json"
                                + " /tekton/artifacts/provenance.json",
                        "/tekton/steps/step-unnamed-1/exitCode $(steps.one.results.own)");
    }

    @Test
    void knowsTheContext() {
        var variables = TaskVariables.context("task", "run", "space", "id", 2);
        assertThat(variables.apply("$(context.task.name) $(context.taskRun.name) $(context.taskRun.namespace)"
                        + " $(context.taskRun.uid) $(context.task.retry-count)"))
                .isEqualTo("task run space id 2");
    }

    @Test
    void replacesInPodTemplatesAndBindings() {
        var template = yaml("""
                nodeSelector: {$(params.text): $(params.text)}
                tolerations: [{key: $(params.text)}]
                affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: $(params.text)}]}}
                hostNetwork: true
                """);
        assertThat(TaskSubstitution.applyToPodTemplate(template, params("{}"))).isEqualTo(yaml("""
                nodeSelector: {hello: hello}
                tolerations: [{key: hello}]
                affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: hello}]}}
                hostNetwork: true
                """));
        var bindings = (Json.Arr) YamlText.parse("""
                - {name: w, subPath: $(params.text), persistentVolumeClaim: {claimName: $(params.text)}}
                """);
        assertThat(TaskSubstitution.applyToWorkspaceBindings(bindings, params("{}")))
                .isEqualTo(YamlText.parse("""
                - {name: w, subPath: hello, persistentVolumeClaim: {claimName: hello}}
                """));
    }

    @Test
    void putsTheTemplateUnderSteps() {
        var spec = yaml("""
                stepTemplate:
                  image: i
                  env: [{name: a, value: t}, {name: b, value: t}, {name: c, valueFrom: {fieldRef: {fieldPath: x}}}]
                  volumeMounts: [{name: v, mountPath: /v}]
                  computeResources: {requests: {cpu: 1, memory: 1Gi}}
                  command: [template]
                steps:
                - name: s
                  script: x
                  env: [{name: b, value: s}, {name: c, value: s}, {name: d, value: s}]
                  volumeMounts: [{name: w, mountPath: /w}]
                  computeResources: {requests: {cpu: 2}}
                  command: [own]
                - {name: r, ref: {name: action}}
                """);
        var steps = StepTemplates.merge(spec).objects("steps");
        assertThat(steps.get(1)).isEqualTo(yaml("{name: r, ref: {name: action}}"));
        var step = steps.getFirst();
        assertThat(step.without("env").without("volumeMounts")).isEqualTo(yaml("""
                name: s
                script: x
                image: i
                command: [own]
                computeResources: {requests: {cpu: 2, memory: 1Gi}}
                """));
        assertThat(step.objects("env"))
                .containsExactlyInAnyOrder(
                        yaml("{name: a, value: t}"),
                        yaml("{name: b, value: s}"),
                        yaml("{name: c, value: s}"),
                        yaml("{name: d, value: s}"));
        assertThat(step.objects("volumeMounts")).hasSize(2);
    }

    @Test
    void leavesParamsOfOthersAlone() {
        assertThat(TaskVariables.params(List.of(), List.of(Param.of("extra", "x")))
                        .apply("$(params.extra)"))
                .isEqualTo("x");
    }
}
