package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.app.run.view.RunState.Run;
import dev.towtank.app.run.view.RunState.Task;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// One line for each thing that happens, and for each line of a log: for files, pipes and terminals that can do no
/// more.
public final class PlainOutput implements Output {

    private final PrintStream out;
    private final Ending ending = new Ending(Style.PLAIN);
    private final LogMemory memory = new LogMemory();
    private Optional<RunState> shown = Optional.empty();

    public PlainOutput(PrintStream out) {
        this.out = out;
    }

    @Override
    public void notice(String text) {
        out.println(text);
        out.flush();
    }

    @Override
    public void log(LogLine line) {
        memory.add(line);
        out.println("[" + line.task() + " > " + line.step() + "] " + line.text());
        out.flush();
    }

    @Override
    public void state(RunState state, Instant now) {
        var before = shown.orElseGet(() -> empty(state));
        Event.between(before, state).stream()
                .flatMap(event -> text(event, now).stream())
                .forEach(out::println);
        out.flush();
        shown = Optional.of(state);
    }

    static RunState empty(RunState state) {
        return new RunState(
                state.name(),
                state.namespace(),
                state.kind(),
                state.title(),
                Phase.WAITING,
                "",
                "",
                Optional.empty(),
                Optional.empty(),
                List.of(),
                state.results());
    }

    private static Optional<String> text(Event event, Instant now) {
        return switch (event) {
            case Event.RunStarted(var run) ->
                Optional.of("Run " + run.name()
                        + (run.title().isEmpty() ? "" : " of " + run.title())
                        + (run.tasks().size() > 1 ? ", " + run.tasks().size() + " tasks" : ""));
            case Event.TaskSkipped(var task) ->
                Optional.of("[" + task.name() + "] "
                        + (task.reason().isEmpty() ? "not reached" : "skipped: " + task.reason()));
            case Event.TaskRetried(var task, var run, var retry) ->
                Optional.of(name(task, run) + "retry " + retry + " of " + Math.max(retry, run.retriesAllowed()));
            case Event.TaskChanged(var task, var run) ->
                run.phase() == Phase.RUNNING ? Optional.empty() : Optional.of(name(task, run) + end(run, now));
            case Event.StepChanged _ -> Optional.empty();
        };
    }

    private static String name(Task task, Run run) {
        return "[" + RunState.label(task, run) + "] ";
    }

    private static String end(Run run, Instant now) {
        if (!run.reusedFrom().isEmpty()) {
            return run.phase().word() + " in run " + run.reusedFrom();
        }
        var time = Elapsed.between(run.started(), run.finished(), now);
        // Of what failed without a step the end of the run tells the same.
        boolean isToldLater = run.phase() == Phase.FAILED && run.culprit().isEmpty();
        var why = run.phase().isBad() && !run.message().isEmpty() && !isToldLater ? ": " + run.message() : "";
        return switch (run.phase()) {
            case IGNORED ->
                (run.reason().endsWith("Timeout") ? "timed out" : "failed") + " after " + time + ", ignored";
            case TIMED_OUT -> "timed out after " + time;
            default -> run.phase().word() + " after " + time + why;
        };
    }

    @Override
    public void end(RunState state, Finish finish, Instant now) {
        if (!Ending.culprits(state).isEmpty()) {
            out.println();
        }
        ending.lines(state, memory.ofSteps(), finish.hints(), now).forEach(out::println);
        out.flush();
    }

    @Override
    public void close() {
        out.flush();
    }
}
