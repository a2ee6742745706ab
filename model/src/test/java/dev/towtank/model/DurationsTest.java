package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0s",
        "1h, 1h0m0s",
        "90m, 1h30m0s",
        "1.5s, 1.5s",
        "100ms, 100ms",
        "1500ms, 1.5s",
        "2us, 2µs",
        "7ns, 7ns",
        "-1.5h, -1h30m0s",
        "1h15m30.918s, 1h15m30.918s",
        "+5m, 5m0s",
        ".5s, 500ms",
        "1.s, 1s",
        "720h, 720h0m0s"
    })
    void readsAndPrintsAsGoDoes(String text, String printed) {
        assertThat(Durations.format(Durations.parse(text))).isEqualTo(printed);
        assertThat(Durations.parse(printed)).isEqualTo(Durations.parse(text));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "``, time: invalid duration \"\"",
                "5, time: missing unit in duration \"5\"",
                "1d, time: unknown unit \"d\" in duration \"1d\"",
                "x, time: invalid duration \"x\"",
                "., time: invalid duration \".\"",
                "1.2.3s, time: invalid duration \"1.2.3s\"",
                "9999999h, time: invalid duration \"9999999h\""
            })
    void refusesInGosWords(String text, String message) {
        assertThatThrownBy(() -> Durations.parse(text)).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"PT1M, 1m0s", "PT0.001S, 1ms", "PT59.999999999S, 59.999999999s"})
    void printsDurations(Duration duration, String printed) {
        assertThat(Durations.format(duration)).isEqualTo(printed);
    }
}
