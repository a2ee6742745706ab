package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Pods with networks of their own, which a server gives to those that listen: that of whoever runs the tests, and,
/// when that is root, one of an ordinary user.
@ParameterizedClass
@MethodSource("users")
class PodNetworkIT {

    /// In milliseconds: whether an answer comes is the question, and a busy machine takes its time.
    private static final int LONGEST_ANSWER = 120_000;

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
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec:
              selector: {app: web}
              ports: [{name: http, port: 80, targetPort: 8080}, {name: high, port: 8000, targetPort: 8080}]
            """;

    private static RunningTowtank server;
    private static Kubectl kubectl;

    static List<String> users() {
        var me = System.getProperty("user.name");
        return me.equals("root") ? List.of("root", "nobody") : List.of(me);
    }

    @Parameter
    String user;

    @BeforeParameterizedClassInvocation
    static void start(String user) {
        server = user.equals(System.getProperty("user.name")) ? RunningTowtank.start() : RunningTowtank.startAs(user);
        kubectl = Kubectl.newest(server.kubeconfig(), "network");
        kubectl.run("create", "namespace", "network");
        apply("one");
        awaitRollOut();
    }

    /// A roll-out is over when the new pods are ready: those before them go a moment later, and services lead to the
    /// new ones a moment later.
    private static void awaitRollOut() {
        kubectl.run("rollout", "status", "deployment/web", "--timeout=120s");
        Eventually.holds(() -> assertThat(addresses()).hasSize(2).doesNotHaveDuplicates());
        var url = "/api/v1/namespaces/network/services/web:80/proxy/";
        Eventually.holds(() -> kubectl.run("get", "--raw", url));
        Eventually.listens(json("service/web", "{.spec.clusterIP}"), 8000);
    }

    private static List<String> addresses() {
        return List.of(kubectl.run("get", "pods", "-l", "app=web", "-o", "jsonpath={.items[*].status.podIP}")
                .split(" ", -1));
    }

    /// As it is written between quotes.
    private static String program() {
        return SERVER.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static void apply(String word) {
        kubectl.withInput(DEPLOYMENT.replace("PROGRAM", program()).replace("WORD-TO-SAY", word), "apply", "-f", "-");
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
        Eventually.holds(() -> assertThat(links())
                .as("nothing is left on the machine")
                .doesNotContain(server.data().toString()));
        Eventually.holds(() -> assertThat(
                        ProcessHandle.allProcesses().flatMap(process -> process.info().commandLine().stream()))
                .as("nobody holds a network, or leads out of it")
                .noneMatch(line -> line.contains(server.data().resolve("node").toString())));
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
        connection.setConnectTimeout(LONGEST_ANSWER);
        connection.setReadTimeout(LONGEST_ANSWER);
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
        assertThat(addresses()).hasSize(2).doesNotHaveDuplicates();
        // On the machine itself low ports are root's.
        var url = "http://" + json("service/web", "{.spec.clusterIP}") + ":8000/";
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
        kubectl.run("rollout", "status", "deployment/web", "--timeout=120s");
        awaitAnswer(url, "two");
        Eventually.holds(() -> assertThat(answers).hasPositiveValue());
        int between = answers.get();
        kubectl.run("rollout", "undo", "deployment/web");
        awaitRollOut();
        Eventually.holds(() -> assertThat(answers).hasValueGreaterThan(between));
        over.set(true);
        load.join();

        assertThat(failures).isEmpty();
        assertThat(between).isPositive();
        assertThat(answers.get()).isGreaterThan(between);
        awaitAnswer(url, "one");
    }

    /// Takes a connection, and says nothing.
    private static final String SILENT = """
            import socket, sys, time
            server = socket.create_server(('', 8080))
            print('listening', flush=True)
            taken = server.accept()
            print('taken', flush=True)
            time.sleep(1000)
            """;

    /// Whatever a pod's kernel says last gets lost where its link goes first, and a request that nobody confirmed is
    /// repeated for a quarter of an hour: whoever asked must hear of the end all the same.
    @Test
    void whoAsksAPodThatGoesWithoutAWordIsTold() throws Exception {
        kubectl.withInput(
                """
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: silent, labels: {app: silent}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - {name: main, image: python, command: [python3, -c, "PROGRAM", WORD], ports: [{containerPort: 8080}]}
                ---
                {apiVersion: v1, kind: Service, metadata: {name: silent}, spec: {selector: {app: silent}, ports: [{port: 8000, targetPort: 8080}]}}
                """.replace("PROGRAM", SILENT.replace("\n", "\\n")).replace("WORD", "silent-" + server.pid()),
                "apply",
                "-f",
                "-");
        kubectl.run("wait", "pod/silent", "--for=condition=Ready", "--timeout=120s");
        kubectl.await("endpoints/silent", "{.subsets[0].addresses[0].ip}", json("pod/silent", "{.status.podIP}"));
        awaitLog("silent", "listening");
        try (var client = connect(json("service/silent", "{.spec.clusterIP}"), 8000)) {
            client.setSoTimeout(LONGEST_ANSWER);
            awaitLog("silent", "taken");
            var shut = shutLink("silent-" + server.pid());
            try (var said = shut.inputReader()) {
                assertThat(said.readLine()).isEqualTo("shut");
                client.getOutputStream().write("a request\n".getBytes(StandardCharsets.UTF_8));

                kubectl.run("delete", "pod/silent", "service/silent");

                assertThat(client.getInputStream().read()).isEqualTo(-1);
            } finally {
                shut.destroyForcibly();
            }
        }
    }

    /// The address of a new service is listened on a moment later.
    private static Socket connect(String address, int port) {
        return Eventually.answer(() -> new Socket(address, port));
    }

    private static void awaitLog(String pod, String wanted) {
        kubectl.until(List.of(wanted), "logs", pod);
    }

    /// Shuts the link of a pod's network, and stays in there, so that nobody gets the network next.
    private static final String SHUT = """
            import ctypes, fcntl, os, socket, struct, sys
            spaces = [os.open('/proc/' + sys.argv[1] + '/ns/user', 0)] if len(sys.argv) > 2 else []
            spaces.append(os.open('/proc/' + sys.argv[-1] + '/ns/net', 0))
            for space in spaces:
                if ctypes.CDLL(None, use_errno=True).setns(space, 0): raise OSError(ctypes.get_errno(), 'setns')
            fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh', b'eth0', 0))
            print('shut', flush=True)
            sys.stdin.read()
            """;

    /// @param word an argument of a program that runs in the pod
    private Process shutLink(String word) throws IOException {
        var command = new ArrayList<String>();
        if (!user.equals(System.getProperty("user.name"))) {
            command.addAll(List.of("setpriv", "--reuid=" + user, "--regid=nogroup", "--clear-groups", "--"));
        }
        command.addAll(List.of("/usr/bin/python3", "-c", SHUT));
        if (!user.equals("root")) {
            var hub = Files.readString(server.data().resolve("node/networks/hub.pid"));
            command.add(hub.split(" ", 2)[0]);
        }
        command.add(ProcessHandle.allProcesses()
                .filter(process -> process.info().arguments().stream()
                        .anyMatch(arguments -> arguments.length > 0
                                && arguments[arguments.length - 1].equals(word)
                                && process.info().command().orElse("").contains("python")))
                .findFirst()
                .map(process -> Long.toString(process.pid()))
                .orElseThrow());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /// Those that end may answer for another moment.
    private static void awaitAnswer(String url, String wanted) {
        Eventually.holds(() -> assertThat(answer(url)).isEqualTo(wanted));
    }

    /// There is always one: a request that fails is not asked again.
    private static String answer(String url) {
        try {
            return fetch(url);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void serversOfModelsAllListenOn8080() throws Exception {
        for (var word : List.of("first", "second")) {
            kubectl.withInput(
                    """
                    apiVersion: serving.kserve.io/v1beta1
                    kind: InferenceService
                    metadata: {name: WORD}
                    spec:
                      predictor:
                        containers:
                        - {name: kserve-container, image: python, command: [python3, -c, "PROGRAM"], env: [{name: SAYS, value: WORD}]}
                    """.replace("WORD", word).replace("SAYS", "WORD").replace("PROGRAM", program()),
                    "apply",
                    "-f",
                    "-");
        }
        for (var word : List.of("first", "second")) {
            kubectl.run("wait", "--for=condition=Ready", "isvc/" + word, "--timeout=120s");
            var url = json("isvc/" + word, "{.status.url}") + "/";
            Eventually.holds(() -> assertThat(fetch(url)).isEqualTo(word));
        }
        kubectl.run("delete", "isvc", "first", "second");
    }

    @Test
    void theyKnowTheirClusterAndReachTheServer() throws Exception {
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
        kubectl.run("wait", "pod/client", "--for=condition=Ready", "--timeout=120s");
        var python = "import socket, urllib.request as u; "
                + "print(socket.gethostbyname('web'), u.urlopen('http://web.network.svc.cluster.local/').status)";
        var address = json("service/web", "{.spec.clusterIP}");

        Eventually.holds(() -> assertThat(inside("python3", "-c", python)).isEqualTo(address + " 200\n"));
        assertThat(inside("cat", "/etc/resolv.conf"))
                .contains("search network.svc.cluster.local svc.cluster.local cluster.local")
                .contains("ndots:5");
        assertThat(inside("kubectl", "auth", "whoami")).contains("system:serviceaccount:network:default");
        assertThat(inside("sh", "-c", "hostname -I"))
                .as("by that of IPv6, where the machine has any, it reaches the world alone")
                .matches(json("pod/client", "{.status.podIP}") + " (fd74:6f77:7461:[0-9a-f:]+ )?\n");
        var hardware = "import fcntl, socket, struct; "
                + "print(fcntl.ioctl(socket.socket(), 0x8927, struct.pack('40s', b'eth0'))[18:24].hex())";
        assertThat(inside("python3", "-c", hardware))
                .as("whoever has the address next is found by those who remember this one")
                .isEqualTo("0a58" + hexadecimal(json("pod/client", "{.status.podIP}")) + "\n");
        Eventually.holds(() -> assertThat(inside("python3", "-c", ask("peers.network.svc.cluster.local")))
                .as("the addresses of a headless service by DNS")
                .contains("answers 2"));
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
        kubectl.run("wait", "pod/walled", "pod/open", "--for=condition=Ready", "--timeout=120s");
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

    private static final String REACH = """
            import socket, sys
            def reach(host, port):
                try:
                    socket.create_connection((host, port), 2).close()
                    return 'reached'
                except OSError:
                    return 'refused'
            def answered(host):
                try:
                    with socket.create_connection((host, 80), 2) as s:
                        s.settimeout(2); s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n')
                        return 'answered' if s.recv(10) else 'refused'
                except OSError:
                    return 'refused'
            print(reach(sys.argv[1], 8080), answered('web'))
            """;

    @Test
    void policiesSayWhoReachesThem() {
        var pod = """
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: NAME, labels: {role: NAME}, annotations: {towtank.dev/network: own}}
                spec: {terminationGracePeriodSeconds: 0, containers: [{name: main, image: python, command: [sleep, "1000"]}]}
                """;
        kubectl.withInput(
                pod.replace("NAME", "friend")
                        + pod.replace("NAME", "stranger")
                        + pod.replace("NAME", "sharing").replace("network: own", "network: machine"),
                "apply",
                "-f",
                "-");
        kubectl.run("wait", "pod/friend", "pod/stranger", "pod/sharing", "--for=condition=Ready", "--timeout=120s");
        var address = addresses().getFirst();
        awaitReach("stranger", address, "reached answered\n");

        kubectl.withInput("""
                ---
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                metadata: {name: friends}
                spec:
                  podSelector: {matchLabels: {app: web}}
                  ingress: [{from: [{podSelector: {matchLabels: {role: friend}}}], ports: [{port: 8080}]}]
                ---
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                metadata: {name: everybody}
                spec: {podSelector: {matchLabels: {role: sharing}}}
                """, "apply", "-f", "-");
        awaitReach("stranger", address, "refused refused\n");
        awaitReach("friend", address, "reached answered\n");
        assertThat(kubectl.run("get", "--raw", "/api/v1/namespaces/network/services/web:80/proxy/"))
                .isNotBlank();
        kubectl.await("events", "--field-selector=reason=NotEnforced", "{.involvedObject.name}", "everybody");
        var condition = "{.status.conditions[?(@.type=='towtank.dev/NetworkPoliciesEnforced')].status}";
        kubectl.await("pod/sharing", condition, "False");
        assertThat(kubectl.run("get", "pod/friend", "-o", "jsonpath=" + condition))
                .as("where they are in force nothing is to be told")
                .isEmpty();

        kubectl.withInput("""
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                metadata: {name: friends}
                spec: {podSelector: {matchLabels: {role: friend}}, policyTypes: [Egress]}
                """, "replace", "-f", "-");
        awaitReach("friend", address, "refused refused\n");
        awaitReach("stranger", address, "reached answered\n");
        kubectl.run("delete", "networkpolicy", "--all");
        awaitReach("friend", address, "reached answered\n");
        kubectl.await("pod/sharing", condition, "");
        kubectl.run("delete", "pod/friend", "pod/stranger", "pod/sharing");
    }

    /// The address that a link gives itself where nobody keeps it from doing so.
    private static final String SELF_MADE = """
            import fcntl, socket, struct
            m = bytearray(fcntl.ioctl(socket.socket(), 0x8927, struct.pack('256s', b'eth0'))[18:24])
            print('fe80::%02x%02x:%02xff:fe%02x:%02x%02x%%eth0' % (m[0] ^ 2, m[1], m[2], m[3], m[4], m[5]))
            """;

    @Test
    void ipv6LeadsAroundNoPolicy() {
        kubectl.withInput("""
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: listening, labels: {role: listening}, annotations: {towtank.dev/network: own}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - {name: main, image: python, command: [python3, -m, http.server, "8080", --bind, "::"], readinessProbe: {periodSeconds: 1, tcpSocket: {port: 8080}}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: passing, annotations: {towtank.dev/network: own}}
                spec: {terminationGracePeriodSeconds: 0, containers: [{name: main, image: python, command: [sleep, "1000"]}]}
                ---
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                metadata: {name: nobody}
                spec: {podSelector: {matchLabels: {role: listening}}}
                """, "apply", "-f", "-");
        kubectl.run("wait", "pod/listening", "pod/passing", "--for=condition=Ready", "--timeout=120s");
        awaitReach("passing", json("pod/listening", "{.status.podIP}"), "refused answered\n");
        var address = kubectl.run("exec", "listening", "--", "python3", "-c", SELF_MADE)
                .strip();

        assertThat(address).startsWith("fe80::");
        assertThat(reach("passing", address)).startsWith("refused");
        awaitReach("passing", address, "refused answered\n");
        assertThat(reach("listening", "::1")).startsWith("reached");
        kubectl.run("delete", "networkpolicy/nobody", "pod/listening", "pod/passing");
    }

    private static String reach(String pod, String address) {
        return kubectl.run("exec", pod, "--", "python3", "-c", REACH, address);
    }

    /// What a policy says is in force a moment later; and a busy machine takes longer to answer than the pods wait.
    private static void awaitReach(String pod, String address, String wanted) {
        Eventually.holds(() -> assertThat(reach(pod, address)).as(pod).isEqualTo(wanted));
    }

    private static final String HOSTILE = """
            import socket, struct, sys
            gateway = open('/etc/resolv.conf').readline().split()[1]
            flood = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            flood.setblocking(False)
            for i in range(3000):
                try: flood.sendto(struct.pack('>6H', i, 256, 1, 0, 0, 0) + b'\\x07invalid\\x00' + struct.pack('>2H', 1, 1), (gateway, 53))
                except OSError: pass
            def spoof():
                for attempt in (lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW),
                                lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
                                lambda: socket.socket().bind((sys.argv[1], 0)),
                                lambda: socket.socket().bind((gateway, 0))):
                    try:
                        attempt(); return 'spoofed'
                    except OSError: pass
                return 'nothing spoofed'
            def scan():
                found = 0
                for port in (22, 25, 111, 2049, 3306, 5432, 6379, 10250):
                    s = socket.socket(); s.settimeout(0.2)
                    found += s.connect_ex((gateway, port)) == 0 or s.connect_ex(('127.96.7.7', port)) == 0
                return found
            server = socket.create_server(('127.0.0.1', 6553))
            held = []
            for i in range(900):
                try: held.append(socket.create_connection(('web', 80), 2))
                except OSError: break
            print(spoof(), scan(), flush=True)
            sys.stdin.read()
            """;

    @Test
    void aPodThatMisbehavesDisturbsNobody() throws Exception {
        kubectl.withInput("""
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: hostile, annotations: {towtank.dev/network: own}}
                spec: {terminationGracePeriodSeconds: 0, containers: [{name: main, image: python, command: [sleep, "1000"]}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: calm, annotations: {towtank.dev/network: own}}
                spec: {terminationGracePeriodSeconds: 0, containers: [{name: main, image: python, command: [sleep, "1000"]}]}
                """, "apply", "-f", "-");
        kubectl.run("wait", "pod/hostile", "pod/calm", "--for=condition=Ready", "--timeout=120s");
        var address = addresses().getFirst();
        var hostile = kubectl.start("exec", "-i", "hostile", "--", "python3", "-c", HOSTILE, address);
        try (var said = hostile.inputReader()) {
            assertThat(said.readLine()).isEqualTo("nothing spoofed 0");
            awaitReach("calm", address, "reached answered\n"); // while connections are held
            kubectl.until(
                    List.of("answers 1"), "exec", "calm", "--", "python3", "-c", ask("web.network.svc.cluster.local"));
        } finally {
            hostile.destroyForcibly();
        }
        kubectl.run("delete", "pod/hostile", "pod/calm");
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
        kubectl.run("wait", "pod/steady", "--for=condition=Ready", "--timeout=120s");
        var address = json("pod/steady", "{.status.podIP}");

        server = server.killAndStart();

        kubectl.run("wait", "pod/steady", "--for=condition=Ready", "--timeout=120s");
        assertThat(json("pod/steady", "{.status.podIP} {.status.containerStatuses[0].restartCount}"))
                .isEqualTo(address + " 0");
        // What runs is found again beside the start.
        kubectl.until(List.of("Directory listing"), "get", "--raw", "/api/v1/namespaces/network/pods/steady:80/proxy/");
        if (user.equals("root")) { // whose pods are at the machine's own network
            assertThat(fetch("http://" + address + "/")).contains("Directory listing");
        }
        var exec = "import urllib.request as u; print(u.urlopen('http://steady/').status)";
        kubectl.await("endpoints/steady", "{.subsets[0].addresses[0].ip}", address);
        Eventually.holds(() -> assertThat(kubectl.run("exec", "steady", "--", "python3", "-c", exec))
                .isEqualTo("200\n"));
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

    private static String hexadecimal(String address) throws UnknownHostException {
        return HexFormat.of().formatHex(InetAddress.getByName(address).getAddress());
    }

    private static String inside(String... command) {
        var all = new ArrayList<>(List.of("exec", "client", "--"));
        all.addAll(List.of(command));
        return kubectl.run(all.toArray(String[]::new));
    }
}
