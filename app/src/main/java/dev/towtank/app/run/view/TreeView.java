package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.app.run.view.RunState.Run;
import dev.towtank.app.run.view.RunState.Step;
import dev.towtank.app.run.view.RunState.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The tree of a run's tasks and steps, and the log of what runs now, as lines for a terminal. Pure.
///
/// @param width and height of the terminal; no line is wider, and there are fewer lines than it is high
public record TreeView(Style style, int width, int height) {

    private static final Pattern PULLING = Pattern.compile("pulling its image, [0-9]+ MiB have come");
    private static final int WIDEST_NAME = 40;
    private static final int WIDEST_BAR = 40;
    private static final int MOST_LOG = 12;
    private static final int LEAST_LOG = 3;

    /// A line of the tree before its columns are aligned.
    private record Row(int depth, Phase phase, String name, String time, String note, boolean mayHide) {}

    /// While the run goes on.
    ///
    /// @param log what was written last, newest last
    public List<String> live(RunState state, List<LogLine> log, Instant now) {
        var rows = rows(state, now, false);
        var lines = new ArrayList<String>();
        lines.add(title(state));
        lines.add("");
        int forLog = log.isEmpty() ? 0 : LEAST_LOG + 2;
        lines.addAll(aligned(fitting(rows, height - 6 - forLog)));
        lines.add("");
        lines.add(progress(state, now));
        int left = height - 1 - lines.size() - 2;
        if (!log.isEmpty() && left > 0) {
            lines.add("");
            lines.addAll(tail(log, Math.min(left, MOST_LOG)));
        }
        return lines.stream().map(this::cut).toList();
    }

    /// After the end: all tasks, those that failed with their steps.
    public List<String> last(RunState state, Instant now) {
        var lines = new ArrayList<String>();
        lines.add(title(state));
        lines.add("");
        lines.addAll(aligned(rows(state, now, true)));
        return lines.stream().map(this::cut).toList();
    }

    String cut(String line) {
        return Columns.cut(line, width, style.ellipsis());
    }

    private String title(RunState state) {
        return style.bold(state.name()) + (state.title().isEmpty() ? "" : "  " + style.dim(state.title()));
    }

    private List<Row> rows(RunState state, Instant now, boolean isOver) {
        var rows = new ArrayList<Row>();
        for (var task : state.tasks()) {
            boolean opened = task.phase() == Phase.RUNNING || task.phase().isBad();
            boolean isMatrix = task.isMatrix();
            rows.add(new Row(
                    0,
                    task.phase(),
                    task.name(),
                    Elapsed.between(task.started(), task.finished(), now),
                    note(task),
                    !opened));
            for (var run : task.runs()) {
                if (isMatrix) {
                    rows.add(new Row(
                            1,
                            run.phase(),
                            run.label().isEmpty() ? run.name() : run.label(),
                            Elapsed.between(run.started(), run.finished(), now),
                            note(run),
                            run.phase() != Phase.RUNNING && !run.phase().isBad()));
                }
                boolean showsSteps = run.phase() == Phase.RUNNING
                        || (run.phase().isBad() && isOver)
                        || (run.phase().isBad() && opened);
                if (showsSteps && run.steps().size() > (run.phase() == Phase.RUNNING ? 0 : 1)) {
                    run.steps().forEach(step -> rows.add(row(step, isMatrix ? 2 : 1, now)));
                }
            }
        }
        return rows;
    }

    private static Row row(Step step, int depth, Instant now) {
        return new Row(
                depth,
                step.phase(),
                step.name(),
                Elapsed.between(step.started(), step.finished(), now),
                step.phase().isBad() || step.phase() == Phase.IGNORED ? exit(step) : "",
                step.phase() != Phase.RUNNING);
    }

    private static String exit(Step step) {
        return step.exitCode().isPresent() ? "exit code " + step.exitCode().getAsInt() : "";
    }

    private String note(Task task) {
        if (task.isMatrix()) {
            long over = task.runs().stream().filter(run -> run.phase().isOver()).count();
            long bad = task.runs().stream().filter(run -> run.phase().isBad()).count();
            return over + " of " + task.runs().size() + (bad > 0 ? ", " + bad + " failed" : "");
        }
        return switch (task.phase()) {
            case WAITING ->
                task.isFinally() ? "finally" : task.after().isEmpty() ? "" : "after " + String.join(", ", task.after());
            case SKIPPED -> task.reason().isEmpty() ? "not reached" : "skipped: " + why(task.reason());
            default -> task.runs().isEmpty() ? "" : note(task.runs().getFirst());
        };
    }

    private static String why(String reason) {
        return reason.equals("When Expressions evaluated to false") ? "its condition is false" : decapitalized(reason);
    }

    /// Unless it begins with the name of a kind.
    static String decapitalized(String text) {
        return text.matches("(?s)\\p{Lu}\\p{Ll}+(\\W.*)?")
                ? Character.toLowerCase(text.charAt(0)) + text.substring(1)
                : text;
    }

