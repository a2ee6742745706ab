package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.store.Store;
import dev.towtank.app.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramTest {
    private final Terminal terminal = new Terminal();

    @TempDir
    Path temp;

    @Test
    void withoutACommandShowsTheCommands() {
        assertThat(terminal.run()).isEqualTo(2);
        assertThat(terminal.err())
                .contains("run", "export", "up", "down", "status", "kubeconfig", "version", "get", "logs")
                .doesNotContain("train");
    }

    @Test
    void buildingIsForWhoeverHasTheSources() throws IOException {
        assertThat(terminal.run("--help")).isZero();
        assertThat(terminal.out()).doesNotContain("verify");

        Files.writeString(temp.resolve("mvnw"), "");
        terminal.launcher = List.of(temp.resolve("towtank").toString());
        assertThat(terminal.run("--help")).isZero();
        assertThat(terminal.out()).contains("Besides, './towtank verify' builds everything");
    }

    @ParameterizedTest
    @CsvSource({"verify, runs all tests", "package, can be installed"})
    void helpKnowsWhatACheckoutAloneDoes(String command, String what) {
        assertThat(terminal.run("help", command)).isZero();
        assertThat(terminal.out())
                .startsWith("'./towtank " + command + "' is a command of a checkout")
                .contains(what);
    }

    /// For shells: what may come next depends on what was typed.
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "nothing", textBlock = """
            tasks -- run FILES --task                | build test
            pipelines -- run --keep FILES --pipeline | ship
            tasks -- run FILES --timeout 1h --task   | build test
            runs -- logs                             | last
            tasks -- run --resume last --from        | nothing
            objects -- get pods                      | nothing
            objects -- describe                      | last
            tasks                                    | nothing
            """)
    void namesDependOnWhatWasTyped(String typed, String offered) throws IOException {
        Files.writeString(temp.resolve("a.yaml"), """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: build}
                ---
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: test}
                ---
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: $(reboot)}
                ---
                apiVersion: tekton.dev/v1
                kind: Pipeline
                metadata: {name: ship}
                """);

        terminal.run(("names " + typed.replace("FILES", temp.toString())).split(" "));

        assertThat(terminal.out().lines().toList())
                .isEqualTo(offered == null ? List.of() : List.of(offered.split(" ")));
        assertThat(terminal.err()).isEmpty();
    }

    /// For the launcher, which installs nothing for the others.
    @ParameterizedTest
    @CsvSource({"run examples, 0", "run --resum x, 2", "run --help, 2", "up --port 0, 0", "nothing, 2"})
    void knowsWhetherThereIsSomethingToDo(String line, int code) {
        assertThat(terminal.run(("parse " + line).split(" "))).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "up --help", "down -h"})
    void helpIsNoError(String line) {
        assertThat(terminal.run(line.split(" "))).isZero();
        assertThat(terminal.out()).contains("Usage: towtank");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            statsu          | towtank: there is no command 'statsu'; Did you mean 'status'?  | Try './towtank --help'.
            help statsu     | towtank: there is no command 'statsu'; Did you mean 'status'?  | Try './towtank --help'.
            statsu --help   | towtank: there is no command 'statsu'; Did you mean 'status'?  | Try './towtank --help'.
            up --prot 1     | towtank: Unknown options: '--prot', '1'; Did you mean '--port'? | Try './towtank up --help'.
            up --port x     | towtank: Invalid value for option '--port': 'x' is not a whole number | Try './towtank up --help'.
            up --audit x    | towtank: Invalid value for option '--audit': expected one of off, metadata, request, but was 'x' | Try './towtank up --help'.
            run --images reel | towtank: Invalid value for option '--images': expected one of auto, real, stand-in, but was 'reel'; Did you mean 'real'? | Try './towtank run --help'.
            runs lst        | towtank: Invalid value for ACTION: expected one of list, show, logs, report, search, stats, rm, but was 'lst'; Did you mean 'list'? | Try './towtank runs --help'.
            secrets         | towtank: expected 'towtank secrets explain NAME' | Try './towtank secrets --help'.
            notebook nosuch | towtank: expected 'towtank notebook run FILE' | Try './towtank notebook --help'.
            --port 1 up     | towtank: '--port' is no option of towtank itself: options of a command come behind its name | Try './towtank --help'.
            down --data     | towtank: Missing required parameter for option '--data' (DIR)  | Try './towtank down --help'.
            """)
    void aWrongCallIsAUsageError(String line, String problem, String hint) {
        assertThat(terminal.run(line.split(" "))).isEqualTo(2);
        assertThat(terminal.err()).isEqualTo(problem.replace("; ", "\n") + "\n" + hint + "\n");
    }

    @Test
    void aNameThatListsDoNotTakeIsRefused() {
        assertThat(terminal.run("runs", "list", "nosuch", "--data", temp.toString()))
                .isEqualTo(1);
        assertThat(terminal.err())
                .isEqualTo("towtank: 'runs list' is about all runs, and 'nosuch' would be left out: 'runs show nosuch'"
                        + " shows one.\n");
    }

    @Test
    void whoMistypesIsToldWhatIsMeant() {
        assertThat(terminal.run("dwon", "x.yaml")).isEqualTo(2);
        assertThat(terminal.err()).startsWith("towtank: there is no command 'dwon'\nDid you mean 'down'?\n");
    }

    @Test
    void helpIsThereInBothWays() {
        assertThat(terminal.run("help", "down")).isZero();
        var help = terminal.out();
        assertThat(help).contains("Usage: towtank down");
        var other = new Terminal();
        assertThat(other.run("down", "--help")).isZero();
        assertThat(other.out()).isEqualTo(help);
    }

    @Test
    void whoeverIsRefusedIsToldWhatToTry() throws IOException {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        var config = Files.writeString(temp.resolve("config"), """
                current-context: a
                contexts: [{name: a, context: {cluster: a, user: a}}]
                clusters: [{name: a, cluster: {server: "https://127.0.0.1:%d"}}]
                users: [{name: a, user: {token: abc}}]
                """.formatted(port));

        assertThat(terminal.run("get", "pods", "--kubeconfig", config.toString()))
                .isEqualTo(1);
        assertThat(terminal.err())
                .isEqualTo("towtank: No answer from https://127.0.0.1:" + port
                        + ": nothing listens there, or the connection was refused. './towtank status' tells whether a"
                        + " server of ours runs, './towtank up --detach' starts one; another is named with --kubeconfig"
                        + " FILE.\n");
    }

    @Test
    void anImageThatCannotBePulledIsNamed() throws IOException {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        var image = "127.0.0.1:" + port + "/team/app:1";

        assertThat(terminal.run("images", "pull", image, "--data", temp.toString()))
                .isEqualTo(1);
        assertThat(terminal.err())
                .startsWith("towtank: Cannot pull " + image + ": ")
                .endsWith(". Check its name, and the way to its registry.\n");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamedWithTheReason() throws IOException {
        var file = Files.writeString(temp.resolve("file"), "");
        var task = Files.writeString(temp.resolve("task.yaml"), """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: a}
                spec: {steps: [{image: "busybox:1.36", command: ["true"]}]}
                """);

        assertThat(terminal.run("run", "--data", file + "/in", task.toString())).isEqualTo(2);
        assertThat(terminal.err())
                .contains("towtank: Cannot make the directory " + file + "/in")
                .contains("Choose one that this user may write to, with --data DIR or in XDG_STATE_HOME.");
        assertThat(terminal.run("run", "--data", "/proc/nope", task.toString())).isEqualTo(2);
        assertThat(terminal.err()).contains("towtank: Cannot make the directory /proc/nope");
    }

    @Test
    void versionNamesAllVersions() {
        assertThat(terminal.run("version")).isZero();
        assertThat(terminal.out())
                .matches("towtank \\d+\\.\\d+\\.\\d+\\S* \\(API of Kubernetes v1\\.\\d+, Java \\S+\\)\n");
    }

    @Test
    void thereIsNoKubeconfigBeforeTheFirstStart() {
        assertThat(terminal.run("kubeconfig", "--data", temp.toString())).isEqualTo(1);
        assertThat(terminal.err())
                .isEqualTo("towtank: There is no kubeconfig in " + temp + ", because no server was ever started there."
                        + " Start one with './towtank up', or name the right directory with --data DIR.\n");
    }

    @Test
    void aPortInUseIsExplained() throws IOException {
        try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var port = String.valueOf(other.getLocalPort());

            assertThat(terminal.run("up", "--data", temp.toString(), "--port", port))
                    .isEqualTo(1);

            assertThat(terminal.err())
                    .isEqualTo("towtank: Port " + port + " of 127.0.0.1 is in use by another program."
                            + " Choose another one with --port N, or any free one with --port 0.\n");
        }
        assertThat(temp.resolve("instance.json")).doesNotExist();
    }

    @Test
    void aPortThatThisUserMayNotHaveIsExplained() {
        terminal.engine = _ -> {
            throw new IOException("Failed to bind", new BindException("Permission denied"));
        };

        assertThat(terminal.run("up", "--data", temp.toString(), "--port", "443"))
                .isEqualTo(1);

        assertThat(terminal.err())
                .isEqualTo("towtank: This user may not listen on port 443."
                        + " Choose one from 1024 on with --port N, or any free one with --port 0.\n");
    }

    @Test
    void aPortThatDoesNotExistIsExplained() {
        assertThat(terminal.run("up", "--data", temp.toString(), "--port", "70000"))
                .isEqualTo(1);
        assertThat(terminal.err()).isEqualTo("towtank: There is no port 70000: choose one from 0 to 65535.\n");
    }

    @Test
    void aDataDirectoryThatIsAFileIsExplained() throws IOException {
        var file = Files.writeString(temp.resolve("file"), "");

        assertThat(terminal.run("up", "--data", file.toString())).isEqualTo(1);

        assertThat(terminal.err())
                .isEqualTo("towtank: Cannot use " + file
                        + " as data directory: it is a file. Choose one you may write to with --data DIR.\n");
    }

    @Test
    void damagedKeysAreExplained() throws IOException {
        Files.createDirectory(temp.resolve("pki"));

        assertThat(terminal.run("up", "--data", temp.toString(), "--port", "0")).isEqualTo(1);

        assertThat(terminal.err())
                .startsWith("towtank: Cannot read " + temp.resolve("pki").resolve("ca.crt"));
    }

    @Test
    void aDamagedStoreIsExplained() {
        terminal.engine = _ -> {
            throw new Store.Damaged("page 3 of the store is torn", null);
        };

        assertThat(terminal.run("up", "--data", temp.toString())).isEqualTo(1);

        assertThat(terminal.err()).isEqualTo("towtank: page 3 of the store is torn\n");
    }

    @Test
    void anErrorOfOursAsksForDebugAndThenShowsTheStack() {
        terminal.engine = _ -> {
            throw new IllegalStateException("impossible");
        };

        assertThat(terminal.run("up", "--data", temp.toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("impossible").contains("--debug").doesNotContain("\tat ");

        assertThat(terminal.run("up", "--debug", "--data", temp.toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("impossible").contains("\tat ");
    }

    @Test
    void whatIsNoExceptionIsExplainedAsWell() {
        terminal.engine = _ -> {
            throw new StackOverflowError("too deep");
        };

        assertThat(terminal.run("up", "--data", temp.toString())).isEqualTo(1);
        assertThat(terminal.err().lines())
                .singleElement()
                .asString()
                .startsWith("towtank: an error in Towtank itself: java.lang.StackOverflowError: too deep");

        assertThat(terminal.run("up", "--debug", "--data", temp.toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("too deep").contains("\tat ");
    }

    @Test
    void aFullDiskIsNoErrorOfOurs() {
        terminal.engine = _ -> {
            throw new UncheckedIOException(new FileSystemException("/data/store", null, "No space left on device"));
        };

        assertThat(terminal.run("up", "--data", temp.toString())).isEqualTo(1);

        assertThat(terminal.err())
                .isEqualTo("towtank: The disk is full: /data/store cannot be written. Free some space, or choose a"
                        + " directory on another disk with --data DIR.\n");

        terminal.engine = _ -> {
            throw new IllegalStateException("cannot install ClusterRole view: cannot write to /data/objects.db:"
                    + " [SQLITE_FULL] Insertion failed because database is full; nothing was written");
        };
        assertThat(terminal.run("up", "--data", temp.toString())).isEqualTo(1);
        assertThat(terminal.err())
                .startsWith("towtank: The disk is full: /data/objects.db cannot be written. Free some space");

        terminal.engine = _ -> {
            throw new UncheckedIOException(new IOException("No space left on device"));
        };
        assertThat(terminal.run("up", "--data", temp.toString())).isEqualTo(1);
        assertThat(terminal.err()).startsWith("towtank: The disk is full. Free some space");
    }

    @Test
    void aProcessThatLacksPartsOfItselfEndsAtOnce() throws Exception {
        var classes =
                Main.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        var error = temp.resolve("error");
        var java = System.getProperty("java.home") + "/bin/java";
        var process = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        Path.of(classes).toString(),
                        Main.class.getName(),
                        "version")
                .redirectError(error.toFile())
                .start();

        // Far less than it would wait for a command that is still tidying up.
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(error))
                .startsWith("towtank: the program is not complete: java.lang.NoClassDefFoundError: ")
                .contains("builds it again")
                .doesNotContain("\tat ");
    }

    @Test
    void trainingGoesTheWayOfUsualRequests() {
        var started = new AtomicReference<FakeEngine>();
        terminal.engine = site -> {
            var engine = FakeEngine.start(site);
            started.compareAndSet(null, engine);
            return engine;
        };

        var directory = temp.resolve("training").toString();
        assertThat(terminal.run("train", "preparation", directory)).isZero();
        assertThat(terminal.run("train", "server", directory)).isZero();

        assertThat(started.get().requests())
                .contains("GET /readyz", "POST /api/v1/namespaces", "DELETE /api/v1/namespaces/training");
    }

    @Test
    void trainingChecksFilesAsUsersDo() {
        assertThat(terminal.run("train", "tools", temp.resolve("training").toString()))
                .isZero();

        assertThat(temp.resolve("training/sample.yaml")).exists();
        assertThat(terminal.out()).isEmpty();
    }
}
