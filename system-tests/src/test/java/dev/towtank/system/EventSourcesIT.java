package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.towtank.cluster.web.PemTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What makes events besides a sender of signed requests: the clock, a repository, CloudEvents; and those who send too
/// much,
/// twice, or over TLS.
class EventSourcesIT {

    /// Makes a ConfigMap of an event, which takes no time.
    private static final String LISTENER = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: maker}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: maker}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
            subjects: [{kind: ServiceAccount, name: maker}]
            ---
            apiVersion: triggers.tekton.dev/v1beta1
            kind: TriggerTemplate
            metadata: {name: note}
            spec:
              params: [{name: text, default: nothing}]
              resourcetemplates:
              - {apiVersion: v1, kind: ConfigMap, metadata: {generateName: note-}, data: {text: $(tt.params.text)}}
            ---
            apiVersion: triggers.tekton.dev/v1beta1
            kind: EventListener
            metadata: {name: el}
            spec:
              serviceAccountName: maker
              cloudEventURI: "http://127.0.0.1:SINK"
              triggers:
              - {name: all, bindings: [{name: text, value: $(body.text)}], template: {ref: note}}
            """;

    private static RunningTowtank server;
    private static HttpServer sink;
    // By path, of which each namespace has its own: what an earlier test led to may still be told.
    private static final Map<String, BlockingQueue<String>> TOLD = new ConcurrentHashMap<>();

    @TempDir
    Path temp;

    @BeforeAll
    static void start() throws IOException {
        server = RunningTowtank.start("--virtual-time");
        sink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        sink.createContext("/", exchange -> {
            told(exchange.getRequestURI().getPath())
                    .add(exchange.getRequestHeaders().getFirst("ce-type"));
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        sink.start();
    }

    private static BlockingQueue<String> told(String path) {
        return TOLD.computeIfAbsent(path, _ -> new LinkedBlockingQueue<>());
    }

    @AfterAll
    static void stop() {
        sink.stop(0);
        server.close();
    }

    private static Kubectl namespace(String name) {
        var kubectl = Kubectl.newest(server.kubeconfig(), name);
        kubectl.run("create", "namespace", name);
        var own = sink.getAddress().getPort() + "/" + name;
        kubectl.withInput(LISTENER.replace("SINK", own), "apply", "-f", "-");
        kubectl.await("eventlistener/el", "{.status.conditions[?(@.type=='Ready')].status}", "True");
        return kubectl;
    }

    private static String port(Kubectl kubectl) {
        return kubectl.run(
                "get",
                "endpointslice",
                "-l",
                "kubernetes.io/service-name=el-el",
                "-o",
                "jsonpath={.items[0].ports[0].port}");
    }

    private static HttpResponse<String> post(HttpClient client, String address, String body, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(address)).POST(HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String notes(Kubectl kubectl) {
        return kubectl.run(
                "get", "configmaps", "-o", "jsonpath={range .items[*]}{.metadata.generateName}{.data.text} {end}");
    }

    @Test
    void cloudEventsComeAndGoAndNothingIsTakenTwiceOrTooLarge() throws Exception {
        var kubectl = namespace("events");
        var address = "http://127.0.0.1:" + port(kubectl) + "/";
        try (var client = HttpClient.newHttpClient()) {
            var answer = post(client, address + "?wait=true", "{\"text\": \"a\"}", "ce-specversion", "1.0");
            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(answer.headers().firstValue("ce-type")).contains("dev.tekton.event.triggers.accepted.v1");
            var types = new ArrayList<String>();
            for (int i = 0; i < 3; i++) {
                types.add(told("/events").poll(120, TimeUnit.SECONDS));
            }
            assertThat(types)
                    .containsExactlyInAnyOrder(
                            "dev.tekton.event.triggers.started.v1",
                            "dev.tekton.event.triggers.successful.v1",
                            "dev.tekton.event.triggers.done.v1");

            var once = new String[] {"X-GitHub-Delivery", "d-1"};
            assertThat(post(client, address + "?wait=true", "{\"text\": \"b\"}", once)
                            .body())
                    .contains("\"accepted\":true");
            assertThat(post(client, address + "?wait=true", "{\"text\": \"b\"}", once)
                            .body())
                    .contains("the delivery d-1 was taken before");
            // Nothing came of it, so that it may come again.
            var failed = new String[] {"X-GitHub-Delivery", "d-2"};
            assertThat(post(client, address + "?wait=true", "{\"text\": {\"a\": 1}}", failed)
                            .body())
                    .contains("\"accepted\":false", "couldn't unmarshal json from the TriggerTemplate");
            assertThat(post(client, address + "?wait=true", "{\"text\": \"c\"}", failed)
                            .body())
                    .contains("\"accepted\":true");

            assertThat(post(client, address, "{\"text\": \"" + "x".repeat(25 << 20) + "\"}")
                            .statusCode())
                    .isEqualTo(413);
            assertThat(post(client, address, "[1]").statusCode()).isEqualTo(400);
            // Text is text: whoever writes variables and quotes into an event gets them back.
            var odd = "{\"text\": \"$(tt.params.text) $(uid) \\\\\\\" ' \\\\n\"}";
            assertThat(post(client, address + "?wait=true", odd).body()).contains("\"accepted\":true");
            assertThat(post(client, address, "{\"text\": \"d\"}").statusCode()).isEqualTo(202);
        }
        assertThat(notes(kubectl)).contains("note-a", "note-b", "note-c", "$$(tt.params.text) $$(uid) \\\" ' ");
        assertThat(towtank("events", "--namespace", "events").out())
                .contains("LISTENER", "WHAT CAME OF IT", "made ConfigMap events/note-", "refused: the delivery d-1");
        assertThat(towtank("events", "--namespace", "events", "--refused").out())
                .doesNotContain("made ConfigMap");
    }

    private static Program.Outcome towtank(String... command) {
        var line = new ArrayList<>(List.of(command));
        line.addAll(List.of("--data", server.data().toString()));
        return Program.towtank(line.toArray(String[]::new));
    }

    @Test
    void aThousandEventsAtOnceAreAllAnswered() throws Exception {
        var kubectl = namespace("many");
        var address = "http://127.0.0.1:" + port(kubectl) + "/";
        var refused = new LinkedBlockingQueue<String>();
        try (var client = HttpClient.newHttpClient()) {
            var senders = new ArrayList<Thread>();
            for (int i = 0; i < 1000; i++) {
                var body = "{\"text\": \"" + i + "\"}";
                senders.add(Thread.ofVirtual().start(() -> {
                    try {
                        // As senders do: who is told to come again comes again.
                        var answer = post(client, address + "?wait=true", body);
                        while (answer.statusCode() == 503) {
                            answer = post(client, address + "?wait=true", body);
                        }
                        if (!answer.body().contains("\"accepted\":true")) {
                            refused.add(answer.statusCode() + answer.body());
                        }
                    } catch (IOException | InterruptedException e) {
                        refused.add(e.toString());
                    }
                }));
            }
            for (var sender : senders) {
                sender.join();
            }
        }
        assertThat(refused).isEmpty();
        assertThat(notes(kubectl).split("note-", -1)).hasSize(1001);
    }

    @Test
    void aListenerShowsItsOwnCertificate() throws Exception {
        var kubectl = namespace("secure");
        Program.run(List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=el",
                "-addext",
                "subjectAltName=DNS:localhost",
                "-keyout",
                temp.resolve("k").toString(),
                "-out",
                temp.resolve("c").toString()));
        kubectl.run("patch", "eventlistener", "el", "--type=merge", "-p", """
                {"spec": {"resources": {"kubernetesResource": {"spec": {"template": {"spec": {"containers": [{"env": [
                  {"name": "TLS_CERT", "valueFrom": {"secretKeyRef": {"name": "tls", "key": "c"}}},
                  {"name": "TLS_KEY", "valueFrom": {"secretKeyRef": {"name": "tls", "key": "k"}}}]}]}}}}}}}""");
        kubectl.await("eventlistener/el", "{.status.conditions[?(@.type=='Ready')].reason}", "CertificateMissing");
        kubectl.run(
                "create",
                "secret",
                "generic",
                "tls",
                "--from-file=c=" + temp.resolve("c"),
                "--from-file=k=" + temp.resolve("k"));
        kubectl.await("eventlistener/el", "{.status.conditions[?(@.type=='Ready')].status}", "True");

        assertThat(kubectl.run("get", "service", "el-el", "-o", "jsonpath={.spec.ports[0].name} {.spec.ports[0].port}"))
                .isEqualTo("https-listener 8443");
        assertThat(kubectl.run("get", "eventlistener", "el", "-o", "jsonpath={.status.address.url}"))
                .isEqualTo("https://el-el.secure.svc.cluster.local:8443");
        try (var client = HttpClient.newBuilder()
                .sslContext(PemTls.trusting(Files.readString(temp.resolve("c"))))
                .build()) {
            assertThat(post(client, "https://localhost:" + port(kubectl) + "/?wait=true", "{\"text\": \"safe\"}")
                            .body())
                    .contains("\"accepted\":true");
        }
    }

    @Test
    void aTriggerStartsByTheClockAndOnceAfterALongPause() {
        var kubectl = namespace("clock");
        var refused = kubectl.attempt("""
                apiVersion: triggers.tekton.dev/v1beta1
                kind: Trigger
                metadata: {name: wrong, annotations: {towtank.dev/schedule: "0 2 * *"}}
                spec: {template: {ref: note}}
                """, Map.of(), "apply", "-f", "-");
        assertThat(refused.err()).contains("towtank.dev/schedule is no schedule: expected exactly 5 fields, found 4");
        kubectl.withInput("""
                apiVersion: triggers.tekton.dev/v1beta1
                kind: Trigger
                metadata: {name: weekly, annotations: {towtank.dev/schedule: "TZ=Europe/Berlin 0 2 * * 0"}}
                spec:
                  serviceAccountName: maker
                  bindings: [{name: text, value: "at $(body.scheduled)"}]
                  template: {ref: note}
                """, "apply", "-f", "-");

        // Many Sundays in one go are one start.
        assertThat(towtank("time", "advance", "60d").exit()).isZero();
        kubectl.await("trigger/weekly", "{.status.lastSchedule.accepted}", "true");
        assertThat(notes(kubectl).split("note-at ", -1)).hasSize(2);
        var first = kubectl.run("get", "trigger", "weekly", "-o", "jsonpath={.status.lastScheduleTime}");

        assertThat(towtank("time", "advance", "7d").exit()).isZero();
        var next = Instant.parse(first).plus(Duration.ofDays(7)).toString();
        kubectl.await("trigger/weekly", "{.status.lastScheduleTime}", next);
        assertThat(kubectl.run("get", "pods", "-o", "name")).isEmpty();
    }

    private static String git(Path directory, String... arguments) {
        var line = new ArrayList<>(
                List.of("git", "-C", directory.toString(), "-c", "user.name=n", "-c", "user.email=n@example.com"));
        line.addAll(List.of(arguments));
        var outcome = Program.run(line, "", Map.of());
        assertThat(outcome.exit()).as(outcome.toString()).isZero();
        return outcome.out().strip();
    }

    private static String commit(Path work, String file) throws IOException {
        Files.createDirectories(work.resolve(file).getParent());
        Files.writeString(work.resolve(file), file);
        git(work, "add", ".");
        git(work, "commit", "-q", "-m", file);
        return git(work, "rev-parse", "HEAD");
    }

    @Test
    void aRepositoryThatSendsNothingIsLookedAt() throws Exception {
        var work = Files.createDirectories(temp.resolve("o/models"));
        git(work, "init", "-q", "-b", "main");
        commit(work, "notebooks/a.ipynb");
        var kubectl = namespace("repository");
        kubectl.attempt("create", "namespace", "tekton-pipelines-resolvers");
        kubectl.in("tekton-pipelines-resolvers").withInput("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: towtank-resolvers}
                data: {rewrites: "https://git.example.com/: file://%s/"}
                """.formatted(temp), "apply", "-f", "-");
        kubectl.run("create", "secret", "generic", "hook", "--from-literal=key=1234567");
        kubectl.withInput("""
                apiVersion: triggers.tekton.dev/v1beta1
                kind: EventListener
                metadata: {name: pushes}
                spec:
                  serviceAccountName: maker
                  triggers:
                  - name: notebooks
                    interceptors:
                    - ref: {name: github}
                      params:
                      - {name: secretRef, value: {secretName: hook, secretKey: key}}
                      - {name: eventTypes, value: [push]}
                      - {name: addChangedFiles, value: {enabled: true}}
                    - ref: {name: cel}
                      params: [{name: filter, value: "extensions.changed_files.contains('notebooks/')"}]
                    bindings: [{name: text, value: "$(body.repository.full_name) $(body.ref) $(extensions.changed_files)"}]
                    template: {ref: note}
                ---
                apiVersion: triggers.towtank.dev/v1alpha1
                kind: GitRepository
                metadata: {name: models}
                spec:
                  url: https://git.example.com/o/models
                  branches: [main]
                  interval: 1s
                  eventListener: pushes
                  secretRef: {secretName: hook, secretKey: key}
                """, "apply", "-f", "-");
        kubectl.await("gitrepository/models", "{.status.conditions[?(@.type=='Ready')].status}", "True");

        var docs = commit(work, "docs/b.md");
        kubectl.await("gitrepository/models", "{.status.lastEvent.after}", docs);
        assertThat(kubectl.run("get", "gitrepository", "models", "-o", "jsonpath={.status.lastEvent.triggers}"))
                .contains("did not return true");
        commit(work, "notebooks/c.ipynb");
        var last = commit(work, "docs/d.md");
        kubectl.await("gitrepository/models", "{.status.branches.main}", last);
        assertThat(notes(kubectl)).contains("note-o/models refs/heads/main ", "notebooks/c.ipynb");
    }
}
