package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.images.Image;
import dev.towtank.node.linux.SocketScope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Unix sockets without files, of the machine and of other containers. On a kernel without domains they are reached,
/// and the sandbox says so.
class SocketScopeTest {

    private static final String LISTEN = "use Socket; $| = 1; socket(S, AF_UNIX, %2$s, 0); "
            + "bind(S, pack_sockaddr_un(\"\\0%1$s\")) or die $!; listen(S, 9); print \"up\\n\"; sleep 100";
    private static final String REACH = "perl -MSocket -e 'socket(S, AF_UNIX, %2$s, 0); "
            + "print connect(S, pack_sockaddr_un(\"\\0%1$s\")) ? \"reached\\n\" : \"refused\\n\"'";

    enum Type {
        SOCK_STREAM,
        SOCK_DGRAM,
        SOCK_SEQPACKET
    }

    @TempDir
    Path home;

    private Sandbox sandbox;
    private String name;

    @BeforeEach
    void open() throws IOException {
        sandbox = Sandboxes.bubblewrap(Shared.in(home), InstantSource.system());
        name = "towtank-test-" + home.getFileName();
    }

    @AfterEach
    void close() throws IOException {
        for (var container : List.of("listens", "c1")) {
            sandbox.remove(container, home.resolve("runs").resolve(container));
        }
        sandbox.close();
        Shared.leave(home);
    }

    private static String kept(String elsewhere) {
        return SocketScope.isSupported() ? "refused\n" : elsewhere;
    }

    private String run(String script) throws Exception {
        var process = sandbox.start(new Recipe("c1", home).script(script).spec());
        process.await();
        return Logs.all(process);
    }

    private String later(String container, String script) throws Exception {
        var command = new ExecSpec(List.of("/bin/sh", "-c", script), Map.of("PATH", Image.PATH), "", false, false);
        try (var session = sandbox.exec(container, command)) {
            return new String(session.stdout().readAllBytes(), StandardCharsets.UTF_8)
                    + new String(session.stderr().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private RunningProcess listening(Type type) throws Exception {
        var process = sandbox.start(new Recipe("listens", home)
                .command("/usr/bin/perl", "-e", LISTEN.formatted(name, type))
                .spec());
        try (var in = process.log().read(Logs.following())) {
            assertThat(Logs.line(in)).isEqualTo("up");
        }
        return process;
    }

    @ParameterizedTest
    @EnumSource
    void theMachinesAreOutOfReach(Type type) throws Exception {
        var machine = new ProcessBuilder("perl", "-e", LISTEN.formatted(name, type)).start();
        try {
            assertThat(machine.inputReader().readLine()).isEqualTo("up");
            var reach = REACH.formatted(name, type);
            assertThat(run(reach)).isEqualTo(kept("reached\n"));
            sandbox.start(new Recipe("listens", home).command("sleep", "100").spec());
            assertThat(later("listens", reach)).isEqualTo(kept("reached\n"));
        } finally {
            machine.destroyForcibly();
        }
    }

    @ParameterizedTest
    @EnumSource
    void thoseOfAnotherContainerAreOutOfReach(Type type) throws Exception {
        listening(type);
        var reach = REACH.formatted(name, type);

        assertThat(run(reach)).isEqualTo(kept("reached\n"));
        assertThat(later("listens", reach)).as("its own").isEqualTo("reached\n");
    }

    /// What was started first can be looked at, as in any container.
    @Test
    void whatIsRunLaterIsInTheSameDomain() throws Exception {
        listening(Type.SOCK_STREAM);

        assertThat(later("listens", "readlink /proc/1/exe; echo said > /proc/1/fd/1; ls /proc/self/fd | wc -w"))
                .isEqualTo("/usr/bin/perl\n4\n");
    }

    @Test
    void whatIsRunLaterByAnotherServerIsInADomainOfItsOwn() throws Exception {
        listening(Type.SOCK_STREAM);
        sandbox.close();
        open();
        var trace = new Recipe("listens", home).spec().trace();
        assertThat(sandbox.join(trace)).isPresent();

        for (int i = 0; i < 2; i++) {
            assertThat(later("listens", "cat /proc/1/comm; kill -0 1 && " + REACH.formatted(name, Type.SOCK_STREAM)))
                    .isEqualTo("perl\n" + kept("reached\n"));
        }
    }

    /// A thread that is born in a domain stays in it.
    @Test
    void theServerIsInNone() throws Exception {
        listening(Type.SOCK_STREAM);
        for (int i = 0; i < 20; i++) {
            assertThat(later("listens", "echo " + i)).isEqualTo(i + "\n");
        }
        sandbox.remove("listens", home.resolve("runs/listens"));
        sandbox.close();

        // Whoever is held says so: the filter comes with the domain.
        try (var threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (var thread : threads) {
                assertThat(status(thread)).doesNotContain("NoNewPrivs:\t1");
            }
        }
    }

    /// Empty when it has ended meanwhile.
    private static String status(Path thread) {
        try {
            var name = Files.readString(thread.resolve("comm"));
            return name.matches("(?s)(container|entrance|launcher).*")
                    ? "" // about to end, or of another test
                    : name + Files.readString(thread.resolve("status"));
        } catch (IOException e) {
            return "";
        }
    }
}
