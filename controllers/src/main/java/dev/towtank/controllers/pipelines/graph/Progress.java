package dev.towtank.controllers.pipelines.graph;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;

/// A graph and what has happened to its tasks. Immutable; [#after] makes the next one and looks only at the tasks that
/// changed and at those behind them, however large the graph is.
///
/// Here a task is skipped for a reason of its own or of its parents only; what a [Situation] adds, [Schedule] knows.
public final class Progress {

    /// Where a task of the graph stands.
    private enum Place {
        WAITING,
        READY,
        STARTED,
        SKIPPED,
        /// It lacks what it refers to.
        INVALID
    }

    private final Graph graph;
    private final RunState[] runs;
    private final BitSet asked;
    private final StartGate.Answer[] answers;
    private final Place[] places;
    // Of tasks that are skipped.
    private final SkipReason[] reasons;
    private final int[] openParents;
    private final int[] skippedParents;
    private final BitSet ready;
    private final TreeMap<Integer, String> problems;
    private final Tally tally;

    private Progress(Graph graph) {
        this.graph = graph;
        runs = new RunState[graph.total()];
        Arrays.fill(runs, RunState.NONE);
        asked = new BitSet(graph.size());
        answers = new StartGate.Answer[graph.size()];
        Arrays.fill(answers, StartGate.Answer.START);
        places = new Place[graph.size()];
        Arrays.fill(places, Place.WAITING);
        reasons = new SkipReason[graph.size()];
        Arrays.fill(reasons, SkipReason.STOPPING);
        openParents = new int[graph.size()];
        skippedParents = new int[graph.size()];
        ready = new BitSet(graph.size());
        problems = new TreeMap<>();
        tally = new Tally();
    }

    private Progress(Progress before) {
        graph = before.graph;
        runs = before.runs.clone();
        asked = (BitSet) before.asked.clone();
        answers = before.answers.clone();
        places = before.places.clone();
        reasons = before.reasons.clone();
        openParents = before.openParents.clone();
        skippedParents = before.skippedParents.clone();
        ready = (BitSet) before.ready.clone();
        problems = new TreeMap<>(before.problems);
        tally = new Tally(before.tally);
    }

    static Progress start(Graph graph, StartGate gate) {
        var progress = new Progress(graph);
        var changed = progress.worklist();
        for (int task = 0; task < graph.size(); task++) {
            progress.openParents[task] = graph.parents(task).length;
            if (progress.openParents[task] == 0) {
                changed.add(task);
            }
        }
        progress.settle(changed, gate);
        return progress;
    }

    /// With these tasks in these states; a state that is over never changes again.
    ///
    /// @param gate is asked about tasks whose parents are now all done
    public Progress after(Map<String, RunState> changes, StartGate gate) {
        var next = new Progress(this);
        var changed = next.worklist();
        changes.forEach((name, state) -> {
            int task = graph.number(name);
            if (task < graph.size()) {
                next.change(task, state, changed);
            } else {
                next.runs[task] = state;
            }
        });
        next.settle(changed, gate);
        return next;
    }

    private PriorityQueue<Integer> worklist() {
        return new PriorityQueue<>(Comparator.comparingInt(graph::rank));
    }

    private void change(int task, RunState state, Collection<Integer> changed) {
        var before = run(task);
        if (before != state && before.isOver()) {
            throw new IllegalStateException(
                    "task " + graph.name(task) + " is " + before + " and cannot become " + state);
        }
        var wasDone = isDone(task);
        var wasSkip = isBlocking(task);
        tally.count(before, graph.node(task).ignoresFailure(), -1);
        tally.count(state, graph.node(task).ignoresFailure(), 1);
        runs[task] = state;
        move(task);
        tell(task, wasDone, wasSkip, changed);
    }

    /// Works through the tasks whose parents changed, parents first, so that each is looked at once.
    private void settle(PriorityQueue<Integer> changed, StartGate gate) {
        int last = -1;
        while (!changed.isEmpty()) {
            int task = changed.remove();
            if (task == last) {
                continue;
            }
            last = task;
            var wasDone = isDone(task);
            var wasSkip = isBlocking(task);
            ask(task, gate);
            move(task);
            tell(task, wasDone, wasSkip, changed);
        }
    }

    private void ask(int task, StartGate gate) {
        if (openParents[task] == 0 && !asked.get(task) && run(task) == RunState.NONE) {
            var verdict = gate.at(graph.name(task));
            asked.set(task);
            answers[task] = verdict.answer();
            if (verdict.answer() == StartGate.Answer.INVALID) {
                problems.put(task, verdict.message());
            }
        }
    }

