package dev.towtank.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.time.Instant;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;

class ReportPageTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:02:00Z");
    private static final String EVIL = "</pre><script>alert('x')</script>\" onload=\"x\u0000\u202e";

    private static String page(FakeRun run) {
        return ReportPage.of(StoryReader.read(run, NOW));
    }

    @Test
    void tellsTheWholeStory() {
        var page = page(FakeRun.resource("pipelinerun.yaml")
                .with("verify-pod", "step-check", "\u001b[32mchecking\u001b[0m\r\nboom\n"));

        assertThat(page)
                .contains("<title>PipelineRun build-42: failed</title>")
                .contains("8 tasks: 4 succeeded, 1 failed, 1 running, 1 skipped, 1 not started")
                .contains("What went wrong", "<pre tabindex=\"0\">checking\nboom</pre>")
                .contains("30 s · 2 runs", "25 s · 1 retry", ">finally<")
                .contains("Skipped: When Expressions evaluated to false: when &#39;no&#39; in [yes]")
                .contains("Attempt 1 of 2: failed", "Its pod is gone, and the log with it.")
                .contains("sha256:1", "<code>fast</code><span class=\"note\">default</span>")
                .contains("Kubernetes API", "v1.35.0", "2026-03-01 10:00:00 UTC");
    }

    @Test
    void whatFailedComesBeforeWhatWasIgnored() {
        var page = page(FakeRun.of("""
            kind: PipelineRun
            metadata: {name: run}
            status:
              startTime: "2026-03-01T10:00:00Z"
              conditions: [{type: Succeeded, status: "False", reason: Failed}]
              pipelineSpec: {tasks: [{name: optional, onError: continue}, {name: needed}]}
            ---
            metadata: {name: run-optional, labels: {tekton.dev/pipelineTask: optional}}
            status:
              startTime: "2026-03-01T10:00:00Z"
              conditions: [{type: Succeeded, status: "False", reason: FailureIgnored, message: does not matter}]
            ---
            metadata: {name: run-needed, labels: {tekton.dev/pipelineTask: needed}}
            status:
              startTime: "2026-03-01T10:00:01Z"
              conditions: [{type: Succeeded, status: "False", reason: Failed, message: does matter}]
            """));

        assertThat(page).contains("What went wrong").containsSubsequence("does matter", "does not matter");
    }

    @Test
    void whatIsNotOursStaysText() {
        var page = page(FakeRun.of("""
            kind: PipelineRun
            metadata: {name: "EVIL", namespace: "EVIL"}
            spec: {params: [{name: "EVIL", value: "EVIL"}]}
            status:
              startTime: "2026-03-01T10:00:00Z"
              conditions: [{type: Succeeded, status: "False", reason: "EVIL", message: "EVIL"}]
              results: [{name: "EVIL", value: "EVIL"}]
              skippedTasks: [{name: "EVIL", reason: "EVIL", whenExpressions: [{input: "EVIL", operator: in, values: ["EVIL"]}]}]
              pipelineSpec: {tasks: [{name: "EVIL"}, {name: bad}]}
            ---
            metadata: {name: "EVIL", labels: {tekton.dev/pipelineTask: bad}}
            status:
              startTime: "2026-03-01T10:00:00Z"
              podName: pod
              conditions: [{type: Succeeded, status: "False", message: "EVIL"}]
              steps: [{name: "EVIL", container: step, imageID: "EVIL", terminated: {exitCode: 1}}]
            """.replace(
                        "EVIL",
                        EVIL.replace("\"", "\\\"").replace("\u0000", "\\0").replace("\u202e", "\\u202e")))
                .with("pod", "step", EVIL));

        assertThat(page).contains("&lt;script&gt;").doesNotContain("<script", "\u0000", "\u202e", " onload=\"x");
    }

    @Test
    void everyElementIsClosed() throws Exception {
        var page = page(FakeRun.resource("pipelinerun.yaml"));
        // As XML it is strict: what HTML leaves open is closed first.
        var xml = page.replaceFirst("<!DOCTYPE html>\n", "").replaceAll("<meta [^>]*>", "");

        var document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));

        assertThat(document.getElementsByTagName("article").getLength()).isEqualTo(8);
        assertThat(document.getElementsByTagName("details").getLength()).isEqualTo(10);
    }

    @Test
    void everyLinkLeadsToAPlaceOnThePage() {
        var page = page(FakeRun.resource("pipelinerun.yaml"));
        var links = Pattern.compile("href=\"([^\"]*)\"")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(links).hasSize(8).allSatisfy(link -> assertThat(page).contains("id=\"" + link.substring(1) + "\""));
    }

    @Test
    void needsNothingFromElsewhere() {
        var page = page(FakeRun.resource("pipelinerun.yaml"));

        assertThat(page)
                .contains("default-src &#39;none&#39;")
                .doesNotContain("http://", "https://", "url(", "@import");
    }

    @Test
    void aTerminalsWordsAreLeftOut() {
        assertThat(ReportPage.plain("\u001b[1;31mred\u001b[0m \u001b]8;;link\u0007text"))
                .isEqualTo("red text");
        assertThat(ReportPage.plain("10%\r50%\r100%\nnext\r\n")).isEqualTo("100%\nnext\n");
    }

    @Test
    void aRunThatHasNotBegunHasAPageToo() {
        var page = page(FakeRun.of("{kind: TaskRun, metadata: {name: new, namespace: shop}}"));

        assertThat(page).contains("not started", "0 steps");
    }

    @Test
    void longNamesAreShortenedInTheMiddle() {
        assertThat(GraphPicture.shortened("a-very-long-name-of-a-task-indeed", 13))
                .isEqualTo("a-very-l…-indeed");
        assertThat(GraphPicture.shortened("short", 13)).isEqualTo("short");
    }

    @ParameterizedTest
    @CsvSource({"m, 9", "😀, 8", "i, 21"})
    void wideLettersLeaveRoomForFewer(String letter, long most) {
        assertThat(GraphPicture.shortened(letter.repeat(40), 13).codePoints().count())
                .isLessThanOrEqualTo(most);
    }

    @Test
    void theLogIsOfTheStepThatFailedTheTask() {
        var run = FakeRun.resource("ignored.yaml")
                .with("strict-pod", "step-one", "from one")
                .with("strict-pod", "step-two", "from two");

        assertThat(page(run)).contains("The last lines of step two:").doesNotContain("The last lines of step one:");
        assertThat(MarkdownSummary.of(StoryReader.read(run, NOW)))
                .contains("strict: the last lines of step two")
                .doesNotContain("the last lines of step one");
    }

    @Test
    void whatWasIgnoredLooksSoEverywhere() {
        var page = page(FakeRun.resource("ignored.yaml"));

        assertThat(page)
                .contains("1 failed, 1 ignored, 1 timed out and ignored, 2 skipped")
                .contains("class=\"pill ignored-timeout\"", "class=\"node ignored-timeout\"")
                .contains("class=\"bar ignored-timeout\"", "class=\"bar ignored\"")
                .contains("class=\"step ignored\"");
    }
}
