package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Signal;
import dev.towtank.node.logs.ContainerLog;
import dev.towtank.node.logs.ContainerLogs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Containers outlive the server that started them.
class SurvivalTest {

    @TempDir
    Path home;

    private Sandbox sandbox;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectory(home.resolve("volume"));
        Shared.in(home);
    }

    @AfterEach
    void close() throws IOException {
        if (sandbox != null) {
            sandbox.remove("c1", home.resolve("runs/c1"));
            sandbox.close();
        }
        Shared.leave(home);
    }

    private ContainerTrace trace() {
        return Server.recipe(home).spec().trace();
    }

    private void open() throws IOException {
        sandbox = Sandboxes.bubblewrap(Shared.in(home), InstantSource.system());
    }

    /// Starts a server with a container, and kills it when it has seen so many lines.
    private void killServerAfter(String script, int lines) throws Exception {
        var server = Server.start(home, script, lines);
        try (var said = new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("up");
            if (lines > 0) {
                assertThat(said.readLine()).isEqualTo("seen");
            }
        }
        server.destroyForcibly();
        server.waitFor();
    }

    private ProcessHandle monitor() throws IOException {
        int pid = new ContainerFiles(trace().directory())
                .readStarted()
                .orElseThrow()
                .monitor();
        return ProcessHandle.of(pid).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3000})
    void theLogHasNoHoleAndNothingTwice(int lines) throws Exception {
        killServerAfter("i=0; while [ $i -lt 20000 ]; do echo line $i secret-value; i=$((i+1)); done; exit 9", lines);
        open();

        var container = sandbox.join(trace()).orElseThrow();

        assertThat(container.await().code()).isEqualTo(9);
        assertThat(Logs.all(container))
                .isEqualTo(IntStream.range(0, 20000)
                        .mapToObj(i -> "line " + i + " ***\n")
                        .collect(Collectors.joining()));
    }

    @Test
    void whatEndedMeanwhileIsSeenAsEnded() throws Exception {
        killServerAfter("echo begun; while [ ! -e /v/go ]; do sleep 0.02; done; echo last words; exit 4", 1);
        var monitor = monitor();
        Files.createFile(home.resolve("volume/go"));
        monitor.onExit().get();
        open();

        var container = sandbox.join(trace()).orElseThrow();

        assertThat(container.exit().orElseThrow().code()).isEqualTo(4);
        assertThat(Logs.all(container)).isEqualTo("begun\nlast words\n");
        assertThat(sandbox.join(trace()).orElseThrow().exit()).isEqualTo(container.exit());
        sandbox.close();
        open();
        var again = sandbox.join(trace()).orElseThrow();
        assertThat(again.exit()).isEqualTo(container.exit());
        assertThat(Logs.all(again)).isEqualTo("begun\nlast words\n");
        try (var in = ContainerLogs.stored(trace().log()).read(ContainerLog.Query.all())) {
            assertThat(in.readAllBytes()).hasSize(17);
        }
    }

    @Test
    void whatNobodyAsksForAnyMoreIsKilledWhenItIsRemoved() throws Exception {
        killServerAfter("trap '' TERM; echo begun; while :; do sleep 0.05; done", 1);
        var monitor = monitor();
        open();

        sandbox.remove("c1", trace().directory());

        monitor.onExit().get();
        assertThat(trace().directory()).doesNotExist();
    }

    @Test
    void whatIsFoundAgainCanBeEnteredAndStopped() throws Exception {
        killServerAfter("trap 'exit 3' TERM; echo begun; while :; do sleep 0.05; done", 1);
        open();
        var container = sandbox.join(trace()).orElseThrow();

        try (var session =
                sandbox.exec("c1", new ExecSpec(List.of("/bin/ls", "/v"), java.util.Map.of(), "/", false, false))) {
            assertThat(session.await()).hasValue(0);
        }
        container.signal(Signal.TERM);

        assertThat(container.await().code()).isEqualTo(3);
    }

    @Test
    void aTerminalSurvives() throws Exception {
        killServerAfter("tty: echo begun; while [ ! -e /v/go ]; do sleep 0.05; done; read x; echo \"<$x>\"", 1);
        open();
        var container = sandbox.join(trace()).orElseThrow();
        Files.createFile(home.resolve("volume/go"));

        try (var session = sandbox.attach("c1")) {
            session.stdin().write("word\n".getBytes(StandardCharsets.UTF_8));
            assertThat(session.await()).hasValue(0);
        }
        assertThat(Logs.all(container)).isEqualTo("begun\r\nword\r\n<word>\r\n");
    }

    @Test
    void aRestartOfTheMachineIsRecognised() throws Exception {
        killServerAfter("echo begun; sleep 100", 1);
        var monitor = monitor();
        monitor.descendants().forEach(ProcessHandle::destroyForcibly);
        monitor.destroyForcibly();
        monitor.onExit().get();
        var status = trace().directory().resolve("status");
        Files.writeString(status, Files.readString(status).lines().limit(1).collect(Collectors.joining()));
        var started = trace().directory().resolve("started");
        Files.writeString(
                started, Files.readString(started).replaceFirst("\"boot\":\"[^\"]*\"", "\"boot\":\"before\""));
        open();

        assertThat(sandbox.join(trace()).orElseThrow().exit())
                .hasValueSatisfying(exit -> assertThat(exit)
                        .isInstanceOfSatisfying(
                                Exit.Lost.class,
                                lost -> assertThat(lost.reason())
                                        .isEqualTo("the machine was restarted while the container was running")));
    }

    @Test
    void aKilledSandboxTakesItsContainerAlong() throws Exception {
        open();
        var container = sandbox.start(
                Server.recipe(home).script("echo begun; sleep 4714").spec());
        try (var in = container.log().read(Logs.following())) {
            Logs.line(in);
        }

        monitor().destroyForcibly();

        assertThat(container.await()).isInstanceOf(Exit.Lost.class);
        assertThat(ProcessHandle.allProcesses()
                        .filter(it -> it.info().commandLine().orElse("").contains("sleep 4714")))
                .isEmpty();
    }

    /// As a server leaves it that dies between writing down what it started and releasing it.
    private void leaveUnreleased(ProcessHandle monitor) throws Exception {
        var container = sandbox.start(Server.recipe(home).script("exit 0").spec());
        var ended = monitor();
        var _ = container.await();
        ended.onExit().get();
        sandbox.close();
        var started = trace().directory().resolve("started");
        var ticks = Processes.started((int) monitor.pid()).orElseThrow();
        Files.writeString(
                started,
                Files.readString(started)
                        .replaceFirst("\"monitor\":\\d+", "\"monitor\":" + monitor.pid())
                        .replaceFirst("\"ticks\":\\d+", "\"ticks\":" + ticks));
        Files.writeString(trace().directory().resolve("status"), "");
        Files.delete(trace().directory().resolve("ended"));
        open();
    }

    @Test
    void whatWasNeverReleasedHasNotBegun() throws Exception {
        open();
        var monitor = new ProcessBuilder("cat").start();
        leaveUnreleased(monitor.toHandle());
        var found = new FutureTask<>(() -> sandbox.join(trace()));
        var looking = Thread.ofPlatform().start(found);
        while (looking.getState() != Thread.State.WAITING && looking.isAlive()) {
            Thread.onSpinWait();
        }
        monitor.getOutputStream().close();

        assertThat(found.get()).as("as its monitor gives up").isEmpty();

        leaveUnreleased(ProcessHandle.current());
        new ContainerFiles(trace().directory())
                .write(new Exit.NotStarted(
                        "StartError",
                        128,
                        "never released",
                        InstantSource.system().instant()));

        assertThat(sandbox.join(trace()))
                .as("as another server found it that died, too")
                .isEmpty();
        assertThat(sandbox.start(Server.recipe(home).script("exit 2").spec())
                        .await()
                        .code())
                .isEqualTo(2);
    }

    @Test
    void nothingIsFoundWhereNothingWasStarted() throws Exception {
        open();
        Files.createDirectories(trace().directory());

        assertThat(sandbox.join(trace())).isEmpty();
        assertThat(sandbox.start(Server.recipe(home).script("exit 2").spec())
                        .await()
                        .code())
                .isEqualTo(2);
    }
}
