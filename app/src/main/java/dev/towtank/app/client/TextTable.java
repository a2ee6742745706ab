package dev.towtank.app.client;

import java.util.ArrayList;
import java.util.List;

/// Rows in columns with three blanks between them, as kubectl prints them.
public final class TextTable {
    private static final String GAP = "   ";

    private final List<Integer> widths = new ArrayList<>();

    /// @return the lines; columns are never narrower than in an earlier call, so that what is printed later fits below
    public List<String> lines(List<List<String>> rows) {
        for (var row : rows) {
            for (int i = 0; i < row.size(); i++) {
                if (i == widths.size()) {
                    widths.add(0);
                }
                widths.set(i, Math.max(widths.get(i), width(row.get(i))));
            }
        }
        return rows.stream().map(this::line).toList();
    }

    private String line(List<String> row) {
        var line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            line.append(row.get(i));
            if (i < row.size() - 1) {
                line.repeat(' ', widths.get(i) - width(row.get(i))).append(GAP);
            }
        }
        return line.toString().stripTrailing();
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    /// One line of it, without what would change the terminal.
    public static String cell(String text) {
        var line = text.split("[\\r\\n\\f]", 2);
        var shown = line.length == 1 ? text : line[0] + "...";
        return shown.codePoints()
                .map(c -> Character.isISOControl(c) ? '^' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
