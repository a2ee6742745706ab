package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Fixes;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// `stat -f%z`, which tells a size on macOS. In a container `-f` asks for the file system: what is glued to it is
/// refused,
/// and what stands apart is taken for the name of a file.
final class StatCommands implements Check {

    private static final Pattern CALL = Pattern.compile("\\bstat\\s+-f(\\s*)[\"']?%([A-Za-z]+)[\"']?(?=\\s|$)");
    private static final Pattern BEFORE =
            Pattern.compile("(?:^|.*[;|&({!`]|.*\\b(?:then|do|else|if|while|until|sudo)|.*\\btimeout\\s+\\S+)\\s*$");

    /// Where the stat of a container has failed, this one is for macOS.
    private static final Pattern INSTEAD = Pattern.compile("\\bstat\\s+(-c|--format|--printf).*\\|\\|\\s*$");

    /// Who asks where it runs knows what it does.
    private static final Pattern ASKS = Pattern.compile("\\buname\\b|OSTYPE|[Dd]arwin");

    /// One script may have a line of megabytes that calls it at every word; the first calls tell enough.
    private static final int MOST_CALLS = 20;

    private static final int MOST_BEFORE = 200;

    private static final Set<String> PROGRAMS = Set.of("script", "command", "args");

    /// What GNU's and busybox' stat call what macOS calls so.
    private static final Map<String, String> SAME = Map.of("z", "s", "m", "Y", "a", "X", "u", "u", "g", "g", "i", "i");

    @Override
    public void check(Document document, Observations seen) {
        for (var holder : document.root().all()) {
            holder.fields().forEach((name, field) -> {
                if (PROGRAMS.contains(name)) {
                    field.value().all().forEach(value -> value(document, value, seen));
                }
            });
        }
    }

    private static void value(Document document, Located value, Observations seen) {
        if (!(value.json() instanceof Json.Str(var text))
                || !text.contains("stat")
                || ASKS.matcher(text).find()) {
            return;
        }
        var call = CALL.matcher(text);
        for (int i = 0; i < MOST_CALLS && call.find(); i++) {
            int line = text.lastIndexOf('\n', call.start()) + 1;
            var before = text.substring(Math.max(line, call.start() - MOST_BEFORE), call.start());
            if (text.startsWith("#", line)
                    || before.strip().startsWith("#")
                    || !BEFORE.matcher(before).matches()
                    || INSTEAD.matcher(before).find()) {
                continue;
            }
            var place = document.within(value, text, call.start(), call.end());
            var same = SAME.get(call.group(2));
            var finding = Finding.of(
                    Rule.STAT_FORMAT,
                    place,
                    call.group(1).isEmpty()
                            ? "only the stat of macOS knows this: in a container it always fails"
                            : "only the stat of macOS knows this: in a container it fails, and prints what the file"
                                    + " system is like",
                    same == null ? "Write stat -c with GNU's letters." : "Write stat -c%" + same + ".");
            boolean isAsWritten = place.excerpt().contains(call.group());
            seen.add(same != null && isAsWritten ? finding.with(Fixes.rename(place, "stat -c%" + same)) : finding);
        }
    }
}
