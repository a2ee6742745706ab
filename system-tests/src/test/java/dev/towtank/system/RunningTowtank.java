package dev.towtank.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The program as it is shipped, started as a process of its own on a free port.
public final class RunningTowtank implements AutoCloseable {

    private static final int READY_SECONDS = 60;

    private final Path data;
    private final Process process;
    private final boolean ownsData;

    private RunningTowtank(Path data, Process process, boolean ownsData) {
        this.data = data;
        this.process = process;
        this.ownsData = ownsData;
    }

    /// On a data directory of its own, which goes with it.
    public static RunningTowtank start() {
        try {
            return start(Files.createTempDirectory("towtank-system"), 0, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// On a given data directory, which stays.
    public static RunningTowtank start(Path data) {
        return start(data, 0, false);
    }

    /// Another process on the same data and port, after this one has ended in good order.
    public RunningTowtank restart() {
        int port = port();
        process.destroy();
        await();
        return start(data, port, ownsData);
    }

    /// Another process on the same data and port, after this one has ended as by a power cut.
    public RunningTowtank killAndStart() {
        int port = port();
        kill();
        return start(data, port, ownsData);
    }

    private int port() {
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

    private static RunningTowtank start(Path data, int port, boolean ownsData) {
        var command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                jar().toString(),
                "up",
                "--data",
                data.toString(),
                "--port",
                Integer.toString(port)));
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log(data).toFile())
                    .start();
            var running = new RunningTowtank(data, process, ownsData);
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

    static Path jar() {
        var lib = repository().resolve("app/target/towtank/lib");
        try (var files = Files.list(lib)) {
            return files.filter(file -> file.getFileName().toString().startsWith("towtank-app-"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no towtank-app jar in " + lib));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // The program speaks when it is ready and not before: its first line is the sign.
    private void awaitReady() throws IOException {
        try {
            for (int i = 0; i < READY_SECONDS * 20; i++) {
                var text = Files.readString(log(data));
                if (text.contains("kubeconfig") || text.contains("KUBECONFIG")) {
                    return;
                }
                if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        throw new IllegalStateException("towtank did not become ready:\n" + Files.readString(log(data)));
    }

    public Path kubeconfig() {
        return data.resolve("kubeconfig");
    }

    public Path data() {
        return data;
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
        if (ownsData) {
            deleteAll();
        }
    }

    private void await() {
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("towtank did not stop when asked to");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void deleteAll() {
        try (var files = Files.walk(data)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
            Files.deleteIfExists(log(data));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
