package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Pods on the machine's network that listen where only the server may; with a server of whoever runs the tests, and,
/// when that is root, with one of an ordinary user.
@Timeout(900)
@ParameterizedClass
@MethodSource("users")
class IntrudersIT {

    /// In milliseconds.
    private static final int LONGEST_ANSWER = 10_000;

    /// Tries until it has the address, and greets whoever comes.
    private static final String LISTEN = "use IO::Socket::INET; my $s; until ($s) { select(undef, undef, undef, 0.05); "
            + "$s = IO::Socket::INET->new(LocalAddr => $ENV{ADDRESS}, Listen => 9, ReuseAddr => 1) } "
            + "while (my $c = $s->accept) { print $c $ENV{SAYS}; close $c }";

    static List<String> users() {
        var me = System.getProperty("user.name");
        return me.equals("root") ? List.of("root", "nobody") : List.of(me);
    }

    @Parameter
    String user;

    private RunningTowtank start() {
        return user.equals(System.getProperty("user.name")) ? RunningTowtank.start() : RunningTowtank.startAs(user);
    }

    private static String pod(String name, String address, String says) {
        return """
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, labels: {app: %s}}
                spec:
                  terminationGracePeriodSeconds: 0
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: debian
                    command: [perl, -e, '%s']
                    env: [{name: ADDRESS, value: "%s"}, {name: SAYS, value: %s}]
                """.formatted(name, name, LISTEN, address, says);
    }

    private static String said(String host, int port) {
        try (var socket = new Socket(InetAddress.getByName(host), port)) {
            socket.setSoTimeout(LONGEST_ANSWER);
            return new String(socket.getInputStream().readNBytes(8), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    private static void await(String host, int port, String words) {
        Eventually.holds(() -> assertThat(said(host, port)).isEqualTo(words)); // until whoever tries has it
    }

    @Test
    void areEnded() {
        int outside = FreePort.choose();
        int behind = FreePort.choose();
        var running = start();
        try {
            var kubectl = Kubectl.newest(running.kubeconfig(), "default");
            int port = running.port();
            kubectl.withInput(
                    pod("at-service", "127.97.9.9:" + outside, "mischief")
                            + pod("at-server", "127.0.0.1:" + port, "mischief"),
                    "apply",
                    "-f",
                    "-");
            await("127.97.9.9", outside, "mischief");

            kubectl.withInput(
                    """
                    %s---
                    apiVersion: v1
                    kind: Service
                    metadata: {name: honest}
                    spec: {clusterIP: 127.97.9.9, selector: {app: honest}, ports: [{port: %d, targetPort: %d}]}
                    """.formatted(pod("honest", "127.0.0.1:" + behind, "honestly"), outside, behind),
                    "apply",
                    "-f",
                    "-");

            kubectl.await("pod/at-service", "{.status.reason}", "Evicted");
            assertThat(kubectl.run("get", "pod", "at-service", "-o", "jsonpath={.status.message}"))
                    .isEqualTo("The pod listens on 127.97.9.9:" + outside + ", which is an address of a service. ");
            await("127.97.9.9", outside, "honestly");

            running = running.killAndStart(() -> await("127.0.0.1", port, "mischief"));

            assertThat(running.port()).isEqualTo(port);
            kubectl.await("pod/at-server", "{.status.phase}", "Failed");
            kubectl.await("pod/honest", "{.status.phase}", "Running");
        } finally {
            running.close();
        }
    }
}
