package dev.towtank.controllers.pipelines.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.pipelines.api.settings.Defaults;
import dev.towtank.controllers.pipelines.api.settings.FeatureFlags;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefaultingTest {

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private static void check(Map<String, String> defaults, String given, String expected) {
        var settings = Settings.read(defaults, Map.of());
        var filled = Admission.defaults(Admission.unsigned(yaml(given)), settings);
        assertThat(filled).isEqualTo(yaml(expected));
        assertThat(Admission.defaults(filled, settings)).isSameAs(filled);
    }

    @Test
    void fillsInATask() {
        check(Map.of("default-resolver-type", "git"), """
                apiVersion: tekton.dev/v1
                kind: Task
                spec:
                  params:
                  - {name: a}
                  - {name: b, default: [x]}
                  - {name: c, properties: {k: {}, l: {type: array}}}
                  - {name: d, default: 5}
                  - {name: e, type: object, properties: {k: {}}, default: {k: v}}
                  results: [{name: r}, {name: o, properties: {k: {}}}]
                  steps: [{ref: {}}, {image: i, timeout: 90s, workspaces: [{name: w, mountpath: /m}]}]
                """, """
                apiVersion: tekton.dev/v1
                kind: Task
                spec:
                  params:
                  - {name: a, type: string}
                  - {name: b, type: array, default: [x]}
                  - {name: c, type: object, properties: {k: {type: string}, l: {type: array}}}
                  - {name: d, type: string, default: "5"}
                  - {name: e, type: object, properties: {k: {type: string}}, default: {k: v}}
                  results:
                  - {name: r, type: string}
                  - {name: o, type: object, properties: {k: {type: string}}}
                  steps:
                  - {ref: {resolver: git}, computeResources: {}, name: ""}
                  - {image: i, timeout: 1m30s, workspaces: [{name: w, mountPath: /m}], computeResources: {}, name: ""}
                """);
    }

    @Test
    void fillsInATaskRun() {
        check(
                Map.of(
                        "default-timeout-minutes", "10",
                        "default-service-account", "builder",
                        "default-managed-by-label-value", "us",
                        "default-pod-template", """
                                nodeSelector: {a: b}
                                env: [{name: A, value: default}, {name: B, value: default}]
                                hostNetwork: true
                                """),
                """
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: x, annotations: {chains.tekton.dev/signed: "true", other: a}}
                spec:
                  taskRef: {name: t}
                  params: [{name: p, value: true}]
                  podTemplate: {nodeSelector: {c: d}, env: [{name: B, value: own}]}
                """,
                """
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: x, annotations: {other: a}, labels: {app.kubernetes.io/managed-by: us}}
                spec:
                  taskRef: {name: t, kind: Task}
                  params: [{name: p, value: "true"}]
                  podTemplate:
                    nodeSelector: {c: d}
                    env: [{name: B, value: own}, {name: A, value: default}]
                    hostNetwork: true
                  timeout: 10m0s
                  serviceAccountName: builder
                """);
    }

    @Test
    void marksARunThatBringsItsTask() {
        check(Map.of(), """
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: x}
                spec: {serviceAccountName: a, timeout: 1h0m0s, taskSpec: {steps: [{image: i}]}}
                """, """
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata:
                  name: x
                  labels: {app.kubernetes.io/managed-by: tekton-pipelines}
                  annotations: {pipeline.tekton.dev/release: "3ee1745"}
                spec:
                  serviceAccountName: a
                  timeout: 1h0m0s
                  taskSpec: {steps: [{image: i, computeResources: {}, name: ""}]}
                """);
    }

    @Test
    void leavesTheMarkOfASignerOnWhatIsStored() {
        var run = yaml("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: x, annotations: {chains.tekton.dev/signed: "true"}}
                spec: {pipelineRef: {name: p}}
                """);
        assertThat(Admission.defaults(run, Settings.INITIAL).object("metadata")).isEqualTo(run.object("metadata"));
    }

    @Test
    void fillsInAPipelineRun() {
        check(Map.of(), """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                spec:
                  timeouts: {tasks: 30m}
                  taskRunSpecs: [{pipelineTaskName: a, timeout: 60s}]
                  pipelineSpec:
                    params: [{name: p}]
                    tasks:
                    - name: a
                      taskRef: {name: t}
                      timeout: 3600s
                      params: [{name: q, value: [1x, 2x]}]
                      matrix: {params: [{name: m, value: 3}], include: [{name: i, params: [{name: o, value: 4}]}]}
                    - {name: b, taskRef: {resolver: git, params: [{name: depth, value: 1}]}}
                    finally:
                    - {name: z, taskSpec: {params: [{name: p}], steps: [{image: i}]}}
                """, """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                spec:
                  timeouts: {tasks: 30m0s, pipeline: 1h0m0s}
                  taskRunTemplate: {serviceAccountName: default}
                  taskRunSpecs: [{pipelineTaskName: a, timeout: 1m0s}]
                  pipelineSpec:
                    params: [{name: p, type: string}]
                    tasks:
                    - name: a
                      taskRef: {name: t, kind: Task}
                      timeout: 1h0m0s
                      params: [{name: q, value: [1x, 2x]}]
                      matrix: {params: [{name: m, value: "3"}], include: [{name: i, params: [{name: o, value: "4"}]}]}
                    - {name: b, taskRef: {resolver: git, params: [{name: depth, value: "1"}]}}
                    finally:
                    - name: z
                      taskSpec:
                        params: [{name: p, type: string}]
                        steps: [{image: i, computeResources: {}, name: ""}]
                        metadata: {}
                        spec: null
                """);
    }

    @Test
    void writesTheEmptyFieldsThatTektonWrites() {
        check(Map.of(), """
                apiVersion: tekton.dev/v1
                kind: Task
                spec:
                  stepTemplate: {}
                  steps: [{image: i, computeResources: null, workspaces: [{name: w}]}]
                  sidecars: [{image: i, ports: [{containerPort: 80}, {containerPort: 81, protocol: UDP}]}]
                """, """
                apiVersion: tekton.dev/v1
                kind: Task
                spec:
                  stepTemplate: {computeResources: {}}
                  steps: [{image: i, computeResources: {}, name: "", workspaces: [{name: w, mountPath: ""}]}]
                  sidecars:
                  - image: i
                    computeResources: {}
                    name: ""
                    ports: [{containerPort: 80, protocol: TCP}, {containerPort: 81, protocol: UDP}]
                """);
    }

    @Test
    void writesTheEmptyFieldsOfTheOldVersion() {
        check(Map.of(), """
                apiVersion: tekton.dev/v1beta1
                kind: Pipeline
                spec:
                  tasks: [{name: a, taskSpec: {steps: [{image: i}]}}]
                  results: [{name: r, value: x}]
                """, """
                apiVersion: tekton.dev/v1beta1
                kind: Pipeline
                spec:
                  tasks: [{name: a, taskSpec: {steps: [{image: i, resources: {}, name: ""}], metadata: {}, spec: null}}]
                  results: [{name: r, value: x, description: ""}]
                """);
    }

    @Test
    void writesTheEmptyFieldsOfWhatARunBinds() {
        check(Map.of(), """
                apiVersion: tekton.dev/v1beta1
                kind: CustomRun
                spec:
                  serviceAccountName: a
                  customSpec: {apiVersion: v, kind: k}
                  workspaces: [{name: w, volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce]}}}]
                """, """
                apiVersion: tekton.dev/v1beta1
                kind: CustomRun
                spec:
                  serviceAccountName: a
                  customSpec: {apiVersion: v, kind: k, metadata: {}, spec: null}
                  workspaces:
                  - name: w
                    volumeClaimTemplate:
                      metadata: {}
                      spec: {accessModes: [ReadWriteOnce], resources: {}}
                      status: {}
                """);
    }

    @Test
    void fillsInAnOldPipelineRun() {
        check(Map.of("default-pod-template", "{schedulerName: s}"), """
                apiVersion: tekton.dev/v1beta1
                kind: PipelineRun
                spec: {pipelineRef: {name: p}}
                """, """
                apiVersion: tekton.dev/v1beta1
                kind: PipelineRun
                spec:
                  pipelineRef: {name: p}
                  timeout: 1h0m0s
                  serviceAccountName: default
                  podTemplate: {schedulerName: s}
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "enable-api-fields | gamma | invalid value for feature flag \"enable-api-fields\": \"gamma\"",
                "coschedule        | x     | invalid value for feature flag \"coschedule\": \"x\"",
                "results-from      | x     | invalid value for feature flag \"results-from\": \"x\"",
                "max-result-size   | x     | strconv.Atoi: parsing \"x\": invalid syntax",
                "max-result-size   | 1572864 | invalid value for feature flag \"results-from\": \"1572864\". This is"
                        + " exceeding the CRD limit",
                "disable-creds-init | yes  | failed parsing feature flags config \"yes\": strconv.ParseBool: parsing"
                        + " \"yes\": invalid syntax",
                "enable-artifacts  | yes   | failed parsing feature flags config \"yes\": strconv.ParseBool: parsing"
                        + " \"yes\": invalid syntax for feature enable-artifacts"
            })
    void refusesFlagsThatMakeNoSense(String key, String value, String message) {
        assertThatThrownBy(() -> FeatureFlags.read(Map.of(key, value))).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "default-timeout-minutes | x    | failed parsing default config \"default-timeout-minutes\"",
                "default-imagepullbackoff-timeout | x | failed parsing default config"
                        + " \"default-imagepullbackoff-timeout\"",
                "default-pod-template    | [a   | failed to unmarshal [a",
                "default-pod-template    | text | failed to unmarshal text"
            })
    void refusesDefaultsThatMakeNoSense(String key, String value, String message) {
        assertThatThrownBy(() -> Defaults.read(Map.of(key, value))).hasMessage(message);
    }

    @Test
    void hasTheDefaultsOfTekton() {
        assertThat(Records.write(FeatureFlags.INITIAL)).isEqualTo(yaml("""
                runningInEnvWithInjectedSidecars: true
                enableAPIFields: beta
                sendCloudEventsForRuns: true
                awaitSidecarReadiness: true
                enforceNonfalsifiability: none
                verificationNoMatchPolicy: ignore
                enableProvenanceInStatus: true
                resultExtractionMethod: termination-message
                maxResultSize: 4096
                coschedule: workspaces
                """));
        assertThat(Defaults.INITIAL.timeout()).isEqualTo(Duration.ofHours(1));
        assertThat(Defaults.INITIAL.maxMatrixCombinations()).isEqualTo(256);
        assertThat(Defaults.read(Map.of("default-forbidden-env", "B, A,B")).forbiddenEnv())
                .containsExactly("A", "B");
    }

    @Test
    void looksOnceAtASpecUntilTheDefaultsChange() {
        var completion = new Completion();
        var run = yaml("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: x}
                spec: {taskRef: {name: t}}
                """);
        var filled = completion.defaults(run, Settings.INITIAL);
        assertThat(completion.defaults(filled, Settings.INITIAL)).isSameAs(filled);
        var unlabelled = filled.with("metadata", Json.Obj.of("name", Json.of("x")));
        assertThat(completion.defaults(unlabelled, Settings.INITIAL)).isEqualTo(filled);
        var settings = Settings.read(Map.of("default-pod-template", "{schedulerName: s}"), Map.of());
        assertThat(completion.defaults(filled, settings).string("spec", "podTemplate", "schedulerName"))
                .isEqualTo("s");
    }
}
