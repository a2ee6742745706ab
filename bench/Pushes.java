import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Secrets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// How long it takes from a signed push until its PipelineRun is there and the forge hears of it. The forge is on this
/// machine and answers at once; the runs are told to wait, so that they cost nothing.
final class Pushes {

    private static final String RUN = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata:
              name: build
              annotations: {pipelinesascode.tekton.dev/on-event: push, pipelinesascode.tekton.dev/on-target-branch: main}
            spec:
              status: PipelineRunPending
              params: [{name: revision, value: "{{ revision }}"}]
              pipelineSpec:
                params: [{name: revision}]
                tasks: [{name: build, taskSpec: {steps: [{name: make, image: busybox, script: "true"}]}}]
            """;

    private final LinkedBlockingQueue<Long> told = new LinkedBlockingQueue<>();
    private final HttpServer forge;
    private final HttpClient client;
    private final URI listener;

    private Pushes(Path data) throws Exception {
        forge = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        forge.createContext("/", this::answer);
        forge.start();
        var kubeconfig = Files.readString(data.resolve("kubeconfig"));
        client = HttpClient.newBuilder().sslContext(trusting(found(kubeconfig, "certificate-authority-data"))).build();
        listener = URI.create(found(kubeconfig, "server") + "/pipelines-as-code");
        var cluster = RemoteCluster.of(data.resolve("kubeconfig"), Optional.empty());
        create(cluster, Secrets.KIND, "{metadata: {name: forge, namespace: default}, stringData: {provider.token: t, webhook.secret: hush}}");
        create(cluster, PacKinds.REPOSITORY, """
                metadata: {name: app, namespace: default}
                spec:
                  url: %s/team/app
                  git_provider: {type: gitea, secret: {name: forge}, webhook_secret: {name: forge}}
                """.formatted(address()));
    }

    public static void main(String[] arguments) throws Exception {
        var bench = new Pushes(Path.of(arguments[0]));
        int count = Integer.parseInt(arguments[1]);
        Stopwatch.timed(bench::push, Math.max(20, count / 5));
        var times = Stopwatch.timed(bench::push, count);
        System.out.printf(
                "%-44s %8.2f ms %8.2f ms%n",
                "a push until its run is told, p50 and p99", times[count / 2] / 1e6, times[count * 99 / 100] / 1e6);
        var asked = Stopwatch.timed(bench::askForge, count);
        System.out.printf(
                "%-44s %8.2f ms %8.2f ms%n",
                "of it the forge's four answers", asked[count / 2] / 1e6, asked[count * 99 / 100] / 1e6);
        var answers = Stopwatch.timed(bench::refused, count);
        System.out.printf(
                "%-44s %8.2f ms %8.2f ms%n",
                "a forged one until its answer", answers[count / 2] / 1e6, answers[count * 99 / 100] / 1e6);
        System.exit(0);
    }

    private static String found(String kubeconfig, String field) {
        var line = Pattern.compile(field + "\"?: *\"?([^\\s\",]+)").matcher(kubeconfig);
        if (!line.find()) {
            throw new IllegalStateException("no " + field);
        }
        return line.group(1);
    }

    private static SSLContext trusting(String authority) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        var pem = new java.io.ByteArrayInputStream(Base64.getDecoder().decode(authority));
        store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static void create(Cluster cluster, Kind<?> kind, String yaml) {
        var json = ((Json.Obj) YamlText.parse(yaml))
                .with("apiVersion", Json.of(kind.apiVersion()))
                .with("kind", Json.of(kind.kind()));
        cluster.create(kind, new Resource(LogicalCluster.DEFAULT, json), Cluster.WriteOptions.DEFAULT);
    }

    private String address() {
        return "http://127.0.0.1:" + forge.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        exchange.getRequestBody().readAllBytes();
        var content = Base64.getEncoder().encodeToString(RUN.getBytes(StandardCharsets.UTF_8));
        var json = path.endsWith("/git/trees/t")
                ? "{\"tree\":[{\"type\":\"blob\",\"path\":\"run.yaml\",\"sha\":\"b\"}]}"
                : path.contains("/git/trees/")
                        ? "{\"tree\":[{\"type\":\"tree\",\"path\":\".tekton\",\"sha\":\"t\"}]}"
                        : path.contains("/git/blobs/") ? "{\"content\":\"" + content + "\"}" : "{}";
        if (path.contains("/statuses/")) {
            told.add(System.nanoTime());
        }
        var bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void push(int number) throws Exception {
        send(number, "hush");
        if (told.poll(60, TimeUnit.SECONDS) == null) {
            throw new IllegalStateException("the forge was told nothing");
        }
    }

    /// What the server asks and tells the forge for a push, without the server.
    private void askForge(int number) throws Exception {
        for (var path : new String[] {"c" + number, "t", "b"}) {
            var place = path.equals("b") ? "/git/blobs/" : "/git/trees/";
            client.send(
                    HttpRequest.newBuilder(URI.create(address() + "/api/v1/repos/team/app" + place + path)).build(),
                    BodyHandlers.ofString());
        }
        client.send(
                HttpRequest.newBuilder(URI.create(address() + "/api/v1/repos/team/app/statuses/c" + number))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                BodyHandlers.ofString());
        told.clear();
    }

    private void refused(int number) throws Exception {
        send(number, "other");
    }

    private void send(int number, String secret) throws Exception {
        var body = """
                {"ref":"refs/heads/main","after":"c%1$d","head_commit":{"id":"c%1$d","message":"a change"},"sender":{"login":"a"},
                 "commits":[{"added":["a.txt"]}],
                 "repository":{"name":"app","owner":{"login":"team"},"html_url":"%2$s/team/app","default_branch":"main"}}""".formatted(number, address());
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        var request = HttpRequest.newBuilder(listener)
                .header("Content-Type", "application/json")
                .header("X-Gitea-Event-Type", "push")
                .header("X-Gitea-Signature", HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8))))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        var answer = client.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 202) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
    }
}
