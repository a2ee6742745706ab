package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// A training that does not go through in one go: its server is killed on the way, or it is cancelled.
class TrainingCrashIT {

    private static final Path EXAMPLE = Checkout.ROOT.resolve("examples/model-training");
    private static final String STORED =
            "{.items[*].spec.predictor.model.storageUri}{.spec.predictor.model.storageUri}";

    private static final List<String> TASKS = List.of(
            "first-model",
            "serve-first",
            "train-model",
            "health-check",
            "deploy-model",
            "post-deployment-check",
            "notify");

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @TempDir
    Path temp;

    private static void git(Path directory, String... arguments) {
        var line = new ArrayList<>(
                List.of("git", "-C", directory.toString(), "-c", "user.name=n", "-c", "user.email=n@example.com"));
        line.addAll(List.of(arguments));
        var outcome = Program.run(line, "", Map.of());
        assertThat(outcome.exit()).as(outcome.toString()).isZero();
    }

    /// @param cells sources of code, as they are in JSON
    private static String notebook(String... cells) {
        var all = Stream.of(cells).map(source -> """
                {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": "%s"}""".formatted(source));
        return """
                {"cells": [%s], "nbformat": 4, "nbformat_minor": 4,
                 "metadata": {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}}}""".formatted(all.collect(Collectors.joining(", ")));
    }

    private Kubectl platform() throws IOException {
        var work = Files.createDirectories(temp.resolve("models"));
        Files.copy(EXAMPLE.resolve("notebooks/anomaly-detector.ipynb"), work.resolve("a.ipynb"));
        Files.writeString(work.resolve("quick.ipynb"), notebook("1"));
        Files.writeString(work.resolve("cold.ipynb"), notebook("print('warm')", "raise ValueError('too cold')"));
        Files.writeString(
                work.resolve("endless.ipynb"),
                notebook("import subprocess\\nsubprocess.Popen(['sleep', '3600'])", "while True: pass"));
        git(work, "init", "-q", "-b", "main");
        git(work, "add", ".");
        git(work, "commit", "-q", "-m", "one");
        var kubectl = SERVER.inNewNamespace();
        kubectl.attempt("create", "namespace", "tekton-pipelines-resolvers");
        kubectl.in("tekton-pipelines-resolvers").withInput("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: towtank-resolvers}
                data: {rewrites: "https://git.example.com/: file://%s/"}
                """.formatted(temp), "apply", "-f", "-");
        for (var file : List.of("1-storage", "2-tasks", "3-pipeline", "health/health-check")) {
            kubectl.run("apply", "-f", EXAMPLE.resolve(file + ".yaml").toString());
        }
        return kubectl;
    }

    private static void kill() {
        SERVER.replace(RunningTowtank::killAndStart);
    }

    /// Before its roll-out has begun. In this order: what begins in between does no harm.
    private static void checkThatNothingNewServes(Kubectl kubectl) {
        var stored = kubectl.run("get", "inferenceservices", "-o", "jsonpath=" + STORED);
        if (kubectl.run("get", "taskruns", "--selector=tekton.dev/pipelineTask=deploy-model", "-o", "name")
                .isEmpty()) {
            assertThat(stored).isIn("", "pvc://model-storage-pvc/anomaly-detector/first");
        }
    }

    private static void awaitTask(Kubectl kubectl, String task, String wanted, Predicate<String> enough) {
        kubectl.await(
                "taskruns",
                "--selector=tekton.dev/pipelineTask=" + task,
                "{.items[*].status.conditions[0].status}{.status.conditions[0].status}",
                wanted,
                enough);
    }

    private static void train(Kubectl kubectl, String name, String param) {
        kubectl.withInput("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: %s}
                spec:
                  pipelineRef: {name: model-training-pipeline}
                  taskRunTemplate: {serviceAccountName: pipeline}
                  params:
                    - {name: model-name, value: anomaly-detector}
                    - {name: notebook-path, value: a.ipynb}
                    - {name: data-source, value: synthetic}
                    - {name: git-url, value: "https://git.example.com/models"}
                    - {name: inference-service-name, value: anomaly-detector}
                    %s
                  workspaces:
                    - {name: model-storage, persistentVolumeClaim: {claimName: model-storage-pvc}}
                    - {name: notebooks, emptyDir: {}}
                """.formatted(name, param), "create", "-f", "-");
    }