    private void move(int task) {
        var ignores = graph.node(task).ignoresFailure();
        tally.count(places[task] == Place.SKIPPED, places[task] == Place.INVALID, ignores, -1);
        var reason = reason(task);
        reason.ifPresent(why -> reasons[task] = why);
        places[task] = reason.isPresent() ? Place.SKIPPED : place(task);
        tally.count(places[task] == Place.SKIPPED, places[task] == Place.INVALID, ignores, 1);
        ready.set(task, places[task] == Place.READY);
    }

    private boolean isAnswered(int task) {
        return openParents[task] == 0 && asked.get(task);
    }

    private Optional<SkipReason> reason(int task) {
        if (run(task) != RunState.NONE) {
            return Optional.empty();
        }
        var answer = isAnswered(task) ? answers[task] : StartGate.Answer.START;
        if (answer != StartGate.Answer.WHEN_FALSE && skippedParents[task] > 0) {
            return Optional.of(SkipReason.PARENT_SKIPPED);
        }
        return answer.skip();
    }

    private Place place(int task) {
        if (run(task) != RunState.NONE) {
            return Place.STARTED;
        }
        if (!isAnswered(task)) {
            return Place.WAITING;
        }
        return answers[task] == StartGate.Answer.INVALID ? Place.INVALID : Place.READY;
    }

    private void tell(int task, boolean wasDone, boolean wasSkip, Collection<Integer> changed) {
        int done = (isDone(task) ? 1 : 0) - (wasDone ? 1 : 0);
        int skip = (isBlocking(task) ? 1 : 0) - (wasSkip ? 1 : 0);
        if (done == 0 && skip == 0) {
            return;
        }
        for (int child : graph.children(task)) {
            openParents[child] -= done;
            skippedParents[child] += skip;
            changed.add(child);
        }
    }

    private boolean isDone(int task) {
        return run(task).isOver() || places[task] == Place.SKIPPED || places[task] == Place.INVALID;
    }

    /// A `when` that is false does not keep the tasks behind it from running; every other reason does.
    private boolean isBlocking(int task) {
        return places[task] == Place.SKIPPED && reasons[task] != SkipReason.WHEN_FALSE;
    }

    public Graph graph() {
        return graph;
    }

    public RunState run(String task) {
        return run(graph.number(task));
    }

    public Schedule in(Situation situation) {
        return new Schedule(this, situation);
    }

    RunState run(int task) {
        return runs[task];
    }

    boolean isSkipped(int task) {
        return places[task] == Place.SKIPPED;
    }

    /// Only of a task that is skipped.
    SkipReason skip(int task) {
        return reasons[task];
    }

    boolean isInvalid(int task) {
        return places[task] == Place.INVALID;
    }

    boolean parentsAreDone(int task) {
        return openParents[task] == 0;
    }

    BitSet ready() {
        return ready;
    }

    Tally tally() {
        return tally;
    }

    /// What is wrong with invalid tasks, by their numbers.
    Map<Integer, String> problems() {
        return problems;
    }

    /// How many tasks of the graph stand where.
    static final class Tally {
        int running;
        int succeeded;
        int failed;
        int ignored;
        int cancelled;
        /// Those failed or cancelled for which the run stops.
        int stopping;
        int skipped;
        int invalid;
        /// Those invalid for which the run stops.
        int invalidStopping;

        Tally() {}

        Tally(Tally from) {
            running = from.running;
            succeeded = from.succeeded;
            failed = from.failed;
            ignored = from.ignored;
            cancelled = from.cancelled;
            stopping = from.stopping;
            skipped = from.skipped;
            invalid = from.invalid;
            invalidStopping = from.invalidStopping;
        }

        void count(RunState state, boolean ignoresFailure, int change) {
            switch (state) {
                case NONE -> {}
                case RUNNING -> running += change;
                case SUCCEEDED -> succeeded += change;
                case CANCELLED -> cancelled += change;
                case TIMED_OUT -> failed += change;
                case FAILED -> {
                    failed += ignoresFailure ? 0 : change;
                    ignored += ignoresFailure ? change : 0;
                }
            }
            stopping += state.isFailure() && !ignoresFailure ? change : 0;
        }

        void count(boolean isSkipped, boolean isInvalid, boolean ignoresFailure, int change) {
            skipped += isSkipped ? change : 0;
            invalid += isInvalid ? change : 0;
            invalidStopping += isInvalid && !ignoresFailure ? change : 0;
        }

        int over() {
            return succeeded + failed + ignored + cancelled;
        }
    }
}
