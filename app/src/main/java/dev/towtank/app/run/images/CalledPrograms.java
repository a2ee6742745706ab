package dev.towtank.app.run.images;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Programs that a script calls and that are known to be several of one name. A guess: a script is read, not run.
final class CalledPrograms {

    /// Whatever the image: two programs share this name and speak different languages.
    static final Set<String> AMBIGUOUS = Set.of("yq");

    /// Smaller in images with busybox than on this machine.
    static final Set<String> SMALL = Set.of(
            "awk", "cp", "cut", "date", "dd", "df", "diff", "du", "find", "grep", "head", "ls", "mktemp", "od", "ps",
            "sed", "sort", "stat", "tail", "tar", "timeout", "tr", "unzip", "wget", "xargs");

    private static final Pattern CALL = Pattern.compile(
            "(?<=^|[|&;(`{!]|\\b(?:then|do|else|exec|xargs|env|time|if|while|until)\\s)\\s*(?:[A-Z_]+=\\S*\\s+)*"
                    + "(?:/usr)?(?:/bin/)?(?!(?:if|then|do|else|while|until|exec|env|time)\\b)([a-z][a-z0-9_-]*)"
                    + "(?=[\\s;|&)`]|$)",
            Pattern.MULTILINE);
    private static final int LARGEST = 1 << 20;

    private final Set<String> found = new TreeSet<>();

    CalledPrograms inScript(String script) {
        boolean isShell = !script.startsWith("#!")
                || script.lines().findFirst().orElse("").matches("#!.*\\b(sh|bash|ash|dash)\\b.*");
        if (isShell) {
            var calls = CALL.matcher(script.substring(0, Math.min(script.length(), LARGEST)));
            while (calls.find()) {
                add(calls.group(1));
            }
        }
        return this;
    }

    CalledPrograms inCommand(List<String> command, List<String> arguments) {
        if (!command.isEmpty()) {
            add(command.getFirst().replaceFirst("^(/usr)?/bin/", ""));
        }
        command.forEach(this::inWord);
        arguments.forEach(this::inWord);
        return this;
    }

    /// What `sh -c` gets is one word with spaces.
    private void inWord(String word) {
        if (word.contains(" ")) {
            inScript(word);
        }
    }

    private void add(String name) {
        if (AMBIGUOUS.contains(name) || SMALL.contains(name)) {
            found.add(name);
        }
    }

    Set<String> all() {
        return found;
    }
}
