package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Instance;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers in processes of their own.
class DetachTest {
    private final Terminal terminal = new Terminal();

    @TempDir
    Path data;

    @AfterEach
    void leaveNothingBehind() {
        process().ifPresent(ProcessHandle::destroyForcibly);
    }

    private Optional<ProcessHandle> process() {
        return Instance.running(new DataDirectory(data)).flatMap(Instance::process);
    }

    private int run(String... args) {
        return terminal.run(Stream.concat(Arrays.stream(args), Stream.of("--data", data.toString()))
                .toArray(String[]::new));
    }

    @Test
    void returnsWhenReadyAndGoesDownOnDemand() throws Exception {
        assertThat(run("up", "--detach", "--port", "0")).as(terminal.err()).isZero();
        assertThat(terminal.out().lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("Towtank is ready at https://127.0.0.1:");
        var server = process().orElseThrow();
        assertThat(server.pid()).isNotEqualTo(ProcessHandle.current().pid());

        assertThat(run("status")).isZero();
        assertThat(terminal.out()).contains("Towtank  ready").contains("pid      " + server.pid());

        assertThat(run("up", "--port", "0")).isEqualTo(1);
        assertThat(terminal.err()).contains("(pid " + server.pid() + ", at https://127.0.0.1:");

        assertThat(run("down")).isZero();
        assertThat(terminal.out()).isEqualTo("Towtank on " + data + " has stopped (pid " + server.pid() + ").\n");
        server.onExit().get(120, TimeUnit.SECONDS);
        assertThat(data.resolve("store").resolve("closed")).exists();
        assertThat(run("status")).isEqualTo(1);
        assertThat(run("down")).isZero();
    }

    @Test
    void tellsAllThatTheServerAnnounces() {
        assertThat(run("up", "--detach", "--port", "0", "--unsafe-host"))
                .as(terminal.err())
                .isZero();

        assertThat(terminal.out().lines())
                .satisfiesExactly(
                        note -> assertThat(note).startsWith("Pods run as plain processes of this machine"),
                        ready -> assertThat(ready).startsWith("Towtank is ready at https://127.0.0.1:"),
                        next -> assertThat(next)
                                .isEqualTo("Type: export KUBECONFIG=" + data.resolve("kubeconfig")
                                        + "; kubectl get namespaces"));
        assertThat(run("down")).isZero();
    }

    @Test
    void aServerThatWasKilledDoesNotKeepTheDirectory() throws Exception {
        assertThat(run("up", "--detach", "--port", "0")).isZero();
        var killed = process().orElseThrow();
        killed.destroyForcibly();
        killed.onExit().get(120, TimeUnit.SECONDS);

        assertThat(run("status")).isEqualTo(1);
        assertThat(run("up", "--detach", "--port", "0")).isZero();
        assertThat(run("down")).isZero();
    }

    @Test
    void aFailedStartIsExplained() throws Exception {
        try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var port = String.valueOf(other.getLocalPort());

            assertThat(run("up", "--detach", "--port", port)).isEqualTo(1);

            assertThat(terminal.err()).startsWith("towtank: Port " + port + " of 127.0.0.1 is in use");
            assertThat(Files.readString(data.resolve("towtank.log"))).startsWith("towtank: Port " + port);
        }
    }

    @Test
    void aServerThatDiesWithoutAWordIsReportedWithItsLog() {
        terminal.launcher = List.of("sh", "-c", "echo out of luck >&2; exit 3");

        assertThat(run("up", "--detach")).isEqualTo(1);

        assertThat(terminal.err())
                .isEqualTo("towtank: The server ended before it was ready, with exit code 3. Its log is "
                        + data.resolve("towtank.log") + " and says:\nout of luck\n");
    }
}
