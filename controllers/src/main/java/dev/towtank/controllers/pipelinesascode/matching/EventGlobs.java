package dev.towtank.controllers.pipelinesascode.matching;

import java.util.ArrayList;
import java.util.List;

/// Patterns of branches and files: `*` is anything, slashes too, `?` one character, `[a-c]` one of some, `{a,b}` one of
/// several.
///
/// Matching is linear in the product of both lengths, whatever the pattern.
public final class EventGlobs {

    private static final int LONGEST = 1024;
    private static final int MOST_ALTERNATIVES = 256;

    private EventGlobs() {}

    /// @throws IllegalArgumentException it is no pattern, or one that is too large
    public static boolean matches(String pattern, String text) {
        if (pattern.length() > LONGEST) {
            throw new IllegalArgumentException("a pattern has at most " + LONGEST + " characters");
        }
        return alternatives(pattern).stream().anyMatch(each -> single(each, text));
    }

    private static List<String> alternatives(String pattern) {
        int open = pattern.indexOf('{');
        if (open < 0) {
            return List.of(pattern);
        }
        int close = pattern.indexOf('}', open);
        if (close < 0) {
            throw new IllegalArgumentException("there is no } for the { in " + pattern);
        }
        var all = new ArrayList<String>();
        for (var choice : pattern.substring(open + 1, close).split(",", -1)) {
            for (var rest : alternatives(pattern.substring(close + 1))) {
                all.add(pattern.substring(0, open) + choice + rest);
                if (all.size() > MOST_ALTERNATIVES) {
                    throw new IllegalArgumentException("too many alternatives in " + pattern);
                }
            }
        }
        return all;
    }

    private static boolean single(String pattern, String text) {
        // reached[i]: the pattern until here matches the first i characters
        var reached = new boolean[text.length() + 1];
        reached[0] = true;
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            var next = new boolean[text.length() + 1];
            if (c == '*') {
                boolean any = false;
                for (int i = 0; i <= text.length(); i++) {
                    any |= reached[i];
                    next[i] = any;
                }
                at++;
            } else {
                int end =
                        c == '[' ? pattern.indexOf(']', at + 1) : c == '\\' && at + 1 < pattern.length() ? at + 1 : at;
                if (end < 0) {
                    throw new IllegalArgumentException("there is no ] for the [ in " + pattern);
                }
                var part = pattern.substring(at, end + 1);
                for (int i = 0; i < text.length(); i++) {
                    next[i + 1] = reached[i] && takes(part, text.charAt(i));
                }
                at = end + 1;
            }
            reached = next;
        }
        return reached[text.length()];
    }

    private static boolean takes(String part, char c) {
        return switch (part.charAt(0)) {
            case '?' -> true;
            case '\\' -> part.charAt(part.length() - 1) == c;
            case '[' -> inClass(part.substring(1, part.length() - 1), c);
            default -> part.charAt(0) == c;
        };
    }

    private static boolean inClass(String chars, char c) {
        boolean negated = chars.startsWith("!");
        var rest = negated ? chars.substring(1) : chars;
        boolean found = false;
        for (int i = 0; i < rest.length(); i++) {
            if (i + 2 < rest.length() && rest.charAt(i + 1) == '-') {
                found |= rest.charAt(i) <= c && c <= rest.charAt(i + 2);
                i += 2;
            } else {
                found |= rest.charAt(i) == c;
            }
        }
        return found != negated;
    }
}
