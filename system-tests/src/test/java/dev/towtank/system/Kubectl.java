package dev.towtank.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// A real kubectl, working on one namespace of a server.
public record Kubectl(Path binary, String version, Path kubeconfig, String namespace) {

    private static final int LONGEST_SECONDS = 60;

    /// What a command printed, and how it ended.
    public record Outcome(int exit, String out, String err) {}

    /// Every kubectl the tests can find: the oldest that we promise, and whatever newer one the machine has.
    public static List<Path> binaries() {
        var found = new TreeMap<String, Path>();
        var oldest = RunningTowtank.repository().resolve("target/tools/kubectl-1.20/usr/bin/kubectl");
        if (!Files.isExecutable(oldest)) {
            throw new IllegalStateException("no kubectl 1.20 at " + oldest + "; './towtank verify' fetches it");
        }
        found.put("oldest", oldest);
        for (var directory : System.getenv("PATH").split(":", -1)) {
            var candidate = Path.of(directory, "kubectl");
            if (Files.isExecutable(candidate)) {
                found.putIfAbsent("path", candidate);
            }
        }
        return List.copyOf(found.values());
    }

    public static String version(Path binary) {
        var outcome = run(List.of(binary.toString(), "version", "--client", "-o", "json"), "", Map.of());
        int at = outcome.out.indexOf("\"gitVersion\": \"");
        int from = at + "\"gitVersion\": \"".length();
        return at < 0 ? "unknown" : outcome.out.substring(from, outcome.out.indexOf('"', from));
    }

    public int minor() {
        var parts = version.split("\\.", -1);
        return parts.length < 2 ? 0 : Integer.parseInt(parts[1]);
    }

    public Kubectl in(String other) {
        return new Kubectl(binary, version, kubeconfig, other);
    }

    /// What the command printed; it must succeed.
    public String run(String... arguments) {
        return withInput("", arguments);
    }

    /// Likewise with text on standard input.
    public String withInput(String input, String... arguments) {
        var outcome = attempt(input, Map.of(), arguments);
        if (outcome.exit != 0) {
            throw new AssertionError("kubectl " + String.join(" ", arguments) + " (" + version + ") ended with "
                    + outcome.exit + "\n" + outcome.out + outcome.err);
        }
        return outcome.out;
    }

    /// However the command ends.
    public Outcome attempt(String... arguments) {
        return attempt("", Map.of(), arguments);
    }

    public Outcome attempt(String input, Map<String, String> environment, String... arguments) {
        return run(command(arguments), input, environment);
    }

    private List<String> command(String... arguments) {
        var command = new ArrayList<>(
                List.of(binary.toString(), "--kubeconfig", kubeconfig.toString(), "--namespace", namespace));
        command.addAll(List.of(arguments));
        return command;
    }

    /// Starts a command that goes on until it is destroyed.
    public Process start(String... arguments) {
        try {
            return builder(command(arguments), Map.of())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Waits until a field of an object has a value. `wait --for=jsonpath` is younger than the oldest kubectl.
    ///
    /// As a list of one: watching a single object kubectl drops the first event, which may be the last.
    public void await(String object, String path, String value) {
        var parts = object.split("/", 2);
        var watch = start(
                "get",
                parts[0],
                "--field-selector=metadata.name=" + parts[1],
                "--watch",
                "--request-timeout=" + LONGEST_SECONDS + "s",
                "-o",
                "jsonpath=" + path + "{'\\n'}");
        try (var lines = watch.inputReader()) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(value)) {
                    return;
                }
            }
            throw new AssertionError(
                    object + " never came to " + path + " = " + value + ":\n" + run("get", object, "-o", "yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            watch.destroy();
        }
    }

    private static ProcessBuilder builder(List<String> command, Map<String, String> environment) {
        var builder = new ProcessBuilder(command);
        // A cache of discovery that tests share would hide what this server says.
        builder.environment().put("KUBECACHEDIR", "/dev/null");
        builder.environment().putAll(environment);
        return builder;
    }

    private static Outcome run(List<String> command, String input, Map<String, String> environment) {
        try {
            var out = Files.createTempFile("kubectl", ".out");
            var err = Files.createTempFile("kubectl", ".err");
            var process = builder(command, environment)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // A command that fails early does not read its input; its exit code says why.
            }
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("no end after " + LONGEST_SECONDS + " s: " + String.join(" ", command));
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

    /// Of any bytes: a log may hold all of them.
    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
