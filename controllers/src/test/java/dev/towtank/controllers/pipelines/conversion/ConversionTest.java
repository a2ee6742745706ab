package dev.towtank.controllers.pipelines.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import org.junit.jupiter.api.Test;

class ConversionTest {

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private static void bothWays(String beta, String stable) {
        assertThat(Conversion.convert(yaml(beta), "v1beta1", "v1")).isEqualTo(yaml(stable));
        assertThat(Conversion.convert(yaml(stable), "v1", "v1beta1")).isEqualTo(yaml(beta));
    }

    @Test
    void keepsWhatStepsOnceHad() {
        bothWays("""
                kind: Task
                metadata: {name: t, annotations: {mine: a}}
                spec:
                  resources: {inputs: [{name: r, type: git}]}
                  unknown: kept
                  stepTemplate: {name: old, image: i, resources: {limits: {cpu: 1}}}
                  steps:
                  - {name: a, image: i, tty: true, ports: [{containerPort: 80}], resources: {limits: {cpu: 2}}}
                  - {name: b, image: i}
                  sidecars: [{name: s, image: i, resources: {limits: {cpu: 3}}, ports: [{containerPort: 1}]}]
                """, """
                kind: Task
                metadata:
                  name: t
                  annotations:
                    mine: a
                    tekton.dev/v1beta1Resources: '{"inputs":[{"name":"r","type":"git"}]}'
                    tekton.dev/v1beta1.task-deprecations: '{"t":{"deprecatedSteps":[{"tty":true,"ports":[{"containerPort":80}]},{}],"deprecatedStepTemplate":{"name":"old"}}}'
                spec:
                  unknown: kept
                  stepTemplate: {image: i, computeResources: {limits: {cpu: 1}}}
                  steps:
                  - {name: a, image: i, computeResources: {limits: {cpu: 2}}}
                  - {name: b, image: i}
                  sidecars: [{name: s, image: i, computeResources: {limits: {cpu: 3}}, ports: [{containerPort: 1}]}]
                """);
    }

    @Test
    void keepsPipelinesInPipelinesAndBundles() {
        bothWays("""
                kind: Pipeline
                metadata: {name: p}
                spec:
                  tasks:
                  - {name: a, taskRef: {name: t, bundle: host/image}}
                  - name: b
                    pipelineSpec: {tasks: [{name: c, taskSpec: {steps: [{image: i, stdin: true, resources: {}}]}}]}
                  finally:
                  - {name: z, pipelineRef: {name: p}, when: [{input: a, operator: in, values: [b]}]}
                """, """
                kind: Pipeline
                metadata:
                  name: p
                  annotations:
                    tekton.dev/v1beta1.task-deprecations: '{"c":{"deprecatedSteps":[{"stdin":true}]}}'
                    tekton.towtank.dev/v1beta1-fields: '{"spec.tasks.0.taskRef.bundle":"host/image"}'
                spec:
                  tasks:
                  - {name: a, taskRef: {name: t}}
                  - name: b
                    pipelineSpec: {tasks: [{name: c, taskSpec: {steps: [{image: i, computeResources: {}}]}}]}
                  finally:
                  - {name: z, pipelineRef: {name: p}, when: [{input: a, operator: in, values: [b]}]}
                """);
    }

    @Test
    void convertsTaskRunsWithTheirStatus() {
        bothWays("""
                kind: TaskRun
                metadata: {name: r}
                spec:
                  taskSpec: {steps: [{image: i, resources: {limits: {cpu: 1}}}]}
                  stepOverrides: [{name: s, resources: {limits: {cpu: 1}}}]
                  sidecarOverrides: [{name: s, resources: {limits: {cpu: 2}}}]
                  managedBy: me
                status:
                  taskResults: [{name: r, type: string, value: x}]
                  cloudEvents: [{target: t}]
                  resourcesResult: [{key: k}]
                  artifacts: {outputs: []}
                  steps: [{name: s, terminationReason: Completed, provenance: {configSource: {uri: u}}}]
                  taskSpec: {resources: {inputs: []}, steps: [{image: i, resources: {limits: {cpu: 1}}}]}
                  retriesStatus: [{taskResults: [{name: r, value: z}], spanContext: {a: b}}]
                """, """
                kind: TaskRun
                metadata:
                  name: r
                  annotations:
                    tekton.dev/v1beta1CloudEvents: '[{"target":"t"}]'
                    tekton.dev/v1beta1ResourcesResult: '[{"key":"k"}]'
                    tekton.dev/v1beta1ResourcesStatus: '{"inputs":[]}'
                    tekton.towtank.dev/v1beta1-fields: '{"status.steps.0.provenance.configSource":{"uri":"u"}}'
                spec:
                  taskSpec: {steps: [{image: i, computeResources: {limits: {cpu: 1}}}]}
                  stepSpecs: [{name: s, computeResources: {limits: {cpu: 1}}}]
                  sidecarSpecs: [{name: s, computeResources: {limits: {cpu: 2}}}]
                  managedBy: me
                status:
                  results: [{name: r, type: string, value: x}]
                  artifacts: {outputs: []}
                  steps: [{name: s, terminationReason: Completed, provenance: {}}]
                  taskSpec: {steps: [{image: i, computeResources: {limits: {cpu: 1}}}]}
                  retriesStatus: [{results: [{name: r, value: z}], spanContext: {a: b}}]
                """);
    }

