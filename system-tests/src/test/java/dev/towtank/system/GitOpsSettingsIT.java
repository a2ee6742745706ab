package dev.towtank.system;

import static dev.towtank.system.ApplicationYaml.configMap;
import static dev.towtank.system.ApplicationYaml.hook;
import static dev.towtank.system.ApplicationYaml.wave;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The letters of [GitOpsAcceptanceIT] that change settings of all applications, and those with models: the record's
/// own
/// scripts and exclusions among them.
class GitOpsSettingsIT extends ApplicationCase {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @Override
    SharedServer server() {
        return SERVER;
    }

    @AfterEach
    void restoreSettings() {
        argocd.run("delete", "argocds", "--all");
        argocd.run("patch", "configmap", "argocd-cm", "--type=merge", "-p", "{\"data\":null}");
    }

    private void setting(String key, String value) {
        argocd.run(
                "patch",
                "configmap",
                "argocd-cm",
                "--type=merge",
                "-p",
                "{\"data\":{\"" + key + "\":\"" + value.replace("\"", "\\\"").replace("\n", "\\n") + "\"}}");
    }

    private void healthCheck(String group, String kind, String script) {
        argocd.withInput("""
                apiVersion: argoproj.io/v1beta1
                kind: ArgoCD
                metadata: {name: argocd}
                spec:
                  resourceHealthChecks:
                  - group: "%s"
                    kind: %s
                    check: |
                %s
                """.formatted(group, kind, script.indent(6)), "apply", "-f", "-");
    }

    private void awaitCondition(String type) {
        await("{.status.conditions[?(@.type=='" + type + "')].type}", type);
    }

    private String told(String type) {
        return status("{.status.conditions[?(@.type=='" + type + "')].message}");
    }

    private String explanation() {
        return Program.towtank("app", "explain", name, "--data", SERVER.data().toString())
                .out();
    }

