package dev.towtank.app.notebook;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The runner of notebooks as a process of this machine's own Python: what it does, it does with the rights of whoever
/// started us.
public final class RunnerProcess implements AutoCloseable {

    private static final int MOST_OTHER_LINES = 50;

    private final Process process;
    private final List<String> other = new ArrayList<>();

    private RunnerProcess(Process process) {
        this.process = process;
    }

    /// @param runner the program
    /// @param arguments what it is to do, without the place for events
    public static RunnerProcess start(Path runner, List<String> arguments) throws IOException {
        var line = new ArrayList<>(List.of(python(), "-B", runner.toString(), "--events", "fd:2"));
        line.addAll(arguments);
        return new RunnerProcess(new ProcessBuilder(line)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /// The first that has what it takes: the one on the PATH may be another than Debian's.
    private static String python() throws IOException {
        for (var program : List.of("python3", "/usr/bin/python3")) {
            try {
                var check = "import importlib.util, sys; sys.exit(importlib.util.find_spec('nbclient') is None)";
                var process = new ProcessBuilder(program, "-c", check).start();
                if (process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0) {
                    return program;
                }
                process.destroyForcibly();
            } catch (IOException _) {
                // is not there
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw new IOException("no Python here has nbclient, which runs notebooks."
                + " Type: sudo apt-get install python3-nbclient python3-ipykernel");
    }

    /// Which modules Debian's Python does not have; none where nobody can tell.
    public static List<String> missing(Collection<String> modules) {
        var program = "import importlib.util as u, sys\n"
                + "print(*(n for n in sys.stdin.read().split() if u.find_spec(n) is None))";
        try {
            var process = new ProcessBuilder("/usr/bin/python3", "-I", "-c", program)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (var names = process.outputWriter()) {
                names.write(String.join("\n", modules));
            }
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return List.of();
            }
            try (var lines = process.inputReader()) {
                var line = lines.readLine();
                return process.exitValue() != 0 || line == null || line.isBlank()
                        ? List.of()
                        : List.of(line.strip().split(" ", -1));
            }
        } catch (IOException _) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /// All events up to the end, and the exit code.
    public int follow(Consumer<Json.Obj> listener) throws IOException, InterruptedException {
        try (var lines = process.errorReader()) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("{\"event\"")) {
                    listener.accept(JsonText.parseObject(line));
                } else if (other.size() < MOST_OTHER_LINES) {
                    other.add(line);
                }
            }
        }
        return process.waitFor();
    }

    /// What it wrote that was no event, which it does when something is wrong with itself.
    public List<String> otherLines() {
        return List.copyOf(other);
    }

    /// Asks it to end; it ends its kernel first.
    public void cancel() {
        process.destroy();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
