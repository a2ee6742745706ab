package dev.towtank.archive.filter;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.towtank.archive.ArchiveRefusal;

/// Regular expressions of filters, in the syntax that the language prescribes, which never explodes.
final class Patterns {

    private static final int MAX_LENGTH = 1_000;

    private Patterns() {}

    static void check(String expression) {
        if (expression.length() > MAX_LENGTH) {
            throw ArchiveRefusal.invalid("a regular expression has at most " + MAX_LENGTH + " characters");
        }
        try {
            Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw ArchiveRefusal.invalid("invalid regular expression: " + e.getMessage());
        }
    }
}
