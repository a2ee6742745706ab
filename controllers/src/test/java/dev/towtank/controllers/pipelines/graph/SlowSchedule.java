package dev.towtank.controllers.pipelines.graph;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The rules of scheduling written down one by one, without regard to cost: every answer walks the whole graph.
final class SlowSchedule {

    private final List<Graph.Node> tasks;
    private final List<Graph.Node> finallyTasks;
    private final Map<String, RunState> runs;
    private final Map<String, StartGate.Verdict> verdicts;
    private final Situation situation;

    SlowSchedule(
            List<Graph.Node> tasks,
            List<Graph.Node> finallyTasks,
            Map<String, RunState> runs,
            Map<String, StartGate.Verdict> verdicts,
            Situation situation) {
        this.tasks = tasks;
        this.finallyTasks = finallyTasks;
        this.runs = runs;
        this.verdicts = verdicts;
        this.situation = situation;
    }

    private RunState run(Graph.Node task) {
        return runs.getOrDefault(task.name(), RunState.NONE);
    }

    private StartGate.Answer answer(Graph.Node task) {
        return verdicts.getOrDefault(task.name(), StartGate.Verdict.START).answer();
    }

    private List<Graph.Node> parents(Graph.Node task) {
        return tasks.stream()
                .filter(other -> task.dependsOn().contains(other.name()))
                .toList();
    }

    private boolean someFailed() {
        return tasks.stream().anyMatch(task -> run(task).isFailure() && !task.ignoresFailure());
    }

    private boolean graceful() {
        return situation.gracefullyCancelled() || situation.gracefullyStopped();
    }

    /// Nothing else keeps it from starting, and it lacks what it refers to.
    private boolean isInvalid(Graph.Node task) {
        return !someFailed() && !graceful() && wouldBeInvalid(task);
    }

    private boolean wouldBeInvalid(Graph.Node task) {
        return run(task) == RunState.NONE
                && parentsDone(task)
                && ownSkip(task).isEmpty()
                && answer(task) == StartGate.Answer.INVALID;
    }

    boolean isStopping() {
        return someFailed() || tasks.stream().anyMatch(task -> isInvalid(task) && !task.ignoresFailure());
    }

    private boolean parentsDone(Graph.Node task) {
        return parents(task).stream()
                .allMatch(parent -> run(parent).isOver() || ownSkip(parent).isPresent() || wouldBeInvalid(parent));
    }

    /// Where time is up, nothing more is asked behind what did not start for that.
    private boolean whenIsAsked(Graph.Node task) {
        return situation.equals(Situation.NORMAL)
                ? parentsDone(task)
                : new SlowSchedule(tasks, finallyTasks, runs, verdicts, Situation.NORMAL).parentsDone(task);
    }

    /// The reason that does not depend on what happens elsewhere in the run.
    private Optional<SkipReason> ownSkip(Graph.Node task) {
        if (run(task) != RunState.NONE) {
            return Optional.empty();
        }
        if (whenIsAsked(task) && answer(task) == StartGate.Answer.WHEN_FALSE) {
            return Optional.of(SkipReason.WHEN_FALSE);
        }
        if (parents(task).stream()
                .flatMap(parent -> ownSkip(parent).stream())
                .anyMatch(reason -> reason != SkipReason.WHEN_FALSE)) {
            return Optional.of(SkipReason.PARENT_SKIPPED);
        }
        if (!parentsDone(task)) {
            return Optional.empty();
        }
        if (answer(task) == StartGate.Answer.RESULTS_MISSING) {
            return Optional.of(SkipReason.RESULTS_MISSING);
        }
        if (situation.pipelineTimedOut() && answer(task) != StartGate.Answer.INVALID) {
            return Optional.of(SkipReason.PIPELINE_TIMEOUT);
        }
        if (situation.tasksTimedOut() && answer(task) != StartGate.Answer.INVALID) {
            return Optional.of(SkipReason.TASKS_TIMEOUT);
        }
        return answer(task) == StartGate.Answer.EMPTY_MATRIX ? Optional.of(SkipReason.EMPTY_MATRIX) : Optional.empty();
    }

    private Optional<SkipReason> skip(Graph.Node task) {
        if (run(task) != RunState.NONE || isInvalid(task)) {
            return Optional.empty();
        }
        if (isStopping()) {
            return Optional.of(SkipReason.STOPPING);
        }
        if (situation.gracefullyCancelled()) {
            return Optional.of(SkipReason.GRACEFULLY_CANCELLED);
        }
        if (situation.gracefullyStopped()) {
            return Optional.of(SkipReason.GRACEFULLY_STOPPED);
        }
        return ownSkip(task);
    }

    boolean isGraphDone() {
        return tasks.stream().allMatch(task -> run(task).isOver() || skip(task).isPresent() || isInvalid(task));
    }

    List<String> ready() {
        return tasks.stream()
                .filter(task -> run(task) == RunState.NONE && parentsDone(task))
                .filter(task -> skip(task).isEmpty() && answer(task) != StartGate.Answer.INVALID)
                .map(Graph.Node::name)
                .toList();
    }

    private Optional<SkipReason> finallySkip(Graph.Node task) {
        if (run(task) != RunState.NONE || !isGraphDone()) {
            return Optional.empty();
        }
        return switch (answer(task)) {
            case RESULTS_MISSING -> Optional.of(SkipReason.RESULTS_MISSING);
            case WHEN_FALSE -> Optional.of(SkipReason.WHEN_FALSE);
            case START, EMPTY_MATRIX, INVALID ->
                situation.pipelineTimedOut()
                        ? Optional.of(SkipReason.PIPELINE_TIMEOUT)
                        : situation.finallyTimedOut()
                                ? Optional.of(SkipReason.FINALLY_TIMEOUT)
                                : answer(task) == StartGate.Answer.EMPTY_MATRIX
                                        ? Optional.of(SkipReason.EMPTY_MATRIX)
                                        : Optional.empty();
        };
    }

    List<String> readyFinally() {
        return !isGraphDone()
                ? List.of()
                : finallyTasks.stream()
                        .filter(task ->
                                run(task) == RunState.NONE && finallySkip(task).isEmpty())
                        .map(Graph.Node::name)
                        .toList();
    }

    Map<String, SkipReason> skipped() {
        var all = new LinkedHashMap<String, SkipReason>();
        tasks.forEach(task -> skip(task).ifPresent(reason -> all.put(task.name(), reason)));
        finallyTasks.forEach(task -> finallySkip(task).ifPresent(reason -> all.put(task.name(), reason)));
        return all;
    }

    List<String> invalid() {
        return tasks.stream().filter(this::isInvalid).map(Graph.Node::name).toList();
    }

    Counts counts() {
        var counts = new Counts.Builder();
        var all = new ArrayList<>(tasks);
        all.addAll(finallyTasks);
        for (var task : all) {
            var isFinally = finallyTasks.contains(task);
            counts.add(
                    run(task),
                    task.ignoresFailure(),
                    !isFinally && isInvalid(task),
                    isFinally ? finallySkip(task) : skip(task));
        }
        return counts.build();
    }
}
