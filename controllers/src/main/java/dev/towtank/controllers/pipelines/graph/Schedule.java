package dev.towtank.controllers.pipelines.graph;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The answers: what to start, what is skipped, how it stands. Lists are in the order of declaration.
///
/// Most answers cost nothing; those that list tasks cost as much as there are tasks, and are asked when a
/// status is written.
public final class Schedule {

    private final Progress progress;
    private final Graph graph;
    private final Progress.Tally tally;
    private final Situation situation;
    // Only when the tasks have timed out: there, what waits is skipped because of what it waits for.
    private final Optional<boolean[]> timedOut;

    Schedule(Progress progress, Situation situation) {
        this.progress = progress;
        this.graph = progress.graph();
        this.tally = progress.tally();
        this.situation = situation;
        this.timedOut = hasTimedOut() && globalSkip().isEmpty() ? Optional.of(skippedByTimeout()) : Optional.empty();
    }

    private boolean hasTimedOut() {
        return situation.pipelineTimedOut() || situation.tasksTimedOut();
    }

    /// A task failed, and no other will start.
    public boolean isStopping() {
        return tally.stopping > 0 || (invalidCounts() && tally.invalidStopping > 0);
    }

    /// A run that stops or is stopped anyway finds no fault with tasks that will not start.
    private boolean invalidCounts() {
        return tally.stopping == 0 && !situation.gracefullyCancelled() && !situation.gracefullyStopped();
    }

    /// Whether a task of the graph runs, `finally` aside.
    public boolean isRunning() {
        return tally.running > 0;
    }

    /// Why everything that has not started is skipped.
    private Optional<SkipReason> globalSkip() {
        if (isStopping()) {
            return Optional.of(SkipReason.STOPPING);
        }
        if (situation.gracefullyCancelled()) {
            return Optional.of(SkipReason.GRACEFULLY_CANCELLED);
        }
        return situation.gracefullyStopped() ? Optional.of(SkipReason.GRACEFULLY_STOPPED) : Optional.empty();
    }

    /// Tasks of the graph that may start now.
    public List<String> ready() {
        var names = new ArrayList<String>();
        if (globalSkip().isEmpty() && !hasTimedOut()) {
            progress.ready().stream().forEach(task -> names.add(graph.name(task)));
        }
        return names;
    }

    /// Whether every task of the graph has ended or never will start, so that it is time for `finally`.
    public boolean isGraphDone() {
        if (globalSkip().isPresent()) {
            return tally.running == 0;
        }
        return timedOut.map(skipped -> countWaiting(skipped) == 0)
                .orElseGet(() -> tally.over() + tally.skipped + tally.invalid == graph.size());
    }

    /// `finally` tasks that may start now.
    public List<String> readyFinally(StartGate gate) {
        var names = new ArrayList<String>();
        if (isGraphDone()) {
            for (int task = graph.size(); task < graph.total(); task++) {
                if (progress.run(task) == RunState.NONE
                        && finallySkip(task, gate).isEmpty()) {
                    names.add(graph.name(task));
                }
            }
        }
        return names;
    }

    /// Whether it is the turn of a `finally` task now, though it may be skipped then. One that lacks a result is never
    /// looked at.
    public boolean isFinallyReached(StartGate gate) {
        if (!isGraphDone()) {
            return false;
        }
        for (int task = graph.size(); task < graph.total(); task++) {
            boolean lacksResult = finallySkip(task, gate)
                    .filter(reason -> reason == SkipReason.RESULTS_MISSING)
                    .isPresent();
            if (progress.run(task) == RunState.NONE && !lacksResult) {
                return true;
            }
        }
        return false;
    }

    public boolean hasFinallyStarted() {
        for (int task = graph.size(); task < graph.total(); task++) {
            if (progress.run(task) != RunState.NONE) {
                return true;
            }
        }
        return false;
    }

