package dev.towtank.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class SummariesTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:02:00Z");
    private static final String LOG = "boom <b> & ```\n@all ]]> \u001b[31mred\u001b[0m\n";

    private final RunStory story =
            StoryReader.read(FakeRun.resource("pipelinerun.yaml").with("verify-pod", "step-check", LOG), NOW);

    @Test
    void markdownHasARowForEveryTaskAndTheLogOfWhatFailed() {
        assertThat(MarkdownSummary.of(story))
                .contains("| ✅ | fetch | 20 s |  |\n")
                .contains("| ✅ | unit os=linux | 20 s |  |\n")
                .contains("| ✅ | flaky | 25 s | 2 attempts |\n")
                .containsPattern("\\| ❌ \\| verify \\| 10 s \\| failed, .*\\|\n")
                .containsPattern("\\| ⏭️ \\| deploy \\|  \\| .*\\|\n")
                .contains("<details><summary>❌ verify", "````text\nboom <b> & ```\n@all ]]> red\n````\n");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
            a|b         => a&#124;b
            @everyone   => &#64;everyone
            <img src=x> => &#60;img src=x&#62;
            [x](y)      => &#91;x&#93;(y)
            """)
    void wordsOfOthersStayText(String words, String text) {
        assertThat(MarkdownSummary.plain(words)).isEqualTo(text);
    }

    private static Element suite(RunStory story) throws Exception {
        return (Element) DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(JunitSummary.of(story))))
                .getElementsByTagName("testsuite")
                .item(0);
    }

    private static Element testOf(Element suite, String name) {
        var cases = suite.getElementsByTagName("testcase");
        return IntStream.range(0, cases.getLength())
                .mapToObj(i -> (Element) cases.item(i))
                .filter(each -> each.getAttribute("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String message(Element test, String element) {
        return ((Element) test.getElementsByTagName(element).item(0)).getAttribute("message");
    }

    @Test
    void markdownTellsWhatWasIgnoredAndWhy() {
        assertThat(MarkdownSummary.of(StoryReader.read(FakeRun.resource("ignored.yaml"), NOW)))
                .contains("| ⚠️ | slow | 2 s | timed out and ignored, took too long |\n")
                .contains("| ⚠️ | optional | 3 s | 2 attempts, ignored, broke again |\n")
                .contains("| ⏭️ | unwanted |  | When Expressions evaluated to false&#58; when 'a' in &#91;b&#93; |\n");
    }

    @Test
    void junitDoesNotPassWhatWasIgnored() throws Exception {
        var run = FakeRun.resource("ignored.yaml")
                .with("first-pod", "step-s", "once")
                .with("second-pod", "step-s", "twice");
        var suite = suite(StoryReader.read(run, NOW));
        var optional = testOf(suite, "optional");

        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("4");
        assertThat(message(testOf(suite, "slow"), "skipped")).isEqualTo("timed out and ignored: took too long");
        assertThat(message(optional, "skipped")).isEqualTo("ignored: broke again");
        assertThat(optional.getAttribute("time")).isEqualTo("3.000");
        assertThat(message(optional, "flakyFailure")).isEqualTo("broke once");
        assertThat(optional.getElementsByTagName("flakyFailure").item(0).getTextContent())
                .contains("once");
    }

    @Test
    void junitCountsTasksAsTests() throws Exception {
        var suite = suite(story);
        var cases = suite.getElementsByTagName("testcase");

        assertThat(suite.getAttribute("tests")).isEqualTo("9").isEqualTo("" + cases.getLength());
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("2");
        var verify = testOf(suite, "verify");
        assertThat(verify.getAttribute("time")).isEqualTo("10.000");
        assertThat(verify.getElementsByTagName("failure").getLength()).isEqualTo(1);
        assertThat(verify.getElementsByTagName("system-out").item(0).getTextContent())
                .contains("boom <b> & ```\n@all ]]> red");
    }

    @ParameterizedTest
    @CsvSource({"0, < 1 s", "40, 0.1 s", "449, 0.4 s", "1000, 1 s", "2350, 2.4 s", "25500, 25 s", "61300, 1 min 1 s"})
    void timesAreAsExactAsTheyAreKnown(long millis, String words) {
        assertThat(Times.words(Duration.ofMillis(millis))).isEqualTo(words);
    }
}
