package dev.towtank.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.report.RunStory.Task;
import dev.towtank.app.report.RunStory.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoryReaderTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:02:00Z");

    private final RunStory story =
            StoryReader.read(FakeRun.resource("pipelinerun.yaml").with("verify-pod", "step-check", "boom\n"), NOW);

    private Task task(String name) {
        return story.tasks().stream()
                .filter(task -> task.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        fetch   | SUCCEEDED | []             | 20
        unit    | SUCCEEDED | [fetch]        | 30
        flaky   | SUCCEEDED | [fetch]        | 25
        package | SUCCEEDED | [unit, fetch]  | 30
        deploy  | SKIPPED   | [package]      |
        verify  | FAILED    | [package, flaky] | 10
        publish | WAITING   | [verify]       |
        notify  | RUNNING   | []             | 30
        """)
    void knowsHowEveryTaskEndedAndWhatItWaitedFor(String name, State state, String after, Long seconds) {
        assertThat(task(name).outcome().state()).isEqualTo(state);
        assertThat(task(name).after()).hasToString(after);
        assertThat(task(name).outcome().time(NOW).map(Duration::toSeconds).orElse(null))
                .isEqualTo(seconds);
    }

    @Test
    void namesTheRunsOfAMatrix() {
        assertThat(task("unit").parts())
                .extracting(RunStory.Part::name)
                .containsExactly("unit os=linux", "unit os=bsd");
        assertThat(task("fetch").parts()).extracting(RunStory.Part::name).containsExactly("fetch");
    }

    @Test
    void keepsEarlierAttempts() {
        var attempts = task("flaky").parts().getFirst().attempts();

        assertThat(task("flaky").retries()).isEqualTo(1);
        assertThat(attempts)
                .extracting(attempt -> attempt.outcome().state())
                .containsExactly(State.FAILED, State.SUCCEEDED);
    }

    @Test
    void saysWhyATaskWasSkipped() {
        assertThat(task("deploy").skipped()).isEqualTo("When Expressions evaluated to false: when 'no' in [yes]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        unwanted | When Expressions evaluated to false: when 'a' in [b]
        behind   | PipelineRun was stopping
        """)
    void aRunThatStopsIsNoReasonForWhatWasSkippedBefore(String task, String reason) {
        var stopped = StoryReader.read(FakeRun.resource("ignored.yaml"), NOW);

        assertThat(stopped.tasks())
                .filteredOn(each -> each.name().equals(task))
                .extracting(Task::skipped)
                .containsExactly(reason);
    }

    @Test
    void readsStepsWithTheirLogs() {
        var steps = task("verify").parts().getFirst().attempts().getFirst().steps();

        assertThat(steps.getFirst().note()).isEqualTo("exit code 3");
        assertThat(steps.getFirst().log().text()).isEqualTo("boom\n");
        assertThat(steps.getLast().outcome().state()).isEqualTo(State.SKIPPED);
        assertThat(steps.getLast().note()).isEmpty();
    }

    @Test
    void aSidecarThatWasStoppedDidNotFail() {
        var sidecar =
                task("package").parts().getFirst().attempts().getFirst().steps().getLast();

        assertThat(sidecar.sidecar()).isTrue();
        assertThat(sidecar.outcome().state()).isEqualTo(State.SUCCEEDED);
    }

    @Test
    void tellsDefaultsFromWhatWasGiven() {
        assertThat(story.params())
                .containsExactly(new Value("revision", "main", ""), new Value("mode", "fast", "default"));
    }

    @Test
    void aTaskRunIsATaskAlone() {
        var alone = StoryReader.read(FakeRun.of("""
            kind: TaskRun
            metadata: {name: hello, namespace: shop}
            status:
              conditions: [{type: Succeeded, status: "False", reason: TaskRunTimeout}]
              steps: [{name: one, container: step-one, terminationReason: TimeoutExceeded, terminated: {exitCode: 1}}]
            """), NOW);

        assertThat(alone.outcome().state()).isEqualTo(State.TIMED_OUT);
        assertThat(alone.tasks()).extracting(Task::name).containsExactly("hello");
    }

    @ParameterizedTest
    @CsvSource({
        "True, Completed, SUCCEEDED",
        "False, Cancelled, CANCELLED",
        "False, TaskRunCancelled, CANCELLED",
        "False, PipelineRunTimeout, TIMED_OUT",
        "False, CouldntGetTask, FAILED",
        "Unknown, Running, RUNNING"
    })
    void readsConditions(String status, String reason, State state) {
        var run = FakeRun.of("""
            kind: PipelineRun
            metadata: {name: x}
            status: {conditions: [{type: Succeeded, status: "%s", reason: %s}]}
            """.formatted(status, reason));

        var read = StoryReader.read(run, NOW);

        assertThat(read.outcome().state()).isEqualTo(state);
        assertThat(read.tasks()).isEqualTo(List.of());
    }
}
