package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Talking with running pods by every kubectl that is at hand: the oldest speaks SPDY, newer ones WebSocket.
@ParameterizedClass
@MethodSource("binaries")
class PodSessionsIT {

    private static final int PORT = FreePort.choose();
    private static final String PODS = """
            apiVersion: v1
            kind: Pod
            metadata: {name: talker, labels: {app: talker}}
            spec:
              terminationGracePeriodSeconds: 0
              containers:
              - name: main
                image: busybox
                stdin: true
                command: [sh, -c, "echo ready; while read line; do echo \\"heard $line\\"; done"]
              - name: web
                image: busybox
                command: [sh, -c, "mkdir /tmp/w; echo hello > /tmp/w/index.html; exec busybox httpd -f -p PORT -h /tmp/w"]
                readinessProbe: {httpGet: {port: PORT, path: /index.html}, periodSeconds: 1}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec: {selector: {app: talker}, ports: [{port: 8042, targetPort: PORT}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: again}
            spec:
              restartPolicy: OnFailure
              containers:
              - name: main
                image: busybox
                command: [sh, -c, "if [ -e /v/seen ]; then echo second; echo end; else touch /v/seen; echo first; exit 1; fi"]
                volumeMounts: [{name: v, mountPath: /v}]
              - {name: side, image: busybox, command: [echo, beside]}
              volumes: [{name: v, emptyDir: {}}]
            """.replace("PORT", Integer.toString(PORT));

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @TempDir
    Path directory;

    @Parameter
    Path binary;

    private Kubectl kubectl;

    static List<Path> binaries() {
        return Kubectl.binaries();
    }

    @BeforeAll
    static void start() {
        var kubectl = SERVER.kubectl();
        kubectl.withInput(PODS, "apply", "-f", "-");
        kubectl.run("wait", "pod/talker", "--for=condition=Ready", "--timeout=120s");
        kubectl.await("pod/again", "{.status.phase}", "Succeeded");
    }

    @BeforeEach
    void choose() {
        kubectl = Kubectl.of(binary, SERVER.kubeconfig(), "default");
    }

    @Test
    void attachesToTheContainerItself() throws IOException {
        var attached = kubectl.start("attach", "-i", "talker", "-c", "main");
        try (var lines = attached.inputReader();
                var input = attached.outputWriter()) {
            input.write("a word\n");
            input.flush();
            awaitLine(lines, "heard a word");
        } finally {
            attached.destroy();
        }
    }

    @Test
    void hasATerminalWhenItAsksForOne() {
        var line = String.join(
                " ",
                binary.toString(),
                "--kubeconfig",
                kubectl.kubeconfig().toString(),
                "exec -it talker -c main -- sh -c 'test -t 0 && test -t 1 && echo on a terminal'");
        var outcome = Program.run(List.of("script", "-qec", line, "/dev/null"));

        assertThat(outcome.out()).as(outcome.err()).contains("on a terminal\r\n");
        assertThat(outcome.exit()).isZero();
    }

    @Test
    void forwardsAPort() throws Exception {
        var forwarding = kubectl.start("port-forward", "pod/talker", ":" + PORT);
        try (var lines = forwarding.inputReader()) {
            var port = awaitLine(lines, "Forwarding from 127\\.0\\.0\\.1:(\\d+) -> " + PORT)
                    .group(1);

            assertThat(page("http://127.0.0.1:" + port + "/index.html")).isEqualTo("hello\n");
            assertThat(page("http://127.0.0.1:" + port + "/index.html")).isEqualTo("hello\n");
        } finally {
            forwarding.destroy();
        }
    }

    @Test
    void copiesFilesInAndOut() throws IOException {
        var file = Files.writeString(directory.resolve("file"), "text\n".repeat(10_000));
        var back = directory.resolve("back");

        var copy = "talker:/tmp/copy-" + kubectl.minor();
        kubectl.run("cp", file.toString(), copy, "-c", "main");
        kubectl.run("cp", copy, back.toString(), "-c", "main");

        assertThat(back).hasSameTextualContentAs(file);
    }

    @Test
    void reachesServicesByAddressAndByName() throws Exception {
        var address = kubectl.run("get", "service", "web", "-o", "jsonpath={.spec.clusterIP}");
        Eventually.holds(
                () -> assertThat(page("http://" + address + ":8042/index.html")).isEqualTo("hello\n"));

        var client = "client-" + kubectl.minor();
        kubectl.run(
                "run",
                client,
                "--image=busybox",
                "--restart=Never",
                "--",
                "wget",
                "-q",
                "-O",
                "-",
                "http://web:8042/index.html",
                "http://web.default.svc.cluster.local:8042/index.html");
        kubectl.await("pod/" + client, "{.status.phase}", "Succeeded");
        assertThat(kubectl.run("logs", client)).isEqualTo("hello\nhello\n");
    }

    @Test
    void readsLogsInEveryWay() {
        assertThat(kubectl.run("logs", "again", "-c", "main")).isEqualTo("second\nend\n");
        assertThat(kubectl.run("logs", "again", "-c", "main", "--previous")).isEqualTo("first\n");
        assertThat(kubectl.run("logs", "again", "-c", "main", "--tail=1")).isEqualTo("end\n");
        assertThat(kubectl.run("logs", "again", "-c", "main", "-f")).isEqualTo("second\nend\n");
        assertThat(kubectl.run("logs", "again", "-c", "main", "--since=1h")).isEqualTo("second\nend\n");
        assertThat(kubectl.run("logs", "again", "-c", "main", "--timestamps").lines())
                .hasSize(2)
                .allMatch(line -> line.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d+Z (second|end)"));
        assertThat(kubectl.run("logs", "again", "--all-containers").lines())
                .containsExactlyInAnyOrder("second", "end", "beside");
    }

    private static MatchResult awaitLine(BufferedReader lines, String expected) throws IOException {
        var pattern = Pattern.compile(expected);
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var matcher = pattern.matcher(line);
            if (matcher.find()) {
                return matcher.toMatchResult();
            }
        }
        throw new AssertionError("kubectl ended before it said " + expected);
    }

    private static String page(String address) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
                    .body();
        }
    }
}
