package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is known of a notebook that runs, out of the events that its runner tells. Immutable.
///
/// @param total how many cells there are to run; 0 while that is not known
/// @param finished the last event
public record CellTable(String name, int total, List<Cell> cells, Optional<Json.Obj> finished) {

    private static final int WIDEST_SOURCE = 44;
    private static final int ROWS_AROUND = 6;
    private static final String PARAMETERS = "-p";

    /// @param label its number, or a sign for the cell with parameters
    /// @param last what it wrote last
    public record Cell(
            String label,
            String source,
            Phase phase,
            Instant began,
            Optional<Duration> time,
            String last,
            String error) {}

    public CellTable {
        cells = List.copyOf(cells);
    }

    public static CellTable of(String name) {
        return new CellTable(name, 0, List.of(), Optional.empty());
    }

    /// The table after one more event.
    public CellTable with(Json.Obj event, Instant now) {
        return switch (event.string("event")) {
            case "started" -> new CellTable(name, (int) event.integer("cells"), cells, finished);
            case "cellStarted" -> {
                var label = event.get("cell") instanceof Json.Int(var number) ? Long.toString(number) : PARAMETERS;
                var source = event.string("source");
                yield plus(new Cell(label, source, Phase.RUNNING, now, Optional.empty(), "", ""));
            }
            case "output" ->
                changed(last -> new Cell(
                        last.label,
                        last.source,
                        last.phase,
                        last.began,
                        last.time,
                        lastLine(event.string("text"), last.last),
                        ""));
            case "cellFinished" -> finished(event);
            case "finished" -> new CellTable(name, total, cells, Optional.of(event));
            default -> this;
        };
    }

    private CellTable plus(Cell cell) {
        var more = new ArrayList<>(cells);
        more.add(cell);
        return new CellTable(name, total, more, finished);
    }

    private interface Edit {
        Cell of(Cell last);
    }

    private CellTable changed(Edit edit) {
        if (cells.isEmpty()) {
            return this;
        }
        var more = new ArrayList<>(cells);
        more.set(more.size() - 1, edit.of(more.getLast()));
        return new CellTable(name, total, more, finished);
    }

    private static String lastLine(String text, String before) {
        return text.lines()
                .map(Columns::plain)
                .filter(line -> !line.isBlank())
                .reduce((_, next) -> next)
                .orElse(before);
    }

    /// Cells that were never reached are told as finished, too, and have no row before.
    private CellTable finished(Json.Obj event) {
        var phase = switch (event.string("status")) {
            case "Success" -> Phase.SUCCEEDED;
            case "Skipped" -> Phase.SKIPPED;
            default -> Phase.FAILED;
        };
        if (phase == Phase.SKIPPED) {
            var label = event.get("cell") instanceof Json.Int(var number) ? Long.toString(number) : PARAMETERS;
            return plus(new Cell(label, "", phase, Instant.EPOCH, Optional.empty(), "", ""));
        }
        var time = Duration.ofMillis(Math.round(
                1000 * (event.get("seconds") instanceof Json.Real(var value) ? value : event.integer("seconds"))));
        return changed(last -> new Cell(
                last.label,
                last.source,
                phase,
                last.began,
                Optional.of(time),
                last.last,
                event.string("errorMessage")));
    }

    /// While it runs, within the height of the terminal.
    public List<String> live(Style style, int width, int height, Instant now) {
        int room = Math.max(1, height - ROWS_AROUND);
        var shown = cells.subList(Math.max(0, cells.size() - room), cells.size());
        var lines = new ArrayList<String>();
        lines.add(style.bold(name));
        lines.add("");
        lines.addAll(rows(style, shown, now));
        lines.add("");
        long done = cells.stream().filter(cell -> cell.phase.isOver()).count();
        lines.add("  " + style.bar(Math.min(done, total), total, 30, false) + "  " + done + " of " + total + " cells");
        return cut(style, lines, width);
    }

    /// In the end: all cells, and what went wrong with its traceback.
    public List<String> last(Style style, int width, List<String> traceback, Instant now) {
        var lines = new ArrayList<String>();
        lines.add(style.bold(name));
        lines.add("");
        lines.addAll(rows(style, cells, now));
        var whole = new ArrayList<>(cut(style, lines, width));
        if (!traceback.isEmpty()) {
            whole.add("");
            traceback.forEach(line -> whole.add("  " + style.rail() + " " + Columns.plain(line)));
        }
        finished.ifPresent(end -> {
            boolean isGood = end.string("status").equals("succeeded");
            whole.add("");
            whole.add(
                    isGood
                            ? style.paint(Phase.SUCCEEDED, end.string("message"))
                            : style.paint(Phase.FAILED, end.string("reason")) + ": " + end.string("message"));
        });
        return whole;
    }

    private static List<String> cut(Style style, List<String> lines, int width) {
        return lines.stream()
                .map(line -> Columns.cut(line, width, style.ellipsis()))
                .toList();
    }

    private static List<String> rows(Style style, List<Cell> shown, Instant now) {
        int labels = shown.stream().mapToInt(cell -> cell.label.length()).max().orElse(1);
        int sources = shown.stream()
                .mapToInt(cell -> Columns.width(Columns.plain(cell.source)))
                .max()
                .orElse(1);
        return shown.stream()
                .map(cell -> row(style, cell, labels, Math.min(sources, WIDEST_SOURCE), now))
                .toList();
    }

    private static String row(Style style, Cell cell, int labels, int sources, Instant now) {
        var source = Columns.pad(Columns.cut(Columns.plain(cell.source), sources, style.ellipsis()), sources);
        var time = cell.phase == Phase.SKIPPED
                ? ""
                : Elapsed.text(cell.time.orElseGet(() -> Duration.between(cell.began, now)));
        var note = cell.error.isEmpty() ? style.dim(cell.last) : style.paint(Phase.FAILED, Columns.plain(cell.error));
        return "  %s %s  %s  %6s  %s"
                .formatted(
                        style.mark(cell.phase),
                        " ".repeat(labels - cell.label.length()) + cell.label,
                        cell.phase == Phase.SKIPPED ? style.dim(Columns.pad("not reached", sources)) : source,
                        time,
                        note)
                .stripTrailing();
    }

    /// For what is no terminal: a line for each cell that has ended.
    public Optional<String> line(Style style) {
        return cells.isEmpty() || !cells.getLast().phase.isOver()
                ? Optional.empty()
                : Optional.of(row(style, cells.getLast(), 3, WIDEST_SOURCE, Instant.EPOCH));
    }
}
