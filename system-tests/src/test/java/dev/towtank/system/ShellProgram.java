package dev.towtank.system;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The program as a command that does its work and ends, with all its files in directories of a test.
final class ShellProgram {
    private static final int SECONDS = 300;

    private final Path home;

    private final Path state;
    private final List<String> options;

    /// @param home of its temporary files
    /// @param state where it remembers runs, and keeps what they share
    /// @param options of Java
    ShellProgram(Path home, Path state, String... options) {
        this.home = home;
        this.state = state;
        this.options = List.of(options);
    }

    /// @param output standard output and error, as they came
    record Result(int code, String output) {
        /// What a terminal shows in the end.
        String screen() {
            var terminal = new VirtualTerminal();
            terminal.print(output);
            return terminal.text();
        }
    }

    Result run(String... args) throws Exception {
        return await(start(command(args)), _ -> {});
    }

    /// On a terminal of 100 columns, with Ctrl-C typed whenever the next text has appeared.
    Result onTerminal(List<String> interruptAt, String... args) throws Exception {
        // Where interrupts are ignored, as below a shell's background job, a program never hears of control-C.
        var line = "stty cols 100 rows 30; exec env --default-signal=INT " + String.join(" ", quoted(command(args)));
        var process = start(List.of("script", "-qfec", line, "/dev/null"));
        var pending = new ArrayList<>(interruptAt);
        return await(process, text -> {
            if (!pending.isEmpty() && text.contains(pending.getFirst())) {
                pending.removeFirst();
                type(process, 3);
            }
        });
    }

    Result onTerminal(String... args) throws Exception {
        return onTerminal(List.of(), args);
    }

    /// Asked to end, as a supervisor does, as soon as its output is enough.
    Result run(Predicate<String> isEnough, String... args) throws Exception {
        return end(ProcessHandle::destroy, isEnough, args);
    }

    /// Killed without a chance to tidy up, as soon as its output is enough.
    Result kill(Predicate<String> isEnough, String... args) throws Exception {
        return end(ProcessHandle::destroyForcibly, isEnough, args);
    }

    private Result end(Consumer<ProcessHandle> end, Predicate<String> isEnough, String... args) throws Exception {
        var process = start(command(args));
        var asked = new AtomicBoolean();
        return await(process, text -> {
            if (!asked.get() && isEnough.test(text)) {
                asked.set(true);
                // Not the process itself: that would close its output as well.
                end.accept(process.toHandle());
            }
        });
    }

    private static void type(Process process, int character) {
        try {
            process.getOutputStream().write(character);
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> quoted(List<String> words) {
        return words.stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .toList();
    }

    private List<String> command(String... args) {
        var all = new ArrayList<>(List.of(
                "-Xmx512m",
                "-Djava.io.tmpdir=" + home.resolve("tmp"),
                // The launcher has unpacked this library; who starts without it and is killed leaves a copy.
                "-Dorg.sqlite.tmpdir=" + home.resolve("sqlite")));
        all.addAll(options);
        var command = new ArrayList<>(Shipped.command(all.toArray(String[]::new)));
        command.addAll(List.of(args));
        return command;
    }

    private Process start(List<String> command) throws IOException {
        Files.createDirectories(home.resolve("tmp"));
        Files.createDirectories(home.resolve("sqlite"));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        var environment = builder.environment();
        environment.put("XDG_STATE_HOME", state.toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("TERM", "xterm-256color");
        environment.keySet().removeAll(List.of("LC_ALL", "LC_CTYPE", "NO_COLOR", "TOWTANK_NAME"));
        return builder.start();
    }

    private interface Watcher {
        void see(String text);
    }

    private static Result await(Process process, Watcher watcher) throws Exception {
        var output = new ByteArrayOutputStream();
        var reader = Thread.ofVirtual().start(() -> copy(process.getInputStream(), output, watcher));
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("still running:\n" + output.toString(StandardCharsets.UTF_8));
        }
        reader.join();
        return new Result(process.exitValue(), output.toString(StandardCharsets.UTF_8));
    }

    private static void copy(InputStream in, ByteArrayOutputStream output, Watcher watcher) {
        var buffer = new byte[8192];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                output.write(buffer, 0, count);
                watcher.see(output.toString(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // the terminal is gone with the process
        }
    }

    /// Command lines of processes that stay in our directory.
    List<String> leftProcesses() throws IOException {
        return leftIn(home);
    }

    /// What is left of them when those had their time that have been killed and are about to go.
    static List<String> leftIn(Path directory) throws IOException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        var left = workingIn(directory);
        while (!left.isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            left = workingIn(directory);
        }
        return left;
    }

    /// Command lines of processes that name a directory, or have something of it mounted.
    static List<String> workingIn(Path directory) throws IOException {
        var left = new ArrayList<String>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (var process : processes) {
                try {
                    var line = Files.readString(process.resolve("cmdline")).replace('\0', ' ');
                    var files = Files.readString(process.resolve("mountinfo"));
                    if (line.contains(directory.toString()) || files.contains(directory.toString())) {
                        left.add(line);
                    }
                } catch (IOException e) {
                    // it has just ended
                }
            }
        }
        return left;
    }

    /// Where the kernel tells about the process with that command line.
    static Path process(String command) throws IOException {
        var found = processes(command);
        if (found.isEmpty()) {
            throw new AssertionError("no process '" + command + "'");
        }
        return found.getFirst();
    }

    /// Where the kernel tells about processes with that command line.
    static List<Path> processes(String command) throws IOException {
        var found = new ArrayList<Path>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (var process : processes) {
                try {
                    var line = Files.readString(process.resolve("cmdline"));
                    if (line.replace('\0', ' ').strip().equals(command)) {
                        found.add(process);
                    }
                } catch (IOException e) {
                    // it has just ended
                }
            }
        }
        return found;
    }
}
