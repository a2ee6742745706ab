package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Phase;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// A picture of the run that is painted again and again, for a terminal.
public final class PrettyOutput implements Output {

    private static final Duration FRAME = Duration.ofMillis(100);
    /// A run that says no more than this is shown whole in the end.
    private static final int FEW_LINES = 16;

    public record Size(int columns, int rows) {}

    private final PrintStream out;
    private final Style style;
    private final Supplier<Size> size;
    private final Painter painter;
    private final LogMemory memory = new LogMemory();
    private final List<String> notices = new ArrayList<>();
    private boolean isShown;

    /// @param size of the terminal, asked for every picture
    public PrettyOutput(PrintStream out, Style style, Supplier<Size> size) {
        this.out = out;
        this.style = style;
        this.size = size;
        this.painter = new Painter(out);
    }

    @Override
    public Optional<Duration> frame() {
        return Optional.of(FRAME);
    }

    @Override
    public void notice(String text) {
        notices.add(text);
    }

    @Override
    public void log(LogLine line) {
        memory.add(line);
    }

    @Override
    public void state(RunState state, Instant now) {
        isShown = true;
        var terminal = size.get();
        var view = new TreeView(style, terminal.columns(), terminal.rows() - notices.size());
        var lines = new ArrayList<>(
                notices.stream().map(notice -> view.cut(style.dim(notice))).toList());
        lines.addAll(view.live(state, memory.last(isLive(state)), now));
        painter.paint(lines, terminal.columns());
    }

    private static Predicate<LogLine> isLive(RunState state) {
        var pods = new HashSet<String>();
        state.tasks().stream()
                .flatMap(task -> task.runs().stream())
                .filter(run -> run.phase() == Phase.RUNNING)
                .forEach(run -> pods.add(run.pod()));
        return line -> pods.contains(line.pod());
    }

    @Override
    public void end(RunState state, Finish finish, Instant now) {
        isShown = true;
        var terminal = size.get();
        painter.erase(terminal.columns());
        var view = new TreeView(style, terminal.columns(), terminal.rows());
        notices.forEach(notice -> out.println(view.cut(style.dim(notice))));
        view.last(state, now).forEach(out::println);
        out.println();
        var said = memory.last(line -> !line.isOfSidecar());
        boolean isShort = !said.isEmpty() && said.size() == memory.total() && said.size() <= FEW_LINES;
        if (isShort && Ending.culprits(state).isEmpty()) {
            view.tail(said, 2 * FEW_LINES).forEach(out::println);
            out.println();
        }
        new Ending(style).lines(state, memory.ofSteps(), finish.hints(), now).forEach(out::println);
        out.flush();
    }

    @Override
    public void close() {
        if (!isShown) {
            notices.forEach(out::println);
        }
        painter.close();
    }
}
