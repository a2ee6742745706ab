package dev.towtank.model.helm;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/// Patterns for paths.
final class PathGlobs {
    private PathGlobs() {}

    /// `*` and `?` stop at a slash, `**` does not; `[a-z]` and `{a,b}` are what they are in a shell.
    static Pattern pattern(String glob) {
        var out = new StringBuilder();
        int braces = 0;
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            switch (c) {
                case '*' -> {
                    boolean twice = i + 1 < glob.length() && glob.charAt(i + 1) == '*';
                    out.append(twice ? ".*" : "[^/]*");
                    i += twice ? 1 : 0;
                }
                case '?' -> out.append("[^/]");
                case '{' -> {
                    braces++;
                    out.append("(?:");
                }
                case '}' -> {
                    braces--;
                    out.append(')');
                }
                case ',' -> out.append(braces > 0 ? "|" : ",");
                case '[' -> {
                    int end = glob.indexOf(']', i + 1);
                    if (end < 0) {
                        throw new HelmError("pattern " + glob + " has no ] for its [");
                    }
                    var inside = glob.substring(i + 1, end);
                    out.append('[')
                            .append(inside.startsWith("!") ? "^" + inside.substring(1) : inside)
                            .append(']');
                    i = end;
                }
                case '\\' -> {
                    i++;
                    out.append(i < glob.length() ? Pattern.quote(String.valueOf(glob.charAt(i))) : "\\\\");
                }
                default -> out.append(Pattern.quote(String.valueOf(c)));
            }
        }
        try {
            return Pattern.compile(out.toString(), Pattern.DOTALL);
        } catch (PatternSyntaxException e) {
            throw new HelmError("pattern " + glob + " cannot be read: " + e.getDescription());
        }
    }
}
