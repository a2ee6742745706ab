package dev.towtank.app.applications.foresight;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Whether a script of a shell can end well. Only what is certain is told: a line of its own that ends it badly, in no
/// branch,
/// loop or function, before which nothing can end it otherwise.
final class ShellScript {

    private static final Pattern BAD_END = Pattern.compile("exit\\s+(\\d{1,3})\\s*;?\\s*(#.*)?");
    private static final Pattern OTHER_END =
            Pattern.compile("\\b(exit|exec|return|trap|eval|source)\\b|^\\s*\\.\\s|<<");
    private static final Pattern GOES_ON = Pattern.compile(".*(\\\\|&&|\\|\\||\\|)\\s*$");

    // What opens something, and what closes it.
    private record Block(Pattern open, Pattern close) {
        boolean isClosedIn(CharSequence text) {
            return open.matcher(text).results().count()
                    == close.matcher(text).results().count();
        }
    }

    private static final List<Block> BLOCKS = List.of(
            block("\\bif\\b", "\\bfi\\b"),
            block("\\bdo\\b", "\\bdone\\b"),
            block("\\bcase\\b", "\\besac\\b"),
            block("\\{", "\\}"),
            block("\\(", "\\)"));

    private ShellScript() {}

    private static Block block(String open, String close) {
        return new Block(Pattern.compile(open), Pattern.compile(close));
    }

    /// How it ends badly, for people; nothing where it may end well.
    static Optional<String> end(String script) {
        var lines = script.lines().toList();
        if (lines.isEmpty()
                || (lines.getFirst().startsWith("#!") && !lines.getFirst().matches("#!.*\\b(sh|bash|dash|ash)\\b.*"))) {
            return Optional.empty();
        }
        var before = new StringBuilder();
        boolean goesOn = false;
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            var end = BAD_END.matcher(line);
            if (end.matches() && !goesOn && isWhole(before)) {
                int code = Integer.parseInt(end.group(1));
                return code % 256 == 0
                        ? Optional.empty()
                        : Optional.of("always ends with \"exit " + code + "\", in line " + (i + 1));
            }
            if (OTHER_END.matcher(line).find()) {
                return Optional.empty();
            }
            if (!line.startsWith("#")) {
                before.append(line).append('\n');
                goesOn = GOES_ON.matcher(line).matches();
            }
        }
        return Optional.empty();
    }

    /// Whether all that was opened was closed.
    private static boolean isWhole(CharSequence text) {
        return isEven(text, '"') && isEven(text, '\'') && BLOCKS.stream().allMatch(block -> block.isClosedIn(text));
    }

    private static boolean isEven(CharSequence text, char quote) {
        return text.chars().filter(each -> each == quote).count() % 2 == 0;
    }
}
