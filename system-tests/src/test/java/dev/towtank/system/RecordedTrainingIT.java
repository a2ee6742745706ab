package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// A platform's own decision record on training: its manifests, letter by letter, and what starts a training.
class RecordedTrainingIT {

    private static final Path RECORD =
            Path.of("src/test/resources/records/model-training").toAbsolutePath();
    private static final String NAMESPACE = "self-healing-platform";

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

    /// As the platform's: it writes where the model is served from.
    private void makeRepository() throws IOException {
        var work = Files.createDirectories(temp.resolve("openshift-aiops-platform.git"));
        var notebook = work.resolve("notebooks/02-anomaly-detection/01-isolation-forest-implementation.ipynb");
        Files.createDirectories(notebook.getParent());
        Files.writeString(notebook, """
                {"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": [
                  "import os, joblib, numpy\\n",
                  "from sklearn.ensemble import IsolationForest\\n",
                  "assert os.environ['AWS_S3_BUCKET'] == 'models'\\n",
                  "rows = numpy.random.RandomState(7).normal(size=(500, 45))\\n",
                  "os.makedirs('/mnt/models/anomaly-detector', exist_ok=True)\\n",
                  "joblib.dump(IsolationForest(n_estimators=20, random_state=7).fit(rows), '/mnt/models/anomaly-detector/model.pkl')\\n",
                  "print('trained on', os.environ['DATA_SOURCE'])"]}],
                 "metadata": {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}},
                 "nbformat": 4, "nbformat_minor": 4}
                """);
        git(work, "init", "-q", "-b", "main");
        git(work, "add", ".");
        git(work, "commit", "-q", "-m", "one");
    }

    private Kubectl platform() throws IOException {
        makeRepository();
        var kubectl = SERVER.kubectl().in(NAMESPACE);
        kubectl.run("create", "namespace", NAMESPACE);
        SERVER.kubectl().in("tekton-pipelines-resolvers").withInput("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: towtank-resolvers}
                data: {rewrites: "https://github.com/KubeHeal/: file://%s/"}
                """.formatted(temp), "apply", "-f", "-");
        kubectl.withInput("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: model-storage-pvc}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: model-storage-config}
                stringData: {AWS_S3_BUCKET: models}
                ---
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: self-healing-workbench}
                ---
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: pipeline}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: training}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: model-training-pipeline}
                subjects: [{kind: ServiceAccount, name: default}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: starting}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
                subjects: [{kind: ServiceAccount, name: pipeline}]
                ---
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: anomaly-detector}
                spec:
                  predictor:
                    model: {modelFormat: {name: sklearn}, storageUri: "pvc://model-storage-pvc/anomaly-detector"}
                """, "apply", "-f", "-");
        return kubectl;
    }

