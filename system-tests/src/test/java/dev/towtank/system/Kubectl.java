package dev.towtank.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A real kubectl, working on one namespace of a server.
public record Kubectl(Path binary, String version, Path kubeconfig, String namespace) {

    private static final int LONGEST_SECONDS = 240;

    // A cache of discovery that tests share would hide what this server says.
    private static final Map<String, String> OWN_CACHE = Map.of("KUBECACHEDIR", "/dev/null");

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

    /// The newest that is at hand.
    public static Kubectl newest(Path kubeconfig, String namespace) {
        return of(binaries().getLast(), kubeconfig, namespace);
    }

    public static Kubectl of(Path binary, Path kubeconfig, String namespace) {
        return new Kubectl(binary, Known.VERSIONS.get(binary), kubeconfig, namespace);
    }

    /// Asked once for each of them.
    private static final class Known {
        static final Map<Path, String> VERSIONS =
                binaries().stream().collect(Collectors.toUnmodifiableMap(it -> it, Kubectl::version));
    }

    private static String version(Path binary) {
        var outcome = Program.run(List.of(binary.toString(), "version", "--client", "-o", "json"));
        int at = outcome.out().indexOf("\"gitVersion\": \"");
        int from = at + "\"gitVersion\": \"".length();
        return at < 0 ? "unknown" : outcome.out().substring(from, outcome.out().indexOf('"', from));
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
        if (outcome.exit() != 0) {
            throw new AssertionError("kubectl " + String.join(" ", arguments) + " (" + version + ") ended with "
                    + outcome.exit() + "\n" + outcome.out() + outcome.err());
        }
        return outcome.out();
    }

    /// However the command ends.
    public Program.Outcome attempt(String... arguments) {
        return attempt("", Map.of(), arguments);
    }

    public Program.Outcome attempt(String input, Map<String, String> environment, String... arguments) {
        var all = new HashMap<>(environment);
        all.putAll(OWN_CACHE);
        var outcome = Program.run(command(arguments), input, all);
        // Some versions lose what a quick server says before they listen, an exit code among it, and tell so.
        for (int i = 0; i < 5 && outcome.err().contains("Unknown stream id"); i++) {
            outcome = Program.run(command(arguments), input, all);
        }
        return outcome;
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
            var builder = new ProcessBuilder(command(arguments)).redirectErrorStream(true);
            builder.environment().putAll(OWN_CACHE);
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Waits until a field of an object has a value. `wait --for=jsonpath` is younger than the oldest kubectl.
    ///
    /// As a list of one: watching a single object kubectl drops the first event, which may be the last.
    public void await(String object, String path, String value) {
        var parts = object.split("/", 2);
        await(parts[0], "--field-selector=metadata.name=" + parts[1], path, value);
    }

    /// Likewise until one of the objects that an option of `get` selects has it; none of them need be there yet, which
    /// `wait` does not wait for.
    public void await(String kind, String selection, String path, String value) {
        await(kind, selection, path, value, value::equals);
    }

    /// Likewise for values that go on changing, of which a watch that begins late does not see each.
    ///
    /// @param wanted what is waited for, in words
    public void await(String kind, String selection, String path, String wanted, Predicate<String> enough) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        var last = "nothing";
        // A watch may end before its time: where a path leads behind the end of a list, or a server is busy or anew.
        while (last != null && System.nanoTime() < end) {
            last = follow(kind, selection, path, enough);
            if (last != null) {
                pause();
            }
        }
        if (last != null) {
            throw new AssertionError(kind + " " + selection + " never came to " + path + " = " + wanted
                    + ", the last was " + last + ":\n" + run("get", kind, selection, "-o", "yaml"));
        }
    }

    /// Runs a command until its output has all these texts: for what is told after something else has been seen.
    public String until(List<String> texts, String... command) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        var seen = attempt(command);
        while (!texts.stream().allMatch(seen.out()::contains)) {
            if (System.nanoTime() > end) {
                throw new AssertionError(
                        String.join(" ", command) + " never said " + texts + ":\n" + seen.out() + seen.err());
            }
            pause();
            seen = attempt(command);
        }
        return seen.out();
    }

    // Who asks without one takes the processor from what is waited for.
    private static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }

    /// Waits until Events of the namespace have all these texts: they are written after what they tell of.
    public String awaitEvents(String... texts) {
        return until(
                List.of(texts),
                "get",
                "events",
                "-o",
                "jsonpath={range .items[*]}{.involvedObject.kind}/{.involvedObject.name} {.reason}: {.message}{'\\n'}{end}");
    }

    /// What a watch told last before it ended; null if it told what is enough.
    private @Nullable String follow(String kind, String selection, String path, Predicate<String> enough) {
        var watch = start(
                "get",
                kind,
                selection,
                "--watch",
                "--request-timeout=" + LONGEST_SECONDS + "s",
                "-o",
                "jsonpath=" + path + "{'\\n'}");
        try (var lines = watch.inputReader()) {
            var last = "nothing";
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (enough.test(line)) {
                    return null;
                }
                last = line;
            }
            return last;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            watch.destroy();
        }
    }
}