    /// TP-10: the old model serves until the new one answers, and the run goes on. Then what looks after a model
    /// that serves: TP-11 by the report of the health check, NVJ-10 and NVJ-11 by the notebooks behind it. TP-13 by
    /// a training that nobody judges.
    @Test
    void killedBetweenItsStepsATrainingGoesOnAndTheOldModelServesMeanwhile() throws Exception {
        var kubectl = platform();
        train(kubectl, "train", "");
        for (var task : TASKS) {
            awaitTask(kubectl, task, "begun", status -> !status.isEmpty());
            kill();
            awaitTask(kubectl, task, "done", "True"::equals);
            checkThatNothingNewServes(kubectl);
            kill();
        }
        kubectl.await("pipelinerun/train", "{.status.conditions[0].status}", "True");
        kubectl.await("inferenceservice/anomaly-detector", STORED, "pvc://model-storage-pvc/anomaly-detector/train");
        kubectl.await("inferenceservice/anomaly-detector", "{.status.conditions[?(@.type=='Ready')].status}", "True");
        assertThat(kubectl.run("get", "nvj", "-o", "jsonpath={.items[*].status.phase}"))
                .isEqualTo("Succeeded Succeeded");

        assertThat(kubectl.run(
                        "get",
                        "taskrun",
                        "train-health-check",
                        "-o",
                        "jsonpath={.status.results[?(@.name=='size-bytes')].value}"
                                + " {.status.results[?(@.name=='load-seconds')].value}"
                                + " {.status.results[?(@.name=='predict-seconds')].value}"))
                .matches("[1-9][0-9]{3,} [0-9.]+ [0-9.]+");

        kubectl.withInput("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: health}
                spec:
                  pipelineRef: {name: model-health-check-pipeline}
                  taskRunTemplate: {serviceAccountName: pipeline}
                  params: [{name: model-name, value: anomaly-detector}, {name: inference-service-name, value: anomaly-detector}]
                  workspaces: [{name: model-storage, persistentVolumeClaim: {claimName: model-storage-pvc}}]
                ---
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata:
                  name: asks
                  annotations:
                    mlops.dev/on-success-trigger: |
                      - {kind: InferenceService, name: anomaly-detector, action: restart}
                spec:
                  notebook: {path: quick.ipynb, git: {url: "https://git.example.com/models", ref: main}}
                  podConfig: {containerImage: quay.io/jupyter/minimal-notebook, serviceAccountName: pipeline}
                  modelValidation:
                    targetModels: [anomaly-detector]
                    predictionValidation: {testData: '{"instances": [DATA]}', expectedOutput: '{"predictions": [1]}'}
                ---
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: doubts, annotations: {mlops.dev/on-success-trigger: "[{kind: Deployment, name: x, action: restart}]"}}
                spec:
                  notebook: {path: quick.ipynb, git: {url: "https://git.example.com/models", ref: main}}
                  podConfig: {containerImage: quay.io/jupyter/minimal-notebook}
                  modelValidation:
                    timeout: 1s
                    targetModels: [anomaly-detector]
                    predictionValidation: {testData: '{"instances": [DATA]}', expectedOutput: '{"predictions": [-1]}'}
                """.replace("DATA", "[" + "0, ".repeat(44) + "0]"), "create", "-f", "-");
        kubectl.await("pipelinerun/health", "{.status.conditions[0].status}", "True");
        assertThat(kubectl.run("logs", "-l", "tekton.dev/pipelineTask=report", "--tail=-1"))
                .contains("model_health_check{model=\"anomaly-detector\",check=\"model\"} 1")
                .contains("model_version_info{model=\"anomaly-detector\",version=\"train\"} 1")
                .contains("model_accuracy{model=\"anomaly-detector\"} 0.9")
                .containsPattern(
                        "model_train_duration_seconds\\{model=\"anomaly-detector\",version=\"train\"} [0-9.]+\n");

        kubectl.await("nvj/asks", "{.status.onSuccessTriggers[0].result}", "done");
        assertThat(kubectl.run("get", "nvj", "asks", "-o", "jsonpath={.status.modelValidationResult.models[0].status}"))
                .isEqualTo("healthy");
        kubectl.await("nvj/doubts", "{.status.phase}", "Failed");
        assertThat(kubectl.run("get", "nvj", "doubts", "-o", "jsonpath={.status.message}{.status.onSuccessTriggers}"))
                .contains("anomaly-detector answered {\"predictions\":[1]}, expected was")
                .doesNotContain("restart");

        train(kubectl, "unjudged", "- {name: health-check-enabled, value: 'false'}");
        kubectl.await("pipelinerun/unjudged", "{.status.conditions[0].status}", "True");
        kubectl.await("inferenceservice/anomaly-detector", STORED, "pvc://model-storage-pvc/anomaly-detector/unjudged");
        assertThat(kubectl.run("get", "pipelinerun", "unjudged", "-o", "jsonpath={.status.skippedTasks[*].name}"))
                .contains("health-check");
    }

    /// Those of this machine that were started with a word in their environment.
    private static List<String> processesWith(String word) throws IOException {
        var found = new ArrayList<String>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (var process : processes) {
                try {
                    if (Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1)
                            .contains(word)) {
                        found.add(Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                                .replace('\0', ' '));
                    }
                } catch (IOException e) {
                    // it ended meanwhile
                }
            }
        }
        return found;
    }

    /// TP-1.
    @Test
    void aTrainingFailsWithTheCellThatFailed() throws Exception {
        var kubectl = platform();
        kubectl.withInput("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: cold}
                spec:
                  serviceAccountName: pipeline
                  taskRef: {name: run-notebook-validation}
                  workspaces: [{name: model-storage, persistentVolumeClaim: {claimName: model-storage-pvc}}]
                  params:
                    - {name: model-name, value: cold}
                    - {name: version, value: one}
                    - {name: notebook-path, value: cold.ipynb}
                    - {name: git-url, value: "https://git.example.com/models"}
                """, "create", "-f", "-");