    private static final String RUN = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {%s}
            spec: {pipelineRef: {name: build}}
            """;

    private static final String PIPELINE = """
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata: {name: build}
            spec:
              tasks:
              - name: work
                taskSpec: {steps: [{name: main, image: "alpine:3.20", script: "true"}]}
            """;

    @Test
    void a1eTheScriptOfTheRecordIsHonouredAndItsGlossIsTold() {
        healthCheck("", "PersistentVolumeClaim", """
                hs = {}
                if obj.status.phase == "Pending" then
                  hs.status = "Healthy"
                  hs.message = "PVC is pending (likely WaitForFirstConsumer)"
                elseif obj.status.phase == "Bound" then
                  hs.status = "Healthy"
                  hs.message = "PVC is bound"
                else
                  hs.status = "Progressing"
                  hs.message = "PVC status: " .. obj.status.phase
                end
                return hs
                """);
        repository
                .with("a/claim.yaml", """
                        apiVersion: storage.k8s.io/v1
                        kind: StorageClass
                        metadata: {name: nobody, annotations: {argocd.argoproj.io/sync-wave: "-7"}}
                        provisioner: example.com/nobody
                        ---
                        apiVersion: v1
                        kind: PersistentVolumeClaim
                        metadata: {name: models, annotations: {argocd.argoproj.io/sync-wave: "-6"}}
                        spec: {storageClassName: nobody, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}
                        """)
                .with("a/late.yaml", configMap("late", ""))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        assertThat(status("{.status.resources[?(@.kind=='PersistentVolumeClaim')].health.message}"))
                .isEqualTo("PVC is pending (likely WaitForFirstConsumer)");
        assertThat(told("HealthOverriddenWarning"))
                .isEqualTo("the health of /PersistentVolumeClaim/models is overridden by a user script;"
                        + " own assessment: Progressing");
        // a1d: what is lost is lost, unless the script says otherwise.
        kubectl.run(
                "patch",
                "pvc",
                "models",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\":{\"phase\":\"Lost\"}}");
        await("{.status.health.status}", "Progressing");
        argocd.run("delete", "argocds", "--all");
        await("{.status.health.status}", "Degraded");
        assertThat(status("{.status.health.message}"))
                .isEqualTo("Caused by PersistentVolumeClaim:" + kubectl.namespace() + "/models");
    }

    @Test
    void a3cTrackingByLabelIsWarnedOfAndRunsStay() {
        setting("application.resourceTrackingMethod", "label");
        repository.with("a/pipeline.yaml", PIPELINE).commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        awaitCondition("SettingsWarning");
        assertThat(told("SettingsWarning"))
                .contains(
                        "application.resourceTrackingMethod is label", "tracked by annotation", "would then be pruned");
        kubectl.withInput(RUN.formatted("name: by-hand"), "apply", "-f", "-");
        kubectl.await("pipelineruns/by-hand", "{.status.conditions[0].status}", "True");
        argocd.run("patch", "app", name, "--type=merge", "-p", "{\"operation\":{\"sync\":{\"prune\":true}}}");
        await("{.status.operationState.phase}/{.operation}", "Succeeded/");
        assertThat(kubectl.run("get", "pipelineruns,taskruns", "-o", "name"))
                .contains("pipelinerun.tekton.dev/by-hand", "taskrun.tekton.dev/by-hand-work");
    }

    @Test
    void a3dWhatIsExcludedIsTold() {
        setting("resource.exclusions.profile", "openshift");
        repository
                .with("a/pipeline.yaml", PIPELINE)
                .with("a/run.yaml", RUN.formatted("name: once"))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        awaitCondition("ExcludedResourceWarning");
        assertThat(told("ExcludedResourceWarning")).contains("tekton.dev/PipelineRun once is excluded");
        assertThat(kubectl.run("get", "pipelineruns", "-o", "name")).isEmpty();
        repository
                .with("a/run.yaml", RUN.formatted("generateName: build-, annotations: {" + hook("Sync") + "}"))
                .with("a/late.yaml", configMap("late", wave(1)))
                .commit();
        await("{.status.operationState.phase}", "Failed");
        assertThat(status("{.status.operationState.syncResult.resources[*].message}"))
                .contains("would never run: its kind is excluded in the settings (resource.exclusions)");
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).doesNotContain("configmap/late");
    }

    private static final String SERVICE = """
            apiVersion: serving.kserve.io/v1beta1
            kind: InferenceService
            metadata:
              name: detector
              annotations:
                argocd.argoproj.io/sync-wave: "2"
                argocd.argoproj.io/sync-options: SkipHealthCheck=true
                towtank.dev/reload-model: "true"
            spec: {predictor: {model: {modelFormat: {name: sklearn}, storageUri: pvc://models/detector}}}
            """;

    private static String python(String name, String script) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s, annotations: {argocd.argoproj.io/sync-wave: "3"}}
                spec:
                  backoffLimit: 0
                  template:
                    spec:
                      restartPolicy: Never
                      volumes: [{name: models, persistentVolumeClaim: {claimName: models}}]
                      containers:
                      - name: python
                        image: kserve/sklearnserver:latest
                        command: [/usr/bin/python3, -c]
                        volumeMounts: [{name: models, mountPath: /mnt/models}]
                        args:
                        - |
                %s
                """.formatted(name, script.indent(10));
    }

    @Test
    void a8AServiceBeforeItsModelPassesItsWaveAndTellsTheTruth() throws Exception {
        repository
                .with("a/claim.yaml", """
                        apiVersion: v1
                        kind: PersistentVolumeClaim
                        metadata: {name: models}
                        spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                        """)
                .with("a/service.yaml", SERVICE)
                .with("a/late.yaml", configMap("late", wave(3)))
                .commit();
        apply("a", AUTOMATED);
        var waiting = "Synced/Progressing/Succeeded";
        var state = "{.status.sync.status}/{.status.health.status}/{.status.operationState.phase}";
        await(state, waiting);
        kubectl.await("isvc/detector", "{.status.modelStatus.lastFailureInfo.reason}", "ModelLoadFailed");
        argocd.await(
                "applications",
                "--field-selector=metadata.name=" + name,
                "{.status.health.message}",
                "the address of the model",
                message -> message.contains("waits for a model at pvc://models/detector"));
        assertThat(kubectl.run("get", "configmaps", "-o", "name")).contains("configmap/late");
        a8bTheScriptOfTheRecordIsHonouredAndTheTruthIsTold();
        await(state, waiting);
        // a8c: a rule about the status changes nothing, and that is told.
        argocd.run(
                "patch",
                "app",
                name,
                "--type=merge",
                "-p",
                "{\"spec\":{\"ignoreDifferences\":[{\"group\":\"serving.kserve.io\",\"kind\":\"InferenceService\",\"jqPathExpressions\":[\".status\"]}]}}");
        awaitCondition("IgnoreDifferencesWarning");
        assertThat(told("IgnoreDifferencesWarning")).contains("the status is never compared");
        assertThat(status(state)).isEqualTo(waiting);
        repository.with("a/train.yaml", python("train", """
                import joblib, numpy, os
                from sklearn.dummy import DummyClassifier
                os.makedirs("/mnt/models/detector", exist_ok=True)
                rows = numpy.zeros((4, 3))
                joblib.dump(DummyClassifier(strategy="constant", constant=2).fit(rows, [1, 2, 1, 2]), "/mnt/models/detector/.new")
                os.rename("/mnt/models/detector/.new", "/mnt/models/detector/model.pkl")
                """)).commit();
        awaitHealthy();
        var models = new ServedModels(kubectl);
        assertThat(models.predict("detector", "[[0, 0, 0]]")).isEqualTo("{\"predictions\":[2]}");
        // a8d: one that cannot be loaded is told, and the one before serves.
        repository
                .with(
                        "a/spoil.yaml",
                        python("spoil", "open('/mnt/models/detector/model.pkl', 'wb').write(b'junk' * 500)\n"))
                .commit();
        await("{.status.sync.status}/{.status.health.status}", "Synced/Degraded");
        assertThat(status("{.status.health.message}")).contains("InferenceService", "Cannot load");
        assertThat(models.predict("detector", "[[0, 0, 0]]")).isEqualTo("{\"predictions\":[2]}");
    }

    private void a8bTheScriptOfTheRecordIsHonouredAndTheTruthIsTold() {
        healthCheck("serving.kserve.io", "InferenceService", """
                hs = {}
                hs.status = "Healthy"
                hs.message = "InferenceService status ignored for sync"
                return hs
                """);
        await("{.status.health.status}", "Healthy");
        assertThat(explanation())
                .contains("overridden by a user script; own assessment: Progressing: waits for a model at"
                        + " pvc://models/detector");
        argocd.run("delete", "argocds", "--all");
    }

    /// What an image lacks is told before a cell is run; what changes for one tier changes one object.
    @Test
    void a7EachTierHasItsImageAndOnlyTheOneWithoutItsPackagesFails() {
        repository
                .with("n/good.ipynb", notebook("print(1)"))
                .with("n/lacking.ipynb", notebook("print(1)\\nimport package_that_no_image_has"))
                .with("chart/Chart.yaml", "{apiVersion: v2, name: tiers, version: 0.1.0}\n")
                .with(
                        "chart/values.yaml",
                        "images: {tier1: 'minimal-notebook:1', tier2: 'minimal-notebook:1', tier3: 'minimal-notebook:1'}\n")
                .with("chart/templates/all.yaml", """
                        {{- range $tier, $image := .Values.images }}
                        ---
                        apiVersion: mlops.mlops.dev/v1alpha1
                        kind: NotebookValidationJob
                        metadata: {name: {{ $tier }}}
                        spec:
                          notebook:
                            path: n/{{ eq $tier "tier2" | ternary "lacking" "good" }}.ipynb
                            git: {url: "https://git.example.com/%s", ref: main}
                          podConfig: {containerImage: "quay.io/jupyter/{{ $image }}"}
                        {{- end }}
                        """.formatted(
                                repository.directory().getFileName()))
                .commit();
        kubectl.in("tekton-pipelines-resolvers")
                .withInput("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: towtank-resolvers}
                data: {rewrites: "https://git.example.com/: file://%s/"}
                """.formatted(repository.directory().getParent()), "apply", "-f", "-");
        apply("chart", AUTOMATED);
        for (var end : Map.of("tier1", "Succeeded", "tier2", "Failed", "tier3", "Succeeded")
                .entrySet()) {
            kubectl.await("nvj/" + end.getKey(), "{.status.phase}", end.getValue());
        }
        assertThat(
                        kubectl.run(
                                "get",
                                "nvj",
                                "tier2",
                                "-o",
                                "jsonpath={.status.conditions[?(@.type=='Failed')].reason} {.status.message} {.status.results}"))
                .startsWith("MissingPackages")
                .contains("package_that_no_image_has", "quay.io/jupyter/minimal-notebook:1")
                .contains("\"status\":\"Skipped\"")
                .doesNotContain("\"status\":\"Succeeded\"", "\"status\":\"Failed\"");
        argocd.run("patch", "app", name, "--type=merge", "-p", "{\"spec\":{\"syncPolicy\":null}}");
        repository
                .with(
                        "chart/values.yaml",
                        "images: {tier1: 'minimal-notebook:1', tier2: 'minimal-notebook:2', tier3: 'minimal-notebook:1'}\n")
                .commit();
        await("{.status.resources[?(@.status=='OutOfSync')].name}", "tier2");
    }

    /// Section 3.1: `mlops.dev/block-wave` keeps a wave back until the notebook has succeeded, and for good if it
    /// fails.
    @Test
    void aNotebookHoldsUpTheWaveThatItSays() {
        argocd.in("tekton-pipelines-resolvers")
                .withInput("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: towtank-resolvers}
                data: {rewrites: "https://git.example.com/: file://%s/"}
                """.formatted(repository.directory().getParent()), "apply", "-f", "-");
        var train = """
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata:
                  name: train
                  annotations: {argocd.argoproj.io/sync-wave: "3", mlops.dev/block-wave: "4"}
                spec:
                  notebook: {path: n/work.ipynb, git: {url: "https://git.example.com/%s", ref: main}}
                  podConfig: {containerImage: "quay.io/jupyter/minimal-notebook:1"}
                """.formatted(repository.directory().getFileName());
        repository
                .with("n/work.ipynb", notebook("raise ValueError('not yet')"))
                .with("a/train.yaml", train)
                .with("a/serve.yaml", configMap("serve", wave(4)))
                .commit();
        apply("a", AUTOMATED);
        kubectl.await("nvj/train", "{.metadata.annotations.mlops\\.dev/wave-failed}", "3");
        await("{.status.operationState.phase}", "Failed");
        assertThat(names("configmaps")).doesNotContain("serve");

        repository
                .with("n/work.ipynb", notebook("print('done')"))
                .with("a/train.yaml", train.replace("minimal-notebook:1", "minimal-notebook:2"))
                .commit();
        awaitHealthy();
        assertThat(names("configmaps")).contains("configmap/serve");
        kubectl.await("nvj/train", "{.metadata.annotations.mlops\\.dev/wave-complete}", "3");
        assertThat(kubectl.run("get", "nvj", "train", "-o", "jsonpath={.metadata.annotations}"))
                .contains("mlops.dev/completion-time")
                .doesNotContain("wave-failed");
    }

    private static String notebook(String source) {
        return """
                {"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": "%s"}],
                 "nbformat": 4, "nbformat_minor": 4,
                 "metadata": {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}}}
                """.formatted(source);
    }
}
