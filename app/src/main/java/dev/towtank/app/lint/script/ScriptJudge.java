package dev.towtank.app.lint.script;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.script.Script.Interpreter;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Asks the shells and Python of this machine whether they can parse scripts. Nothing is executed: shells run
/// with `-n`, Python compiles. One process asks for many scripts, because starting one costs more than parsing.
public final class ScriptJudge {

    private static final int PATIENCE_SECONDS = 60;
    /// Scripts that are parsed at once, as functions of one file; only where that fails, each is asked for.
    private static final int GROUP = 32;

    private static final String FOR_SH = """
            check() {
              sh -n "$1" </dev/null || {
                command -v bash >/dev/null && bash -O extglob -n "$1" </dev/null 2>/dev/null && echo "$1"
              }
            }
            for group in *.sh-group; do
              [ -e "$group" ] || continue
              problem=$(sh -n "$group" </dev/null 2>&1) && [ -z "$problem" ] && continue
              for f in "${group%.sh-group}"-*.sh; do check "$f"; done
            done
            for f in alone-*.sh; do [ -e "$f" ] && check "$f"; done
            true""";
    // A script may switch extended patterns on, which nobody sees who only parses it.
    private static final String FOR_BASH = """
            for group in *.bash-group; do
              [ -e "$group" ] || continue
              problem=$(bash -O extglob -n "$group" </dev/null 2>&1) && [ -z "$problem" ] && continue
              for f in "${group%.bash-group}"-*.bash; do bash -O extglob -n "$f" </dev/null; done
            done
            for f in alone-*.bash; do [ -e "$f" ] && bash -O extglob -n "$f" </dev/null; done
            true""";

    // What is still open at the end of a script must not be closed by the next one: a quote would end in the middle of
    // these lines, and what is in them is no program.
    private static final String BETWEEN = """

            }
            : ' ;;) '
            : " ;;) "
            """;

    private static final String FOR_PYTHON = """
            import sys, os
            for name in sorted(os.listdir('.')):
                if not name.endswith('.py'):
                    continue
                try:
                    with open(name, 'rb') as file:
                        compile(file.read(), name, 'exec', dont_inherit=True)
                except (SyntaxError, ValueError) as e:
                    line = getattr(e, 'lineno', 1) or 1
                    column = getattr(e, 'offset', 1) or 1
                    text = (getattr(e, 'msg', None) or str(e)).replace('\\n', ' ')
                    print(name, line, column, text, sep='\\t')
            """;

    private final List<Path> searched;

    /// @param path directories with programs, as in the variable `PATH`
    public ScriptJudge(String path) {
        searched = List.of(path.split(":", -1)).stream()
                .filter(each -> each.startsWith("/"))
                .map(Path::of)
                .toList();
    }

    /// @param notes what could not be judged, and why
    public record Verdicts(List<Finding> findings, List<String> notes) {
        public Verdicts {
            findings = List.copyOf(findings);
            notes = List.copyOf(notes);
        }
    }

    /// A script may stand in many files: it is asked for once.
    private record Question(Interpreter interpreter, String text) {}

    private record Running(Process process, Path out, Path err) {}

