package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Pods with networks of their own, which a server of root gives to those that listen.
class PodNetworkIT {

    /// Answers with a word on port 8080, and takes its time to end, as a program behind a service should.
    private static final String SERVER = """
            import http.server, os, signal, sys, threading
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    word = os.environ['WORD'].encode()
                    self.send_response(200)
                    self.send_header('Content-Length', str(len(word)))
                    self.end_headers()
                    self.wfile.write(word)
                def log_message(self, *arguments): pass
            server = http.server.ThreadingHTTPServer(('', 8080), Handler)
            server.daemon_threads = False
            signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
            server.serve_forever()
            """;

    private static final String DEPLOYMENT = """
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  terminationGracePeriodSeconds: 20
                  containers:
                  - name: main
                    image: python
                    command: [python3, -c, "PROGRAM"]
                    env: [{name: WORD, value: WORD-TO-SAY}]
                    ports: [{containerPort: 8080}]
                    lifecycle: {preStop: {sleep: {seconds: 2}}}
                    readinessProbe: {periodSeconds: 1, httpGet: {port: 8080}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}}
            """;

    private static RunningTowtank server;
    private static Kubectl kubectl;

    @BeforeAll
    static void start() {
        server = RunningTowtank.start();
        kubectl = Kubectl.newest(server.kubeconfig(), "network");
        kubectl.run("create", "namespace", "network");
        apply("one");
        kubectl.run("rollout", "status", "deployment/web", "--timeout=60s");
    }

    private static void apply(String word) {
        var program = SERVER.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        kubectl.withInput(DEPLOYMENT.replace("PROGRAM", program).replace("WORD-TO-SAY", word), "apply", "-f", "-");
    }

    @AfterAll
    static void stop() {
        server.close();
        assertThat(links())
                .as("nothing is left on the machine")
                .doesNotContain(server.data().toString());
    }

    private static List<String> links() {
        var aliases = new ArrayList<String>();
        try (var links = Files.newDirectoryStream(Path.of("/sys/class/net"), "ttpod*")) {
            for (var link : links) {
                aliases.add(Files.readString(link.resolve("ifalias")));
            }
        } catch (IOException e) {
            // it goes just now
        }
        return aliases;
    }

    private static String json(String what, String path) {
        return kubectl.run("get", what, "-o", "jsonpath=" + path);
    }

