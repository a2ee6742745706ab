package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Sentences and lists of changes on a terminal: in lines that fit, continued below their beginning, with what comes
/// and
/// goes in colour.
///
/// @param columns how wide the terminal is
public record Prose(Style style, int columns) {

    private static final int NARROWEST = 20;

    public List<String> of(List<String> lines) {
        return lines.stream().flatMap(this::of).toList();
    }

    /// A table whose lines end at the edge.
    public List<String> cut(List<String> lines) {
        return lines.stream()
                .map(line -> Columns.cut(Columns.plain(line), columns, style.ellipsis()))
                .toList();
    }

    private Stream<String> of(String line) {
        return wrapped(Columns.plain(line)).stream().map(each -> painted(line, each));
    }

    private String painted(String line, String part) {
        var text = line.stripLeading();
        if (line.equals(text) && !text.startsWith("+ ") && !text.startsWith("- ")) {
            return style.bold(part);
        }
        return switch (text.isEmpty() ? ' ' : text.charAt(0)) {
            case '+' -> style.paint(Phase.SUCCEEDED, part);
            case '-' -> style.paint(Phase.FAILED, part);
            case '~' -> style.paint(Phase.CANCELLED, part);
            default -> text.startsWith("It would ") ? style.paint(Phase.FAILED, part) : part;
        };
    }

    /// At blanks; a word that is longer than a line stays whole, so that it can be copied.
    private List<String> wrapped(String line) {
        var indent = line.length() - line.stripLeading().length();
        var lines = new ArrayList<String>();
        var current = new StringBuilder(" ".repeat(indent));
        var hanging = " ".repeat(Math.min(indent + 2, Math.max(0, columns - NARROWEST)));
        boolean isFresh = true;
        for (var word : line.strip().split(" ", -1)) {
            if (!isFresh && Columns.width(current.toString()) + 1 + Columns.width(word) > columns) {
                lines.add(current.toString());
                current = new StringBuilder(hanging);
                isFresh = true;
            }
            current.append(isFresh ? "" : " ").append(word);
            isFresh = false;
        }
        lines.add(current.toString());
        return lines;
    }
}
