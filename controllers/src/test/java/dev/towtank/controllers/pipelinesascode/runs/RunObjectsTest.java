package dev.towtank.controllers.pipelinesascode.runs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What upstream's own tables say about labels.
class RunObjectsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "foo/bar hello                 | foo-bar_hello",
                "foo-bar-hello                 | foo-bar-hello",
                "github-actions[bot]           | github-actions__bot",
                "MBAPPEvsMESSI--               | MBAPPEvsMESSI",
                "'foo\n'                       | foo",
                "secret-name-                  | secret-name",
                "-secret-name                  | secret-name",
                "secret:name/with_underscores  | secret-name-with_underscores",
            })
    void labelsHoldWhatUpstreamWrites(String value, String label) {
        assertThat(RunObjects.label(value)).isEqualTo(label);
    }

    @Test
    void ofALongValueTheEndIsKept() {
        assertThat(RunObjects.label("a".repeat(64))).isEqualTo("a".repeat(62));
        assertThat(RunObjects.label("a".repeat(63))).isEqualTo("a".repeat(62));
        assertThat(RunObjects.label("x".repeat(60) + "[" + "y".repeat(61) + "]z"))
                .hasSizeLessThanOrEqualTo(63);
    }

    @Test
    void whateverSomebodyWritesItIsALabel() {
        for (var value :
                new String[] {"", "…", "a\u0000b", "ü@ö", "..", "a b]", "\t", "[[[", "x".repeat(500) + "]]]"}) {
            assertThat(RunObjects.label(value)).matches("|[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");
        }
    }
}