    public Verdicts judge(List<Script> scripts) {
        if (scripts.isEmpty()) {
            return new Verdicts(List.of(), List.of());
        }
        var questions = new LinkedHashMap<Question, List<Script>>();
        for (var script : scripts) {
            questions
                    .computeIfAbsent(new Question(script.interpreter(), script.text()), _ -> new ArrayList<>())
                    .add(script);
        }
        try {
            var directory = Files.createTempDirectory("towtank-lint");
            try {
                return ask(directory, questions);
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            return new Verdicts(List.of(), List.of("scripts were not checked: " + e.getMessage()));
        }
    }

    private Verdicts ask(Path directory, Map<Question, List<Script>> questions) throws IOException {
        var files = new LinkedHashMap<String, List<Script>>();
        var counts = new EnumMap<Interpreter, Integer>(Interpreter.class);
        var groups = new LinkedHashMap<String, StringBuilder>();
        for (var question : questions.entrySet()) {
            var interpreter = question.getKey().interpreter();
            var text = question.getKey().text();
            int number = counts.merge(interpreter, 1, Integer::sum) - 1;
            var group = canShare(interpreter, text) ? String.valueOf(number / GROUP) : "alone";
            var file = group + "-" + number + suffix(interpreter);
            files.put(file, question.getValue());
            Files.writeString(directory.resolve(file), text);
            if (!group.equals("alone")) {
                groups.computeIfAbsent(group + suffix(interpreter) + "-group", _ -> new StringBuilder())
                        .append("f() {\n:\n")
                        .append(text)
                        .append(BETWEEN);
            }
        }
        for (var group : groups.entrySet()) {
            Files.writeString(directory.resolve(group.getKey()), group.getValue());
        }
        var notes = new ArrayList<String>();
        var running = new EnumMap<Interpreter, Running>(Interpreter.class);
        for (var interpreter : counts.keySet()) {
            var command = command(interpreter);
            if (command.isEmpty()) {
                notes.add(counts.get(interpreter) + " scripts were not checked, because this machine has no "
                        + program(interpreter));
            } else {
                running.put(interpreter, start(directory, interpreter.name(), command.get()));
            }
        }
        var shellcheck = Shellcheck.command(find("shellcheck"), files.keySet())
                .flatMap(command -> tryStart(directory, "shellcheck", command, notes));
        var complaints = new Complaints(files);
        for (var each : running.entrySet()) {
            complaints.read(each.getKey(), finished(each.getValue(), program(each.getKey()), notes));
        }
        if (shellcheck.isPresent()) {
            complaints.readShellcheck(
                    finished(shellcheck.get(), "shellcheck", notes).out());
        }
        return new Verdicts(complaints.findings(), notes);
    }

    // A here-document that nothing ends would end in the next script that has one.
    private static boolean canShare(Interpreter interpreter, String text) {
        return interpreter != Interpreter.PYTHON && !text.contains("<<");
    }

    private static String suffix(Interpreter interpreter) {
        return switch (interpreter) {
            case SH -> ".sh";
            case BASH -> ".bash";
            case PYTHON -> ".py";
        };
    }

    private static String program(Interpreter interpreter) {
        return switch (interpreter) {
            case SH -> "sh";
            case BASH -> "bash";
            case PYTHON -> "python3";
        };
    }

    private Optional<List<String>> command(Interpreter interpreter) {
        var sh = find("sh").map(Path::toString);
        return switch (interpreter) {
            case SH -> sh.map(program -> List.of(program, "-c", FOR_SH));
            case BASH -> find("bash").flatMap(_ -> sh).map(program -> List.of(program, "-c", FOR_BASH));
            case PYTHON -> python().map(program -> List.of(program, "-I", "-S", "-W", "ignore", "-c", FOR_PYTHON));
        };
    }

    // A version manager's wrapper takes longer to find Python than Python takes for the work.
    private Optional<String> python() {
        var system = Path.of("/usr/bin/python3");
        return Files.isExecutable(system)
                ? Optional.of(system.toString())
                : find("python3").map(Path::toString);
    }

    private Optional<Path> find(String program) {
        return searched.stream()
                .map(directory -> directory.resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private Optional<Running> tryStart(Path directory, String name, List<String> command, List<String> notes) {
        try {
            return Optional.of(start(directory, name, command));
        } catch (IOException e) {
            notes.add("shellcheck could not be started: " + e.getMessage());
            return Optional.empty();
        }
    }

    private Running start(Path directory, String name, List<String> command) throws IOException {
        var out = directory.resolve(name + ".out");
        var err = directory.resolve(name + ".err");
        var builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        // Nothing of the user's environment may make a shell run something first.
        builder.environment().clear();
        builder.environment()
                .put(
                        "PATH",
                        String.join(":", searched.stream().map(Path::toString).toList()));
        builder.environment().put("LC_ALL", "C.UTF-8");
        return new Running(builder.start(), out, err);
    }

    private static Complaints.Output finished(Running running, String program, List<String> notes) throws IOException {
        try {
            if (!running.process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                running.process.destroyForcibly();
                notes.add("not all scripts were checked: " + program + " took longer than " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            running.process.destroyForcibly();
            Thread.currentThread().interrupt();
            notes.add("not all scripts were checked: interrupted");
        }
        return new Complaints.Output(text(running.out), text(running.err));
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    private static void delete(Path directory) throws IOException {
        try (var all = Files.walk(directory)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
