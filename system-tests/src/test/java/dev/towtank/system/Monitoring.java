package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Debian's Prometheus, which scrapes a server as an administrator.
final class Monitoring implements AutoCloseable {

    static final Path DIRECTORY = Checkout.ROOT.resolve("docs/monitoring");
    private static final int PORTS = 5;

    private final Process prometheus;
    private final int port;

    private Monitoring(Process prometheus, int port) {
        this.prometheus = prometheus;
        this.port = port;
    }

    static Monitoring start(Kubectl kubectl, Path directory) throws IOException {
        Files.createDirectories(directory);
        var authority = kubectl.run(
                "config", "view", "--raw", "-o", "jsonpath={.clusters[0].cluster.certificate-authority-data}");
        Files.write(directory.resolve("ca"), Base64.getDecoder().decode(authority));
        var token = kubectl.run("config", "view", "--raw", "-o", "jsonpath={.users[0].user.token}");
        Files.writeString(directory.resolve("token"), token);
        var server = kubectl.run("config", "view", "-o", "jsonpath={.clusters[0].cluster.server}");
        Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ['%s']
                scrape_configs:
                - job_name: towtank
                  scheme: https
                  tls_config: {ca_file: ca}
                  authorization: {credentials_file: token}
                  static_configs: [{targets: ['%s']}]
                """.formatted(
                        DIRECTORY.resolve("alerts.yaml"), server.replace("https://", "")));
        for (int i = 0; i < PORTS; i++) {
            var started = onSomePort(directory);
            if (started.isReady()) {
                return started;
            }
            started.close();
        }
        throw new AssertionError("Prometheus does not start:\n" + Files.readString(directory.resolve("log")));
    }

    /// Which somebody else may take before it does; it ends then.
    private static Monitoring onSomePort(Path directory) throws IOException {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        var process = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + directory.resolve("prometheus.yml"),
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        return new Monitoring(process, port);
    }

    private boolean isReady() {
        for (long end = twoMinutesFromNow(); prometheus.isAlive() && System.nanoTime() < end; ) {
            if (Program.run(List.of("curl", "-fsS", "http://127.0.0.1:" + port + "/-/ready"))
                            .exit()
                    == 0) {
                return prometheus.isAlive();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        return false;
    }

    private static long twoMinutesFromNow() {
        return System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    }

    /// What an expression has, once it has something.
    List<Json.Obj> await(String expression) throws InterruptedException {
        for (long end = twoMinutesFromNow(); prometheus.isAlive() && System.nanoTime() < end; ) {
            var answer = Program.run(List.of("curl", "-fsS", address(expression)));
            if (answer.exit() == 0) {
                var found = JsonText.parseObject(answer.out()).object("data").objects("result");
                if (!found.isEmpty()) {
                    return found;
                }
            }
            prometheus.waitFor(200, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("Prometheus has nothing for " + expression);
    }

    private String address(String expression) {
        return "http://127.0.0.1:" + port + "/api/v1/query?query="
                + URLEncoder.encode(expression, StandardCharsets.UTF_8);
    }

    /// Every question of the dashboard is one that Prometheus understands.
    void understandsTheDashboard() throws IOException {
        for (var expression : expressions()) {
            var text = expression.replace("$__rate_interval", "1m");
            var answer = Program.run(List.of("curl", "-sS", address(text))).out();
            assertThat(answer).as(text).contains("\"status\":\"success\"");
        }
    }

    static List<String> expressions() throws IOException {
        var all = new ArrayList<String>();
        for (var panel : JsonText.parseObject(Files.readString(DIRECTORY.resolve("dashboard.json")))
                .objects("panels")) {
            panel.objects("targets").forEach(target -> all.add(target.string("expr")));
        }
        return all;
    }

    @Override
    public void close() {
        prometheus.destroy();
        prometheus.onExit().join();
    }
}
