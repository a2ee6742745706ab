package dev.towtank.app.lint.script;

import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.source.SourceText;

/// A program in a field, for somebody else to judge.
///
/// @param text with words in place of variables
/// @param block whether each line of it is a line of the file
/// @param firstLine the line of the file where its first one is
/// @param margin how many columns come before it in each line
/// @param isPlain whether `sh` of its image is known to be no bash
public record Script(
        Interpreter interpreter,
        String text,
        SourceText source,
        boolean block,
        int firstLine,
        int margin,
        boolean isPlain) {

    /// What there is at least of a word that stands for a variable.
    public static final String PLACEHOLDER = "xxxxxxxxx";

    public enum Interpreter {
        SH,
        BASH,
        PYTHON
    }

    /// @param line of the script, from 1; what is missing at its end is said to be in the line behind it
    SourcePlace place(int line, int column) {
        int last = (int) text.lines().count();
        int number = block ? firstLine + Math.clamp(line - 1, 0, Math.max(0, last - 1)) : firstLine;
        var shown = source.line(number);
        int start = block && column > 0
                ? margin + column
                : shown.length() - shown.stripLeading().length() + 1;
        int end = column > 0 && block
                ? start + 1
                : Math.max(start, shown.stripTrailing().length()) + 1;
        return source.place(number, start, end, false);
    }
}
