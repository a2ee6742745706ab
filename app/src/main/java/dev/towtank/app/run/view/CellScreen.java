package dev.towtank.app.run.view;

import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Shows the cells of a notebook while they run: as a picture on a terminal, otherwise as a line for each.
public final class CellScreen implements AutoCloseable {

    private static final int WIDE = 200;

    private final PrintStream out;
    private final Style style;
    private final Optional<Supplier<PrettyOutput.Size>> terminal;
    private final Painter painter;
    private int told;

    /// @param terminal its size, where there is one
    public CellScreen(PrintStream out, Style style, Optional<Supplier<PrettyOutput.Size>> terminal) {
        this.out = out;
        this.style = style;
        this.terminal = terminal;
        this.painter = new Painter(out);
    }

    /// What is known now.
    public void show(CellTable table, Instant now) {
        terminal.map(Supplier::get)
                .ifPresentOrElse(
                        size -> painter.paint(table.live(style, size.columns(), size.rows(), now), size.columns()),
                        () -> lines(table));
    }

    private void lines(CellTable table) {
        long over = table.cells().stream().filter(cell -> cell.phase().isOver()).count();
        if (over > told) {
            told = (int) over;
            table.line(style).ifPresent(out::println);
            out.flush();
        }
    }

    /// @param traceback of the cell that failed
    public void end(CellTable table, List<String> traceback, Instant now) {
        int width = terminal.map(Supplier::get).map(PrettyOutput.Size::columns).orElse(WIDE);
        if (terminal.isPresent()) {
            painter.erase(width);
        }
        var lines = table.last(style, width, traceback, now);
        // Without a terminal the cells are there already.
        int from = terminal.isPresent()
                ? 0
                : Math.min(lines.size(), 2 + table.cells().size());
        lines.subList(from, lines.size()).forEach(out::println);
        out.flush();
    }

    @Override
    public void close() {
        painter.close();
    }
}
