package dev.towtank.node.pods;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// `$(NAME)` in commands, arguments and values: replaced where the name is known, kept as it is where it is not.
/// `$$(NAME)` is the text `$(NAME)` itself.
///
/// A value may name another that names a third, so a few lines can ask for more than any memory holds: everything is
/// taken from a bound, before it is made.
final class Expansion {

    /// What Linux lets a process start with, arguments and environment together: a quarter of its stack.
    static final int MOST = 2 * 1024 * 1024;

    private int left = MOST;

    /// @throws ConfigProblem when this and what was expanded before are too long together
    String expand(String text, Function<String, @Nullable String> variables) {
        if (text.indexOf('$') < 0) {
            take(text.length());
            return text;
        }
        var result = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char here = text.charAt(at);
            char next = at + 1 < text.length() ? text.charAt(at + 1) : 0;
            int end = next == '(' ? text.indexOf(')', at) : -1;
            if (here == '$' && next == '$') {
                take(1);
                result.append('$');
                at += 2;
            } else if (here == '$' && end >= 0) {
                var name = text.substring(at + 2, end);
                var value = Objects.requireNonNullElseGet(variables.apply(name), unknown(text, at, end + 1));
                take(value.length());
                result.append(value);
                at = end + 1;
            } else {
                take(1);
                result.append(here);
                at++;
            }
        }
        return result.toString();
    }

    private static Supplier<String> unknown(String text, int from, int to) {
        return () -> text.substring(from, to);
    }

    /// For what is part of the whole without being expanded.
    void take(int length) {
        left -= length;
        if (left < 0) {
            throw new ConfigProblem("command, arguments and environment are longer than " + MOST
                    + " characters with all variables in their places, more than a process can start with: "
                    + "keep long values in a file, such as a volume from a ConfigMap");
        }
    }
}
