package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.pods.PodAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Exec and attach.
class SessionTest {

    private static final Map<String, String> ENVIRONMENT =
            Map.of("PATH", "/usr/bin:/bin", "GREETING", "hello", "LD_PRELOAD", "/nope.so");

    @TempDir
    Path home;

    private Sandbox sandbox;
    private RunningProcess container;

    @BeforeEach
    void start() throws IOException {
        sandbox = Sandboxes.bubblewrap(Shared.in(home), InstantSource.system());
        container = sandbox.start(new Recipe("c1", home)
                .stdin()
                .user(1000, 1000)
                .script(
                        "echo mark > /inside; echo ready; while read line; do echo got $line; done; echo end; sleep 100")
                .spec());
        try (var in = container.log().read(Logs.following())) {
            Logs.line(in);
        }
    }

    @AfterEach
    void stop() throws IOException {
        sandbox.remove("c1", home.resolve("runs/c1"));
        sandbox.close();
        Shared.leave(home);
    }

    private PodAccess.Session exec(boolean tty, String... command) throws IOException {
        return sandbox.exec("c1", new ExecSpec(List.of(command), ENVIRONMENT, "/tmp", true, tty));
    }

    private static String text(java.io.InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void runsInsideWithTheSameRights() throws Exception {
        try (var session = exec(false, "sh", "-c", """
                cat /inside; pwd; id -u; id -g; cat /proc/1/comm; hostname; echo $GREETING
                grep -E 'CapEff|CapPrm|NoNewPrivs' /proc/self/status; ls /proc/self/fd | wc -w
                test "$(readlink /proc/self/ns/user)" = "$(readlink /proc/1/ns/user)" && echo same; exit 9""")) {
            assertThat(text(session.stdout())).isEqualTo("""
                            mark
                            /tmp
                            1000
                            1000
                            sh
                            test-host
                            hello
                            CapPrm:\t0000000000000000
                            CapEff:\t0000000000000000
                            NoNewPrivs:\t1
                            4
                            same
                            """);
            assertThat(session.await()).hasValue(9);
        }
    }

    @Test
    void entersOnlyWhatHasBegun() throws Exception {
        for (int i = 0; i < 10; i++) {
            var id = "fresh-" + i;
            var recipe = new Recipe(id, home).script("sleep 100");
            sandbox.start((i % 2 == 0 ? recipe : recipe.init()).spec());
            var look = new ExecSpec(List.of("ls", home.toString()), ENVIRONMENT, "/", false, false);
            try (var session = sandbox.exec(id, look)) {
                assertThat(session.await()).hasValue(2);
                assertThat(text(session.stdout())).isEmpty();
            }
            sandbox.remove(id, home.resolve("runs").resolve(id));
        }
    }

    @Test
    void streamsAreApartAndInputEnds() throws Exception {
        try (var session = exec(false, "sh", "-c", "cat; echo oops >&2")) {
            session.stdin().write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
            session.stdin().close();

            assertThat(text(session.stdout())).isEqualTo("one\ntwo\n");
            assertThat(text(session.stderr())).isEqualTo("oops\n");
            assertThat(session.await()).hasValue(0);
        }
    }

    @Test
    void movesMuchInBothDirections() throws Exception {
        try (var session = exec(false, "cat")) {
            var sent = new byte[3_000_000];
            var writer = Thread.ofVirtual().start(() -> {
                try (var in = session.stdin()) {
                    in.write(sent);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });

            assertThat(session.stdout().readAllBytes()).hasSize(sent.length);
            writer.join();
        }
    }

    @Test
    void hasATerminal() throws Exception {
        try (var session = exec(
                true,
                "sh",
                "-c",
                "test -t 0 && test -t 1 && test -t 2 && echo tty; read x; stty size; echo \"<$x>\"")) {
            assertThat(Logs.line(session.stdout())).isEqualTo("tty\r");
            session.resize(101, 37);
            session.stdin().write("word\n".getBytes(StandardCharsets.UTF_8));

            assertThat(text(session.stdout())).isEqualTo("word\r\n37 101\r\n<word>\r\n");
            assertThat(session.await()).hasValue(0);
        }
    }

    @Test
    void aTerminalSendsSignals() throws Exception {
        try (var session = exec(
                true, "sh", "-c", "trap 'echo interrupted; exit 3' INT; echo ready; while :; do sleep 0.05; done")) {
            Logs.line(session.stdout());
            session.stdin().write(3);

            assertThat(text(session.stdout())).contains("interrupted");
            assertThat(session.await()).hasValue(3);
        }
    }

    @Test
    @Timeout(120)
    void closingASessionEndsItsProcess() throws Exception {
        var session = exec(false, "sh", "-c", "echo up; exec sleep 4713");
        Logs.line(session.stdout());

        session.close();

        assertThat(session.await()).isPresent();
        while (processes().contains("sleep 4713")) { // it was killed, and may yet have to end
            Thread.sleep(10);
        }
    }

    private String processes() throws Exception {
        try (var check = exec(false, "sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '")) {
            return text(check.stdout());
        }
    }

    @Test
    void aMissingCommandIsA127() throws Exception {
        try (var session = exec(false, "nope")) {
            assertThat(session.await()).hasValue(127);
            assertThat(text(session.stderr())).contains("nope").contains("No such file");
        }
    }

    @Test
    void attachTalksToTheContainerItself() throws Exception {
        try (var session = sandbox.attach("c1")) {
            session.stdin().write("abc\n".getBytes(StandardCharsets.UTF_8));

            assertThat(Logs.line(session.stdout())).isEqualTo("got abc");
        }
        try (var in = container.log().read(Logs.following())) {
            assertThat(List.of(Logs.line(in), Logs.line(in))).containsExactly("ready", "got abc");
        }
    }

    @Test
    void aContainerCanHaveATerminal() throws Exception {
        var shell = sandbox.start(new Recipe("c2", home)
                .tty()
                .stdin()
                .script(
                        "trap 'echo interrupted; exit 8' INT; test -t 0 && tty=yes; echo $tty; read x; stty size; while :; do sleep 0.05; done")
                .spec());
        try (var in = shell.log().read(Logs.following())) {
            assertThat(Logs.line(in)).isEqualTo("yes\r");
        }
        try (var session = sandbox.attach("c2")) {
            session.resize(99, 11);
            session.stdin().write("word\n".getBytes(StandardCharsets.UTF_8));
            assertThat(List.of(Logs.line(session.stdout()), Logs.line(session.stdout())))
                    .containsExactly("word\r", "11 99\r");
            session.stdin().write(3);
            assertThat(Logs.line(session.stdout())).isEqualTo("^Cinterrupted\r");
            assertThat(session.await()).hasValue(8);
        }
        sandbox.remove("c2", home.resolve("runs/c2"));
    }

    @Test
    void anEndedContainerCannotBeEntered() throws Exception {
        container.kill();
        container.await();

        assertThatThrownBy(() -> exec(false, "true")).hasMessage("container c1 is not running");
    }
}
