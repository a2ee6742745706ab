package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Versions of a model from training to serving and back, by the tasks that people install.
class ModelsIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

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
    private ServedModels models;

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
        models = ServedModels.trained(kubectl, TRAINING);
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

    /// A version tells it after its model.
    private void awaitState(String version, String state) {
        kubectl.await("modelversion/m-" + version, "{.status.state}", state);
    }

    private String predicted() throws IOException, InterruptedException {
        return models.predict("m", "[[0, 0, 0]]");
    }

    private Program.Outcome model(String... words) {
        var line = new ArrayList<>(List.of("model"));
        line.addAll(List.of(words));
        line.addAll(List.of("--kubeconfig", SERVER.kubeconfig().toString(), "-n", kubectl.namespace()));
        return Program.towtank(line.toArray(String[]::new));
    }

    /// TP-4 by the gate, TP-6, TP-8; TP-9 by hand.
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
        models.ready("m");
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
        awaitState("v2", "rejected");
        assertThat(task("promote-2", "promote-model", name + "- {name: version, value: v2}", "False"))
                .contains("version v2 of m did not pass the gate (failed)");
        assertThat(predicted()).isEqualTo("{\"predictions\":[1]}");

        task("publish-3", "publish-model", name + "- {name: candidate, value: .candidates/run-3}", "True");
        task("gate-3", "validate-model-health", name + "- {name: version, value: v3}\n" + rules, "True");
        task("promote-3", "promote-model", name + "- {name: version, value: v3}", "True");
        assertThat(predicted()).isEqualTo("{\"predictions\":[3]}");
        kubectl.await("model/m", "{.status.current} {.status.previous}", "v3 v1");
        awaitState("v1", "previous");
        awaitState("v2", "rejected");
        awaitState("v3", "current");
        assertThat(result("promote-3", "previous-storage-uri")).isEqualTo("pvc://models/m/v1");
        var test = "- {name: inference-service-name, value: m}\n- {name: revision, value: "
                + result("promote-3", "revision") + "}";
        assertThat(task("test-3", "test-inference-endpoint", test, "True")).contains("PASS: m at http");
        var once = "- {name: inference-service-name, value: m}\n- {name: attempts, value: '1'}\n";
        assertThat(task("test-4", "test-inference-endpoint", once + "- {name: features, value: '5'}", "False"))
                .contains("/v1/models/m:predict answers 500: ", "FAIL: m does not answer as it should");
        assertThat(task("test-5", "test-inference-endpoint", once + "- {name: model-name, value: nobody}", "False"))
                .contains("/v2/models/nobody answers 404: ");
        assertThat(task("test-6", "test-inference-endpoint", once + "- {name: revision, value: m-1}", "False"))
                .contains("answered, and not m-1");

        task("rollback", "rollback-model", name.strip(), "True");
        assertThat(predicted()).isEqualTo("{\"predictions\":[1]}");
        kubectl.await("model/m", "{.status.current} {.status.previous}", "v1 v3");
        kubectl.awaitEvents(
                "Model/m Promoted: ",
                "v3 serves now in place of v1",
                "Model/m RolledBack: ",
                "Went back from v3 to v1");
        awaitState("v1", "current");
        awaitState("v3", "previous");
        var place = "{namespace=\"" + kubectl.namespace() + "\",model=\"m\"";
        kubectl.until(
                List.of(
                        "model_metric" + place + ",version=\"v1\",name=\"f1\"} 0.9\n",
                        "model_version_info" + place + ",version=\"v1\",state=\"current\"} 1",
                        "model_accuracy" + place),
                "get",
                "--raw",
                "/models/metrics");
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

    @Test
    void versionsMayLieInABucket() throws Exception {
        kubectl.withInput("""
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: bucket}
                spec: {storageClassName: openshift-storage.noobaa.io, generateBucketName: bucket}
                """, "apply", "-f", "-");
        kubectl.await("objectbucketclaims.objectbucket.io/bucket", "{.status.phase}", "Bound");
        var bucket = kubectl.run("get", "configmap", "bucket", "-o", "jsonpath={.data.BUCKET_NAME}");
        var publish = "- {name: model-name, value: m}\n- {name: bucket-uri, value: 's3://" + bucket
                + "/m'}\n- {name: bucket-secret, value: bucket}\n";
        assertThat(task("publish", "publish-model", publish + "- {name: candidate, value: .candidates/run-1}", "True"))
                .containsPattern("PASS: published at s3://.*/m/v1"); // the name of the bucket is in the Secret, too
        assertThat(result("publish", "storage-uri")).isEqualTo("s3://" + bucket + "/m/v1");
        assertThat(task(
                        "again",
                        "publish-model",
                        publish + "- {name: version, value: v1}\n- {name: candidate, value: .candidates/run-2}",
                        "False"))
                .contains("FAIL: this version is there already: versions do not change");

        var judge =
                "- {name: model-name, value: m}\n- {name: bucket-secret, value: bucket}\n- {name: min-bytes, value: '500'}\n";
        assertThat(task("gate", "validate-model-health", judge + "- {name: version, value: v1}", "True"))
                .contains("The model passed the gate.");
        kubectl.withInput("""
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: m, annotations: {serving.kserve.io/storageSecretName: bucket}}
                spec: {predictor: {model: {modelFormat: {name: sklearn}, storageUri: 's3://%s/m/v1'}}}
                """.formatted(bucket), "apply", "-f", "-");
        models.ready("m");
        kubectl.await("model/m", "{.status.current}", "v1");
        assertThat(predicted()).isEqualTo("{\"predictions\":[1]}");

        task("publish-3", "publish-model", publish + "- {name: candidate, value: .candidates/run-3}", "True");
        assertThat(task(
                        "gate-3",
                        "validate-model-health",
                        judge + "- {name: version, value: v2}\n- {name: rules, value: [f1 >= baseline.f1 - 0.02]}",
                        "True"))
                .containsPattern("passed +rule: f1 >= baseline.f1 - 0.02 +baseline.f1 = 0.9, f1 = 0.95");
        task("promote-3", "promote-model", "- {name: model-name, value: m}\n- {name: version, value: v2}", "True");
        assertThat(predicted()).isEqualTo("{\"predictions\":[3]}");
    }
}
