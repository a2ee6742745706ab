package dev.towtank.node.probes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbesTest {

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private static Probe probe(String spec) {
        return Probe.of(
                        yaml("{name: c, ports: [{name: web, containerPort: 8080}], readinessProbe: " + spec + "}"),
                        Probe.Purpose.READINESS)
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            f      |
            f f    |
            f f f  | false
            s      |
            s s    | true
            f f s  |
            s f s s| true
            f f f s|
            """)
    void countsResultsInARow(String results, Boolean verdict) {
        var probe = probe("{tcpSocket: {port: 1}, successThreshold: 2, failureThreshold: 3}");
        var tally = Tally.NONE;
        for (var result : results.strip().split("\\s+", -1)) {
            tally = tally.plus(result.equals("s"));
        }
        assertThat(tally.verdict(probe).orElse(null)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {exec: {command: [a, b]}}                   | Command[arguments=[a, b]]
            {tcpSocket: {port: web}}                    | Tcp[host=, port=8080]
            {tcpSocket: {port: 9, host: h}}             | Tcp[host=h, port=9]
            {httpGet: {port: "81", path: /x}}           | Http[scheme=HTTP, host=, port=81, path=/x, headers=[]]
            {httpGet: {port: nope}}                     | Impossible[why=couldn't find port: "nope" in container "c"]
            {grpc: {port: 1, service: s}}               | Grpc[port=1, service=s]
            """)
    void readsWhatToDo(String spec, String expected) {
        assertThat(probe(spec).check()).hasToString(expected);
    }

    @Test
    void asksOverHttp() throws IOException {
        try (var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            var requests = new LinkedBlockingQueue<String>();
            Thread.ofVirtual().start(() -> answer(server, requests));
            var prober = new Prober("127.0.0.1");
            var timeout = Duration.ofMinutes(2);
            var good =
                    new Check.Http("HTTP", "", server.getLocalPort(), "/good", List.of(new Check.Header("X-A", "b")));
            assertThat(prober.http(good, timeout)).isEqualTo(ProbeOutcome.SUCCESS);
            assertThat(requests.remove()).startsWith("GET /good HTTP/1.1");
            var bad = new Check.Http("HTTP", "", server.getLocalPort(), "bad", List.of());
            assertThat(prober.http(bad, timeout).output()).isEqualTo("HTTP probe failed with statuscode: 503");
            assertThat(prober.tcp(new Check.Tcp("", server.getLocalPort()), timeout))
                    .isEqualTo(ProbeOutcome.SUCCESS);
        }
    }

    @Test
    void tellsThatNobodyListens() throws IOException {
        int port;
        try (var server = new ServerSocket(0)) {
            port = server.getLocalPort();
        }
        var prober = new Prober("127.0.0.1");
        var timeout = Duration.ofMinutes(2);
        assertThat(prober.tcp(new Check.Tcp("", port), timeout).message(Probe.Purpose.LIVENESS))
                .isEqualTo("Liveness probe failed: dial tcp 127.0.0.1:" + port + ": connect: connection refused");
        assertThat(prober.http(new Check.Http("HTTP", "", port, "/", List.of()), timeout)
                        .output())
                .isEqualTo("Get \"http://127.0.0.1:" + port + "/\": dial tcp 127.0.0.1:" + port
                        + ": connect: connection refused");
    }

    private static void answer(ServerSocket server, BlockingQueue<String> requests) {
        while (!server.isClosed()) {
            try (var client = server.accept()) {
                var buffer = new byte[4096];
                int count = client.getInputStream().read(buffer);
                if (count < 0) {
                    continue;
                }
                var request = new String(buffer, 0, count, StandardCharsets.UTF_8);
                requests.add(request);
                var status = request.startsWith("GET /good") ? "200 OK" : "503 No";
                client.getOutputStream().write(("HTTP/1.1 " + status + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                return;
            }
        }
    }

    @Test
    void probesInItsRhythmAndTellsAChangeOnce() throws InterruptedException {
        var timers = new FakeTimers();
        var start = timers.instant();
        var results = new LinkedBlockingQueue<>(List.of(true, true, false, false, true));
        var said = new LinkedBlockingQueue<String>();
        var probe = probe("{exec: {}, initialDelaySeconds: 3, periodSeconds: 10, failureThreshold: 2}");
        var listener = new ProbeLoop.Listener() {
            @Override
            public void failed(Probe failed, ProbeOutcome outcome) {
                said.add("failed");
            }

            @Override
            public boolean verdict(Probe judged, boolean success) {
                said.add(success + " at "
                        + Duration.between(start, timers.instant()).toSeconds());
                return true;
            }
        };
        try (var loop = new ProbeLoop(
                probe,
                timers.instant(),
                timers,
                (_, _) -> results.remove() ? ProbeOutcome.SUCCESS : ProbeOutcome.failed("x"),
                () -> true,
                listener)) {
            loop.start();
            timers.awaitWaiting(1);
            timers.advance(Duration.ofSeconds(3));
            for (int i = 0; i < 4; i++) {
                timers.awaitWaiting(1);
                timers.advance(Duration.ofSeconds(10));
            }
            timers.awaitWaiting(1);
        }
        assertThat(said).containsExactly("true at 3", "failed", "failed", "false at 33", "true at 43");
    }
}
