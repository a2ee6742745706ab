package dev.towtank.controllers.pipelines.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The variables of one prefix in a text, and what may be wrong with them.
///
/// @param names of variables: what stands behind the prefix, or a complaint about one that has too many parts
/// @param expressions the variables as they are written
record Variables(String text, List<String> names, List<String> wholeNames, List<String> expressions, String complaint) {

    private static final Pattern INDEX = Pattern.compile("\\[([0-9])*\\*?]");
    private static final Pattern ISOLATED =
            Pattern.compile("(\\.N|\\[\"N\"]|\\['N'])\\)".replace("N", "[_a-zA-Z0-9.-]+\\[\\*]"));

    /// @param prefix such as `params` or `context\.task`; the backslash shows in messages and means nothing
    static Variables in(String text, String prefix) {
        var literal = "$(" + prefix.replace("\\", "");
        var names = new ArrayList<String>();
        var whole = new ArrayList<String>();
        var expressions = new ArrayList<String>();
        var complaint = "";
        int at = text.indexOf(literal);
        if (at < 0) {
            return new Variables(text, List.of(), List.of(), List.of(), "");
        }
        var ends = new Ends(text);
        while (at >= 0) {
            int begin = at + literal.length();
            var match = ends.match(begin);
            if (match != null) {
                expressions.add(text.substring(at, match.end));
                whole.add(match.name);
                var parts = match.isDotted ? match.name.split("\\.", -1) : new String[] {match.name};
                if (parts.length > 2) {
                    complaint = tooManyParts(text, prefix);
                }
                names.add(parts[0]);
            }
            at = text.indexOf(literal, match == null ? begin : match.end);
        }
        return new Variables(text, names, whole, expressions, complaint);
    }

    private static String tooManyParts(String text, String prefix) {
        return "Invalid referencing of parameters in \"" + text
                + "\"! Only two dot-separated components after the prefix \"" + prefix + "\" are allowed.";
    }

    private record Match(String name, int end, boolean isDotted) {}

    /// Finds where variables end. Each ending is looked for once, so that a text of openings alone takes no
    /// time.
    private static final class Ends {
        private static final List<String> ENDINGS = List.of(")", "\"])", "'])", "\n");

        private final String text;
        private final int[] next = new int[ENDINGS.size()];

        Ends(String text) {
            this.text = text;
        }

        private int next(int which, int from) {
            if (next[which] < from) {
                int found = text.indexOf(ENDINGS.get(which), from);
                next[which] = found < 0 ? Integer.MAX_VALUE : found;
            }
            return next[which];
        }

        @Nullable
        Match match(int begin) {
            int which;
            int start;
            if (text.startsWith(".", begin)) {
                which = 0;
                start = begin + 1;
            } else if (text.startsWith("[\"", begin) || text.startsWith("['", begin)) {
                which = text.charAt(begin + 1) == '"' ? 1 : 2;
                start = begin + 2;
            } else {
                return null;
            }
            int end = next(which, start);
            if (end == Integer.MAX_VALUE || end > next(3, start)) {
                return null;
            }
            return new Match(
                    text.substring(start, end), end + ENDINGS.get(which).length(), which == 0);
        }
    }

    /// Each is one of these.
    static Problems unknown(String text, String prefix, Set<String> known) {
        var variables = in(text, prefix);
        if (!variables.complaint.isEmpty()) {
            return Problems.generic(variables.complaint, "");
        }
        return variables.names.stream().map(Variables::withoutIndex).allMatch(known::contains)
                ? Problems.none()
                : Problems.generic("non-existent variable in " + GoText.quote(text), "");
    }

    /// None is one of these, not even a part of it.
    static Problems prohibited(String text, String prefix, Set<String> names) {
        if (names.isEmpty() && !text.contains("$(")) {
            return Problems.none();
        }
        var variables = in(text, prefix);
        if (!variables.complaint.isEmpty()) {
            return Problems.generic(variables.complaint, "");
        }
        return wrongType(text, variables.names, names);
    }

    /// None is one of these as a whole; parts of it are fine.
    static Problems prohibitedAsWhole(String text, String prefix, Set<String> names) {
        return wrongType(text, in(text, prefix).wholeNames, names);
    }

    private static Problems wrongType(String text, List<String> used, Set<String> names) {
        return used.stream().map(Variables::withoutStar).anyMatch(names::contains)
                ? Problems.generic("variable type invalid in " + GoText.quote(text), "")
                : Problems.none();
    }

    /// Where one is one of these, the text has nothing else.
    static Problems isolated(String text, String prefix, Set<String> names) {
        var variables = in(text, prefix);
        if (!variables.complaint.isEmpty()) {
            return Problems.generic(variables.complaint, "");
        }
        boolean isUsed = variables.names.stream().map(Variables::withoutStar).anyMatch(names::contains);
        return isUsed && !text.equals(variables.expressions.getFirst())
                ? Problems.generic("variable is not properly isolated in " + GoText.quote(text), "")
                : Problems.none();
    }

    /// Whether a text is nothing but a whole array or object.
    static boolean isWholeReference(String text, String prefix) {
        var literal = "$(" + prefix;
        return text.startsWith(literal)
                && ISOLATED.matcher(text.substring(literal.length())).matches();
    }

    private static String withoutIndex(String name) {
        return INDEX.matcher(name).replaceAll("");
    }

    private static String withoutStar(String name) {
        return name.endsWith("[*]") ? name.substring(0, name.length() - "[*]".length()) : name;
    }
}
