package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.system.Browser.Scheme;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// The page of a real run, seen by a real browser.
class ReportIT {
    private static final String RUN = """
        ---
        {apiVersion: v1, kind: Secret, metadata: {name: password}, stringData: {value: very-secret-word}}
        ---
        apiVersion: tekton.dev/v1
        kind: PipelineRun
        metadata: {name: build}
        spec:
          params: [{name: text, value: "<script>document.title='stolen'</script>"}]
          pipelineSpec:
            params: [{name: text}]
            results: [{name: digest, value: $(tasks.compile.results.digest)}]
            tasks:
            - name: compile
              taskSpec:
                results: [{name: digest}]
                steps:
                - name: make
                  image: busybox
                  env: [{name: PASSWORD, valueFrom: {secretKeyRef: {name: password, key: value}}}]
                  script: |
                    echo "</pre><script>document.title='stolen'</script>"
                    echo "the password is $PASSWORD"
                    printf sha256:1 > $(results.digest.path)
            - name: unit
              runAfter: [compile]
              matrix: {params: [{name: os, value: [linux, bsd]}]}
              taskSpec:
                params: [{name: os}]
                steps: [{name: test, image: busybox, script: "echo $(params.os)"}]
            - name: flaky
              runAfter: [compile]
              retries: 1
              taskSpec:
                steps: [{name: try, image: busybox, script: "test $(context.task.retry-count) -ge 1"}]
            - name: never
              runAfter: [compile]
              when: [{input: a, operator: in, values: [b]}]
              taskSpec: {steps: [{name: s, image: busybox, script: "true"}]}
            - name: check
              runAfter: [unit, flaky]
              taskSpec: {steps: [{name: look, image: busybox, script: "echo checking; echo boom; exit 3"}]}
            finally:
            - name: notify
              taskSpec: {steps: [{name: tell, image: busybox, script: "echo done"}]}
        """;

    /// What the style sheet says, by state.
    private static final Map<Scheme, Map<String, Integer>> COLOURS = Map.of(
            Scheme.LIGHT, Map.of("succeeded", 0x1a7f37, "failed", 0xcf222e, "skipped", 0x6e7781),
            Scheme.DARK, Map.of("succeeded", 0x3fb950, "failed", 0xf85149, "skipped", 0x8b949e));

    @TempDir
    static Path temp;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static Path page;

    @BeforeAll
    static void start() {
        var kubectl = SERVER.kubectl();
        kubectl.withInput(RUN, "create", "-f", "-");
        kubectl.await("pipelinerun/build", "{.status.conditions[0].status}", "False");
        page = temp.resolve("run.html");
        var outcome = Program.towtank(
                "report",
                "build",
                "-o",
                page.toString(),
                "--data",
                SERVER.data().toString());
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).isEqualTo("Wrote " + page + ".\n");
    }

    @Test
    void everyTaskIsWhereItIsDrawnInTheColourOfItsState() throws Exception {
        var browser = new Browser(temp);
        var marks = browser.spots(page, "svg .mark");

        assertThat(marks)
                .extracting(Browser.Spot::style)
                .containsExactly(
                        "node succeeded",
                        "node succeeded",
                        "node succeeded",
                        "node skipped",
                        "node failed",
                        "node succeeded");
        for (var scheme : Scheme.values()) {
            var picture = browser.picture(page, scheme);
            for (var mark : marks) {
                var state = mark.style().substring("node ".length());
                assertThat(colour(picture, mark.x() + mark.width() / 2, mark.y() + mark.height() / 2))
                        .as("%s in %s at %s", state, scheme, mark)
                        .isEqualTo(COLOURS.get(scheme).get(state));
            }
        }
    }

    @Test
    void whatComesAfterIsFurtherRightAndNothingIsOutside() throws Exception {
        var boxes = new Browser(temp).spots(page, "svg .box");
        var columns = boxes.stream().map(Browser.Spot::x).distinct().sorted().toList();

        assertThat(boxes.get(0).x()).isEqualTo(columns.get(0));
        assertThat(boxes.subList(1, 4)).allMatch(box -> box.x() == columns.get(1));
        assertThat(boxes.get(4).x()).isEqualTo(columns.get(2));
        assertThat(boxes.get(5).x()).isEqualTo(columns.get(3));
        assertThat(boxes).allMatch(box -> box.x() >= 0 && box.x() + box.width() <= 1300 && box.y() < 1200);
    }

    @Test
    void theTimelineHasABarForEveryAttempt() throws Exception {
        var bars = new Browser(temp).spots(page, ".bar");

        // compile, two of unit, two attempts of flaky, check, notify
        assertThat(bars).hasSize(7).allMatch(bar -> bar.width() >= 4 && bar.height() > 8);
    }

    @Test
    void logsAreFoldedButTheOneThatFailed() throws Exception {
        var browser = new Browser(temp);

        assertThat(browser.spots(page, "details > summary")).hasSize(7);
        assertThat(browser.spots(page, "details[open] > summary"))
                .extracting(Browser.Spot::style)
                .containsExactly("step failed");
    }

    @Test
    void lightIsLightAndDarkIsDark() throws Exception {
        var browser = new Browser(temp);

        assertThat(colour(browser.picture(page, Scheme.LIGHT), 5, 5)).isEqualTo(0xf6f8fa);
        assertThat(colour(browser.picture(page, Scheme.DARK), 5, 5)).isEqualTo(0x0d1117);
    }

    @Test
    void tellsWhatRanAndKeepsSecrets() throws Exception {
        var html = Files.readString(page);

        assertThat(html)
                .contains("What went wrong", "checking\nboom", "exit code 3", "Attempt 1 of 2: failed")
                .contains("unit os=linux", "unit os=bsd", "sha256:1", "the password is ***")
                .contains("Kubernetes API", "v1.35", "Sandbox", "Sandboxed")
                .doesNotContain("very-secret-word", "<script");
        assertThat(List.of(html.split("\n", -1))).allMatch(line -> !line.contains("src="));
    }

    private static int colour(BufferedImage picture, int x, int y) {
        return picture.getRGB(x, y) & 0xffffff;
    }
}
