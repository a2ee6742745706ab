package dev.towtank.app.lint.script;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.script.Script.Interpreter;
import dev.towtank.app.lint.source.SourceFiles;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Makes findings of what shells, Python and shellcheck print.
final class Complaints {

    private static final Pattern SHELL =
            Pattern.compile("^(?:\\./)?((?:\\d+|alone)-\\d+\\.(?:sh|bash)): (?:line )?(\\d+): (.*)$");
    private static final Pattern HERE_DOCUMENT =
            Pattern.compile("warning: here-document at line (\\d+) delimited by end-of-file \\(wanted `(.*)'\\)");

    /// What shellcheck says of comparisons, loops and commands that always come to the same.
    private static final Set<Integer> CONSTANTS = Set.of(
            2043, 2050, 2066, 2078, 2081, 2140, 2157, 2158, 2159, 2160, 2161, 2193, 2194, 2195, 2209, 2211, 2215, 2216,
            2218, 2249, 2269, 2288, 2289, 2291, 2292, 2309, 2310);

    /// What a process printed.
    record Output(String out, String err) {}

    private final Map<String, List<Script>> files;
    private final List<Finding> findings = new ArrayList<>();

    /// @param files the scripts by the names of the files that were judged
    Complaints(Map<String, List<Script>> files) {
        this.files = files;
    }

    List<Finding> findings() {
        return findings;
    }

    void read(Interpreter interpreter, Output output) {
        switch (interpreter) {
            case SH, BASH -> shell(output.err, Set.copyOf(output.out.lines().toList()));
            case PYTHON -> python(output.out);
        }
    }

    /// @param fineForBash files that sh refuses and bash takes
    private void shell(String text, Set<String> fineForBash) {
        var told = new HashSet<String>();
        for (var line : text.lines().toList()) {
            var matcher = SHELL.matcher(line);
            if (!matcher.matches()) {
                continue;
            }
            var file = matcher.group(1);
            var problem = matcher.group(3);
            var here = HERE_DOCUMENT.matcher(problem);
            if (here.find()) {
                add(
                        file,
                        Rule.HERE_DOCUMENT,
                        Integer.parseInt(here.group(1)),
                        0,
                        "the here-document is never closed: there is no line that says " + here.group(2),
                        "End it with a line that has nothing but " + here.group(2) + ".");
            } else if (!problem.startsWith("`") && told.add(file)) {
                // Of several complaints of one script the first is the mistake, the others follow from it.
                syntax(file, Integer.parseInt(matcher.group(2)), problem, fineForBash.contains(file));
            }
        }
    }

    private void syntax(String file, int line, String problem, boolean isFineForBash) {
        var message = problem.replaceFirst("^[Ss]yntax error:? ", "");
        if (isFineForBash) {
            add(
                    file,
                    Rule.SHELL_PORTABILITY,
                    line,
                    0,
                    "sh refuses this, bash takes it: " + message,
                    "Begin the script with #!/usr/bin/env bash, or write it for sh.");
        } else {
            add(file, Rule.SHELL_SYNTAX, line, 0, "the shell cannot parse this: " + message, "");
        }
    }

    private void python(String text) {
        for (var line : text.lines().toList()) {
            var parts = line.split("\t", 4);
            if (parts.length == 4) {
                add(
                        parts[0],
                        Rule.PYTHON_SYNTAX,
                        number(parts[1]),
                        number(parts[2]),
                        "Python cannot parse this: " + parts[3],
                        "");
            }
        }
    }

    private static int number(String digits) {
        return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : 1;
    }

    void readShellcheck(String text) {
        Json json;
        try {
            json = JsonText.parse(text.isBlank() ? "{}" : text);
        } catch (JsonText.Malformed e) {
            return;
        }
        if (!(json instanceof Json.Obj report)) {
            return;
        }
        for (var comment : report.objects("comments")) {
            for (var script : files.getOrDefault(comment.string("file"), List.of())) {
                var place = script.place((int) comment.integer("line"), (int) comment.integer("column"));
                int width = (int) (comment.integer("endColumn") - comment.integer("column"));
                boolean isWide = comment.integer("line") == comment.integer("endLine") && width > 0;
                if (isAboutAPlaceholder(script, (int) comment.integer("line"), (int) comment.integer("code"))
                        || SourceFiles.isKustomization(place.file())) {
                    continue;
                }
                var code = "SC" + comment.integer("code");
                findings.add(Finding.of(
                                Rule.SHELLCHECK,
                                isWide ? wider(place, width) : place,
                                comment.string("message") + " (" + code + ")",
                                "See https://www.shellcheck.net/wiki/" + code)
                        .at(level(comment)));
            }
        }
    }

    /// A word stands where something is filled in later, and is no constant then.
    private static boolean isAboutAPlaceholder(Script script, int number, int code) {
        var line =
                script.text().lines().skip(Math.max(0, number - 1L)).findFirst().orElse("");
        return line.contains("{{")
                || line.contains("{%")
                || (CONSTANTS.contains(code) && line.contains(Script.PLACEHOLDER));
    }

    /// A mistake for the shell that the script asks for, unless the other one runs it after all: what cannot be parsed
    /// is told
    /// by a rule of its own.
    private static Level level(Json.Obj comment) {
        long code = comment.integer("code");
        boolean isAboutOtherShells = code >= 3000 && code < 4000;
        return comment.string("level").matches("error|warning") && !isAboutOtherShells ? Level.WARNING : Level.INFO;
    }

    private static SourcePlace wider(SourcePlace place, int width) {
        return new SourcePlace(
                place.file(), place.line(), place.column(), place.column() + width, place.excerpt(), place.silenced());
    }

    private void add(String file, Rule rule, int line, int column, String message, String advice) {
        for (var script : files.getOrDefault(file, List.of())) {
            var finding = Finding.of(rule, script.place(line, column), message, advice);
            boolean mayBeBash = rule == Rule.SHELL_PORTABILITY && !script.isPlain();
            findings.add(mayBeBash ? finding.at(Level.INFO) : finding);
        }
    }
}
