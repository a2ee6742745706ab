package dev.towtank.controllers.pipelines.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressTest {

    private static final List<StartGate.Answer> ANSWERS = List.of(
            StartGate.Answer.START,
            StartGate.Answer.WHEN_FALSE,
            StartGate.Answer.RESULTS_MISSING,
            StartGate.Answer.EMPTY_MATRIX,
            StartGate.Answer.INVALID);
    private static final StartGate OPEN = _ -> StartGate.Verdict.START;

    private static Schedule normal(Progress progress) {
        return progress.in(Situation.NORMAL);
    }

    @Test
    void startsWhatDependsOnNothing() throws InvalidGraph {
        var graph = Graph.of(List.of(Graph.Node.of("a"), Graph.Node.of("b", "a"), Graph.Node.of("c")), List.of());

        assertThat(normal(graph.start(OPEN)).ready()).containsExactly("a", "c");
    }

    @Test
    void startsATaskWhenAllItsParentsAreDone() throws InvalidGraph {
        var graph = Graph.of(List.of(Graph.Node.of("a"), Graph.Node.of("b"), Graph.Node.of("c", "a", "b")), List.of());
        var one = graph.start(OPEN).after(Map.of("a", RunState.SUCCEEDED, "b", RunState.RUNNING), OPEN);

        assertThat(normal(one).ready()).isEmpty();
        assertThat(normal(one.after(Map.of("b", RunState.SUCCEEDED), OPEN)).ready())
                .containsExactly("c");
    }

    @Test
    void aWhenThatIsFalseDoesNotSkipWhatComesAfter() throws InvalidGraph {
        var graph = Graph.of(List.of(Graph.Node.of("a"), Graph.Node.of("b", "a")), List.of());
        StartGate gate =
                task -> task.equals("a") ? StartGate.Verdict.of(StartGate.Answer.WHEN_FALSE) : StartGate.Verdict.START;
        var schedule = normal(graph.start(gate));

        assertThat(schedule.ready()).containsExactly("b");
        assertThat(schedule.skipped(gate)).containsExactly(Map.entry("a", SkipReason.WHEN_FALSE));
    }

    @Test
    void aMissingResultSkipsWhatComesAfter() throws InvalidGraph {
        var graph = Graph.of(List.of(Graph.Node.of("a"), Graph.Node.of("b", "a")), List.of());
        StartGate gate = task ->
                task.equals("a") ? StartGate.Verdict.of(StartGate.Answer.RESULTS_MISSING) : StartGate.Verdict.START;
        var schedule = normal(graph.start(gate));

        assertThat(schedule.skipped(gate))
                .containsExactly(Map.entry("a", SkipReason.RESULTS_MISSING), Map.entry("b", SkipReason.PARENT_SKIPPED));
        assertThat(schedule.isGraphDone()).isTrue();
        assertThat(schedule.counts(gate).finalMessage())
                .isEqualTo("Tasks Completed: 0 (Failed: 0, Cancelled 0), Skipped: 2");
    }

    @Test
    void aFailureStopsTheRestAndFinallyComes() throws InvalidGraph {
        var graph = Graph.of(
                List.of(Graph.Node.of("a"), Graph.Node.of("b"), Graph.Node.of("c", "b")), List.of(Graph.Node.of("f")));
        var progress = graph.start(OPEN).after(Map.of("a", RunState.FAILED, "b", RunState.RUNNING), OPEN);

        assertThat(normal(progress).isGraphDone()).isFalse();
        assertThat(normal(progress).readyFinally(OPEN)).isEmpty();
        var over = normal(progress.after(Map.of("b", RunState.SUCCEEDED), OPEN));
        assertThat(over.ready()).isEmpty();
        assertThat(over.readyFinally(OPEN)).containsExactly("f");
        assertThat(over.skipped(OPEN)).containsExactly(Map.entry("c", SkipReason.STOPPING));
        assertThat(over.counts(OPEN).runningMessage())
                .isEqualTo("Tasks Completed: 2 (Failed: 1, Cancelled 0), Incomplete: 1, Skipped: 1");
    }

    @Test
    void aFailureThatIsIgnoredStopsNothing() throws InvalidGraph {
        var graph =
                Graph.of(List.of(new Graph.Node("a", new LinkedHashSet<>(), true), Graph.Node.of("b", "a")), List.of());
        var progress = graph.start(OPEN).after(Map.of("a", RunState.FAILED), OPEN);

        assertThat(normal(progress).ready()).containsExactly("b");
        var over = normal(progress.after(Map.of("b", RunState.SUCCEEDED), OPEN));
        assertThat(over.counts(OPEN).finalMessage())
                .isEqualTo("Tasks Completed: 2 (Failed: 1 (Ignored: 1), Cancelled 0), Skipped: 0");
        assertThat(over.aggregateStatus()).isEqualTo("Failed");
    }

    @Test
    void whatIsOverStaysAsItIs() throws InvalidGraph {
        var progress = Graph.of(List.of(Graph.Node.of("a")), List.of())
                .start(OPEN)
                .after(Map.of("a", RunState.SUCCEEDED), OPEN);

        assertThatThrownBy(() -> progress.after(Map.of("a", RunState.FAILED), OPEN))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void namesTheFirstTaskOfACycle() {
        assertThatThrownBy(() -> Graph.of(
                        List.of(
                                Graph.Node.of("d", "c", "a"),
                                Graph.Node.of("b", "c"),
                                Graph.Node.of("c", "b"),
                                Graph.Node.of("a")),
                        List.of()))
                .hasMessage("cycle detected; task \"b\" depends on \"c\"");
    }

    @Test
    void namesAParentThatIsNotThere() {
        assertThatThrownBy(() -> Graph.of(List.of(Graph.Node.of("a", "z")), List.of()))
                .hasMessage("couldn't add link between a and z: task a depends on z but z wasn't present in Pipeline");
    }

    @Test
    void namesATaskThatIsThereTwice() {
        assertThatThrownBy(() -> Graph.of(List.of(Graph.Node.of("a"), Graph.Node.of("a")), List.of()))
                .hasMessage("task a is already present in Graph, can't add it again: duplicate pipeline task");
    }

    @Test
    void asksAboutEveryTaskOnceInAChainOfTenThousand() throws InvalidGraph {
        var nodes = new ArrayList<Graph.Node>();
        for (int i = 0; i < 10_000; i++) {
            nodes.add(i == 0 ? Graph.Node.of("t0") : Graph.Node.of("t" + i, "t" + (i - 1)));
        }
        var asked = new AtomicInteger();
        StartGate gate = _ -> {
            asked.incrementAndGet();
            return StartGate.Verdict.START;
        };
        var progress = Graph.of(nodes, List.of()).start(gate);
        for (int i = 0; i < 10_000; i++) {
            assertThat(normal(progress).ready()).containsExactly("t" + i);
            progress = progress.after(Map.of("t" + i, RunState.SUCCEEDED), gate);
        }
        assertThat(asked).hasValue(10_000);
        assertThat(normal(progress).isGraphDone()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void agreesWithTheRulesWrittenDownOneByOne(long seed) throws InvalidGraph {
        for (int round = 0; round < 60; round++) {
            new RandomRun(new Random(seed * 10_000 + round)).run("seed " + seed + " round " + round);
        }
    }

    /// A graph, verdicts and a fate for every task, all by chance.
    private static final class RandomRun {
        private final Random random;
        private final List<Graph.Node> tasks = new ArrayList<>();
        private final List<Graph.Node> finallyTasks = new ArrayList<>();
        private final Map<String, StartGate.Verdict> verdicts = new HashMap<>();
        private final Map<String, RunState> runs = new LinkedHashMap<>();
        private Situation situation = Situation.NORMAL;

        RandomRun(Random random) {
            this.random = random;
            int size = 1 + random.nextInt(8);
            for (int i = 0; i < size; i++) {
                var parents = new LinkedHashSet<String>();
                for (int parent = 0; parent < i; parent++) {
                    if (random.nextInt(4) == 0) {
                        parents.add("t" + parent);
                    }
                }
                tasks.add(new Graph.Node("t" + i, parents, random.nextInt(5) == 0));
            }
            java.util.Collections.shuffle(tasks, random);
            for (int i = 0; i < random.nextInt(3); i++) {
                finallyTasks.add(Graph.Node.of("f" + i));
            }
            tasks.forEach(task -> verdicts.put(task.name(), verdict(5)));
            finallyTasks.forEach(task -> verdicts.put(task.name(), verdict(4)));
        }

        private StartGate.Verdict verdict(int kinds) {
            return random.nextInt(3) > 0
                    ? StartGate.Verdict.START
                    : new StartGate.Verdict(ANSWERS.get(random.nextInt(kinds)), "wrong");
        }

        void run(String name) throws InvalidGraph {
            StartGate gate = task -> verdicts.getOrDefault(task, StartGate.Verdict.START);
            var progress = Graph.of(tasks, finallyTasks).start(gate);
            for (int step = 0; step < 25; step++) {
                compare(name + " step " + step, progress, gate);
                var changes = happen(progress, gate);
                runs.putAll(changes);
                progress = progress.after(changes, gate);
            }
            compare(name + " at the end", progress, gate);
        }

        private Map<String, RunState> happen(Progress progress, StartGate gate) {
            if (random.nextInt(15) == 0) {
                situation = new Situation(
                        situation.gracefullyCancelled() || random.nextInt(4) == 0,
                        situation.gracefullyStopped() || random.nextInt(4) == 0,
                        situation.pipelineTimedOut() || random.nextInt(6) == 0,
                        situation.tasksTimedOut() || random.nextInt(3) == 0,
                        situation.finallyTimedOut() || random.nextInt(4) == 0);
            }
            var changes = new LinkedHashMap<String, RunState>();
            var schedule = progress.in(situation);
            var startable = new ArrayList<>(schedule.ready());
            startable.addAll(schedule.readyFinally(gate));
            startable.stream().filter(_ -> random.nextInt(3) > 0).forEach(task -> changes.put(task, RunState.RUNNING));
            runs.forEach((task, state) -> {
                if (state == RunState.RUNNING && random.nextInt(3) == 0) {
                    changes.put(task, end());
                }
            });
            return changes;
        }

        private RunState end() {
            return switch (random.nextInt(8)) {
                case 0 -> RunState.FAILED;
                case 1 -> RunState.CANCELLED;
                case 2 -> RunState.TIMED_OUT;
                default -> RunState.SUCCEEDED;
            };
        }

        private void compare(String name, Progress progress, StartGate gate) {
            var slow = new SlowSchedule(tasks, finallyTasks, runs, verdicts, situation);
            var fast = progress.in(situation);
            var context = name + " " + tasks + finallyTasks + runs + verdicts + situation;
            assertThat(fast.isStopping()).as(context).isEqualTo(slow.isStopping());
            assertThat(fast.skipped(gate)).as(context).isEqualTo(slow.skipped());
            assertThat(fast.ready()).as(context).isEqualTo(slow.ready());
            assertThat(fast.isGraphDone()).as(context).isEqualTo(slow.isGraphDone());
            assertThat(fast.readyFinally(gate)).as(context).isEqualTo(slow.readyFinally());
            assertThat(List.copyOf(fast.invalid().keySet()))
                    .as(context)
                    .containsExactlyInAnyOrderElementsOf(slow.invalid());
            assertThat(fast.counts(gate)).as(context).isEqualTo(slow.counts());
        }
    }
}
