package dev.towtank.controllers.pipelines.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelines.TektonKinds;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForeignFieldsTest {

    private static Json.Obj object(String version, String kind, String spec) {
        return (Json.Obj) YamlText.parse(
                "{apiVersion: tekton.dev/%s, kind: %s, metadata: {name: x}, spec: %s}".formatted(version, kind, spec));
    }

    private static Json.Obj prune(Json.Obj object, List<String> gone) {
        return new TektonKinds(() -> Settings.INITIAL)
                .behaviours().stream()
                        .filter(each -> each.kind().equals(object.string("kind")))
                        .findFirst()
                        .orElseThrow()
                        .prune(object, gone::add);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            v1      | Task        | {steps: [{image: i, env: [{name: a, foo: 1}]}]}                  | spec.steps[0].env[0].foo
            v1      | Task        | {steps: [{image: i, env: [{name: a, valueFrom: {secretKeyRef: {key: k, nome: n}}}]}]} | spec.steps[0].env[0].valueFrom.secretKeyRef.nome
            v1      | Task        | {steps: [{image: i, computeResources: {requests: {cpu: 1}, limit: {cpu: 1}}}]} | spec.steps[0].computeResources.limit
            v1      | Task        | {steps: [{image: i, securityContext: {privilege: true}}]}        | spec.steps[0].securityContext.privilege
            v1      | Task        | {steps: [{image: i}], sidecars: [{image: i, livenessProbe: {exec: {commands: [a]}}}]} | spec.sidecars[0].livenessProbe.exec.commands
            v1      | Task        | {steps: [{image: i}], stepTemplate: {volumeMounts: [{name: v, mountPath: /v, subpath: s}]}} | spec.stepTemplate.volumeMounts[0].subpath
            v1      | Task        | {steps: [{ref: {name: a, kind: StepAction}}]}                     | spec.steps[0].ref.kind
            v1      | Task        | {steps: [{image: i, results: [{name: r, value: x}]}]}             | spec.steps[0].results[0].value
            v1beta1 | Task        | {steps: [{image: i, resources: {limit: {cpu: 1}}}]}              | spec.steps[0].resources.limit
            v1beta1 | StepAction  | {image: i, env: [{name: a, foo: 1}]}                             | spec.env[0].foo
            v1alpha1 | StepAction | {image: i, results: [{name: r, value: x}]}                        | spec.results[0].value
            v1      | Pipeline    | {workspaces: [{name: w, readOnly: true}], tasks: []}             | spec.workspaces[0].readOnly
            v1      | Pipeline    | {tasks: [{name: a, pipelineRef: {name: p, kind: Pipeline}}]}     | spec.tasks[0].pipelineRef.kind
            v1      | TaskRun     | {taskRef: {name: t}, workspaces: [{name: w, configMap: {name: c, namespace: n}}]} | spec.workspaces[0].configMap.namespace
            v1      | TaskRun     | {taskRef: {name: t}, computeResources: {limit: {}}}              | spec.computeResources.limit
            v1      | TaskRun     | {taskRef: {name: t}, podTemplate: {nodeName: x}}                 | spec.podTemplate.nodeName
            v1      | TaskRun     | {taskRef: {name: t}, podTemplate: {tolerations: [{kee: x}]}}     | spec.podTemplate.tolerations[0].kee
            v1      | TaskRun     | {taskRef: {name: t}, stepSpecs: [{name: s, computeResources: {limit: {}}}]} | spec.stepSpecs[0].computeResources.limit
            v1beta1 | TaskRun     | {taskRef: {name: t}, stepOverrides: [{name: s, resources: {limit: {}}}]} | spec.stepOverrides[0].resources.limit
            v1      | PipelineRun | {pipelineRef: {name: p, kind: Pipeline}}                          | spec.pipelineRef.kind
            v1      | PipelineRun | {pipelineRef: {name: p}, taskRunTemplate: {podTemplate: {nodeName: x}}} | spec.taskRunTemplate.podTemplate.nodeName
            v1      | PipelineRun | {pipelineRef: {name: p}, taskRunSpecs: [{podTemplate: {hostAliases: [{ipp: x}]}}]} | spec.taskRunSpecs[0].podTemplate.hostAliases[0].ipp
            v1beta1 | PipelineRun | {pipelineRef: {name: p}, taskRunSpecs: [{taskPodTemplate: {nodeName: x}}]} | spec.taskRunSpecs[0].taskPodTemplate.nodeName
            v1beta1 | PipelineRun | {pipelineRef: {name: p}, podTemplate: {nodeName: x}}             | spec.podTemplate.nodeName
            v1beta1 | CustomRun   | {customRef: {kind: k}, workspaces: [{name: w, secret: {name: s}}]} | spec.workspaces[0].secret.name
            """)
    void areDroppedAndTold(String version, String kind, String spec, String path) {
        var given = object(version, kind, spec);
        var gone = new ArrayList<String>();

        var known = prune(given, gone);

        assertThat(gone).containsExactly(path);
        assertThat(known).isNotEqualTo(given);
        assertThat(prune(known, gone)).isSameAs(known);
        assertThat(gone).hasSize(1);
    }

    /// Tekton's definitions say nothing about these, so that its webhook reads them, and refuses.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            Task        | {steps: [{image: i}], volumes: [{name: v, emptyDir: {foo: 1}}]}
            TaskRun     | {taskSpec: {steps: [{image: i, env: [{name: a, foo: 1}]}]}}
            TaskRun     | {taskRef: {name: t}, workspaces: [{name: w, volumeClaimTemplate: {spec: {foo: 1}}}]}
            PipelineRun | {pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{image: i, securityContext: {foo: 1}}]}}]}}
            Pipeline    | {tasks: [{name: a, taskSpec: {steps: [{image: i, volumeMounts: [{name: v, mountPath: /v, foo: 1}]}]}}]}
            """)
    void areRefusedWhereADefinitionIsOpen(String kind, String spec) {
        var given = object("v1", kind, spec);
        var gone = new ArrayList<String>();

        assertThat(prune(given, gone)).isSameAs(given);
        assertThat(gone).isEmpty();
        assertThat(Admission.unreadable(given).orElseThrow().text())
                .endsWith("cannot decode incoming new object: json: unknown field \"foo\"");
    }

    @Test
    void areNoneOfTheKnownOnes() {
        var given = object("v1", "Task", """
                {steps: [{name: s, image: i, ref: {name: r}, env: [{name: a, valueFrom: {fieldRef: {fieldPath: metadata.name}}}],
                  computeResources: {limits: {cpu: 1}, requests: {memory: 1Gi}}, securityContext: {capabilities: {drop: [ALL]}},
                  results: [{name: r, type: object, properties: {a: {type: string}}}], timeout: 1h}],
                 volumes: [{name: v, emptyDir: {}}]}
                """);

        assertThat(prune(given, new ArrayList<>())).isSameAs(given);
    }
}