    private static String note(Run run) {
        var notes = new ArrayList<String>();
        if (!run.reusedFrom().isEmpty()) {
            notes.add("from " + run.reusedFrom());
        }
        if (run.retries() > 0) {
            notes.add("retry " + run.retries() + " of " + Math.max(run.retries(), run.retriesAllowed()));
        }
        if (run.phase() == Phase.IGNORED) {
            notes.add(run.reason().endsWith("Timeout") ? "timed out, ignored" : "failed, ignored");
        }
        if (run.phase().isBad()) {
            notes.add(problem(run));
        }
        if (run.phase() == Phase.RUNNING) {
            notes.add(beginning(run));
        }
        if (run.steps().stream().anyMatch(Step::isOnStandIn)) {
            notes.add("stand-in");
        }
        notes.removeIf(String::isEmpty);
        return String.join(", ", notes);
    }

    /// What it waits for before its first step; for an image, how far that has come.
    private static String beginning(Run run) {
        var pulling = PULLING.matcher(run.reason().equals("Pending") ? run.message() : "");
        if (pulling.find()) {
            return pulling.group();
        }
        if (!run.steps().isEmpty()) {
            return "";
        }
        return switch (run.reason()) {
            case "Running", "Started", "Pending", "" -> "starting";
            default -> run.reason();
        };
    }

    private static String problem(Run run) {
        return switch (run.phase()) {
            case TIMED_OUT -> "timed out";
            case CANCELLED -> "cancelled";
            default ->
                run.steps().stream()
                        .filter(step -> step.phase().isBad() && step.exitCode().isPresent())
                        .findFirst()
                        .map(TreeView::exit)
                        .orElse(run.reason());
        };
    }

    /// Leaves out what is over or waits, when there are more rows than lines.
    private List<Row> fitting(List<Row> rows, int lines) {
        int room = Math.max(lines, LEAST_LOG);
        if (rows.size() <= room) {
            return rows;
        }
        int hidden = rows.size() - room + 1;
        var kept = new ArrayList<Row>();
        int left = hidden;
        for (var row : rows) {
            if (left > 0 && row.mayHide()) {
                left--;
            } else {
                kept.add(row);
            }
        }
        int gone = hidden - left;
        if (kept.size() > room - 1) {
            gone += kept.size() - (room - 1);
            kept.subList(room - 1, kept.size()).clear();
        }
        kept.add(new Row(0, Phase.WAITING, gone + " more", "", "", false));
        return kept;
    }

    private List<String> aligned(List<Row> rows) {
        int names = rows.stream()
                .mapToInt(row -> 2 * row.depth() + Columns.width(row.name()))
                .max()
                .orElse(0);
        int column = Math.min(names, Math.min(WIDEST_NAME, Math.max(8, width - 16)));
        return rows.stream().map(row -> line(row, column)).toList();
    }

    private String line(Row row, int column) {
        int room = column - 2 * row.depth();
        var name = Columns.pad(Columns.cut(row.name(), room, style.ellipsis()), room);
        boolean isQuiet = row.phase() == Phase.WAITING || row.phase() == Phase.SKIPPED;
        var line = "  " + "  ".repeat(row.depth()) + style.mark(row.phase()) + " " + (isQuiet ? style.dim(name) : name)
                + "  " + style.dim("%6s".formatted(row.time()));
        var whole = row.note().isEmpty() ? line : line + "  " + notePaint(row);
        return row.time().isEmpty() && row.note().isEmpty()
                ? ("  " + "  ".repeat(row.depth()) + style.mark(row.phase()) + " "
                        + (isQuiet ? style.dim(name.stripTrailing()) : name.stripTrailing()))
                : whole;
    }

    private String notePaint(Row row) {
        return row.phase().isBad() || row.phase() == Phase.IGNORED
                ? style.paint(row.phase(), row.note())
                : style.dim(row.note());
    }

    private String progress(RunState state, Instant now) {
        long total = state.tasks().size();
        var text = total == 1 ? "" : "  " + state.tasksOver() + " of " + total + " tasks";
        var time = Elapsed.between(state.started(), state.finished(), now);
        int cells = Math.max(8, Math.min(WIDEST_BAR, width - 4 - text.length() - time.length() - 2));
        boolean isBad = state.tasks().stream().anyMatch(task -> task.phase().isBad());
        return "  " + style.bar(steps(state, true), Math.max(1, steps(state, false)), cells, isBad) + text + "  "
                + time;
    }

    /// A bar that moves with every step: tasks count by their steps where these are known.
    private static long steps(RunState state, boolean over) {
        long count = 0;
        for (var task : state.tasks()) {
            var steps =
                    task.runs().stream().flatMap(run -> run.steps().stream()).toList();
            if (steps.isEmpty() || task.phase().isOver()) {
                long weight = Math.max(1, steps.size());
                count += !over || task.phase().isOver() ? weight : 0;
            } else {
                count += steps.stream()
                        .filter(step -> !over || step.phase().isOver())
                        .count();
            }
        }
        return count;
    }

    /// The last lines, under the name of the step that wrote them.
    List<String> tail(List<LogLine> log, int lines) {
        var shown = new ArrayList<String>();
        var last = log.subList(Math.max(0, log.size() - Math.max(1, lines - 1)), log.size());
        Optional<String> source = Optional.empty();
        for (var line : last) {
            var from = heading(line);
            if (!source.equals(Optional.of(from))) {
                shown.add("  " + style.dim(from));
                source = Optional.of(from);
            }
            shown.add("  " + style.rail() + " " + Columns.plain(line.text()));
        }
        return shown.size() > lines ? shown.subList(shown.size() - lines, shown.size()) : shown;
    }

    private String heading(LogLine line) {
        return line.task() + " " + style.arrow() + " " + line.step();
    }
}
