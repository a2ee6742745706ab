package dev.towtank.app.run.view;

import static dev.towtank.app.run.view.Samples.at;
import static dev.towtank.app.run.view.Samples.line;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.run.view.RunState.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeViewTest {
    private static final Style UNICODE = new Style(false, true);

    private static String text(List<String> lines) {
        return String.join("\n", lines).replaceAll("(?m) +$", "") + "\n";
    }

    @Test
    void showsWhatRunsAndWhatWaits() {
        var log = List.of(line("unit", "ok   parse"), line("unit", "ok   write"));

        assertThat(text(new TreeView(UNICODE, 80, 40).live(Samples.RUNNING, log, at(3.2))))
                .isEqualTo("""
                ci-x7k2p  pipeline ci

                  ✓ clone         1.1s
                  ● test          1.9s  1 of 2
                    ✓ go=1.24     0.8s
                    ● go=1.25     1.9s  retry 1 of 3
                      ✓ fetch     0.3s
                      ● unit      1.5s
                      ○ report
                  – docs                skipped: its condition is false
                  ○ deploy              after test
                  ○ notify              finally

                  ━━━━━━━━━━━━━━━━━───────────────────────  2 of 5 tasks  3.2s

                  test › unit
                  │ ok   parse
                  │ ok   write
                """);
    }

    @Test
    void reasonsGoOnInSmallLettersButKindsKeepTheirNames() {
        assertThat(TreeView.decapitalized("Results were missing")).isEqualTo("results were missing");
        assertThat(TreeView.decapitalized("PipelineRun was stopping")).isEqualTo("PipelineRun was stopping");
    }

    @Test
    void tellsHowFarAnImageHasCome() {
        var run = Samples.run("build", "", Phase.RUNNING, 0, -1, Samples.step("a", Phase.WAITING, -1, -1, 0));
        var waiting = new RunState.Run(
                run.name(),
                "",
                run.pod(),
                Phase.RUNNING,
                "Pending",
                "build step \"step-a\" is pending with reason \"pulling its image, 12 MiB have come\"",
                run.started(),
                run.finished(),
                List.of(),
                0,
                "",
                run.steps(),
                List.of());
        var state = Samples.state(
                Phase.RUNNING, -1, new RunState.Task("build", false, Phase.RUNNING, List.of(), "", List.of(waiting)));

        assertThat(text(new TreeView(UNICODE, 80, 40).live(state, List.of(), at(3))))
                .contains("pulling its image, 12 MiB have come");
    }

    @Test
    void plainLettersWhereThereIsNoUnicode() {
        assertThat(text(new TreeView(Style.PLAIN, 80, 40).last(Samples.FAILED, at(13))))
                .isEqualTo("""
                ci-x7k2p  pipeline ci

                  + clone      1.1s  from ci-first
                  x test        10s  exit code 2
                    + fetch    0.3s
                    x unit     9.7s  exit code 2
                  x lint       0.7s  failed, ignored
                  - deploy           not reached
                  + notify     0.8s
                """);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 20, 33, 40, 79})
    void noLineIsWiderThanTheTerminal(int width) {
        var log = List.of(line("unit", "x".repeat(200)), line("unit", "日本語".repeat(50)));
        var view = new TreeView(new Style(true, true), width, 30);

        assertThat(view.live(Samples.RUNNING, log, at(3)))
                .allSatisfy(line -> assertThat(Columns.width(line)).isLessThanOrEqualTo(width));
        assertThat(view.last(Samples.FAILED, at(13)))
                .allSatisfy(line -> assertThat(Columns.width(line)).isLessThanOrEqualTo(width));
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 12, 16, 24, 60})
    void thePictureFitsTheTerminalWhateverThereIs(int height) {
        var tasks = new ArrayList<RunState.Task>();
        IntStream.range(0, 40)
                .forEach(i -> tasks.add(Samples.task(
                        "t" + i,
                        i < 30 ? Phase.SUCCEEDED : Phase.RUNNING,
                        List.of(),
                        Samples.run("t" + i, "", i < 30 ? Phase.SUCCEEDED : Phase.RUNNING, 0, i < 30 ? 1 : -1))));
        var state = Samples.state(Phase.RUNNING, -1, tasks.toArray(RunState.Task[]::new));
        var log =
                IntStream.range(0, 50).mapToObj(i -> line("unit", "line " + i)).toList();

        var lines = new TreeView(UNICODE, 80, height).live(state, log, at(3));

        assertThat(lines.size()).isLessThan(Math.max(height, 12));
    }

    @Test
    void whatRunsIsShownBeforeWhatIsDone() {
        var tasks = new ArrayList<RunState.Task>();
        IntStream.range(0, 40)
                .forEach(i -> tasks.add(Samples.task(
                        "t" + i,
                        i < 39 ? Phase.SUCCEEDED : Phase.RUNNING,
                        List.of(),
                        Samples.run("t" + i, "", i < 39 ? Phase.SUCCEEDED : Phase.RUNNING, 0, i < 39 ? 1 : -1))));

        assertThat(text(new TreeView(UNICODE, 80, 12)
                        .live(Samples.state(Phase.RUNNING, -1, tasks.toArray(RunState.Task[]::new)), List.of(), at(3))))
                .contains("● t39", "○ 35 more");
    }

    @Test
    void whatALogWritesToMoveTheCursorIsNotShown() {
        var log = List.of(line("unit", "\033[31mred\033[0m\tand\033[2Jmore"), line("unit", "10%\r50%\r100%"));

        assertThat(text(new TreeView(UNICODE, 80, 40).live(Samples.RUNNING, log, at(3))))
                .contains("│ red     andmore\n", "│ 100%\n")
                .doesNotContain("\033", "10%\r");
    }

    @Test
    void coloursEndWhereTheyBegan() {
        var lines = new TreeView(new Style(true, true), 30, 40).last(Samples.FAILED, at(13));

        assertThat(lines)
                .allSatisfy(line ->
                        assertThat(line.split("\033\\[[1-9]\\d*m", -1)).hasSameSizeAs(line.split("\033\\[0m", -1)));
        assertThat(String.join("", lines)).contains("\033[31m✗\033[0m");
    }
}
