package dev.towtank.app.run.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunStatesTest {
    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static final String OWNER = """
            ownerReferences: [{kind: PipelineRun, name: ci, uid: u, controller: true}]""";

    private static final Resource RUN = object("""
            kind: PipelineRun
            metadata: {name: ci, namespace: default, uid: u}
            spec: {pipelineRef: {name: ci}}
            status:
              startTime: "2026-03-01T12:00:00Z"
              conditions: [{type: Succeeded, status: Unknown, reason: Running}]
              skippedTasks: [{name: docs, reason: When Expressions evaluated to false}]
              pipelineSpec:
                tasks:
                  - {name: test, matrix: {params: [{name: os, value: [a, b]}]}}
                  - {name: docs}
                  - {name: deploy, runAfter: [docs], params: [{name: x, value: $(tasks.test.results.y)}]}
                finally: [{name: notify}]
            """);

    private static Resource taskRun(String name, String os, String status) {
        return object("""
                kind: TaskRun
                metadata: {name: %s, namespace: default, uid: u-%s, labels: {tekton.dev/pipelineTask: test}, %s}
                spec: {retries: 3, params: [{name: os, value: %s}, {name: other, value: x}]}
                status: %s
                """.formatted(name, name, OWNER, os, status));
    }

    private static final String STEPS = """
            {podName: pod, conditions: [{type: Succeeded, status: "%s", reason: %s}], startTime: "2026-03-01T12:00:01Z",
             retriesStatus: [{}], steps: [
             {name: a, container: step-a, terminated: {exitCode: %d, startedAt: "2026-03-01T12:00:02Z", finishedAt: "2026-03-01T12:00:03Z"}, terminationReason: %s},
             {name: b, container: step-b, running: {startedAt: "2026-03-01T12:00:01Z"}},
             {name: c, container: step-c, running: {startedAt: "2026-03-01T12:00:01Z"}}]}""";

    private static RunState state(Resource... children) {
        return new RunStates(RUN, List.of(children), Json.Obj.EMPTY, _ -> false).state();
    }

    @Test
    void aRunIsOverWhenTheLogsOfAllItsAttemptsAre() {
        var retried = taskRun("ci-test", "a", """
                {podName: second, conditions: [{type: Succeeded, status: "True", reason: Succeeded}],
                 steps: [{name: a, container: step-a, terminated: {exitCode: 0}}],
                 retriesStatus: [{podName: first, steps: [{name: a, container: step-a, terminated: {exitCode: 1}}]}]}""");
        Function<Set<String>, RunState.Run> waiting =
                logs -> new RunStates(RUN, List.of(retried), Json.Obj.EMPTY, logs::contains)
                        .state()
                        .tasks()
                        .getFirst()
                        .runs()
                        .getFirst();

        assertThat(waiting.apply(Set.of("first/step-a")).phase()).isEqualTo(Phase.RUNNING);
        assertThat(waiting.apply(Set.of()).phase()).isEqualTo(Phase.SUCCEEDED);
        assertThat(waiting.apply(Set.of()).attempts())
                .extracting(
                        RunState.Attempt::pod,
                        attempt -> attempt.steps().getFirst().container())
                .containsExactly(tuple("first", "step-a"));
    }

    @Test
    void anAttemptIsToldToItsEndBeforeTheNext() {
        var attempt = "{podName: %s, steps: [{name: a, container: step-a, terminated: {exitCode: %d}}]}";
        var retried =
                taskRun("ci-test", "a", """
                {podName: third, conditions: [{type: Succeeded, status: "True", reason: Succeeded}],
                 startTime: "2026-03-01T12:00:01Z",
                 steps: [{name: a, container: step-a, terminated: {exitCode: 0}}], retriesStatus: [%s, %s]}""".formatted(attempt.formatted("first", 1), attempt.formatted("second", 2)));
        var events = new ArrayList<String>();
        var before = PlainOutput.empty(state());
        for (var open : List.of(Set.of("first/step-a", "second/step-a", "third/step-a"), Set.<String>of())) {
            var now = new RunStates(RUN, List.of(retried), Json.Obj.EMPTY, open::contains).state();
            Event.between(before, now)
                    .forEach(event -> events.add(
                            switch (event) {
                                case Event.StepChanged(var _, var _, var step) ->
                                    step.phase().word() + " " + step.exitCode().orElse(-1);
                                case Event.TaskRetried(var _, var _, var retry) -> "retry " + retry;
                                case Event.TaskChanged(var _, var run) -> run.phase() + " " + run.retries();
                                case Event.RunStarted _, Event.TaskSkipped _ -> "";
                            }));
            before = now;
        }

        assertThat(events.stream().filter(text -> !text.isEmpty()))
                .containsExactly(
                        "RUNNING 0",
                        "running 1",
                        "failed 1",
                        "retry 1",
                        "failed 2",
                        "retry 2",
                        "succeeded 0",
                        "SUCCEEDED 2");
    }

    @Test
    void whatRanOnAStandInIsMarked() {
        var state = state(taskRun("ci-test-0", "a", """
                {podName: p, conditions: [{type: Succeeded, status: "True", reason: Succeeded}],
                 steps: [{name: a, container: step-a, imageID: "stand-in://alpine", terminated: {exitCode: 0}},
                         {name: b, container: step-b, imageID: "docker.io/x@sha256:01", terminated: {exitCode: 0}}]}"""));

        assertThat(state.tasks().getFirst().runs().getFirst().steps())
                .extracting(RunState.Step::isOnStandIn)
                .containsExactly(true, false);
        assertThat(new TreeView(Style.PLAIN, 80, 24).last(state, Instant.EPOCH))
                .anyMatch(line -> line.contains("os=a") && line.contains("stand-in"));
    }

    @Test
    void tasksAreThoseOfThePipelineInOrder() {
        assertThat(state().tasks())
                .extracting(RunState.Task::name, RunState.Task::phase)
                .containsExactly(
                        tuple("test", Phase.WAITING),
                        tuple("docs", Phase.SKIPPED),
                        tuple("deploy", Phase.WAITING),
                        tuple("notify", Phase.WAITING));
        assertThat(state().tasks().get(2).after()).containsExactly("docs", "test");
        assertThat(state().title()).isEqualTo("pipeline ci");
    }

    @Test
    void combinationsOfAMatrixAreNamedByTheirValuesAndInOrder() {
        var done = "{conditions: [{type: Succeeded, status: \"True\"}]}";
        var runs = state(taskRun("ci-test-10", "k", done), taskRun("ci-test-2", "b", done))
                .tasks()
                .getFirst();

        assertThat(runs.runs()).extracting(RunState.Run::label).containsExactly("os=b", "os=k");
        assertThat(runs.phase()).isEqualTo(Phase.SUCCEEDED);
    }

    @Test
    void aStepRunsWhenThoseBeforeItAreOver() {
        var run = state(taskRun("ci-test-0", "a", STEPS.formatted("Unknown", "Running", 0, "Completed")))
                .tasks()
                .getFirst()
                .runs()
                .getFirst();

        assertThat(run.steps())
                .extracting(RunState.Step::phase)
                .containsExactly(Phase.SUCCEEDED, Phase.RUNNING, Phase.WAITING);
        assertThat(run.steps().get(1).started()).isEqualTo(Optional.of(Instant.parse("2026-03-01T12:00:03Z")));
        assertThat(run.retries()).isEqualTo(1);
        assertThat(run.retriesAllowed()).isEqualTo(3);
    }

    @Test
    void knowsTheSidecarsThatHaveBegun() {
        var run = taskRun("ci-test", "a", """
                {podName: pod, sidecars: [{name: db, container: sidecar-db, running: {}},
                 {name: web, container: sidecar-web, waiting: {reason: PodInitializing}}]}""");

        assertThat(state(run).tasks().getFirst().runs().getFirst().sidecars()).containsExactly("sidecar-db");
    }

    @Test
    void aStepWhoseLogIsNotAtItsEndIsNotOver() {
        var child = taskRun("ci-test-0", "a", STEPS.formatted("True", "Succeeded", 0, "Completed"));
        var run = new RunStates(RUN, List.of(child), Json.Obj.EMPTY, "pod/step-a"::equals)
                .state()
                .tasks()
                .getFirst()
                .runs()
                .getFirst();

        assertThat(run.steps().getFirst().phase()).isEqualTo(Phase.RUNNING);
        assertThat(run.phase()).isEqualTo(Phase.RUNNING);
    }

    @ParameterizedTest
    @CsvSource({
        "1, Error, FAILED",
        "7, Continued, IGNORED",
        "0, Completed, SUCCEEDED",
        "0, Skipped, SKIPPED",
        "1, TimeoutExceeded, TIMED_OUT",
        "1, TaskRunCancelled, CANCELLED"
    })
    void stepsEndInManyWays(int code, String reason, Phase phase) {
        var run = state(taskRun("ci-test-0", "a", STEPS.formatted("False", "Failed", code, reason)));

        assertThat(run.tasks().getFirst().runs().getFirst().steps().getFirst().phase())
                .isEqualTo(phase);
    }

    @ParameterizedTest
    @CsvSource({
        "'', True, Succeeded, SUCCEEDED",
        "'', False, Failed, FAILED",
        "'', False, FailureIgnored, IGNORED",
        "'', False, TaskRunTimeout, TIMED_OUT",
        "'', False, TaskRunCancelled, CANCELLED",
        "'TaskRun cancelled as the PipelineRun it belongs to has timed out.', False, TaskRunCancelled, TIMED_OUT",
        "'', Unknown, Running, WAITING",
    })
    void tasksEndInManyWays(String message, String status, String reason, Phase phase) {
        var child = taskRun(
                "ci-test-0",
                "a",
                "{conditions: [{type: Succeeded, status: \"" + status + "\", reason: " + reason + "}]}");
        child = child.with(child.json().with(List.of("spec", "statusMessage"), Json.of(message)));

        assertThat(state(child).tasks().getFirst().runs().getFirst().phase()).isEqualTo(phase);
    }

    @Test
    void ofARunThatIsOverNothingWaits() {
        var over = RUN.with(RUN.json()
                .with(
                        List.of("status", "conditions"),
                        YamlText.parse("[{type: Succeeded, status: \"False\", reason: Failed}]")));
        var state = new RunStates(over, List.of(), Json.Obj.EMPTY, _ -> false).state();

        assertThat(state.phase()).isEqualTo(Phase.FAILED);
        assertThat(state.tasks()).extracting(RunState.Task::phase).containsOnly(Phase.SKIPPED);
    }

    @Test
    void timesAreThoseAtWhichThingsWereSeen() {
        var times = new SeenTimes(Samples.at(0));
        var running = taskRun("ci-test-0", "a", STEPS.formatted("Unknown", "Running", 0, "Completed"));
        var first = times.refine(state(running), Samples.at(0.4));
        var later = times.refine(state(running), Samples.at(2));

        assertThat(first).isEqualTo(later);
        assertThat(later.tasks().getFirst().started()).isEqualTo(Samples.some(0.4));
        assertThat(later.started()).isEqualTo(Samples.some(0));
    }
}
