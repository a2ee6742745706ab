package dev.towtank.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The program as it is shipped, started as a process of its own on a free port, which the one after it finds free as
/// well.
public final class RunningTowtank implements AutoCloseable {

    private static final int READY_SECONDS = 120;
    private static final int STOP_SECONDS = 150;
    private static final long DELETE_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final int MOST_REFUSALS = 5;

    private final Setup setup;
    private final Process process;

    private RunningTowtank(Setup setup, Process process) {
        this.setup = setup;
        this.process = process;
    }

    /// How a server is started.
    ///
    /// @param ownsData whether the data directory goes with the server
    /// @param user whom it runs as, when that is not who runs the tests
    /// @param around a command that runs it elsewhere
    /// @param environment more variables
    /// @param flags more arguments of `up`
    private record Setup(
            Path data,
            int port,
            boolean ownsData,
            Optional<String> user,
            List<String> around,
            Map<String, String> environment,
            List<String> flags) {

        static Setup of(Path data, boolean ownsData) {
            return new Setup(data, FreePort.choose(), ownsData, Optional.empty(), List.of(), Map.of(), List.of());
        }

        Setup at(int otherPort) {
            return new Setup(data, otherPort, ownsData, user, around, environment, flags);
        }

        Setup as(String otherUser) {
            return new Setup(data, port, ownsData, Optional.of(otherUser), around, environment, flags);
        }

        Setup in(List<String> otherAround, Map<String, String> otherEnvironment) {
            return new Setup(data, port, ownsData, user, otherAround, otherEnvironment, flags);
        }

        Setup with(String... otherFlags) {
            return new Setup(data, port, ownsData, user, around, environment, List.of(otherFlags));
        }
    }

    /// On a data directory of its own, which goes with it.
    public static RunningTowtank start(String... flags) {
        return start(Setup.of(directory(), true).with(flags));
    }

    /// Likewise, as another user of this machine. Who runs the tests must be root.
    public static RunningTowtank startAs(String user, String... flags) {
        return start(ownedBy(user).with(flags));
    }

    /// Likewise, as whoever runs the tests or another, with more variables in its environment.
    static RunningTowtank startIn(Map<String, String> environment, String user) {
        return startIn(List.of(), environment, user);
    }

    /// @param around a command that runs others elsewhere
    static RunningTowtank startIn(List<String> around, Map<String, String> environment, String user) {
        boolean isMe = user.equals(System.getProperty("user.name"));
        return start((isMe ? Setup.of(directory(), true) : ownedBy(user)).in(around, environment));
    }

    private static Setup ownedBy(String user) {
        var data = directory();
        try {
            var owner = data.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user);
            Files.setOwner(data, owner);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Setup.of(data, true).as(user);
    }