    /// TP-14, TP-15, TP-16, TP-17.
    @Test
    void theRecordsManifestsApplyAndWhatIsRefusedCanBeMended() throws Exception {
        var kubectl = platform();
        for (var file : List.of("rbac", "pipeline", "run-notebook-validation", "triggers")) {
            kubectl.run("apply", "-f", RECORD.resolve(file + ".yaml").toString());
        }
        for (var task : List.of("restart-inference-service", "test-inference-endpoint")) {
            kubectl.run(
                    "apply",
                    "-f",
                    Checkout.ROOT
                            .resolve("examples/model-tasks/" + task + ".yaml")
                            .toString());
        }

        // What Tekton refuses is refused, and can be mended.
        var check = Files.copy(RECORD.resolve("validate-model-health.yaml"), temp.resolve("check.yaml"));
        assertThat(kubectl.attempt("apply", "-f", check.toString()).err())
                .contains("workspace mount path \"/workspace/model-storage\" must be unique");
        assertThat(Program.towtank("lint", check.toString()).out())
                .contains("undefined-volume", "stat-format", "workspace mount path \"/workspace/model-storage\"");
        new ShellProgram(temp, temp.resolve("state")).run("lint", "--fix", check.toString());
        assertThat(check).content().contains("$(stat -c%s \"$MODEL_PATH\" 2>/dev/null ||");
        kubectl.run("apply", "-f", check.toString());

        // The check tells a model from what is none.
        kubectl.withInput("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: train}
                spec:
                  backoffLimit: 0
                  template:
                    spec:
                      restartPolicy: Never
                      volumes: [{name: models, persistentVolumeClaim: {claimName: model-storage-pvc}}]
                      containers:
                      - name: python
                        image: kserve/sklearnserver:latest
                        command: [/usr/bin/python3, -c]
                        volumeMounts: [{name: models, mountPath: /mnt/models}]
                        args:
                        - |
                          import joblib, numpy, os
                          from sklearn.ensemble import IsolationForest
                          for name in ["anomaly-detector", "predictive-analytics"]:
                              os.makedirs(f"/mnt/models/{name}", exist_ok=True)
                          rows = numpy.random.RandomState(1).normal(size=(20, 45))
                          joblib.dump(IsolationForest(n_estimators=5).fit(rows), "/mnt/models/anomaly-detector/model.pkl")
                          open("/mnt/models/predictive-analytics/model.pkl", "wb").write(os.urandom(2048))
                """, "apply", "-f", "-");
        kubectl.run("wait", "--for=condition=complete", "job/train", "--timeout=120s");
        for (var model : List.of("anomaly-detector", "predictive-analytics")) {
            kubectl.withInput("""
                    apiVersion: tekton.dev/v1
                    kind: TaskRun
                    metadata: {name: check-%1$s}
                    spec:
                      taskRef: {name: validate-model-health}
                      params: [{name: model-name, value: %1$s}]
                      workspaces: [{name: model-storage, persistentVolumeClaim: {claimName: model-storage-pvc}}]
                    """.formatted(model), "apply", "-f", "-");
            kubectl.await(
                    "taskruns/check-" + model,
                    "{.status.conditions[?(@.type==\"Succeeded\")].status}",
                    model.equals("anomaly-detector") ? "True" : "False");
        }
        assertThat(kubectl.run("logs", "check-anomaly-detector-pod", "--all-containers"))
                .contains("Model loaded successfully", "Predictions successful");
        assertThat(kubectl.run("logs", "check-predictive-analytics-pod", "-c", "step-test-model-load"))
                .contains("Failed to load model");

        // Sunday has not come, but somebody does not want to wait for it.
        kubectl.run("create", "job", "--from=cronjob/weekly-anomaly-detector-training", "test-cron-1");
        kubectl.run("wait", "--for=condition=complete", "job/test-cron-1", "--timeout=120s");
        assertThat(kubectl.run("logs", "job/test-cron-1")).contains("pipelinerun.tekton.dev/train-anomaly-detector-");
        assertThat(kubectl.run("get", "job", "test-cron-1", "-o", "jsonpath={.metadata.annotations}"))
                .contains("\"cronjob.kubernetes.io/instantiate\":\"manual\"");
        assertThat(kubectl.attempt("apply", "-f", RECORD.resolve("run.yaml").toString())
                        .err())
                .contains("cannot use generate name with apply");

        // Its jobs are named by the second: two trainings at once would want the same name, and write the same file.
        kubectl.run("delete", "pipelineruns", "--all");
        kubectl.run("wait", "--for=delete", "taskruns,pods", "-l", "tekton.dev/pipelineRun", "--timeout=120s");
        kubectl.run("delete", "nvj", "--all");
        kubectl.run(
                "wait", "--for=delete", "pods", "-l", "app.kubernetes.io/name=notebook-validator", "--timeout=120s");
        // What the record ends with: a model is trained from git, judged, served and asked.
        var run = kubectl.run("create", "-f", RECORD.resolve("run.yaml").toString(), "-o", "name")
                .strip();
        kubectl.await(
                "taskruns",
                "--selector=tekton.dev/pipelineTask=train-model",
                "{.items[*].status.conditions[0].status}{.status.conditions[0].status}",
                "True");
        kubectl.run("wait", run, "--for=jsonpath={.status.completionTime}", "--timeout=120s");
        assertThat(kubectl.run("get", run, "-o", "jsonpath={.status.conditions[0].status}"))
                .as(() -> kubectl.run(
                        "logs",
                        "--all-containers",
                        "--tail=-1",
                        "-l",
                        "tekton.dev/pipelineRun=" + run.substring(run.indexOf('/') + 1)))
                .isEqualTo("True");
        kubectl.await("inferenceservice/anomaly-detector", "{.status.conditions[?(@.type=='Ready')].status}", "True");
    }

    /// TP-1, TP-16: of the example's tasks, with a timeout that is too short and without rights that they need.
    @Test
    void aTaskSaysWhatItMayNotAndHasNoTimeFor() {
        var kubectl = SERVER.inNewNamespace();
        for (var file : List.of("1-storage", "2-tasks")) {
            kubectl.run(
                    "apply",
                    "-f",
                    Checkout.ROOT
                            .resolve("examples/model-training/" + file + ".yaml")
                            .toString());
        }
        // The first verb of notebooks is to create them, the second of services to get them.
        kubectl.run("patch", "role", "model-training-pipeline", "--type=json", "-p", """
                [{"op": "remove", "path": "/rules/0/verbs/0"}, {"op": "remove", "path": "/rules/1/verbs/1"}]""");
        var storage = "workspaces: [{name: model-storage, persistentVolumeClaim: {claimName: model-storage-pvc}}]";
        kubectl.withInput("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: trains}
                spec:
                  taskRef: {name: run-notebook-validation}
                  serviceAccountName: pipeline
                  timeout: 10m
                  params: [{name: model-name, value: m}, {name: notebook-path, value: n.ipynb}, {name: version, value: v1}]
                  %1$s
                ---
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: judges}
                spec:
                  taskRef: {name: validate-model-health}
                  serviceAccountName: pipeline
                  params: [{name: model-name, value: m}, {name: version, value: v1}, {name: inference-service-name, value: m}]
                  %1$s
                """.formatted(storage), "create", "-f", "-");

        for (var run : List.of("trains", "judges")) {
            kubectl.await("taskrun/" + run, "{.status.conditions[0].status}", "False");
        }
        var account = "User \"system:serviceaccount:" + kubectl.namespace() + ":pipeline\" cannot ";
        var place = " in the namespace \"" + kubectl.namespace() + "\"";
        assertThat(kubectl.run("logs", "trains-pod", "-c", "step-create-validation-job"))
                .contains(
                        "WARNING: this task ends after 600 s, and the notebook with it, although it has a timeout of 900 s.")
                .contains("Error from server (Forbidden)")
                .contains(account + "create resource \"notebookvalidationjobs\" in API group \"mlops.mlops.dev\""
                        + place);
        // What serves is not known then: nothing may be judged as if there were nothing.
        assertThat(kubectl.run("logs", "judges-pod", "-c", "step-find-current"))
                .contains(account + "get resource \"inferenceservices\" in API group \"serving.kserve.io\"" + place);
        assertThat(kubectl.run("logs", "judges-pod", "-c", "step-check-model")).doesNotContain("No model serves yet");
    }

