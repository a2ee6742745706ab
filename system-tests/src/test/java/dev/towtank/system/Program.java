package dev.towtank.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs programs to their end: our own commands as they are shipped, and others.
final class Program {
    private static final int LONGEST_SECONDS = 300;

    private Program() {}

    /// What a command printed, and how it ended.
    record Outcome(int exit, String out, String err) {}

    /// One of our commands, in a process of its own.
    static Outcome towtank(String... arguments) {
        return run(towtankCommand(arguments));
    }

    static List<String> towtankCommand(String... arguments) {
        var command = new ArrayList<>(Shipped.command());
        command.addAll(List.of(arguments));
        return command;
    }

    public static Outcome run(List<String> command) {
        return run(new ProcessBuilder(command), "");
    }

    public static Outcome run(List<String> command, String input, Map<String, String> environment) {
        var builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return run(builder, input);
    }

    private static Outcome run(ProcessBuilder builder, String input) {
        try {
            var out = Files.createTempFile("program", ".out");
            var err = Files.createTempFile("program", ".err");
            var process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            give(process, input);
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(
                        "no end after " + LONGEST_SECONDS + " s: " + String.join(" ", builder.command()));
            }
            var outcome = new Outcome(process.exitValue(), text(out), text(err));
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

    private static void give(Process process, String input) {
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // A command that fails early does not read its input; its exit code says why.
        }
    }

    /// Of any bytes: a log may hold all of them.
    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
