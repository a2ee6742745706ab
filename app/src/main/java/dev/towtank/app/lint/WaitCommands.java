package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Fixes;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.Similar;
import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.source.Document;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// `kubectl wait` and `oc wait` for conditions that never come: they end with a timeout, every time.
final class WaitCommands implements Check {

    private static final Pattern COMMAND = Pattern.compile("\\b(?:kubectl|oc)\\s(?:[^\\n;|&]|\\\\\\r?\\n)*");
    private static final Pattern CONDITION = Pattern.compile("condition=([^\\s=\"']+)");
    private static final Pattern BEFORE = Pattern.compile(
            "(?:^|.*[;|&({!`]|.*\\b(?:then|do|else|if|while|until|time|sudo|exec)|.*\\btimeout\\s+\\S+)\\s*$");

    /// Flags whose value is the next word.
    private static final Set<String> WITH_VALUE = Set.of(
            "-n",
            "--namespace",
            "--timeout",
            "-l",
            "--selector",
            "--field-selector",
            "-f",
            "--filename",
            "--for",
            "--context",
            "--kubeconfig",
            "-o",
            "--output",
            "--server",
            "-s",
            "--as");

    @Override
    public void check(Document document, Observations seen) {
        walk(document, document.root(), seen);
    }

    private static void walk(Document document, Located here, Observations seen) {
        if (here.json() instanceof Json.Str(var text)) {
            if (text.contains("condition=")) {
                text(document, here, text, seen);
            }
            return;
        }
        here.fields().forEach((name, field) -> {
            if (name.equals("command")) {
                list(document, here, seen);
            }
            if (!name.equals("description")) {
                walk(document, field.value(), seen);
            }
        });
        here.items().forEach(item -> walk(document, item, seen));
    }

    private static void text(Document document, Located place, String text, Observations seen) {
        var command = COMMAND.matcher(text);
        while (command.find()) {
            int line = text.lastIndexOf('\n', command.start()) + 1;
            var before = text.substring(line, command.start());
            if (before.strip().startsWith("#") || !BEFORE.matcher(before).matches()) {
                continue;
            }
            var words = List.of(
                    command.group().replaceAll("\\\\\\r?\\n", " ").strip().split("\\s+"));
            var condition = CONDITION.matcher(command.group());
            if (condition.find()) {
                int start = command.start() + condition.start();
                int end = command.start() + condition.end(1);
                verdict(words, document.within(place, text, start, end)).ifPresent(seen::add);
            }
        }
    }

    /// `command: [kubectl, wait, …]`, with or without `args`.
    private static void list(Document document, Located container, Observations seen) {
        var items = new ArrayList<>(container.list("command"));
        items.addAll(container.list("args"));
        var words = items.stream().map(item -> item.json().display()).toList();
        if (words.isEmpty()
                || !(words.getFirst().endsWith("kubectl") || words.getFirst().endsWith("oc"))) {
            return;
        }
        for (var item : items) {
            var text = item.json().display();
            var condition = CONDITION.matcher(text);
            if (condition.find()) {
                verdict(words, document.within(item, text, condition.start(), condition.end(1)))
                        .ifPresent(seen::add);
            }
        }
    }

    private static Optional<Finding> verdict(List<String> words, SourcePlace place) {
        var plain = words.stream().map(WaitCommands::unquoted).toList();
        var wanted = "";
        var positional = new ArrayList<String>();
        for (int i = 1; i < plain.size(); i++) {
            var word = plain.get(i);
            var value = word.startsWith("--for=") ? unquoted(word.substring(6)) : "";
            if (word.equals("--for") && i + 1 < plain.size()) {
                value = plain.get(i + 1);
            }
            wanted = value.startsWith("condition=") ? unquoted(value.substring(10)) : wanted;
            if (WITH_VALUE.contains(word)) {
                i++;
            } else if (!word.startsWith("-") && !word.isEmpty()) {
                positional.add(word);
            }
        }
        if (positional.size() < 2 || !positional.getFirst().equals("wait")) {
            return Optional.empty();
        }
        var condition = wanted.split("=", -1)[0];
        return condition.isEmpty() || condition.contains("$")
                ? Optional.empty()
                : verdict(positional.get(1), condition, place);
    }

    private static Optional<Finding> verdict(String object, String condition, SourcePlace place) {
        int slash = object.indexOf('/');
        var type = slash < 0 ? object : object.substring(0, slash);
        var known = KnownConditions.of(type);
        if (known.isEmpty() || known.get().has(condition)) {
            return Optional.empty();
        }
        var kind = known.get();
        var meant = kind.meant(condition);
        var finding = Finding.of(
                Rule.WAIT_CONDITION,
                place,
                kind.withArticle() + " never has the condition \"" + condition + "\": this waits until it times out",
                advice(kind, condition));
        return Optional.of(meant.filter(_ -> place.excerpt().contains("condition=" + condition))
                .map(name -> finding.with(Fixes.rename(place, "condition=" + name)))
                .orElse(finding));
    }

    private static String advice(KnownConditions kind, String condition) {
        var meant = kind.meant(condition).or(() -> Similar.to(condition, kind.types()));
        if (meant.isPresent()) {
            return "Write condition=" + meant.get() + ".";
        }
        if (!kind.otherwise().isEmpty()) {
            return "Write " + kind.otherwise() + ".";
        }
        return "It has " + String.join(", ", kind.types()) + ".";
    }

    private static String unquoted(String word) {
        return word.replace("\"", "").replace("'", "");
    }
}
