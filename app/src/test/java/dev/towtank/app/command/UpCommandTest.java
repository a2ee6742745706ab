package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Instance;
import dev.towtank.app.engine.Version;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class UpCommandTest {
    private final Terminal server = new Terminal();
    private final Terminal terminal = new Terminal();

    @TempDir
    Path data;

    @AfterEach
    void stop() {
        server.stop();
    }

    private Thread up() throws InterruptedException {
        return server.begin(2, "up", "--data", data.toString(), "--port", "0");
    }

    private String address() {
        var matcher = Pattern.compile("https://127\\.0\\.0\\.1:\\d+").matcher(server.out());
        assertThat(matcher.find()).as(server.err()).isTrue();
        return matcher.group();
    }

    @Test
    void saysInTwoLinesWhereItIsAndWhatToTypeNext() throws Exception {
        up();

        assertThat(server.out()).isEqualTo("""
                        Towtank is ready at %s, with its data in %s.
                        Type: export KUBECONFIG=%s; kubectl get namespaces
                        """.formatted(address(), data, data.resolve("kubeconfig")));
    }

    @Test
    void writesAKubeconfigForTheOwnerAlone() throws Exception {
        up();

        assertThat(terminal.run("kubeconfig", "--data", data.toString())).isZero();
        assertThat(terminal.out())
                .isEqualTo(Files.readString(data.resolve("kubeconfig")))
                .contains(address());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("kubeconfig"))))
                .isEqualTo("rw-------");
    }

    @Test
    void refusesARuntimeBesideTheUnsafeHostAndOneThatThereIsNot() {
        assertThat(terminal.run("up", "--data", data.toString(), "--runtime", "podman", "--unsafe-host"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("choose one of them");
        assertThat(terminal.run("up", "--data", data.toString(), "--runtime", "rocket"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("expected one of bubblewrap, podman, docker, but was 'rocket'");
    }

    @Test
    void saysWhatIsWrongWithFurtherNodes() {
        assertThat(terminal.run("up", "--data", data.toString(), "--node", "w", "--no-node"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("--node wants a node, and --no-node none");
        assertThat(terminal.run("up", "--data", data.toString(), "--node", "w:disk"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("\"disk\" is no label: write LABEL=VALUE. For example: --node worker-1");
        assertThat(terminal.run("up", "--data", data.toString(), "--node", "w:a=1", "--node", "w:b=2"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("--node names w twice");
    }

    @Test
    void statusAsksTheServer() throws Exception {
        up();

        assertThat(terminal.run("status", "--data", data.toString())).isZero();
        assertThat(terminal.out().lines())
                .hasSize(6)
                .contains("Towtank  ready", "address  " + address(), "data     " + data)
                .contains("pid      " + ProcessHandle.current().pid())
                .anyMatch(line -> line.matches("since    \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\(for \\d+ s\\)"))
                .anyMatch(line -> line.startsWith("version  " + Version.TOWTANK));
    }

    @Test
    void aServerThatDoesNotAnswerIsNotReady() throws Exception {
        up();
        Instance.current(Instant::now).at(URI.create("https://127.0.0.1:1")).write(new DataDirectory(data));

        assertThat(terminal.run("status", "--data", data.toString())).isEqualTo(1);
        assertThat(terminal.out()).startsWith("Towtank  not ready: GET https://127.0.0.1:1/readyz failed");
    }

    @Test
    void aSecondServerRefusesAndNamesTheFirst() throws Exception {
        up();

        assertThat(terminal.run("up", "--data", data.toString(), "--port", "0")).isEqualTo(1);
        assertThat(terminal.err())
                .startsWith("towtank: Another Towtank already runs on " + data + " (pid "
                        + ProcessHandle.current().pid() + ", at " + address() + ", since ")
                .containsPattern("since \\S+T\\d\\d:\\d\\d:\\d\\dZ\\)")
                .endsWith("stop it with './towtank down --data " + data
                        + "', or start this one elsewhere with --data DIR and --port N.\n");

        assertThat(terminal.run("up", "--detach", "--data", data.toString())).isEqualTo(1);
        assertThat(terminal.err()).startsWith("towtank: Another Towtank already runs on ");
        assertThat(terminal.run("status", "--data", data.toString())).isZero();
    }

    @Test
    void stopsCleanlyAndStartsAgainWithTheSameKeys() throws Exception {
        var running = up();
        var authority = Files.readString(data.resolve("pki").resolve("ca.crt"));
        server.stop();
        running.join();

        assertThat(server.out()).endsWith("Stopping.\n");
        assertThat(data.resolve("store").resolve("closed")).exists();
        assertThat(data.resolve("instance.json")).doesNotExist();
        assertThat(terminal.run("status", "--data", data.toString())).isEqualTo(1);
        assertThat(terminal.out())
                .isEqualTo("Towtank is not running. Start it with './towtank up --detach'.\ndata     " + data + "\n");

        terminal.stop();
        assertThat(terminal.run("up", "--data", data.toString(), "--port", "0")).isZero();
        assertThat(data.resolve("pki").resolve("ca.crt")).hasContent(authority);
    }

    @Test
    void aFileLeftByAProcessWhoseIdIsSomebodyElsesNowCountsForNothing() throws IOException {
        var other = ProcessHandle.current().parent().orElseThrow();
        var start = other.info().startInstant().orElseThrow();
        var left = new Instance(other.pid(), start.minusSeconds(60), start, Optional.empty(), "0");
        left.write(new DataDirectory(data));

        assertThat(terminal.run("down", "--data", data.toString())).isZero();

        assertThat(terminal.out()).isEqualTo("No Towtank runs on " + data + ".\n");
        assertThat(other.isAlive()).isTrue();
    }

    @Test
    @Timeout(120)
    void aDeadProcessThatNobodyHasReapedCountsForNothing() throws Exception {
        // What replaces the shell never waits for the child that the shell has started.
        var parent = new ProcessBuilder("sh", "-c", "sleep 0.2 & echo $!; exec sleep 600").start();
        try (var out = parent.inputReader()) {
            var zombie = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
            while (!Files.readString(Path.of("/proc/" + zombie.pid() + "/stat")).contains(") Z ")) {
                Thread.onSpinWait();
            }
            var start = zombie.info().startInstant().orElseThrow();
            new Instance(zombie.pid(), start, start, Optional.empty(), "0").write(new DataDirectory(data));

            assertThat(zombie.isAlive()).isTrue();
            assertThat(terminal.run("down", "--data", data.toString())).isZero();
            assertThat(terminal.out()).isEqualTo("No Towtank runs on " + data + ".\n");
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void anUnreadableInstanceFileIsNamed() throws IOException {
        Files.writeString(data.resolve("instance.json"), "{");

        assertThat(terminal.run("down", "--data", data.toString())).isEqualTo(1);
        assertThat(terminal.err())
                .startsWith("towtank: Cannot read " + data.resolve("instance.json"))
                .contains("If none does, remove the file.");
    }
}
