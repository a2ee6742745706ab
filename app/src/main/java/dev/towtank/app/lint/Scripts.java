package dev.towtank.app.lint;

import dev.towtank.app.lint.script.Script;
import dev.towtank.app.lint.script.Script.Interpreter;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.TektonTree;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the programs in steps and containers.
final class Scripts implements Check {

    private static final Pattern SHEBANG = Pattern.compile("^#!\\s*(\\S+)(?:\\s+(?:-S\\s+)?(\\S+))?.*");
    private static final Pattern VARIABLE = Pattern.compile(
            "\\$\\((params|inputs|tasks|workspaces|context|results|steps|step|outputs|credentials|tt|finally)[.\\[][^()\\s]*\\)");
    private static final Set<String> CONTAINERS = Set.of("containers", "initContainers", "steps", "sidecars");
    private static final int LONGEST = 256 * 1024;

    /// Images whose `sh` is no bash: those of Alpine, busybox, Debian and what is made of them. Elsewhere it mostly is
    /// one.
    /// Whose shell knows a few words of bash that Debian's does not.
    private static final Pattern OF_BUSYBOX = Pattern.compile("(^|[/:-])(busybox|alpine)([/:@-]|$)");

    private static final Pattern PROCESS_SUBSTITUTION = Pattern.compile("[<>]\\(");

    private static final Pattern PLAIN_SHELL = Pattern.compile(
            "(^|[/:._-])(alpine|busybox|debian|ubuntu|slim|buster"
                    + "|bullseye|bookworm|trixie|focal|jammy|noble|bitnami|curlimages)"
                    + "|^(docker\\.io/)?(library/)?(python|node|golang|ruby|rust|maven|gradle|docker|nginx|redis|postgres|mysql)(:|@|$)");

    /// `$$` of what is written as `$` by Flux, or by Kubernetes in front of a bracket.
    private static final Pattern ESCAPED = Pattern.compile("\\$\\$(?=[({A-Za-z_])");

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        for (var step : TektonTree.steps(document)) {
            var script = step.at("script");
            if (script != null && script.json() instanceof Json.Str(var text) && !text.isBlank()) {
                interpreter(text).ifPresent(interpreter -> add(document, interpreter, script, text, step, seen));
            }
        }
        for (var holder : document.root().all()) {
            holder.fields().forEach((name, field) -> {
                if (CONTAINERS.contains(name)) {
                    field.value().items().forEach(container -> inline(document, container, seen));
                }
            });
        }
    }

    /// `command: [sh, -c]` with the program behind it, in the same list or in `args`.
    private static void inline(Document document, Located container, Observations seen) {
        var words = new ArrayList<>(container.list("command"));
        words.addAll(container.list("args"));
        if (words.size() < 3) {
            return;
        }
        var flag = words.get(1).json().display();
        boolean isProgram = flag.startsWith("-") && flag.endsWith("c");
        if (isProgram && words.get(2).json() instanceof Json.Str(var text) && !text.isBlank()) {
            shell(words.getFirst().json().display())
                    .ifPresent(shell -> add(document, shell, words.get(2), text, container, seen));
        }
    }

    private static Optional<Interpreter> interpreter(String text) {
        if (!text.startsWith("#!")) {
            return Optional.of(Interpreter.SH);
        }
        var line = text.lines().findFirst().orElse("");
        var matcher = SHEBANG.matcher(line);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var first = matcher.group(1);
        boolean isEnv = first.endsWith("/env");
        var second = Optional.ofNullable(matcher.group(2)).orElse("");
        return shell(isEnv ? second : first);
    }

    private static Optional<Interpreter> shell(String program) {
        return switch (program.substring(program.lastIndexOf('/') + 1)) {
            case "sh", "dash", "ash" -> Optional.of(Interpreter.SH);
            case "bash" -> Optional.of(Interpreter.BASH);
            case "python", "python3" -> Optional.of(Interpreter.PYTHON);
            default -> Optional.empty();
        };
    }

    private static void add(
            Document document,
            Interpreter interpreter,
            Located place,
            String text,
            Located container,
            Observations seen) {
        if (text.length() > LONGEST) {
            return;
        }
        boolean isBlock = place.style() == Located.Style.LITERAL;
        int first = place.start().line() + (isBlock ? 1 : 0);
        var line = document.source().line(first);
        int margin = isBlock ? Math.max(0, line.indexOf(text.lines().findFirst().orElse(""))) : 0;
        var image = container.text("image");
        boolean isPlain = PLAIN_SHELL.matcher(image).find()
                && !(OF_BUSYBOX.matcher(image).find()
                        && PROCESS_SUBSTITUTION.matcher(text).find());
        seen.add(new Script(interpreter, plain(text), document.source(), isBlock, first, margin, isPlain));
    }

    /// With a word of the same length in place of each variable: that is what the shell will see.
    static String plain(String text) {
        return VARIABLE.matcher(ESCAPED.matcher(text).replaceAll("\\$"))
                .replaceAll(found -> Matcher.quoteReplacement("x"
                        .repeat(Math.max(
                                Script.PLACEHOLDER.length(), found.group().length()))));
    }
}
