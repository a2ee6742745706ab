package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Models that take over step by step, are taken back when they fail, and are watched while they serve.
class ModelRolloutIT {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    /// The first and the third answer whatever they are asked; the second cannot do without any of its numbers.
    private static final String TRAINING = """
            import joblib, json, numpy, os
            from sklearn.dummy import DummyClassifier
            from sklearn.linear_model import LinearRegression

            def save(version, model):
                os.makedirs(f"/mnt/models/m/{version}", exist_ok=True)
                joblib.dump(model, f"/mnt/models/m/{version}/model.pkl")

            rows = numpy.random.RandomState(1).normal(size=(50, 3))
            save("v1", DummyClassifier(strategy="constant", constant=2).fit(rows, [1, 2] * 25))
            save("v2", LinearRegression().fit(rows, rows.sum(axis=1)))
            save("v3", DummyClassifier(strategy="constant", constant=1).fit(rows, [1, 2] * 25))
            edges = [-2.0, -1.0, 0.0, 1.0, 2.0]
            features = [{"name": f"feature-{i}", "edges": edges, "counts": [2, 14, 34, 34, 14, 2]} for i in range(3)]
            json.dump({"features": features, "predictions": {"values": {"2": 100}}}, open("/mnt/models/m/v1/profile.json", "w"))
            """;

    @TempDir
    Path temp;

    private static ServedModels models = new ServedModels(null);
    private static HttpServer listener;
    private static final BlockingQueue<String> HEARD = new LinkedBlockingQueue<>();
    private static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();

    @BeforeAll
    static void train() throws IOException {
        listener = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        listener.createContext("/", exchange -> {
            var type = exchange.getRequestHeaders().getFirst("Ce-Type");
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            HEARD.add(exchange.getRequestURI().getPath() + " " + type + " " + body);
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        });
        listener.start();
        models = ServedModels.trained(SERVER.inNewNamespace(), TRAINING);
    }

    @AfterAll
    static void hangUp() {
        listener.stop(0);
    }

    private static String address(String path) {
        return "http://127.0.0.1:" + listener.getAddress().getPort() + path;
    }

    /// The next message to a path that is new: who gets no answer in time tells it again.
    private static String heard(String path) throws InterruptedException {
        for (var message = HEARD.poll(120, TimeUnit.SECONDS);
                message != null;
                message = HEARD.poll(120, TimeUnit.SECONDS)) {
            if (message.startsWith(path + " ") && KNOWN.add(message)) {
                return message;
            }
        }
        throw new AssertionError("nobody told " + path);
    }

    /// Asks all the time, with and without all numbers in turn.
    private static final class Callers implements AutoCloseable {
        private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();
        private final AtomicBoolean done = new AtomicBoolean();
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<Future<Void>> calls = new ArrayList<>();

        Callers(String url, List<String> rows) {
            for (int i = 0; i < 4; i++) {
                calls.add(threads.submit((Callable<Void>) () -> {
                    for (int n = 0; !done.get(); n++) {
                        var row = rows.get(n % rows.size());
                        var answer = ServedModels.post(url, "{\"instances\": [" + row + "]}");
                        var said = answer.statusCode() == 200 ? answer.body() : Integer.toString(answer.statusCode());
                        answers.computeIfAbsent(said, _ -> new AtomicInteger()).incrementAndGet();
                    }
                    return null;
                }));
            }
        }

        /// What they heard.
        Map<String, AtomicInteger> ended() throws Exception {
            done.set(true);
            for (var call : calls) {
                call.get();
            }
            return answers;
        }

        @Override
        public void close() {
            done.set(true);
            threads.close();
        }
    }

    private static void version(String name) {
        models.kubectl().withInput("""
                apiVersion: towtank.dev/v1
                kind: ModelVersion
                metadata: {name: m-%1$s}
                spec: {model: m, version: %1$s, storageUri: 'pvc://models/m/%1$s', gate: {verdict: passed}}
                """.formatted(name), "apply", "-f", "-");
    }

    private static Program.Outcome model(String... words) {
        var line = new ArrayList<>(List.of("model"));
        line.addAll(List.of(words));
        line.addAll(List.of(
                "--kubeconfig",
                SERVER.kubeconfig().toString(),
                "-n",
                models.kubectl().namespace()));
        return Program.towtank(line.toArray(String[]::new));
    }

    private static String linked(String job) {
        return models.python(job, "import os; print(os.readlink('/mnt/models/m/model.pkl'))")
                .strip();
    }

