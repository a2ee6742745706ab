package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Versions of a model from training to serving and back, by the tasks that people install.
class ModelsIT {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    /// Three models that answer differently: a first one, a worse one and a better one.
    private static final String TRAINING = """
            import joblib, json, os
            from sklearn.tree import DecisionTreeClassifier

            for number, f1 in ((1, 0.90), (2, 0.70), (3, 0.95)):
                directory = f"/mnt/models/.candidates/run-{number}"
                os.makedirs(directory)
                model = DecisionTreeClassifier().fit([[0.0] * 3, [1.0] * 3], [number] * 2)
                joblib.dump(model, directory + "/model.pkl")
                json.dump({"f1": f1, "accuracy": f1}, open(directory + "/metrics.json", "w"))
            """;

    private static final String STORAGE = "{name: model-storage, persistentVolumeClaim: {claimName: models}}";

    private Kubectl kubectl;

    @BeforeEach
    void train() {
        kubectl = SERVER.inNewNamespace();
        kubectl.run("apply", "-f", Checkout.ROOT.resolve("examples/model-tasks").toString());
        kubectl.run(
                "create",
                "rolebinding",
                "edit",
                "--clusterrole=edit",
                "--serviceaccount=" + kubectl.namespace() + ":default");
        kubectl.withInput("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: models}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {name: train}
                spec:
                  backoffLimit: 0
                  template:
                    spec:
                      restartPolicy: Never
                      volumes: [{name: models, persistentVolumeClaim: {claimName: models}}]
                      containers:
                      - name: train
                        image: kserve/sklearnserver:latest
                        command: [/usr/bin/python3, -c]
                        volumeMounts: [{name: models, mountPath: /mnt/models}]
                        args:
                        - |
                %s
                """.formatted(TRAINING.indent(10)), "apply", "-f", "-");
        kubectl.run("wait", "--for=condition=complete", "job/train", "--timeout=120s");
    }

    /// Runs a task to its end.
    ///
    /// @param params as YAML, one per line
    private String task(String name, String task, String params, String outcome) {
        boolean needsStorage = task.contains("model");
        kubectl.withInput(
                """
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: %s}
                spec:
                  taskRef: {name: %s}
                  workspaces: [%s]
                  params:
                %s
                """.formatted(name, task, needsStorage ? STORAGE : "", params.indent(2)), "create", "-f", "-");
        kubectl.await("taskrun/" + name, "{.status.conditions[?(@.reason!='Running')].status}", outcome);
        return kubectl.run("logs", name + "-pod", "--all-containers");
    }

    private String result(String run, String name) {
        return kubectl.run("get", "taskrun", run, "-o", "jsonpath={.status.results[?(@.name=='" + name + "')].value}");
    }

    private String state(String version) {
        return kubectl.run("get", "modelversion", "m-" + version, "-o", "jsonpath={.status.state}");
    }

    private String predicted() throws IOException, InterruptedException {
        var url = kubectl.run("get", "isvc", "m", "-o", "jsonpath={.status.url}");
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(url + "/v1/models/m:predict"))
                                    .POST(HttpRequest.BodyPublishers.ofString("{\"instances\": [[0, 0, 0]]}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private Program.Outcome model(String... words) {
        var line = new ArrayList<>(List.of("model"));
        line.addAll(List.of(words));
        line.addAll(List.of("--kubeconfig", SERVER.kubeconfig().toString(), "-n", kubectl.namespace()));
        return Program.towtank(line.toArray(String[]::new));
    }

    @Test
    void aWorseModelIsRejectedAndABetterOneCanBeTakenBack() throws Exception {
        var name = "- {name: model-name, value: m}\n";
        task("publish-1", "publish-model", name + "- {name: candidate, value: .candidates/run-1}", "True");
        assertThat(result("publish-1", "version")).isEqualTo("v1");
        assertThat(result("publish-1", "storage-uri")).isEqualTo("pvc://models/m/v1");
        task(
                "gate-1",
                "validate-model-health",
                name
                        + "- {name: version, value: v1}\n- {name: min-bytes, value: '500'}\n- {name: features, value: '3'}",
                "True");
        kubectl.withInput("""
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: m}
                spec: {predictor: {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://models/m/v1'}}}
                """, "apply", "-f", "-");
        kubectl.await("model/m", "{.status.current}", "v1");

        task("publish-2", "publish-model", name + "- {name: candidate, value: .candidates/run-2}", "True");
        var rules =
                "- {name: min-bytes, value: '500'}\n- {name: rules, value: ['f1 >= baseline.f1 - 0.02', 'accuracy >= 0.5']}";
        var log = task("gate-2", "validate-model-health", name + "- {name: version, value: v2}\n" + rules, "False");
        assertThat(log)
                .containsPattern("failed +rule: f1 >= baseline.f1 - 0.02 +baseline.f1 = 0.9, f1 = 0.7")
                .containsPattern("passed +rule: accuracy >= 0.5")
                .containsPattern("not run +features")
                .containsPattern("METRIC +CURRENT +NEW")
                .contains("FAIL: m v2 must not be rolled out");
        kubectl.await("modelversion/m-v2", "{.status.state}", "rejected");
        assertThat(task("promote-2", "promote-model", name + "- {name: version, value: v2}", "False"))
                .contains("version v2 of m did not pass the gate (failed)");
        assertThat(predicted()).isEqualTo("{\"predictions\":[1]}");

        task("publish-3", "publish-model", name + "- {name: candidate, value: .candidates/run-3}", "True");
        task("gate-3", "validate-model-health", name + "- {name: version, value: v3}\n" + rules, "True");
        task("promote-3", "promote-model", name + "- {name: version, value: v3}", "True");
        assertThat(predicted()).isEqualTo("{\"predictions\":[3]}");
        kubectl.await("model/m", "{.status.current} {.status.previous}", "v3 v1");
        assertThat(List.of(state("v1"), state("v2"), state("v3"))).containsExactly("previous", "rejected", "current");
        assertThat(result("promote-3", "previous-storage-uri")).isEqualTo("pvc://models/m/v1");
        var test = "- {name: inference-service-name, value: m}\n- {name: revision, value: "
                + result("promote-3", "revision") + "}";
        assertThat(task("test-3", "test-inference-endpoint", test, "True")).contains("PASS: m at http");

        task("rollback", "rollback-model", name.strip(), "True");
        assertThat(predicted()).isEqualTo("{\"predictions\":[1]}");
        kubectl.await("model/m", "{.status.current} {.status.previous}", "v1 v3");
        assertThat(kubectl.run("get", "events", "--field-selector", "involvedObject.kind=Model"))
                .contains("Promoted", "v3 serves now in place of v1", "RolledBack", "Went back from v3 to v1");
        assertThat(kubectl.run("get", "--raw", "/models/metrics"))
                .contains("model_metric{namespace=\"" + kubectl.namespace()
                        + "\",model=\"m\",version=\"v1\",name=\"f1\"} 0.9\n")
                .contains("version=\"v1\",state=\"current\"} 1", "model_accuracy{");
        assertThat(model("list").out()).containsPattern("m +v1 +v3 +v3 +3 +True");
        assertThat(model("history", "m").out())
                .containsPattern("v2 +rejected +failed .* 0.7 +0.7\n")
                .containsPattern("v3 +previous +passed .* 0.95 +0.95\n");
        assertThat(model("diff", "m", "v1", "v3").out()).containsPattern("f1 +0.9 +0.95 +\\+0.05");
        assertThat(model("gate", "m", "v2").out()).containsPattern("failed +rule: f1 >= baseline.f1 - 0.02");
        assertThat(model("describe", "m", "-o", "html").out()).contains("<polyline class=", "<title>m</title>");
        assertThat(model("promote", "m", "v2").err()).contains("Version v2 of m did not pass the gate");
        assertThat(model("promote", "m", "v3").out()).contains("m serves v3");
        assertThat(predicted()).isEqualTo("{\"predictions\":[3]}");
        kubectl.await("model/m", "{.status.current} {.status.previous}", "v3 v1");
        assertThat(model("rollback", "m").out()).contains("m serves v1");
        assertThat(predicted()).isEqualTo("{\"predictions\":[1]}");
        assertThat(kubectl.run("get", "models,modelversions")).contains("v1", "rejected", "passed");
    }

    @Test
    void versionsDoNotChange() {
        var params =
                "- {name: model-name, value: m}\n- {name: version, value: v1}\n- {name: candidate, value: .candidates/run-%d}";
        task("first", "publish-model", params.formatted(1), "True");
        assertThat(task("second", "publish-model", params.formatted(2), "False"))
                .contains("version v1 of m is there already: versions do not change");
        assertThat(kubectl.attempt(
                                "patch",
                                "modelversion",
                                "m-v1",
                                "--type=merge",
                                "-p",
                                "{\"spec\":{\"storageUri\":\"pvc://models/m/v2\"}}")
                        .err())
                .contains("versions are immutable: publish another one");
        assertThat(task(
                        "outside",
                        "publish-model",
                        "- {name: model-name, value: m}\n- {name: candidate, value: ../..}",
                        "False"))
                .contains("is not in the workspace");
    }
}
