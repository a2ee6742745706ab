package dev.towtank.app.lint.finding;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// Makes the changes that are safe, in the text itself: comments, order and line ends stay as they are.
public final class Fixes {

    private static final Pattern LINE = Pattern.compile("[^\n\r\u0085\u2028\u2029]*(\r\n|[\n\r\u0085\u2028\u2029])?");

    private Fixes() {}

    public static Edit rename(SourcePlace place, String name) {
        return new Edit(place.line(), place.column(), place.endColumn(), name);
    }

    /// Takes lines away, whole.
    ///
    /// @param first not the first of the file
    public static Edit without(int first, int last) {
        return new Edit(first - 1, 1, 1, "", last - first + 1);
    }

    /// @param text as it stands in the file, with a byte-order mark if it has one
    public static String apply(String text, List<Edit> edits) {
        var lines = lines(text);
        var sorted = edits.stream()
                .distinct()
                .sorted(Comparator.comparingInt(Edit::line)
                        .thenComparingInt(Edit::column)
                        .reversed())
                .toList();
        var taken = new HashSet<Integer>();
        int behind = Integer.MAX_VALUE;
        int last = 0;
        for (var edit : sorted) {
            behind = edit.line() == last ? behind : Integer.MAX_VALUE;
            if (edit.line() > lines.size() || edit.endColumn() > behind) {
                continue;
            }
            taken.add(edit.line());
            lines.set(edit.line() - 1, applied(lines.get(edit.line() - 1), edit, edit.line() == 1));
            int end = Math.min(lines.size(), edit.line() + edit.linesGone());
            for (int gone = edit.line(); gone < end; gone++) {
                lines.set(gone, "");
            }
            behind = edit.column();
            last = edit.line();
        }
        return taken.isEmpty() ? text : String.join("", lines);
    }

    private static String applied(String line, Edit edit, boolean isFirst) {
        int mark = isFirst && line.startsWith("\uFEFF") ? 1 : 0;
        int from = line.offsetByCodePoints(mark, edit.column() - 1);
        int to = line.offsetByCodePoints(mark, edit.endColumn() - 1);
        return line.substring(0, from) + edit.text() + line.substring(to);
    }

    private static List<String> lines(String text) {
        var lines = new ArrayList<String>();
        var matcher = LINE.matcher(text);
        while (matcher.find() && !(matcher.group().isEmpty() && matcher.end() == text.length())) {
            lines.add(matcher.group());
        }
        return lines;
    }
}
