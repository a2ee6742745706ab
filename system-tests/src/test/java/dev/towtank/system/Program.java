package dev.towtank.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs programs to their end: our own commands as they are shipped, and others.
final class Program {
    private static final int LONGEST_SECONDS = 90;

    private Program() {}

    /// One of our commands, in a process of its own.
    static Kubectl.Outcome towtank(String... arguments) {
        return run(towtankCommand(arguments));
    }

    static List<String> towtankCommand(String... arguments) {
        var command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                RunningTowtank.jar().toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    static Kubectl.Outcome run(List<String> command) {
        try {
            var out = Files.createTempFile("program", ".out");
            var err = Files.createTempFile("program", ".err");
            var process = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("no end after " + LONGEST_SECONDS + " s: " + String.join(" ", command));
            }
            var outcome = new Kubectl.Outcome(
                    process.exitValue(),
                    Files.readString(out),
                    new String(Files.readAllBytes(err), StandardCharsets.UTF_8));
            Files.delete(out);
            Files.delete(err);
            return outcome;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
