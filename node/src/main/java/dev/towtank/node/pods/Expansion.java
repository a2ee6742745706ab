package dev.towtank.node.pods;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// `$(NAME)` in commands, arguments and values: replaced where the name is known, kept as it is where it is not.
/// `$$(NAME)` is the text `$(NAME)` itself.
final class Expansion {

    private Expansion() {}

    static String expand(String text, Function<String, @Nullable String> variables) {
        if (text.indexOf('$') < 0) {
            return text;
        }
        var result = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char here = text.charAt(at);
            char next = at + 1 < text.length() ? text.charAt(at + 1) : 0;
            int end = next == '(' ? text.indexOf(')', at) : -1;
            if (here == '$' && next == '$') {
                result.append('$');
                at += 2;
            } else if (here == '$' && end >= 0) {
                var name = text.substring(at + 2, end);
                var value = variables.apply(name);
                result.append(value == null ? text.substring(at, end + 1) : value);
                at = end + 1;
            } else {
                result.append(here);
                at++;
            }
        }
        return result.toString();
    }
}
