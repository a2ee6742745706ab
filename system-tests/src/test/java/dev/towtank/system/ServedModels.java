package dev.towtank.system;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/// Models that scikit-learn trains in a namespace, on a claim `models`, and the InferenceServices that serve them.
record ServedModels(Kubectl kubectl) {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /// @param script in Python, with the claim at `/mnt/models`
    static ServedModels trained(Kubectl kubectl, String script) {
        kubectl.withInput("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: models}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """, "apply", "-f", "-");
        var models = new ServedModels(kubectl);
        models.python("train", script);
        return models;
    }

    /// Runs a script beside the models, and tells what it printed.
    String python(String job, String script) {
        kubectl.withInput("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s}
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
                """.formatted(job, script.indent(10)), "apply", "-f", "-");
        kubectl.run("wait", "--for=condition=complete", "job/" + job, "--timeout=120s");
        return kubectl.run("logs", "job/" + job);
    }

    /// @param annotations as YAML in braces
    /// @param more fields of the predictor, one per line
    void serve(String name, String version, String annotations, String more) {
        kubectl.withInput("""
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: %s, annotations: %s}
                spec:
                  predictor:
                    model: {modelFormat: {name: sklearn}, storageUri: 'pvc://models/m/%s'}
                %s
                """.formatted(name, annotations, version, more.indent(4)), "apply", "-f", "-");
    }

    void point(String name, String version) {
        patch(name, "{\"spec\":{\"predictor\":{\"model\":{\"storageUri\":\"pvc://models/m/" + version + "\"}}}}");
    }

    void patch(String name, String merge) {
        kubectl.run("patch", "isvc", name, "--type=merge", "-p", merge);
    }

    /// Waits until it answers: its address is listened on a moment after it is told.
    void ready(String name) {
        kubectl.run("wait", "--for=condition=Ready", "isvc/" + name, "--timeout=120s");
        Eventually.holds(() -> {
            var address = URI.create(said(name, ".status.url"));
            new Socket(address.getHost(), address.getPort()).close();
        });
    }

    /// Waits until what was asked for last is seen, and has come to a state.
    void transition(String name, String state) {
        var generation = said(name, ".metadata.generation");
        kubectl.run(
                "wait", "--for=jsonpath={.status.observedGeneration}=" + generation, "isvc/" + name, "--timeout=120s");
        kubectl.run(
                "wait",
                "--for=jsonpath={.status.modelStatus.transitionStatus}=" + state,
                "isvc/" + name,
                "--timeout=120s");
    }

    String said(String name, String path) {
        return kubectl.run("get", "isvc", name, "-o", "jsonpath={" + path + "}");
    }

    static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }

    static HttpResponse<String> post(String url, String body) throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(url))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    String predictUrl(String name) {
        return said(name, ".status.url") + "/v1/models/" + name + ":predict";
    }

    String predict(String name, String rows) throws IOException, InterruptedException {
        return post(predictUrl(name), "{\"instances\": " + rows + "}").body();
    }
}