    /// TP-13: the field that stopped the platform's weekly trainings when somebody wrote another version above it.
    @Test
    void aTimeoutIsTakenWhereItsVersionHasOne() {
        var kubectl = SERVER.inNewNamespace();
        var run = """
                apiVersion: tekton.dev/VERSION
                kind: PipelineRun
                metadata: {generateName: train-}
                spec: {status: PipelineRunPending, timeout: 30m, pipelineRef: {name: model-training-pipeline}}
                """;

        kubectl.withInput(run.replace("VERSION", "v1beta1"), "create", "-f", "-");
        assertThat(kubectl.run("get", "pipelineruns", "-o", "jsonpath={.items[0].spec.timeouts.pipeline}"))
                .startsWith("30m");
        assertThat(kubectl.attempt(run.replace("VERSION", "v1"), Map.of(), "create", "-f", "-")
                        .err())
                .contains("unknown field \"spec.timeout\"");
    }

    private static HttpResponse<String> post(String port, String body, String... headers) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/?wait=true"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body));
            for (int i = 0; i < headers.length; i += 2) {
                request.header(headers[i], headers[i + 1]);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static String signature(String body) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("k3y".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    }

    /// TP-14. Of the example, without the pipeline: its runs fail at once, which is what the pause afterwards is tried
    /// with.
    @Test
    void alertsPushesAndCallsTrainOnceForAModel() throws Exception {
        var kubectl = SERVER.inNewNamespace();
        kubectl.run("create", "secret", "generic", "training-webhook", "--from-literal=token=k3y");
        kubectl.run("create", "serviceaccount", "pipeline");
        kubectl.run(
                "create",
                "rolebinding",
                "pipeline",
                "--clusterrole=edit",
                "--serviceaccount=" + kubectl.namespace() + ":pipeline");
        kubectl.run(
                "apply",
                "-f",
                Checkout.ROOT
                        .resolve("examples/model-training/triggers/triggers.yaml")
                        .toString());
        kubectl.await("eventlistener/model-training", "{.status.conditions[?(@.type=='Ready')].status}", "True");
        var port = kubectl.run(
                "get",
                "endpointslice",
                "-l",
                "kubernetes.io/service-name=el-model-training",
                "-o",
                "jsonpath={.items[0].ports[0].port}");
        var alert = """
                {"receiver": "training", "status": "firing", "commonLabels": {"alertname": "ModelDrift", "model": "MODEL"},
                 "alerts": [{"status": "firing", "labels": {}, "fingerprint": "c0ffee"}], "version": "4"}""";

        assertThat(post(port, alert.replace("MODEL", "one")).body())
                .contains("PipelineRun " + kubectl.namespace() + "/train-one-");
        assertThat(post(port, alert.replace("MODEL", "one")).body()).contains("\\\"one\\\"");
        assertThat(post(port, alert.replace("MODEL", "two").replace("firing", "resolved"))
                        .body())
                .doesNotContain("train-two-");

        var push = """
                {"ref": "refs/heads/main", "after": "28911bbb5a3e2ea034daf1f6be0a822d50e31e73",
                 "commits": [{"added": [], "modified": ["FILE"]}], "repository": {"clone_url": "https://example.com/x.git"}}""";
        var docs = push.replace("FILE", "docs/a.md");
        var notebook = push.replace("FILE", "notebooks/a.ipynb");
        assertThat(post(port, docs, "X-GitHub-Event", "push", "X-Hub-Signature-256", signature(docs))
                        .body())
                .doesNotContain("train-anomaly-detector-");
        assertThat(post(port, notebook, "X-GitHub-Event", "push", "X-Hub-Signature-256", signature(docs))
                        .body())
                .doesNotContain("train-anomaly-detector-");
        assertThat(post(port, notebook, "X-GitHub-Event", "push", "X-Hub-Signature-256", signature(notebook))
                        .body())
                .contains("/train-anomaly-detector-");
        var call = "{\"train\": \"three\"}";
        assertThat(post(port, call).body()).doesNotContain("/train-three-");
        assertThat(post(port, call, "X-Hub-Signature-256", signature(call)).body())
                .contains("/train-three-");

        assertThat(kubectl.run("get", "pipelineruns", "-o", "name").lines()).hasSize(3);
        kubectl.awaitEvents("trigger \"drift\"");
    }
}
