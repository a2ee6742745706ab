package dev.towtank.app.run.view;

import java.io.PrintStream;
import java.util.List;

/// Paints lines over those that it painted before, in one go, so that nothing flickers.
final class Painter implements AutoCloseable {

    private static final String BEGIN = "\033[?2026h"; // the terminal shows nothing until the end of the frame
    private static final String END = "\033[?2026l";
    private static final String HIDE_CURSOR = "\033[?25l";
    private static final String SHOW_CURSOR = "\033[?25h";
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_BELOW = "\033[J";

    private final PrintStream out;
    private List<String> painted = List.of();
    private boolean isHidden;

    Painter(PrintStream out) {
        this.out = out;
    }

    /// @param width of the terminal now: where it has shrunk, lines painted before take more room than they did
    void paint(List<String> lines, int width) {
        var frame = new StringBuilder(BEGIN);
        if (!isHidden) {
            frame.append(HIDE_CURSOR);
            isHidden = true;
        }
        frame.append(back(width));
        for (var line : lines) {
            frame.append(line).append(CLEAR_LINE).append("\r\n");
        }
        frame.append(CLEAR_BELOW).append(END);
        out.print(frame);
        out.flush();
        painted = List.copyOf(lines);
    }

    /// Takes the picture away; what is printed next begins where it began.
    void erase(int width) {
        out.print(back(width) + CLEAR_BELOW);
        out.flush();
        painted = List.of();
    }

    private String back(int width) {
        int rows = painted.stream()
                .mapToInt(line -> Math.max(1, (Columns.width(line) + width - 1) / Math.max(1, width)))
                .sum();
        return rows == 0 ? "\r" : "\r\033[" + rows + "A";
    }

    @Override
    public void close() {
        if (isHidden) {
            out.print(SHOW_CURSOR);
            out.flush();
            isHidden = false;
        }
    }
}
