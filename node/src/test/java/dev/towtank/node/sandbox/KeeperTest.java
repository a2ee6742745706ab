package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.FileTree;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.sandbox.machine.MachineView;
import dev.towtank.node.sandbox.streams.Loop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The process that holds the pipes of containers while no server does.
class KeeperTest {

    /// What a program said to it that knew of no answers.
    private static final String OLD = """
            exec 9<>keeper
            while read -r verb number path <&9; do
                case $verb in
                    open) eval "exec $number<>\\"\\$path\\"" ;;
                    end) exit ;;
                esac
            done
            """;

    @TempDir
    Path home;

    private final Path bash = MachineView.program("bash").orElseThrow();
    private Loop loop;

    @BeforeEach
    void open() throws IOException {
        loop = new Loop();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private Keeper keeper() throws IOException {
        return new Keeper(home, bash, loop);
    }

    private Path pipe(String name) throws IOException {
        var pipe = home.resolve(name);
        Descriptors.makeFifo(pipe);
        return pipe;
    }

    private static int ours(Path pipe) throws IOException {
        return Descriptors.open(pipe, Descriptors.READ_WRITE, 0);
    }

    private ProcessHandle process() throws IOException {
        var pid = Files.readString(home.resolve("keeper.pid")).split(" ", -1)[0];
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private static List<Path> openFiles(ProcessHandle process) throws IOException {
        var files = new ArrayList<Path>();
        try (var links = Files.newDirectoryStream(Path.of("/proc/" + process.pid() + "/fd"))) {
            for (var link : links) {
                files.add(Files.readSymbolicLink(link));
            }
        }
        return files;
    }

    @Test
    void holdsAPipeOnceItWasWaitedFor() throws Exception {
        var keeper = keeper();
        var first = pipe("first");
        var second = pipe("second");
        keeper.hold(first, ours(first));
        keeper.hold(second, ours(second));

        keeper.await(second);
        keeper.await(first);

        assertThat(openFiles(process())).contains(first, second);
        keeper.release(first);
        keeper.release(second);
        var process = process();
        keeper.close();
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void letsGoOfPipesThatAreNoLongerThere() throws Exception {
        var before = keeper();
        var first = pipe("first");
        before.hold(first, ours(first));
        before.await(first);
        var process = process();
        before.close();
        loop.close();
        loop = new Loop();
        Files.delete(first); // as whoever removes a container of a server that was killed

        keeper().close();

        var _ = process.onExit().get(120, TimeUnit.SECONDS);
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void servesTheNextServer() throws Exception {
        var before = keeper();
        var first = pipe("first");
        before.hold(first, ours(first));
        before.await(first);
        var process = process();
        before.close(); // which leaves it alone, as it holds something
        loop.close();
        loop = new Loop();

        var keeper = keeper();
        var second = pipe("second");
        keeper.hold(second, ours(second));
        keeper.await(second);

        assertThat(process()).isEqualTo(process);
        assertThat(openFiles(process)).contains(first, second);
        keeper.release(first);
        keeper.release(second);
        keeper.close();
        process.onExit().get();
    }

    @Test
    void endsItselfWhenItsDirectoryIsGone() throws Exception {
        var directory = Files.createDirectory(home.resolve("directory"));
        var keeper = new Keeper(directory, bash, loop, "0.01");
        var pipe = pipe("pipe");
        keeper.hold(pipe, ours(pipe));
        keeper.await(pipe);
        var pid = Files.readString(directory.resolve("keeper.pid")).split(" ", -1)[0];
        var process = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        FileTree.delete(directory);

        assertThat(Processes.await((int) process.pid())).isPresent();
        keeper.close();
    }

    @Test
    void ofAnOlderProgramIsNotWaitedFor() throws Exception {
        Descriptors.makeFifo(home.resolve("keeper"));
        var old = new ProcessBuilder(bash.toString(), "-c", OLD)
                .directory(home.toFile())
                .start();
        long ticks = Processes.started((int) old.pid()).orElseThrow();
        Files.writeString(home.resolve("keeper.pid"), old.pid() + " " + ticks + " " + Processes.boot() + "\n");
        var keeper = keeper();
        var pipe = pipe("pipe");
        keeper.hold(pipe, ours(pipe));

        Thread.currentThread().interrupt(); // who waits now is told so
        keeper.await(pipe);

        assertThat(Thread.interrupted()).isTrue();
        keeper.release(pipe);
        keeper.close();
        assertThat(old.waitFor()).isZero();
    }
}
