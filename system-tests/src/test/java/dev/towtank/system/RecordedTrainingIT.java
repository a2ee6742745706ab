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
        new ShellProgram(temp, temp.resolve("state")).run("lint", "--fix", check.toString());
        kubectl.run("apply", "-f", check.toString());

        // Sunday has not come, but somebody does not want to wait for it.
        kubectl.run("create", "job", "--from=cronjob/weekly-anomaly-detector-training", "test-cron-1");
        kubectl.run("wait", "--for=condition=complete", "job/test-cron-1", "--timeout=60s");
        assertThat(kubectl.run("logs", "job/test-cron-1")).contains("pipelinerun.tekton.dev/train-anomaly-detector-");
        assertThat(kubectl.run("get", "job", "test-cron-1", "-o", "jsonpath={.metadata.annotations}"))
                .contains("\"cronjob.kubernetes.io/instantiate\":\"manual\"");
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

    /// Of the example, without the pipeline: its runs fail at once, which is what the pause afterwards is tried with.
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
        assertThat(kubectl.run("get", "events", "-o", "jsonpath={.items[*].message}"))
                .contains("trigger \"drift\"");
    }
}
