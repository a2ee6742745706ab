package dev.towtank.model.template;

import java.util.ArrayList;
import java.util.List;

/// Remembers which line of a template wrote what.
final class WrittenLines {
    private record Write(int from, int line, boolean isText) {}

    private final List<Write> writes = new ArrayList<>();

    /// @param isText whether what follows stands in the template as it is, so that its lines go on there as well
    void note(int from, int line, boolean isText) {
        writes.add(new Write(from, line, isText));
    }

    List<Integer> of(String text) {
        var lines = new ArrayList<Integer>();
        int next = 0;
        var current = new Write(0, 1, true);
        int line = 1;
        for (int at = 0; ; ) {
            while (next < writes.size() && writes.get(next).from() <= at) {
                current = writes.get(next++);
                line = current.line();
                line += current.isText() ? ends(text, current.from(), at) : 0;
            }
            lines.add(line);
            int end = text.indexOf('\n', at);
            if (end < 0) {
                return lines;
            }
            at = end + 1;
            line += current.isText() ? 1 : 0;
        }
    }

    private static int ends(String text, int from, int to) {
        int count = 0;
        for (int i = text.indexOf('\n', from); i >= 0 && i < to; i = text.indexOf('\n', i + 1)) {
            count++;
        }
        return count;
    }
}
