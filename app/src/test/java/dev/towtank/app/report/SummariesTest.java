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

    @Test
    void junitCountsTasksAsTests() throws Exception {
        var xml = JunitSummary.of(story);
        var suite = (Element) DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getElementsByTagName("testsuite")
                .item(0);
        var cases = suite.getElementsByTagName("testcase");

        assertThat(suite.getAttribute("tests")).isEqualTo("9").isEqualTo("" + cases.getLength());
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("2");
        var verify = IntStream.range(0, cases.getLength())
                .mapToObj(i -> (Element) cases.item(i))
                .filter(each -> each.getAttribute("name").equals("verify"))
                .findFirst()
                .orElseThrow();
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
