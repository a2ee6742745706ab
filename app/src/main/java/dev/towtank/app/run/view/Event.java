package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.app.run.view.RunState.Run;
import dev.towtank.app.run.view.RunState.Step;
import dev.towtank.app.run.view.RunState.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What has happened in a run, in the order in which it is told.
public sealed interface Event {

    record RunStarted(RunState run) implements Event {}

    /// @param retry how often it has been tried before
    record TaskRetried(Task task, Run run, int retry) implements Event {}

    /// A run of a task has another phase.
    record TaskChanged(Task task, Run run) implements Event {}

    record TaskSkipped(Task task) implements Event {}

    record StepChanged(Task task, Run run, Step step) implements Event {}

    /// What is new in a state, compared with the one before.
    static List<Event> between(RunState before, RunState now) {
        var events = new ArrayList<Event>();
        if (before.tasks().isEmpty() && !now.tasks().isEmpty()) {
            events.add(new RunStarted(now));
        }
        var known = new HashMap<String, Task>();
        before.tasks().forEach(task -> known.put(task.name(), task));
        for (var task : now.tasks()) {
            var old = known.get(task.name());
            if (task.phase() == Phase.SKIPPED && (old == null || old.phase() != Phase.SKIPPED)) {
                events.add(new TaskSkipped(task));
            }
            Map<String, Run> runs = new HashMap<>();
            if (old != null) {
                old.runs().forEach(run -> runs.put(run.name(), run));
            }
            for (var run : task.runs()) {
                events.addAll(ofRun(task, runs.get(run.name()), run));
            }
        }
        return events;
    }

    private static List<Event> ofRun(Task task, @Nullable Run old, Run run) {
        var events = new ArrayList<Event>();
        var phaseBefore = old == null ? Phase.WAITING : old.phase();
        if (run.phase() == Phase.RUNNING && phaseBefore == Phase.WAITING) {
            events.add(new TaskChanged(task, run));
        }
        var steps = old == null ? List.<Step>of() : old.steps();
        for (int i = old == null ? 0 : old.retries(); i < run.retries(); i++) {
            events.addAll(ofSteps(task, run, steps, run.attempts().get(i).steps()));
            events.add(new TaskRetried(task, run, i + 1));
            steps = List.of();
        }
        events.addAll(ofSteps(task, run, steps, run.steps()));
        if (run.phase().isOver() && !phaseBefore.isOver()) {
            events.add(new TaskChanged(task, run));
        }
        return events;
    }

    private static List<Event> ofSteps(Task task, Run run, List<Step> before, List<Step> now) {
        var phases = new HashMap<String, Phase>();
        before.forEach(step -> phases.put(step.name(), step.phase()));
        // A step too short to have been seen running has run all the same.
        return now.stream()
                .filter(step -> step.phase() != phases.getOrDefault(step.name(), Phase.WAITING))
                .<Event>map(step -> new StepChanged(task, run, step))
                .toList();
    }
}