    /// Whether all `finally` tasks have ended or are skipped; so it is where there are none.
    public boolean isFinallyDone(StartGate gate) {
        for (int task = graph.size(); task < graph.total(); task++) {
            if (!progress.run(task).isOver() && finallySkip(task, gate).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /// Why tasks are skipped, by name.
    public Map<String, SkipReason> skipped(StartGate gate) {
        var all = new LinkedHashMap<String, SkipReason>();
        for (int task = 0; task < graph.total(); task++) {
            var name = graph.name(task);
            (task < graph.size() ? skip(task) : finallySkip(task, gate)).ifPresent(reason -> all.put(name, reason));
        }
        return all;
    }

    private Optional<SkipReason> skip(int task) {
        if (progress.run(task) != RunState.NONE || isInvalid(task)) {
            return Optional.empty();
        }
        var all = globalSkip();
        if (all.isPresent()) {
            return all;
        }
        if (timedOut.isPresent() && timedOut.get()[task]) {
            return Optional.of(timeoutSkip(task));
        }
        return progress.isSkipped(task) ? Optional.of(progress.skip(task)) : Optional.empty();
    }

    private SkipReason timeoutSkip(int task) {
        if (progress.isSkipped(task) && progress.skip(task) != SkipReason.EMPTY_MATRIX) {
            return progress.skip(task);
        }
        if (!progress.parentsAreDone(task)) {
            return SkipReason.PARENT_SKIPPED;
        }
        return situation.pipelineTimedOut() ? SkipReason.PIPELINE_TIMEOUT : SkipReason.TASKS_TIMEOUT;
    }

    /// What could start does not, and so does not what lies behind it.
    private boolean[] skippedByTimeout() {
        var skipped = new boolean[graph.size()];
        var order = new int[graph.size()];
        for (int task = 0; task < graph.size(); task++) {
            order[graph.rank(task)] = task;
        }
        for (int task : order) {
            if (progress.run(task) == RunState.NONE && !progress.isInvalid(task)) {
                skipped[task] =
                        progress.isSkipped(task) || progress.parentsAreDone(task) || waitsForSkipped(task, skipped);
            }
        }
        return skipped;
    }

    private boolean waitsForSkipped(int task, boolean[] skipped) {
        for (int parent : graph.parents(task)) {
            if (skipped[parent] && !(progress.isSkipped(parent) && progress.skip(parent) == SkipReason.WHEN_FALSE)) {
                return true;
            }
        }
        return false;
    }

    private int countWaiting(boolean[] skipped) {
        int waiting = 0;
        for (int task = 0; task < graph.size(); task++) {
            if (!skipped[task] && !progress.run(task).isOver() && !progress.isInvalid(task)) {
                waiting++;
            }
        }
        return waiting;
    }

    private Optional<SkipReason> finallySkip(int task, StartGate gate) {
        if (progress.run(task) != RunState.NONE || !isGraphDone()) {
            return Optional.empty();
        }
        var answer = gate.at(graph.name(task)).answer();
        if (answer == StartGate.Answer.WHEN_FALSE || answer == StartGate.Answer.RESULTS_MISSING) {
            return answer.skip();
        }
        if (situation.pipelineTimedOut()) {
            return Optional.of(SkipReason.PIPELINE_TIMEOUT);
        }
        if (situation.finallyTimedOut()) {
            return Optional.of(SkipReason.FINALLY_TIMEOUT);
        }
        return answer == StartGate.Answer.INVALID ? Optional.of(SkipReason.RESULTS_MISSING) : answer.skip();
    }

    /// What is wrong with tasks that cannot start because a parent did not emit what they need, by name.
    public Map<String, String> invalid() {
        var all = new LinkedHashMap<String, String>();
        if (invalidCounts()) {
            progress.problems().forEach((task, message) -> {
                if (progress.isInvalid(task)) {
                    all.put(graph.name(task), message);
                }
            });
        }
        return all;
    }

    /// What `$(tasks.<name>.status)` says.
    public String status(String task) {
        return switch (progress.run(task)) {
            case SUCCEEDED -> "Succeeded";
            case FAILED, CANCELLED, TIMED_OUT -> "Failed";
            case NONE, RUNNING -> "None";
        };
    }

    /// What `$(tasks.status)` says.
    public String aggregateStatus() {
        if (!isGraphDone()) {
            return "None";
        }
        if (tally.failed + tally.ignored + tally.cancelled > 0) {
            return "Failed";
        }
        return tally.succeeded < graph.size() ? "Completed" : "Succeeded";
    }

    /// How many tasks, those of `finally` too, stand where.
    public Counts counts(StartGate gate) {
        var counts = timedOut.isPresent() ? countOneByOne() : countTogether();
        for (int task = graph.size(); task < graph.total(); task++) {
            counts.add(progress.run(task), graph.node(task).ignoresFailure(), false, finallySkip(task, gate));
        }
        return counts.build();
    }

    private Counts.Builder countOneByOne() {
        var counts = new Counts.Builder();
        for (int task = 0; task < graph.size(); task++) {
            counts.add(progress.run(task), graph.node(task).ignoresFailure(), isInvalid(task), skip(task));
        }
        return counts;
    }

    private Counts.Builder countTogether() {
        int invalid = invalidCounts() ? tally.invalid : 0;
        int unstarted = graph.size() - tally.over() - tally.running - invalid;
        int skipped = globalSkip().isPresent() ? unstarted : tally.skipped;
        int incomplete = graph.size() - tally.over() - invalid - skipped;
        return new Counts.Builder(new Counts(
                tally.succeeded, tally.failed, tally.ignored, tally.cancelled, skipped, 0, invalid, incomplete));
    }

    private boolean isInvalid(int task) {
        return invalidCounts() && progress.isInvalid(task);
    }
}