    @Test
    void convertsPipelineRunsWithTheirStatus() {
        bothWays("""
                kind: PipelineRun
                metadata: {name: r}
                spec:
                  pipelineRef: {name: p}
                  serviceAccountName: s
                  podTemplate: {nodeSelector: {a: b}}
                  timeouts: {pipeline: 1h}
                  taskRunSpecs:
                  - pipelineTaskName: a
                    taskServiceAccountName: t
                    taskPodTemplate: {nodeSelector: {c: d}}
                    stepOverrides: [{name: x, resources: {}}]
                    metadata: {labels: {l: m}, annotations: {a: n}}
                    timeout: 1m
                status:
                  pipelineResults: [{name: r, value: x}]
                  taskRuns: {a: {pipelineTaskName: a}}
                  spanContext: {t: u}
                  pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{image: i, resources: {limits: {cpu: 1}}}]}}]}
                """, """
                kind: PipelineRun
                metadata:
                  name: r
                  annotations: {tekton.towtank.dev/v1beta1-fields: '{"status.taskRuns":{"a":{"pipelineTaskName":"a"}}}'}
                spec:
                  pipelineRef: {name: p}
                  taskRunTemplate: {serviceAccountName: s, podTemplate: {nodeSelector: {a: b}}}
                  timeouts: {pipeline: 1h}
                  taskRunSpecs:
                  - pipelineTaskName: a
                    serviceAccountName: t
                    podTemplate: {nodeSelector: {c: d}}
                    stepSpecs: [{name: x, computeResources: {}}]
                    metadata: {labels: {l: m}, annotations: {a: n}}
                    timeout: 1m
                status:
                  results: [{name: r, value: x}]
                  spanContext: {t: u}
                  pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{image: i, computeResources: {limits: {cpu: 1}}}]}}]}
                """);
    }

    @Test
    void readsTheOldTimeout() {
        var run = yaml("{kind: PipelineRun, metadata: {name: r}, spec: {pipelineRef: {name: p}, timeout: 1h}}");
        assertThat(Conversion.convert(run, "v1beta1", "v1").object("spec"))
                .isEqualTo(yaml("{pipelineRef: {name: p}, timeouts: {pipeline: 1h}}"));
    }

    @Test
    void forgetsWhatBelongedToOtherSteps() {
        var task = yaml("""
                kind: Task
                metadata:
                  name: t
                  annotations: {tekton.dev/v1beta1.task-deprecations: '{"t":{"deprecatedSteps":[{"tty":true}]}}'}
                spec: {steps: [{image: a}, {image: b}]}
                """);
        assertThat(Conversion.convert(task, "v1", "v1beta1"))
                .isEqualTo(yaml("{kind: Task, metadata: {name: t}, spec: {steps: [{image: a}, {image: b}]}}"));
    }

    @Test
    void leavesAnnotationsThatAreNotOurs() {
        var task = yaml("""
                kind: Task
                metadata: {name: t, annotations: {tekton.dev/v1beta1Resources: '{oops'}}
                spec: {steps: [{image: a}]}
                """);
        assertThat(Conversion.convert(task, "v1", "v1beta1")).isEqualTo(task);
    }

    @Test
    void convertsResolutionRequests() {
        var alpha = yaml("{kind: ResolutionRequest, spec: {params: {a: x, b: z}}}");
        var beta = yaml("{kind: ResolutionRequest, spec: {params: [{name: a, value: x}, {name: b, value: z}]}}");
        assertThat(Conversion.convert(alpha, "v1alpha1", "v1beta1")).isEqualTo(beta);
        assertThat(Conversion.convert(beta, "v1beta1", "v1alpha1")).isEqualTo(alpha);
        var list = yaml("{kind: ResolutionRequest, spec: {params: [{name: a, value: [x]}]}}");
        assertThatThrownBy(() -> Conversion.convert(list, "v1beta1", "v1alpha1"))
                .hasMessageContaining("cannot convert v1beta1 to v1alpha, non-string type parameter(s) found: a");
    }

    @Test
    void leavesOtherKindsAlone() {
        var action = yaml("{kind: StepAction, spec: {image: i}}");
        assertThat(Conversion.convert(action, "v1alpha1", "v1beta1")).isSameAs(action);
    }
}