    private static String fetch(String url) throws IOException {
        var connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setConnectTimeout(5000);
        connection.setReadTimeout(5000);
        connection.setRequestProperty("Connection", "close");
        try (var in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theServerPassesRequestsOnToPods() {
        assertThat(kubectl.run("get", "--raw", "/api/v1/namespaces/network/services/web:80/proxy/some/path"))
                .isNotBlank();
        var pod = kubectl.run("get", "pods", "-l", "app=web", "-o", "jsonpath={.items[0].metadata.name}");
        assertThat(kubectl.run("get", "--raw", "/api/v1/namespaces/network/pods/" + pod + ":8080/proxy/"))
                .isNotBlank();
        assertThat(kubectl.attempt("get", "--raw", "/api/v1/namespaces/network/pods/" + pod + ":9/proxy/")
                        .exit())
                .isEqualTo(1);
    }

    @Test
    void twoPodsListenOnTheSamePortAndAreReplacedWithoutAFailedRequest() throws Exception {
        var addresses = List.of(json("pods", "{.items[*].status.podIP}").split(" ", -1));
        assertThat(addresses).hasSize(2).doesNotHaveDuplicates();
        var url = "http://" + json("service/web", "{.spec.clusterIP}") + "/";
        assertThat(fetch(url)).isEqualTo("one");

        var over = new AtomicBoolean();
        var answers = new AtomicInteger();
        var failures = new ArrayList<String>();
        var load = Thread.ofVirtual().start(() -> {
            while (!over.get()) {
                try {
                    fetch(url);
                    answers.incrementAndGet();
                } catch (IOException e) {
                    failures.add(e.toString());
                }
            }
        });
        apply("two");
        kubectl.run("rollout", "status", "deployment/web", "--timeout=60s");
        awaitAnswer(url, "two");
        kubectl.run("rollout", "undo", "deployment/web");
        kubectl.run("rollout", "status", "deployment/web", "--timeout=60s");
        over.set(true);
        load.join();

        assertThat(failures).isEmpty();
        assertThat(answers.get()).isGreaterThan(50);
        awaitAnswer(url, "one");
    }

    /// A roll-out is over when the new pods are ready: those that end may answer for another moment.
    private static void awaitAnswer(String url, String wanted) throws IOException {
        var end = Instant.now().plusSeconds(30);
        while (!fetch(url).equals(wanted)) {
            assertThat(Instant.now()).as("%s answers %s", url, wanted).isBefore(end);
        }
    }

    @Test
    void theyKnowTheirClusterAndReachTheServer() {
        kubectl.withInput("""
                ---
                {apiVersion: v1, kind: Service, metadata: {name: peers}, spec: {clusterIP: None, selector: {app: web}, ports: [{port: 8080}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: client, annotations: {towtank.dev/network: own}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - {name: main, image: bitnami/kubectl, command: [sleep, "1000"]}
                """, "apply", "-f", "-");
        kubectl.run("wait", "pod/client", "--for=condition=Ready", "--timeout=60s");
        var python = "import socket, urllib.request as u; "
                + "print(socket.gethostbyname('web'), u.urlopen('http://web.network.svc.cluster.local/').status)";
        var address = json("service/web", "{.spec.clusterIP}");

        assertThat(inside("python3", "-c", python)).isEqualTo(address + " 200\n");
        assertThat(inside("cat", "/etc/resolv.conf"))
                .contains("search network.svc.cluster.local svc.cluster.local cluster.local")
                .contains("ndots:5");
        assertThat(inside("kubectl", "auth", "whoami")).contains("system:serviceaccount:network:default");
        assertThat(inside("sh", "-c", "hostname -I")).isEqualTo(json("pod/client", "{.status.podIP}") + " \n");
        assertThat(inside("python3", "-c", ask("peers.network.svc.cluster.local")))
                .as("the addresses of a headless service by DNS")
                .contains("answers 2");
        assertThat(inside("python3", "-c", ask("nobody.network.svc.cluster.local")))
                .contains("code 3");
        kubectl.run("delete", "pod/client", "service/peers");
    }

    /// A program of the machine that trusts whoever reaches it: by a socket without a file, and on the loopback.
    private static final String TRUSTING = """
            import socket, sys
            unix = socket.socket(socket.AF_UNIX); unix.bind('\\0' + sys.argv[1]); unix.listen()
            local = socket.create_server(('127.0.0.1', 0))
            print(local.getsockname()[1], flush=True)
            sys.stdin.read()
            """;

    private static final String ATTEMPT = """
            import socket
            def reached(family, address):
                try:
                    with socket.socket(family) as s:
                        s.settimeout(3); s.connect(address)
                    return 'reached'
                except OSError:
                    return 'refused'
            print(reached(socket.AF_UNIX, '\\0NAME'), reached(socket.AF_INET, ('127.0.0.1', PORT)),
                reached(socket.AF_INET, ('127.96.99.99', PORT)))
            """;

    @Test
    void theyReachNoSocketsOfTheMachineThatItDoesNotOffer() throws Exception {
        kubectl.withInput("""
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: walled, annotations: {towtank.dev/network: own}}
                spec: {terminationGracePeriodSeconds: 0, containers: [{name: main, image: python, command: [sleep, "1000"]}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: open}
                spec: {terminationGracePeriodSeconds: 0, containers: [{name: main, image: python, command: [sleep, "1000"]}]}
                """, "apply", "-f", "-");
        kubectl.run("wait", "pod/walled", "pod/open", "--for=condition=Ready", "--timeout=60s");
        var name = "towtank-" + server.pid();
        var trusting = new ProcessBuilder("/usr/bin/python3", "-c", TRUSTING, name).start();
        try (var said = trusting.inputReader()) {
            var script = ATTEMPT.replace("NAME", name).replace("PORT", said.readLine());

            // These are kept apart otherwise, unless the kernel cannot.
            var node = json("nodes", "{.items[*].status.conditions}");
            var withoutFiles = node.contains("unix sockets without files") ? "reached" : "refused";
            assertThat(kubectl.run("exec", "walled", "--", "python3", "-c", script))
                    .isEqualTo("refused refused refused\n");
            assertThat(kubectl.run("exec", "open", "--", "python3", "-c", script))
                    .as("who shares the machine's network does, so there was something to reach")
                    .isEqualTo(withoutFiles + " reached refused\n");
        } finally {
            trusting.destroyForcibly();
        }
        kubectl.run("delete", "pod/walled", "pod/open");
    }

    @Test
    void theirNetworksOutliveTheServer() throws Exception {
        kubectl.withInput("""
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: steady, labels: {app: steady}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - {name: main, image: python, command: [python3, -m, http.server, "80"], ports: [{containerPort: 80}], readinessProbe: {periodSeconds: 1, tcpSocket: {port: 80}}}
                ---
                {apiVersion: v1, kind: Service, metadata: {name: steady}, spec: {selector: {app: steady}, ports: [{port: 80}]}}
                """, "apply", "-f", "-");
        kubectl.run("wait", "pod/steady", "--for=condition=Ready", "--timeout=60s");
        var address = json("pod/steady", "{.status.podIP}");

        server = server.killAndStart();

        kubectl.run("wait", "pod/steady", "--for=condition=Ready", "--timeout=60s");
        assertThat(json("pod/steady", "{.status.podIP} {.status.containerStatuses[0].restartCount}"))
                .isEqualTo(address + " 0");
        assertThat(fetch("http://" + address + "/")).contains("Directory listing");
        var exec = "import urllib.request as u; print(u.urlopen('http://steady/').status)";
        kubectl.await("endpoints/steady", "{.subsets[0].addresses[0].ip}", address);
        assertThat(kubectl.run("exec", "steady", "--", "python3", "-c", exec)).isEqualTo("200\n");
        kubectl.run("delete", "pod/steady", "service/steady");
    }

    /// Asks the resolver itself, beside what the hosts file knows.
    private static String ask(String name) {
        return """
                import socket, struct
                server = open('/etc/resolv.conf').readline().split()[1]
                name = b''.join(bytes([len(p)]) + p.encode() for p in '%s'.split('.')) + bytes(1)
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(5)
                s.sendto(struct.pack('>6H', 7, 256, 1, 0, 0, 0) + name + struct.pack('>2H', 1, 1), (server, 53))
                answer = s.recv(4096)
                print('answers', struct.unpack('>H', answer[6:8])[0], 'code', answer[3] & 15)
                """.formatted(name);
    }

    private static String inside(String... command) {
        var all = new ArrayList<>(List.of("exec", "client", "--"));
        all.addAll(List.of(command));
        return kubectl.run(all.toArray(String[]::new));
    }
}