    private static Path directory() {
        try {
            return Files.createTempDirectory("towtank-system");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// On a given data directory, which stays.
    public static RunningTowtank start(Path data) {
        return start(Setup.of(data, false));
    }

    /// Another process on the same data and port, after this one has ended in good order.
    public RunningTowtank restart() {
        int port = port();
        process.destroy();
        await();
        return start(setup.at(port));
    }

    /// Likewise, with other arguments of `up`.
    public RunningTowtank restartWith(String... flags) {
        int port = port();
        process.destroy();
        await();
        return start(setup.at(port).with(flags));
    }

    /// Another process on the same data and port, after this one has ended as by a power cut.
    public RunningTowtank killAndStart() {
        return killAndStart(() -> {});
    }

    /// @param meanwhile what happens while no server runs
    public RunningTowtank killAndStart(Runnable meanwhile) {
        int port = port();
        kill();
        meanwhile.run();
        return start(setup.at(port));
    }

    public int port() {
        try {
            var server = Files.readString(kubeconfig())
                    .lines()
                    .filter(line -> line.strip().startsWith("server: "))
                    .findFirst()
                    .orElseThrow();
            return URI.create(server.strip().substring("server: ".length())).getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// One of our commands on the same data, by the same user.
    Program.Outcome command(String... arguments) {
        var command = program(setup);
        command.addAll(List.of(arguments));
        command.addAll(List.of("--data", setup.data.toString()));
        return Program.run(command);
    }

    private static List<String> program(Setup setup) {
        var command = new ArrayList<>(setup.around);
        setup.user.ifPresent(user -> command.addAll(
                List.of("setpriv", "--reuid=" + user, "--regid=nogroup", "--clear-groups", "--inh-caps=-all", "--")));
        command.addAll(java(setup));
        return command;
    }

    /// A port that is asked for again may be somebody else's for a moment: any of them is given out while it is free.
    private static RunningTowtank start(Setup setup) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (true) {
            try {
                return startOnce(setup);
            } catch (IllegalStateException e) {
                boolean isTaken = String.valueOf(e.getMessage()).contains("is in use by another program");
                if (setup.port == 0 || !isTaken || System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            }
        }
    }

    private static RunningTowtank startOnce(Setup setup) {
        var command = program(setup);
        command.addAll(List.of("up", "--data", setup.data.toString(), "--port", Integer.toString(setup.port)));
        command.addAll(setup.flags);
        try {
            var builder = new ProcessBuilder(command)
                    .directory(setup.data.toAbsolutePath().getParent().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log(setup.data).toFile());
            builder.environment().putAll(setup.environment);
            var running = new RunningTowtank(setup, builder.start());
            running.awaitReady();
            return running;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path log(Path data) {
        return data.resolveSibling(data.getFileName() + ".log");
    }

    static Path repository() {
        var here = Path.of("").toAbsolutePath();
        return here.endsWith("system-tests") ? here.getParent() : here;
    }

    /// Another user may not be able to read where it was built: they get a copy.
    private static List<String> java(Setup setup) {
        if (setup.user.isEmpty()) {
            return Shipped.command("-Xmx512m");
        }
        var lib = lib(setup.data);
        copy(repository().resolve("app/target/towtank/lib"), lib);
        return List.of(
                Shipped.ownJava(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                lib.resolve("*").toString(),
                "dev.towtank.app.Main");
    }

    private static Path lib(Path data) {
        return data.resolveSibling(data.getFileName() + ".lib");
    }

    private static void copy(Path from, Path to) {
        try (var files = Files.list(from)) {
            Files.createDirectories(to);
            for (var file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // The program speaks when it is ready and not before: its first line is the sign.
    private void awaitReady() throws IOException {
        try {
            for (int i = 0; i < READY_SECONDS * 20; i++) {
                var text = Files.readString(log(setup.data));
                if (text.contains("kubeconfig") || text.contains("KUBECONFIG")) {
                    return;
                }
                if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
            tellWhereItStands();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        throw new IllegalStateException("towtank did not become ready:\n" + Files.readString(log(setup.data)));
    }

    /// Lets every thread say where it is, among what the program prints.
    private void tellWhereItStands() throws IOException, InterruptedException {
        if (process.isAlive()) {
            new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            process.waitFor(2, TimeUnit.SECONDS);
        }
    }

    public Path kubeconfig() {
        return setup.data.resolve("kubeconfig");
    }

    public Path data() {
        return setup.data;
    }

    /// What it has printed so far.
    public String said() {
        try {
            return Files.readString(log(setup.data));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /// Ends the process as a power cut would.
    public void kill() {
        process.destroyForcibly();
        await();
    }

    @Override
    public void close() {
        process.destroy();
        await();
        var refusals = refusals();
        if (setup.ownsData) {
            deleteAll(setup.data);
            deleteAll(lib(setup.data));
            deleteAll(log(setup.data));
        }
        if (!refusals.isEmpty()) {
            throw new AssertionError(
                    "a part of the server lacks rights that it needs:\n" + String.join("\n", refusals));
        }
    }

    /// What the server's own parts wanted to do and might not, whatever it was that the test tried.
    private List<String> refusals() {
        var audit = setup.data.resolve("audit");
        if (!Files.isDirectory(audit)) {
            return List.of();
        }
        var found = new ArrayList<String>();
        try (var files = Files.list(audit)) {
            for (var file : files.toList()) {
                try (var lines = Files.lines(file)) {
                    lines.filter(RunningTowtank::isRefusalOfAPart)
                            .limit(MOST_REFUSALS)
                            .forEach(found::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /// Quotas and the like refuse, too; that a right is missing is said so.
    private static boolean isRefusalOfAPart(String line) {
        return line.contains("\"username\":\"system:serviceaccount:kube-system:")
                && line.contains("\"code\":403")
                && line.contains(" cannot ");
    }

    /// Waits for the end of the process, which somebody has asked for. Pods have half a minute to end before it.
    void await() {
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("towtank did not stop when asked to");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Processes of pods that were killed with their server may still write there, and take a moment to end.
    static void deleteAll(Path tree) {
        long end = System.nanoTime() + DELETE_NANOS;
        while (Files.exists(tree)) {
            try (var files = Files.walk(tree)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                awaitChange(e, end);
            } catch (UncheckedIOException e) {
                awaitChange(e.getCause(), end);
            }
        }
    }

    private static void awaitChange(IOException problem, long end) {
        if (System.nanoTime() > end) {
            throw new UncheckedIOException(problem);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
}