        kubectl.await("taskrun/cold", "{.status.conditions[0].status}", "False");
        assertThat(kubectl.run("logs", "cold-pod"))
                .contains("warm\n", "Cell 1 failed: ValueError: too cold")
                .doesNotContain("Succeeded");
        assertThat(kubectl.run(
                        "get", "taskrun", "cold", "-o", "jsonpath={.status.results[?(@.name=='version')].value}"))
                .isEmpty();
    }

    /// TP-2.
    @Test
    void whoeverCancelsATrainingEndsItsNotebookAndAllThatItStarted() throws Exception {
        var kubectl = platform();
        var word = "http://nobody-else-trains-with-this.example.com";
        kubectl.withInput("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: endless}
                spec:
                  taskRunTemplate: {serviceAccountName: pipeline}
                  workspaces:
                    - {name: model-storage, persistentVolumeClaim: {claimName: model-storage-pvc}}
                  pipelineSpec:
                    workspaces: [{name: model-storage}]
                    tasks:
                      - name: train-model
                        taskRef: {name: run-notebook-validation}
                        workspaces: [{name: model-storage}]
                        params:
                          - {name: model-name, value: endless}
                          - {name: version, value: one}
                          - {name: notebook-path, value: endless.ipynb}
                          - {name: git-url, value: "https://git.example.com/models"}
                          - {name: prometheus-url, value: "%s"}
                """.formatted(word), "create", "-f", "-");
        kubectl.await("nvj/train-endless-one", "{.status.message}", "1 of 2 cells are done");
        assertThat(processesWith(word))
                .anyMatch(line -> line.contains("ipykernel"))
                .anyMatch(line -> line.contains("sleep 3600"));

        kubectl.run("patch", "pipelinerun", "endless", "--type=merge", "-p", "{\"spec\": {\"status\": \"Cancelled\"}}");

        kubectl.await("pipelinerun/endless", "{.status.conditions[0].reason}", "Cancelled");
        kubectl.await("taskrun/endless-train-model", "{.status.conditions[0].reason}", "TaskRunCancelled");
        kubectl.run(
                "wait", "--for=delete", "nvj/train-endless-one", "pod/train-endless-one-validation", "--timeout=120s");
        Eventually.holds(() -> assertThat(processesWith(word)).isEmpty());
    }
}
