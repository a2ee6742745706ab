package dev.towtank.controllers.pipelines.graph;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/// A graph and what has happened to its tasks. Immutable; [#after] makes the next one and looks only at the tasks that
/// changed and at those behind them, however large the graph is.
///
/// Here a task is skipped for a reason of its own or of its parents only; what a [Situation] adds, [Schedule] knows.
public final class Progress {

    // Where a task of the graph stands: one of these, or the ordinal of the reason it is skipped for.
    private static final byte WAITING = -1;
    private static final byte READY = -2;
    private static final byte INVALID = -3;
    private static final byte STARTED = -4;

    private static final byte NOT_ASKED = -1;

    private final Graph graph;
    private final byte[] runs;
    private final byte[] answers;
    private final byte[] places;
    private final int[] openParents;
    private final int[] skippedParents;
    private final BitSet ready;
    private final TreeMap<Integer, String> problems;
    private final Tally tally;

    private Progress(Graph graph) {
        this.graph = graph;
        runs = new byte[graph.total()];
        answers = filled(graph.size(), NOT_ASKED);
        places = filled(graph.size(), WAITING);
        openParents = new int[graph.size()];
        skippedParents = new int[graph.size()];
        ready = new BitSet(graph.size());
        problems = new TreeMap<>();
        tally = new Tally();
    }

    private Progress(Progress before) {
        graph = before.graph;
        runs = before.runs.clone();
        answers = before.answers.clone();
        places = before.places.clone();
        openParents = before.openParents.clone();
        skippedParents = before.skippedParents.clone();
        ready = (BitSet) before.ready.clone();
        problems = new TreeMap<>(before.problems);
        tally = new Tally(before.tally);
    }

    private static byte[] filled(int size, byte value) {
        var array = new byte[size];
        Arrays.fill(array, value);
        return array;
    }

    static Progress start(Graph graph, Gate gate) {
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
    public Progress after(Map<String, RunState> changes, Gate gate) {
        var next = new Progress(this);
        var changed = next.worklist();
        changes.forEach((name, state) -> {
            int task = graph.number(name);
            if (task < graph.size()) {
                next.change(task, state, changed);
            } else {
                next.runs[task] = (byte) state.ordinal();
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
        runs[task] = (byte) state.ordinal();
        move(task);
        tell(task, wasDone, wasSkip, changed);
    }

    /// Works through the tasks whose parents changed, parents first, so that each is looked at once.
    private void settle(PriorityQueue<Integer> changed, Gate gate) {
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

    private void ask(int task, Gate gate) {
        if (openParents[task] == 0 && answers[task] == NOT_ASKED && run(task) == RunState.NONE) {
            var verdict = gate.at(graph.name(task));
            answers[task] = (byte) verdict.answer().ordinal();
            if (verdict.answer() == Gate.Answer.INVALID) {
                problems.put(task, verdict.message());
            }
        }
    }

    private void move(int task) {
        byte place = place(task);
        var ignores = graph.node(task).ignoresFailure();
        tally.count(places[task] >= 0, places[task] == INVALID, ignores, -1);
        tally.count(place >= 0, place == INVALID, ignores, 1);
        places[task] = place;
        ready.set(task, place == READY);
    }

    private byte place(int task) {
        if (run(task) != RunState.NONE) {
            return STARTED;
        }
        var asked = openParents[task] == 0 && answers[task] != NOT_ASKED;
        var answer = asked ? Gate.Answer.ALL[answers[task]] : Gate.Answer.START;
        if (answer == Gate.Answer.WHEN_FALSE) {
            return (byte) SkipReason.WHEN_FALSE.ordinal();
        }
        if (skippedParents[task] > 0) {
            return (byte) SkipReason.PARENT_SKIPPED.ordinal();
        }
        if (!asked) {
            return WAITING;
        }
        return switch (answer) {
            case START, WHEN_FALSE -> READY;
            case RESULTS_MISSING -> (byte) SkipReason.RESULTS_MISSING.ordinal();
            case EMPTY_MATRIX -> (byte) SkipReason.EMPTY_MATRIX.ordinal();
            case INVALID -> INVALID;
        };
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
        return run(task).isOver() || places[task] >= 0 || places[task] == INVALID;
    }

    /// A `when` that is false does not keep the tasks behind it from running; every other reason does.
    private boolean isBlocking(int task) {
        return places[task] >= 0 && places[task] != SkipReason.WHEN_FALSE.ordinal();
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
        return RunState.ALL[runs[task]];
    }

    boolean isSkipped(int task) {
        return places[task] >= 0;
    }

    /// Only of a task that is skipped.
    SkipReason skip(int task) {
        return SkipReason.ALL[places[task]];
    }

    boolean isInvalid(int task) {
        return places[task] == INVALID;
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
