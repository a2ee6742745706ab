package dev.towtank.app.doctor;

import dev.towtank.node.sandbox.machine.SandboxCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The machine that this runs on.
final class RealMachine implements ExaminedMachine {
    private static final int PATIENCE_SECONDS = 3;
    private static final int LONGEST_ANSWER = 10_000;
    private static final int SYNCS = 15;
    private static final int BLOCK = 4096;

    private final Map<String, String> environment;

    RealMachine(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Optional<Path> program(String name) {
        for (var directory : environment.getOrDefault("PATH", "/usr/bin:/bin").split(":", -1)) {
            var file = Path.of(directory.isEmpty() ? "." : directory, name);
            if (Files.isRegularFile(file) && Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<String> answer(List<String> command) {
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            var watchdog = Thread.startVirtualThread(() -> endInTime(process));
            var said = new String(process.getInputStream().readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
            process.getInputStream().close();
            watchdog.join();
            return process.exitValue() == 0 ? said.lines().map(String::strip).findFirst() : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static void endInTime(Process process) {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Optional<String> read(Path file) {
        try (var in = Files.newInputStream(file)) {
            return Optional.of(new String(in.readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean isWritable(Path file) {
        return Files.isWritable(file);
    }

    @Override
    public boolean isRoot() {
        return read(Path.of("/proc/self/status")).orElse("").contains("\nUid:\t0\t");
    }

    @Override
    public SandboxCheck sandbox(Path data) {
        return isWritable(data) ? SandboxCheck.run(data) : SandboxCheck.run();
    }

    @Override
    public long freeBytes(Path directory) throws IOException {
        return Files.getFileStore(directory).getUsableSpace();
    }

    /// The middle of several, because the first ones are often slow.
    @Override
    public Duration sync(Path directory) throws IOException {
        var file = Files.createTempFile(directory, "doctor", ".tmp");
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            var times = new long[SYNCS];
            for (int i = 0; i < SYNCS; i++) {
                long begun = System.nanoTime();
                channel.write(ByteBuffer.allocate(BLOCK));
                channel.force(false);
                times[i] = System.nanoTime() - begun;
            }
            Arrays.sort(times);
            return Duration.ofNanos(times[SYNCS / 2]);
        } finally {
            Files.delete(file);
        }
    }

    @Override
    public boolean isPortFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
