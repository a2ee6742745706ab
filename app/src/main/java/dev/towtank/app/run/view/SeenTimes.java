package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Attempt;
import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.app.run.view.RunState.Run;
import dev.towtank.app.run.view.RunState.Step;
import dev.towtank.app.run.view.RunState.Task;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// When things were seen to begin and to end: objects of the API tell it in whole seconds only.
public final class SeenTimes {

    private final Map<String, Instant> starts = new HashMap<>();
    private final Map<String, Instant> ends = new HashMap<>();
    private final Instant begun;

    /// @param begun when the user asked for the run
    public SeenTimes(Instant begun) {
        this.begun = begun;
    }

    /// The state with the times at which it was seen to change.
    public RunState refine(RunState state, Instant now) {
        var tasks = state.tasks().stream().map(task -> refine(task, now)).toList();
        return new RunState(
                state.name(),
                state.namespace(),
                state.kind(),
                state.title(),
                state.phase(),
                state.reason(),
                state.message(),
                Optional.of(begun),
                end("", state.phase(), now),
                tasks,
                state.results());
    }

    private Task refine(Task task, Instant now) {
        return new Task(
                task.name(),
                task.isFinally(),
                task.phase(),
                task.after(),
                task.reason(),
                task.runs().stream().map(run -> refine(run, now)).toList());
    }

    private Run refine(Run run, Instant now) {
        if (!run.reusedFrom().isEmpty()) {
            return run;
        }
        var steps = run.steps().stream().map(step -> refine(run, step, now)).toList();
        return new Run(
                run.name(),
                run.label(),
                run.pod(),
                run.phase(),
                run.reason(),
                run.message(),
                start(run.name(), run.phase(), now),
                end(run.name(), run.phase(), now),
                run.attempts().stream()
                        .map(attempt -> refine(run, attempt, now))
                        .toList(),
                run.retriesAllowed(),
                run.reusedFrom(),
                steps,
                run.sidecars());
    }

    /// One that is over: what was seen of it while it ran.
    private Attempt refine(Run run, Attempt attempt, Instant now) {
        var steps = attempt.steps().stream()
                .map(step -> {
                    var key = key(run, attempt.pod(), step);
                    var start = Optional.ofNullable(starts.get(key));
                    return step.seen(start, start.flatMap(_ -> end(key, step.phase(), now)));
                })
                .toList();
        return new Attempt(attempt.pod(), steps);
    }

    private static String key(Run run, String pod, Step step) {
        return String.join("/", List.of(run.name(), pod, step.name()));
    }

    private Step refine(Run run, Step step, Instant now) {
        if (step.phase() == Phase.SKIPPED) {
            return step;
        }
        var key = key(run, run.pod(), step);
        return step.seen(start(key, step.phase(), now), end(key, step.phase(), now));
    }

    private Optional<Instant> start(String key, Phase phase, Instant now) {
        return phase == Phase.WAITING ? Optional.empty() : Optional.of(starts.computeIfAbsent(key, _ -> now));
    }

    private Optional<Instant> end(String key, Phase phase, Instant now) {
        return phase.isOver() ? Optional.of(ends.computeIfAbsent(key, _ -> now)) : Optional.empty();
    }
}
