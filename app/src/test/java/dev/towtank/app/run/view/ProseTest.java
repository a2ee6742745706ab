package dev.towtank.app.run.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProseTest {

    private static final List<String> PLAN = List.of(
            "demo: 2 to create, in 1 step",
            "  Sync",
            "    + ConfigMap first, second, third-with-a-long-name",
            "      0.1s  from 0.0s: Job wait",
            "    https://a-word-that-is-longer-than-the-whole-line.example.com is it");

    @Test
    void continuesLongLinesBelowTheirBeginningAndLeavesWordsWhole() {
        assertThat(new Prose(Style.PLAIN, 40).of(PLAN))
                .containsExactly(
                        "demo: 2 to create, in 1 step",
                        "  Sync",
                        "    + ConfigMap first, second,",
                        "      third-with-a-long-name",
                        "      0.1s  from 0.0s: Job wait",
                        "    https://a-word-that-is-longer-than-the-whole-line.example.com",
                        "      is it");
        assertThat(new Prose(Style.PLAIN, 140).of(PLAN)).isEqualTo(PLAN);
    }

    @Test
    void paintsWhatComesAndGoesOverAllOfItsLines() {
        var lines = new Prose(new Style(true, true), 24).of(List.of("  + one two three four five six", "  - seven"));
        assertThat(lines)
                .containsExactly(
                        "\033[32m  + one two three four\033[0m",
                        "\033[32m    five six\033[0m",
                        "\033[31m  - seven\033[0m");
    }

    @Test
    void cutsTablesAtTheEdge() {
        assertThat(new Prose(Style.PLAIN, 10).cut(List.of("NAME", "a   very long message")))
                .containsExactly("NAME", "a   very ~");
    }

    @Test
    void showsNothingThatWouldChangeTheTerminal() {
        assertThat(new Prose(Style.PLAIN, 80).of(List.of("  a\033[2Jb"))).noneMatch(line -> line.contains("\033"));
    }
}