    /// TP-9 by itself, TP-11, TP-12.
    @Test
    void aModelThatFailsHalfTheTimeIsTakenBackAndABetterOneIsNot() throws Exception {
        var kubectl = models.kubectl();
        List.of("v1", "v2", "v3").forEach(ModelRolloutIT::version);
        kubectl.withInput("""
                apiVersion: towtank.dev/v1
                kind: Model
                metadata: {name: m}
                spec: {storageUri: pvc://models/m, notifications: [{url: '%s'}]}
                """.formatted(address("/news")), "apply", "-f", "-");
        models.serve(
                "m",
                "v1",
                "{towtank.dev/rollout: '{steps: [50, 100], every: 1s, minRequests: 20, maxErrorRate: 0.2}'}",
                "");
        models.ready("m");
        kubectl.await("model/m", "{.status.current} {.status.linked}", "v1 v1");
        assertThat(linked("link-1")).isEqualTo("v1/model.pkl");
        assertThat(heard("/news")).contains("dev.towtank.model.promoted.v1", "v1 serves now");

        try (var callers = new Callers(models.predictUrl("m"), List.of("[0, 0, 0]", "[null, 0, 0]"))) {
            assertThat(model("promote", "m", "v2").err())
                    .contains("Version v2 of m does not serve: Revision m-predictor-00002 failed");
            kubectl.await("modelversion/m-v2", "{.status.state}", "rejected");
            kubectl.await("isvc/m", "{.spec.predictor.model.storageUri}", "pvc://models/m/v1");
            assertThat(heard("/news"))
                    .contains("dev.towtank.model.rolloutfailed.v1", "v2 did not prove itself, v1 serves");
            models.transition("m", "UpToDate");
            assertThat(models.predict("m", "[[null, 0, 0]]")).isEqualTo("{\"predictions\":[2]}");
            // Its own answers are there, and no request was without one.
            assertThat(callers.ended().keySet())
                    .contains("500", "{\"predictions\":[2]}")
                    .allMatch(answer -> answer.startsWith("{\"predictions\":[") || answer.equals("500"));
        }

        try (var callers = new Callers(models.predictUrl("m"), List.of("[0, 0, 0]", "[null, 0, 0]"))) {
            assertThat(model("promote", "m", "v3").out()).contains("m serves v3");
            assertThat(models.predict("m", "[[null, 0, 0]]")).isEqualTo("{\"predictions\":[1]}");
            assertThat(callers.ended()).containsOnlyKeys("{\"predictions\":[2]}", "{\"predictions\":[1]}");
        }
        kubectl.awaitEvents(
                "gets 50 % of the requests",
                "gets 100 % of the requests", "/m RolloutFailed: ", "/m RevisionRolledOut: ");
        kubectl.await("model/m", "{.status.current} {.status.linked}", "v3 v3");
        assertThat(linked("link-3")).isEqualTo("v3/model.pkl");

        // What has served before proves nothing again: going back takes no steps, and needs no requests.
        assertThat(model("rollback", "m").out()).contains("m serves v1");
        assertThat(models.predict("m", "[[null, 0, 0]]")).isEqualTo("{\"predictions\":[2]}");
        assertThat(heard("/news")).contains("dev.towtank.model.promoted.v1", "v3 serves now in place of v1");
        assertThat(heard("/news")).contains("dev.towtank.model.rolledback.v1", "Went back from v3 to v1");
        kubectl.until(
                List.of("model_rollout_total{model=\"m\",result=\"RolloutFailed\"} 1"), "get", "--raw", "/metrics");
    }

    @Test
    void aTestStopsAModelThatAnswersOtherwise() throws Exception {
        models.serve(
                "tested",
                "v1",
                "{towtank.dev/rollout: '{steps: [1], every: 0s, test: {instances: [[0, 0, 0]], predictions: [2]}}'}",
                "");
        models.ready("tested");
        models.point("tested", "v3");
        models.transition("tested", "BlockedByFailedLoad");

        assertThat(models.said("tested", ".status.modelStatus.lastFailureInfo.message"))
                .contains("failed its test: it answers [1] in place of [2]");
        assertThat(models.predict("tested", "[[0, 0, 0]]")).isEqualTo("{\"predictions\":[2]}");
        assertThat(models.kubectl()
                        .attempt("annotate", "isvc", "tested", "--overwrite", "towtank.dev/rollout={steps: [0]}")
                        .err())
                .contains("towtank.dev/rollout: steps are 1 to 20 whole numbers from 1 to 100");
    }

