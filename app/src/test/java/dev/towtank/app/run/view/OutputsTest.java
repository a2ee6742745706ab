package dev.towtank.app.run.view;

import static dev.towtank.app.run.view.Samples.at;
import static dev.towtank.app.run.view.Samples.line;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.model.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputsTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private static final Output.Finish FINISH = new Output.Finish(
            1, Optional.of(Path.of("/runs/ci-x7k2p")), List.of(new Ending.Hint("whole log", "less /runs/x.log")));

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static RunState begun() {
        return Samples.state(
                Phase.RUNNING,
                -1,
                Samples.task("clone", Phase.WAITING, List.of()),
                Samples.task(
                        "test",
                        Phase.RUNNING,
                        List.of("clone"),
                        Samples.run("test", "", Phase.RUNNING, 1.3, -1, Samples.step("unit", Phase.RUNNING, 1, -1, 0))),
                Samples.task("lint", Phase.WAITING, List.of()),
                Samples.task("deploy", Phase.WAITING, List.of("test")),
                Samples.last("notify", Phase.WAITING));
    }

    private void tell(Output output) {
        output.notice("A notice.");
        output.state(begun(), at(1));
        output.log(line("unit", "not ok"));
        output.state(begun(), at(2));
        output.state(Samples.FAILED, at(12.4));
        output.end(Samples.FAILED, FINISH, at(12.4));
        output.close();
    }

    @Test
    void plainLines() {
        tell(new PlainOutput(out));

        assertThat(text()).isEqualTo("""
                A notice.
                Run ci-x7k2p of pipeline ci, 5 tasks
                [test > unit] not ok
                [clone] succeeded in run ci-first
                [test] failed after 10s: "step-unit" exited with code 2: Error
                [lint] failed after 0.7s, ignored
                [deploy] not reached
                [notify] succeeded after 0.8s

                  test > unit  exit code 2
                  | not ok

                Failed after 12s: 1 of 5 tasks failed, 1 did not run
                  whole log  less /runs/x.log
                """);
    }

    @Test
    void whyATaskDidNotStartIsToldOnce() {
        var step = new RunState.Step(
                "unit",
                "step-unit",
                Phase.FAILED,
                Samples.some(1),
                Samples.some(1),
                OptionalInt.of(1),
                "CreateContainerConfigError");
        var run = new RunState.Run(
                "ci",
                "",
                "ci-pod",
                Phase.FAILED,
                "CreateContainerConfigError",
                "there is no Secret login",
                Samples.some(0),
                Samples.some(1),
                List.of(),
                0,
                "",
                List.of(step),
                List.of());
        var state = new RunState(
                "ci",
                "default",
                "TaskRun",
                "task test",
                Phase.FAILED,
                run.reason(),
                run.message(),
                Samples.some(0),
                Samples.some(1),
                List.of(new RunState.Task("test", false, Phase.FAILED, List.of(), "", List.of(run))),
                Json.Obj.EMPTY);
        var output = new PlainOutput(out);
        output.state(state, at(1));
        output.end(state, new Output.Finish(1, Optional.empty(), List.of()), at(1));

        assertThat(text()).isEqualTo("""
                Run ci of task test
                [test] failed after 1.0s

                  test  there is no Secret login

                Failed after 1.0s
                """);
    }

    @Test
    void eventsInJson() {
        tell(new JsonOutput(out, () -> at(0)));

        assertThat(text().replace("\"time\":\"2026-03-01T12:00:00Z\",", "")).isEqualTo("""
                {"event":"notice","text":"A notice."}
                {"event":"run-started","run":"ci-x7k2p","namespace":"default","kind":"PipelineRun","tasks":["clone","test","lint","deploy","notify"]}
                {"event":"task","task":"test","taskRun":"ci-test","state":"running"}
                {"event":"step","task":"test","taskRun":"ci-test","step":"unit","state":"running"}
                {"event":"log","task":"test","taskRun":"ci-test","step":"unit","text":"not ok"}
                {"event":"task","task":"clone","taskRun":"ci-clone","state":"succeeded","reusedFrom":"ci-first","reason":"Running"}
                {"event":"step","task":"test","taskRun":"ci-test","step":"fetch","state":"succeeded","exitCode":0}
                {"event":"step","task":"test","taskRun":"ci-test","step":"unit","state":"failed","exitCode":2}
                {"event":"task","task":"test","taskRun":"ci-test","state":"failed","reason":"Failed","message":"\\"step-unit\\" exited with code 2: Error"}
                {"event":"task","task":"lint","taskRun":"ci-lint","state":"failed-ignored","reason":"Running"}
                {"event":"task","task":"deploy","state":"skipped"}
                {"event":"task","task":"notify","taskRun":"ci-notify","state":"succeeded","reason":"Running"}
                {"event":"run-finished","run":"ci-x7k2p","state":"failed","exitCode":1,"reason":"Failed","message":"Tasks Completed: 3","milliseconds":12400,"directory":"/runs/ci-x7k2p"}
                """);
    }

    @Test
    void aPictureIsPaintedOverTheOneBefore() {
        var output = new PrettyOutput(out, new Style(false, true), () -> new PrettyOutput.Size(80, 24));
        tell(output);
        var screen = new Screen();
        screen.print(text());

        assertThat(screen.text()).isEqualTo("""
                A notice.
                ci-x7k2p  pipeline ci

                  ✓ clone      1.1s  from ci-first
                  ✗ test        10s  exit code 2
                    ✓ fetch    0.3s
                    ✗ unit     9.7s  exit code 2
                  ✗ lint       0.7s  failed, ignored
                  – deploy           not reached
                  ✓ notify     0.8s

                  test › unit  exit code 2
                  │ not ok

                Failed after 12s: 1 of 5 tasks failed, 1 did not run
                  whole log  less /runs/x.log
                """);
        assertThat(screen.isCursorShown()).isTrue();
    }

    @Test
    void aTerminalThatGetsNarrowerKeepsNothingOfTheOldPicture() {
        var painter = new Painter(out);
        painter.paint(List.of("x".repeat(30), "second"), 40);
        bytes.reset();
        painter.paint(List.of("first"), 20);

        assertThat(text()).startsWith("\033[?2026h\r\033[3A").endsWith("\033[J\033[?2026l");
    }

    @Test
    void theCursorComesBackAlsoWithoutAnEnd() {
        var output = new PrettyOutput(out, Style.PLAIN, () -> new PrettyOutput.Size(80, 24));
        output.state(begun(), at(1));
        output.close();

        assertThat(text()).contains("\033[?25l").endsWith("\033[?25h");
    }

    @Test
    void resultsAreTold() {
        var done = Samples.state(Phase.SUCCEEDED, 2, Samples.task("a", Phase.SUCCEEDED, List.of()));
        var state = new RunState(
                done.name(),
                done.namespace(),
                done.kind(),
                done.title(),
                done.phase(),
                "",
                "",
                done.started(),
                done.finished(),
                done.tasks(),
                Json.Obj.of("version", Json.of("1.2\n"), "list", Json.Arr.ofStrings(List.of("a", "b"))));

        assertThat(new Ending(Style.PLAIN).lines(state, List.of(), List.of(), at(3)))
                .containsExactly("Succeeded in 2.0s", "  result  version = 1.2", "  result  list = [\"a\",\"b\"]");
    }

    @ParameterizedTest
    @CsvSource({"0,0.0s", "949,0.9s", "9999,9.9s", "10000,10s", "59999,59s", "60000,1m00s", "3600000,1h00m", "-5,0.0s"})
    void timesAreShort(long millis, String text) {
        assertThat(Elapsed.text(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @Test
    void theLocaleDecidesAboutUnicodeAndAVariableAboutColour() {
        assertThat(Style.of(Map.of("LANG", "de_DE.UTF-8"))).isEqualTo(new Style(true, true));
        assertThat(Style.of(Map.of("LANG", "de_DE.UTF-8", "LC_ALL", "C", "NO_COLOR", "1")))
                .isEqualTo(new Style(false, false));
    }
}
