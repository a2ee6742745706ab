package dev.towtank.archive.sql;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// A PostgreSQL of the tests' own: Debian's programs, a new directory, the loopback address, a plain user.
public final class Postgres implements AutoCloseable {

    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql");
    private static final String NOBODY = "65534";
    private static final int TRIES = 2400;
    private static final int PORTS = 5;

    private final Path home;
    private final int port;
    private Process server;

    private Postgres(Path home, int port, Process server) {
        this.home = home;
        this.port = port;
        this.server = server;
    }

    /// Started when the first test asks for it, and ended with the tests.
    private static final class Shared {
        private static final Postgres ONE = ofAllTests();
    }

    private static Postgres ofAllTests() {
        var postgres = start();
        Runtime.getRuntime().addShutdownHook(new Thread(postgres::close));
        return postgres;
    }

    /// A JDBC URL of an empty schema.
    static String schema() {
        return Shared.ONE.newSchema();
    }

    public static Postgres start() {
        try {
            var home = Files.createTempDirectory("towtank-postgres");
            if (isRoot()) {
                run(List.of("chown", NOBODY, home.toString()));
            }
            var options = "--auth=trust --username=tests --no-sync --encoding=UTF8 --locale=C.UTF-8";
            var arguments = new ArrayList<>(
                    List.of(program("initdb"), "-D", home.resolve("data").toString()));
            arguments.addAll(List.of(options.split(" ")));
            run(asPlainUser(arguments));
            for (int i = 1; ; i++) {
                int port = freePort();
                var postgres = new Postgres(home, port, launch(home, port));
                try {
                    postgres.awaitReady();
                    return postgres;
                } catch (IllegalStateException e) {
                    // Somebody else may have taken the port before it did: it ends then.
                    if (postgres.server.isAlive() || i == PORTS) {
                        throw e;
                    }
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name", "").equals("root");
    }

    // It refuses to run as root.
    private static List<String> asPlainUser(List<String> command) {
        var all = new ArrayList<String>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        all.addAll(command);
        return all;
    }

    private static String program(String name) throws IOException {
        try (var versions = Files.list(PROGRAMS)) {
            return versions.map(version -> version.resolve("bin").resolve(name))
                    .filter(Files::isExecutable)
                    .max(Comparator.naturalOrder())
                    .orElseThrow(() -> new IOException(name + " is missing: install Debian's postgresql"))
                    .toString();
        }
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(Path.of("/").toFile())
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Process launch(Path home, int port) throws IOException {
        return new ProcessBuilder(asPlainUser(List.of(
                        program("postgres"),
                        "-D",
                        home.resolve("data").toString(),
                        "-p",
                        String.valueOf(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "fsync=off")))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .directory(Path.of("/").toFile())
                .start();
    }

    private void awaitReady() throws InterruptedException {
        if (!isReady()) {
            throw new IllegalStateException("PostgreSQL does not answer");
        }
    }

    /// Once it answers; not when it has ended.
    private boolean isReady() throws InterruptedException {
        for (int i = 0; i < TRIES && server.isAlive(); i++) {
            try (var _ = DriverManager.getConnection(url())) {
                return true;
            } catch (SQLException e) {
                server.waitFor(50, TimeUnit.MILLISECONDS);
            }
        }
        return false;
    }

    private String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=tests";
    }

    public String newSchema() {
        var name = "test_" + UUID.randomUUID().toString().replace("-", "");
        try (var connection = DriverManager.getConnection(url());
                var statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return url() + "&currentSchema=" + name;
    }

    /// As if its machine lost power.
    public void kill() throws InterruptedException {
        var workers = server.descendants().toList();
        server.destroyForcibly().waitFor(); // before them: it would start others instead
        workers.forEach(ProcessHandle::destroyForcibly);
        workers.forEach(worker -> worker.onExit().join());
    }

    /// A worker that the killed one had just started may hold its memory for a moment: then the new one gives up.
    public void startAgain() throws IOException, InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            server = launch(home, port);
            if (isReady()) {
                return;
            }
            Thread.sleep(50);
        }
        awaitReady();
    }

    @Override
    public void close() {
        try {
            kill();
            try (var paths = Files.walk(home)) {
                for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