    /// As docs/models.md says, with the programs of Debian.
    @Test
    void prometheusAndAlertmanagerTellOfDriftToo() throws Exception {
        models.serve("scraped", "v1", "{}", "");
        models.ready("scraped");
        int port = FreePort.choose();
        var target = URI.create(models.said("scraped", ".status.url")).getAuthority();
        write("prometheus.yml", """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: [models.rules.yml]
                alerting:
                  alertmanagers:
                  - static_configs: [{targets: ["127.0.0.1:%d"]}]
                scrape_configs:
                - job_name: models
                  static_configs: [{targets: ["%s"]}]
                """.formatted(port, target));
        write("models.rules.yml", """
                groups:
                - name: models
                  rules:
                  - {alert: ModelDrift, expr: 'max by (model) (model_psi) > 0.2', for: 1s}
                """);
        write("alertmanager.yml", """
                route: {receiver: training, group_by: [alertname, model], group_wait: 0s}
                receivers:
                - name: training
                  webhook_configs:
                  - {url: "%s"}
                """.formatted(address("/alertmanager")));
        var alertmanager = start(
                "/usr/bin/prometheus-alertmanager",
                "--config.file=alertmanager.yml",
                "--storage.path=alerts",
                "--web.listen-address=127.0.0.1:" + port,
                "--cluster.listen-address=");
        var prometheus = start(
                "/usr/bin/prometheus",
                "--config.file=prometheus.yml",
                "--storage.tsdb.path=series",
                "--web.listen-address=127.0.0.1:0");
        try {
            models.predict("scraped", "[" + "[9, 0, 0],".repeat(199) + "[9, 0, 0]]");
            assertThat(heard("/alertmanager"))
                    .contains("\"receiver\":\"training\"", "\"status\":\"firing\"", "\"alertname\":\"ModelDrift\"")
                    .contains("\"model\":\"scraped\"");
        } finally {
            prometheus.destroyForcibly();
            alertmanager.destroyForcibly();
        }
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(temp.resolve(file), text);
    }

    private Process start(String... command) throws IOException {
        return new ProcessBuilder(command)
                .directory(temp.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @Test
    void otherQuestionsThanInTrainingRaiseAnAlert() throws Exception {
        var kubectl = models.kubectl();
        models.serve("drifting", "v1", "{}", "");
        kubectl.withInput("""
                apiVersion: towtank.dev/v1
                kind: DriftPolicy
                metadata: {name: watch}
                spec: {model: drifting, minRows: 50, window: 10m, alert: {url: '%s', labels: {team: ml}}}
                """.formatted(address("/alert")), "apply", "-f", "-");
        models.ready("drifting");
        kubectl.await("driftpolicy/watch", "{.status.phase}", "TooFewRows");

        models.predict("drifting", "[" + "[9, 0, 0],".repeat(99) + "[9, 0, 0]]");
        kubectl.await("driftpolicy/watch", "{.status.phase}", "Drifting");

        assertThat(heard("/alert"))
                .contains("\"receiver\":\"watch\"", "\"status\":\"firing\"", "\"version\":\"4\"")
                .contains("\"commonLabels\":{\"alertname\":\"ModelDrift\",\"model\":\"drifting\"")
                .contains("\"team\":\"ml\"", "\"endsAt\":\"0001-01-01T00:00:00Z\"", "PSI of feature-0 is");
        kubectl.until(
                List.of(
                        "model_psi{namespace=\"" + kubectl.namespace() + "\",model=\"drifting\",feature=\"feature-0\"}",
                        "model_prediction_drift{"),
                "get",
                "--raw",
                "/models/metrics");
        kubectl.until(List.of("drifting", "Drifting", "feature-0", "100"), "get", "driftpolicies");

        // A listener of ours starts a training with the same alert.
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
        kubectl.withInput("""
                apiVersion: towtank.dev/v1
                kind: DriftPolicy
                metadata: {name: retrain}
                spec:
                  model: drifting
                  minRows: 50
                  alert: {url: 'http://el-model-training.%s.svc.cluster.local:8080'}
                """.formatted(kubectl.namespace()), "apply", "-f", "-");
        kubectl.await(
                "pipelinerun",
                "--selector=towtank.dev/once-per=drifting",
                "{.spec.params[?(@.name=='model-name')].value}",
                "drifting");
    }
}
