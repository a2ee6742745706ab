package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// InferenceServices with models that scikit-learn has trained here, asked over HTTP.
class ServingIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    /// Versions that answer the same question differently, and some that cannot be served.
    private static final String TRAINING = """
            import joblib, numpy, os, pickle
            from sklearn.dummy import DummyClassifier
            from sklearn.linear_model import LinearRegression

            class Command:
                def __reduce__(self):
                    return (os.system, ("touch /mnt/models/ran",))

            def save(version, model, name="model.pkl"):
                os.makedirs(f"/mnt/models/m/{version}", exist_ok=True)
                joblib.dump(model, f"/mnt/models/m/{version}/{name}")

            rows = numpy.random.RandomState(1).normal(size=(50, 3))
            save("v1", LinearRegression().fit(rows, rows.sum(axis=1)))
            save("v2", DummyClassifier(strategy="constant", constant=2).fit(rows, [1, 2] * 25))
            save("v3", DummyClassifier(strategy="constant", constant=1).fit(rows, [1, 2] * 25))
            save("two", 1)
            save("two", 1, "other.joblib")
            save("evil", Command())
            os.makedirs("/mnt/models/m/junk")
            open("/mnt/models/m/junk/model.pkl", "wb").write(os.urandom(2048))
            """;

    private static Kubectl kubectl;
    private static ServedModels models;

    @BeforeAll
    static void train() {
        kubectl = SERVER.inNewNamespace();
        models = ServedModels.trained(kubectl, TRAINING);
    }

    private static void serve(String name, String version, String more) {
        models.serve(name, version, "{}", more);
    }

    private static void ready(String name) {
        models.ready(name);
    }

    private static String said(String name, String path) {
        return models.said(name, path);
    }

    private static HttpResponse<String> get(String name, String path) throws IOException, InterruptedException {
        return ServedModels.get(said(name, ".status.url") + path);
    }

    private static HttpResponse<String> post(String url, String body) throws IOException, InterruptedException {
        return ServedModels.post(url, body);
    }

    private static HttpResponse<String> predict(String name) throws IOException, InterruptedException {
        return post(models.predictUrl(name), "{\"instances\": [[0, 0, 0]]}");
    }

    @Test
    void aModelIsServedUnderBothProtocolsAndItsNames() throws Exception {
        serve("protocols", "v2", "");
        ready("protocols");
        var url = said("protocols", ".status.url");

        assertThat(predict("protocols").body()).isEqualTo("{\"predictions\":[2]}");
        assertThat(predict("protocols").headers().firstValue("X-Serving-Revision"))
                .hasValue("protocols-predictor-00001");
        assertThat(post(
                                url + "/v2/models/protocols/infer",
                                "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 3], \"datatype\": \"FP64\", \"data\": [0, 0, 0]}]}")
                        .body())
                .contains("\"outputs\":[{\"name\":\"output-0\",\"shape\":[1],\"datatype\":\"INT64\"", "\"data\":[2]");
        assertThat(get("protocols", "/v1/models/protocols").body())
                .isEqualTo("{\"name\":\"protocols\",\"ready\":true}");
        assertThat(get("protocols", "/v1/models/other").statusCode()).isEqualTo(404);
        assertThat(get("protocols", "/v1/models/other").body())
                .isEqualTo("{\"error\":\"Model with name other does not exist.\"}");
        assertThat(post(url + "/v1/models/protocols:predict", "{\"instances\": [[NaN]]}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(kubectl.run("get", "isvc", "protocols")).contains(url, "True", "100", "protocols-predictor-00001");
        assertThat(kubectl.run(
                        "get",
                        "pods",
                        "-l",
                        "serving.kserve.io/inferenceservice=protocols",
                        "-o",
                        "jsonpath={.items[*].spec.containers[*].name}"))
                .isEqualTo("kserve-container");

        kubectl.run(
                "run",
                "asks",
                "--image=curlimages/curl",
                "--restart=Never",
                "--command",
                "--",
                "curl",
                "-sf",
                "--retry",
                "100",
                "--retry-delay",
                "1",
                "--retry-all-errors",
                "http://protocols-predictor." + kubectl.namespace() + ".svc.cluster.local:8080/v1/models");
        kubectl.await("pod/asks", "{.status.phase}", "Succeeded");
        assertThat(kubectl.run("logs", "asks")).isEqualTo("{\"models\":[\"protocols\"]}");
    }

    @Test
    void theExampleRunsAsItIsTyped() throws Exception {
        var place = SERVER.inNewNamespace();
        place.run("apply", "-f", Checkout.ROOT.resolve("examples/serving").toString());
        new ServedModels(place).ready("anomaly-detector");
        var url = place.run("get", "isvc", "anomaly-detector", "-o", "jsonpath={.status.url}");

        assertThat(post(url + "/v1/models/anomaly-detector:predict", "{\"instances\": [[0, 0, 0, 0], [9, 9, 9, 9]]}")
                        .body())
                .isEqualTo("{\"predictions\":[1,-1]}");
    }

    @Test
    void theOldModelServesUntilTheNewOneHasAnswered() throws Exception {
        serve("careful", "v2", "");
        ready("careful");

        var broken = Map.of(
                "missing", "No model file in /mnt/models",
                "two", "More than one model file is detected",
                "junk", "Cannot load /mnt/models/model.pkl",
                "evil", "system, which is not on the list of what a model may be made of");
        for (var version : broken.entrySet()) {
            models.point("careful", version.getKey());
            models.transition("careful", "BlockedByFailedLoad");
            assertThat(said("careful", ".status.modelStatus.lastFailureInfo.message"))
                    .contains(version.getValue());
            assertThat(said("careful", ".status.modelStatus.lastFailureInfo.reason"))
                    .isEqualTo("ModelLoadFailed");
            assertThat(said("careful", ".status.conditions[?(@.type=='Ready')].status"))
                    .isEqualTo("True");
            assertThat(predict("careful").body()).isEqualTo("{\"predictions\":[2]}");
        }

        models.point("careful", "v3");
        models.transition("careful", "UpToDate");
        assertThat(predict("careful").body()).isEqualTo("{\"predictions\":[1]}");
        assertThat(said("careful", ".status.components.predictor.previousRolledoutRevision"))
                .isEqualTo("careful-predictor-00001");
        kubectl.awaitEvents(
                "/careful ModelLoadFailed: ", "/careful RevisionRolledOut: ", "the model before it goes on serving");
    }

    @Test
    void noRequestIsLostWhenModelsSwitch() throws Exception {
        serve("busy", "v2", "");
        ready("busy");
        var url = said("busy", ".status.url") + "/v1/models/busy:predict";
        var answers = new ConcurrentHashMap<String, AtomicInteger>();
        var done = new AtomicBoolean();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<java.util.concurrent.Future<Void>>();
            for (int i = 0; i < 8; i++) {
                calls.add(callers.submit((Callable<Void>) () -> {
                    while (!done.get()) {
                        var answer = post(url, "{\"instances\": [[0, 0, 0]]}");
                        answers.computeIfAbsent(answer.statusCode() + " " + answer.body(), _ -> new AtomicInteger())
                                .incrementAndGet();
                    }
                    return null;
                }));
            }
            for (var version : List.of("v3", "v2", "v3")) {
                models.point("busy", version);
                models.transition("busy", "UpToDate");
            }
            kubectl.run("wait", "--for=delete", "pod/busy-predictor-00001-0", "--timeout=120s");
            done.set(true);
            for (var call : calls) {
                call.get();
            }
        }
        assertThat(answers).containsOnlyKeys("200 {\"predictions\":[2]}", "200 {\"predictions\":[1]}");
    }

    @Test
    void anotherFileInTheSamePlaceIsARevisionOfItsOwn() throws Exception {
        models.python("copy", "import shutil; shutil.copytree('/mnt/models/m/v2', '/mnt/models/m/changing')");
        models.serve("reloading", "changing", "{towtank.dev/reload-model: 'true'}", "");
        ready("reloading");
        assertThat(predict("reloading").body()).isEqualTo("{\"predictions\":[2]}");

        // At once: half a file would be a revision of its own as well.
        models.python(
                "junk",
                "import os; open('/mnt/models/m/changing/.new', 'wb').write(os.urandom(2048));"
                        + " os.replace('/mnt/models/m/changing/.new', '/mnt/models/m/changing/model.pkl')");
        kubectl.await(
                "isvc/reloading",
                "{.status.modelStatus.transitionStatus} {.status.modelStatus.lastFailureInfo.modelRevisionName}",
                "BlockedByFailedLoad reloading-predictor-00002");
        assertThat(predict("reloading").body()).isEqualTo("{\"predictions\":[2]}");

        models.python(
                "mended",
                "import os, shutil; shutil.copy('/mnt/models/m/v3/model.pkl', '/mnt/models/m/changing/.new');"
                        + " os.replace('/mnt/models/m/changing/.new', '/mnt/models/m/changing/model.pkl')");
        kubectl.await(
                "isvc/reloading",
                "{.status.components.predictor.latestRolledoutRevision}",
                "reloading-predictor-00003");
        assertThat(predict("reloading").body()).isEqualTo("{\"predictions\":[1]}");
    }

    @Test
    void whoHangsOrDiesOrHasNoClaimIsTold() throws Exception {
        kubectl.withInput("""
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: hanging}
                spec:
                  predictor:
                    timeout: 1
                    containers:
                    - name: kserve-container
                      image: kserve/sklearnserver:latest
                      command: [/usr/bin/python3, -c]
                      args:
                      - |
                        import os, sys, time
                        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

                        hoard = []

                        class Answer(BaseHTTPRequestHandler):
                            def do_GET(self):
                                self.send_response(200)
                                self.end_headers()

                            def do_POST(self):
                                if self.path == "/die":
                                    os._exit(1)
                                if self.path == "/leak":
                                    try:
                                        hoard.append(b"x" * (64 << 20))
                                    except MemoryError:
                                        os._exit(1)
                                    self.do_GET()
                                    return
                                time.sleep(60)

                            def log_message(self, *_):
                                pass

                        port = next(int(each.split("=")[1]) for each in sys.argv if each.startswith("--http_port"))
                        ThreadingHTTPServer(("", port), Answer).serve_forever()
                      - --http_port=8080
                      resources: {limits: {memory: 320Mi}}
                """, "apply", "-f", "-");
        models.serve("claimless", "v2", "{}", "");
        models.patch("claimless", "{\"spec\":{\"predictor\":{\"model\":{\"storageUri\":\"pvc://nowhere/m\"}}}}");
        ready("hanging");
        var hanging = predict("hanging");
        assertThat(hanging.statusCode()).isEqualTo(504);
        assertThat(hanging.body()).contains("Model with name hanging did not answer within 1 s.");

        var dead = post(said("hanging", ".status.url") + "/die", "{}");
        assertThat(dead.statusCode()).isEqualTo(503);
        assertThat(dead.body()).isEqualTo("{\"error\":\"Model with name hanging is not ready.\"}");
        awaitOk("hanging");
        // One that takes more and more is ended at its limit, and what starts in its place answers.
        int leaks = 0;
        while (leaks < 20
                && post(said("hanging", ".status.url") + "/leak", "{}").statusCode() == 200) {
            leaks++;
        }
        assertThat(leaks).isLessThan(6);
        Eventually.holds(() -> assertThat(
                        post(said("hanging", ".status.url") + "/leak", "{}").statusCode())
                .isEqualTo(200));
        kubectl.await(
                "isvc/claimless",
                "{.status.modelStatus.transitionStatus} {.status.modelStatus.lastFailureInfo.reason}",
                "BlockedByFailedLoad RuntimeUnhealthy");
        assertThat(said("claimless", ".status.modelStatus.lastFailureInfo.message"))
                .contains("nowhere");
    }

    /// What died is told to be ready for another moment: an answer tells more.
    private static void awaitOk(String name) {
        Eventually.holds(() -> assertThat(get(name, "/any").statusCode()).isEqualTo(200));
    }

    @Test
    void readyIsWithdrawnWhenTheWorkerDies() throws Exception {
        serve("mortal", "v2", "");
        ready("mortal");
        // Watched from before: it is ready again in a moment.
        var watch = kubectl.start(
                "get",
                "isvc",
                "--field-selector=metadata.name=mortal",
                "--watch",
                "--request-timeout=120s",
                "-o",
                "jsonpath={.status.conditions[?(@.type=='Ready')].status}{'\\n'}");
        try (var states = watch.inputReader()) {
            assertThat(states.readLine()).isEqualTo("True");
            kubectl.run("delete", "pod", "mortal-predictor-00001-0", "--force", "--grace-period=0");
            var state = "True";
            while ("True".equals(state)) {
                state = states.readLine();
            }
            assertThat(state).isEqualTo("False");
        } finally {
            watch.destroy();
        }
        ready("mortal");
        assertThat(predict("mortal").body()).isEqualTo("{\"predictions\":[2]}");
    }

    @Test
    void canariesGetTheirShare() throws Exception {
        serve("shared", "v2", "");
        ready("shared");
        models.patch("shared", "{\"spec\":{\"predictor\":{\"canaryTrafficPercent\":30}}}");
        models.point("shared", "v3");
        models.transition("shared", "UpToDate");
        kubectl.await("isvc/shared", "{.status.components.predictor.traffic[*].percent}", "70 30");
        var url = said("shared", ".status.url") + "/v1/models/shared:predict";
        int latest = 0;
        for (int i = 0; i < 200; i++) {
            latest += post(url, "{\"instances\": [[0, 0, 0]]}").body().contains("[1]") ? 1 : 0;
        }
        assertThat(latest).isBetween(20, 110);

        models.patch("shared", "{\"spec\":{\"predictor\":{\"canaryTrafficPercent\":0}}}");
        kubectl.await("isvc/shared", "{.status.components.predictor.traffic[*].percent}", "100 0");
        assertThat(predict("shared").body()).isEqualTo("{\"predictions\":[2]}");

        kubectl.run(
                "patch",
                "isvc",
                "shared",
                "--type=json",
                "-p",
                "[{\"op\":\"remove\",\"path\":\"/spec/predictor/canaryTrafficPercent\"}]");
        kubectl.await(
                "isvc/shared", "{.status.components.predictor.latestRolledoutRevision}", "shared-predictor-00002");
        assertThat(predict("shared").body()).isEqualTo("{\"predictions\":[1]}");
    }

    @Test
    void aNamedCanaryIsPromotedWithoutARestart() throws Exception {
        serve("named", "v2", "");
        ready("named");
        models.patch("named", """
                {"spec": {"canary": [{"trafficPercent": 100, "predictor": {"name": "new", "model":
                  {"modelFormat": {"name": "sklearn"}, "storageUri": "pvc://models/m/v3"}}}]}}""");
        kubectl.await(
                "isvc/named",
                "{.status.canaryStatuses[*].ready} {.status.canaryStatuses[*].trafficPercent}",
                "true 100");
        assertThat(predict("named").body()).isEqualTo("{\"predictions\":[1]}");
        var pod = "named-new-predictor-00001-0";
        var started = kubectl.run("get", "pod", pod, "-o", "jsonpath={.metadata.uid}");

        models.patch("named", """
                {"spec": {"canary": null, "predictor": {"name": "new", "model":
                  {"modelFormat": {"name": "sklearn"}, "storageUri": "pvc://models/m/v3"}}}}""");
        kubectl.await(
                "isvc/named", "{.status.components.predictor.latestRolledoutRevision}", "named-new-predictor-00001");
        assertThat(kubectl.run("get", "pod", pod, "-o", "jsonpath={.metadata.uid}"))
                .isEqualTo(started);
        assertThat(predict("named").body()).isEqualTo("{\"predictions\":[1]}");
        kubectl.run("wait", "--for=delete", "pod/named-predictor-00001-0", "--timeout=120s");
    }

    @Test
    void replicasShareALoadOf500AndRestWhenTold() throws Exception {
        serve("many", "v2", "minReplicas: 2");
        kubectl.await(
                "isvc/many",
                "{.status.modelStatus.copies.totalCopies} {.status.modelStatus.transitionStatus}",
                "2 UpToDate");
        var url = said("many", ".status.url") + "/v1/models/many:predict";
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<java.util.concurrent.Future<String>>();
            for (int i = 0; i < 500; i++) {
                calls.add(callers.submit(
                        () -> post(url, "{\"instances\": [[0, 0, 0]]}").body()));
            }
            for (var call : calls) {
                assertThat(call.get()).isEqualTo("{\"predictions\":[2]}");
            }
        }
        var large = post(url, "{\"instances\": [[" + "0,".repeat(20 << 20) + "0]]}");
        assertThat(large.statusCode()).isEqualTo(413);
        assertThat(large.body()).contains("The request body is too large");

        kubectl.run("annotate", "isvc", "many", "serving.kserve.io/stop=true");
        kubectl.await("isvc/many", "{.status.conditions[?(@.type=='Stopped')].status}", "True");
        kubectl.run("wait", "--for=delete", "pod", "-l", "serving.kserve.io/inferenceservice=many", "--timeout=120s");
        kubectl.run("annotate", "isvc", "many", "serving.kserve.io/stop-");
        ready("many");
        assertThat(predict("many").body()).isEqualTo("{\"predictions\":[2]}");
    }

    @Test
    void aContainerOfOnesOwnServesAsItIs() throws Exception {
        kubectl.withInput("""
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: custom}
                spec:
                  predictor:
                    containers:
                    - name: kserve-container
                      image: kserve/sklearnserver:v0.15.2
                      args: [--model_name=custom, --model_dir=/mnt/models/m/v3, --http_port=8080]
                      volumeMounts: [{name: models, mountPath: /mnt/models, readOnly: true}]
                    volumes: [{name: models, persistentVolumeClaim: {claimName: models}}]
                """, "apply", "-f", "-");
        ready("custom");
        assertThat(predict("custom").body()).isEqualTo("{\"predictions\":[1]}");
        // As all others have it, each in its pod's own network.
        assertThat(kubectl.run(
                        "get",
                        "pods",
                        "-l",
                        "serving.kserve.io/inferenceservice=custom",
                        "-o",
                        "jsonpath={.items[*].spec.containers[*].ports[*].containerPort}"))
                .isEqualTo("8080");
        assertThat(kubectl.attempt("patch", "isvc", "custom", "--type=merge", "-p", "{\"spec\":{\"transformer\":{}}}")
                        .err())
                .contains("spec.transformer is not served here");
    }

    @Test
    void modelsComeOutOfBucketsWithTheKeysOfThreeKindsOfSecrets() throws Exception {
        kubectl.withInput("""
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: bucket}
                spec: {storageClassName: openshift-storage.noobaa.io, generateBucketName: bucket}
                """, "apply", "-f", "-");
        kubectl.await("objectbucketclaims.objectbucket.io/bucket", "{.status.phase}", "Bound");
        var bucket = kubectl.run("get", "configmap", "bucket", "-o", "jsonpath={.data.BUCKET_NAME}");
        var access = decoded(kubectl.run("get", "secret", "bucket", "-o", "jsonpath={.data.AWS_ACCESS_KEY_ID}"));
        var secret = decoded(kubectl.run("get", "secret", "bucket", "-o", "jsonpath={.data.AWS_SECRET_ACCESS_KEY}"));
        kubectl.withInput("""
                apiVersion: v1
                kind: Secret
                metadata:
                  name: keys
                  annotations: {serving.kserve.io/s3-endpoint: s3.openshift-storage.svc, serving.kserve.io/s3-usehttps: "0"}
                stringData: {AWS_ACCESS_KEY_ID: "%1$s", AWS_SECRET_ACCESS_KEY: "%2$s"}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: storage-config}
                stringData:
                  here: '{"type": "s3", "access_key_id": "%1$s", "secret_access_key": "%2$s", "endpoint_url": "http://s3.openshift-storage.svc", "bucket": "%3$s"}'
                  wrong: '{"type": "s3", "access_key_id": "%1$s", "secret_access_key": "no", "endpoint_url": "http://s3.openshift-storage.svc", "bucket": "%3$s"}'
                ---
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: reader}
                secrets: [{name: keys}]
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {name: upload}
                spec:
                  backoffLimit: 0
                  template:
                    spec:
                      restartPolicy: Never
                      volumes: [{name: models, persistentVolumeClaim: {claimName: models}}]
                      containers:
                      - name: upload
                        image: amazon/aws-cli:2.9.19
                        envFrom: [{secretRef: {name: keys}}]
                        env: [{name: AWS_DEFAULT_REGION, value: us-east-1}]
                        volumeMounts: [{name: models, mountPath: /mnt/models}]
                        args: [--endpoint-url, "http://s3.openshift-storage.svc", s3, cp, --recursive, /mnt/models/m/v2, "s3://%3$s/m/v2"]
                """.formatted(access, secret, bucket), "apply", "-f", "-");
        kubectl.run("wait", "--for=condition=complete", "job/upload", "--timeout=120s");

        var uri = "storageUri: 's3://" + bucket + "/m/v2'";
        inferenceService("by-account", "{}", "serviceAccountName: reader", uri);
        inferenceService("by-name", "{serving.kserve.io/storageSecretName: keys}", "minReplicas: 1", uri);
        inferenceService("by-key", "{}", "minReplicas: 1", "storage: {key: here, path: m/v2}");
        inferenceService("refused", "{}", "minReplicas: 1", "storage: {key: wrong, path: m/v2}");
        for (var name : List.of("by-account", "by-name", "by-key")) {
            ready(name);
            assertThat(predict(name).body()).isEqualTo("{\"predictions\":[2]}");
        }
        models.transition("refused", "BlockedByFailedLoad");
        assertThat(said("refused", ".status.modelStatus.lastFailureInfo.message"))
                .contains("answers 403 SignatureDoesNotMatch")
                .doesNotContain(secret);
    }

    private static String decoded(String text) {
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }

    private static void inferenceService(String name, String annotations, String predictor, String storage) {
        kubectl.withInput("""
                apiVersion: serving.kserve.io/v1beta1
                kind: InferenceService
                metadata: {name: %s, annotations: %s}
                spec:
                  predictor:
                    %s
                    model: {modelFormat: {name: sklearn}, %s}
                """.formatted(name, annotations, predictor, storage), "apply", "-f", "-");
    }
}
