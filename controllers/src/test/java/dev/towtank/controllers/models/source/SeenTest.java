package dev.towtank.controllers.models.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeenTest {

    private static Seen seen(int rows, String counts, String answers) {
        return Seen.of((Json.Obj) YamlText.parse("""
                rows: %d
                features: [{name: a, counts: %s, expected: [50, 50]}, {name: unknown, counts: [1, 2], expected: []}]
                predictions: {counts: [0, 0], values: %s, expected: {yes: 10, no: 10}}
                """.formatted(rows, counts, answers)));
    }

    @Test
    void theSameSharesAreNoDrift() {
        var reading = seen(100, "[50, 50]", "{yes: 50, no: 50}").reading();

        assertThat(reading.features()).containsExactly(Map.entry("a", 0.0));
        assertThat(reading.predictions()).hasValue(0.0);
        assertThat(reading.hasProfile()).isTrue();
    }

    @Test
    void otherSharesAre() {
        var reading = seen(100, "[90, 10]", "{yes: 100}").reading();

        // (0.9 - 0.5) ln(0.9 / 0.5) + (0.1 - 0.5) ln(0.1 / 0.5)
        assertThat(reading.features().get("a")).isEqualTo(0.879);
        assertThat(reading.predictions().orElseThrow()).isGreaterThan(1);
    }

    @Test
    void podsAreAddedAndWhatCameBeforeTheWindowIsNotCounted() {
        var before = seen(100, "[100, 0]", "{yes: 100}");
        var now = seen(200, "[125, 25]", "{yes: 125, no: 25}").plus(seen(50, "[25, 25]", "{yes: 25, no: 25}"));

        var reading = now.minus(before).reading();

        assertThat(reading.rows()).isEqualTo(150);
        assertThat(reading.features().get("a")).isZero();
        assertThat(reading.predictions()).hasValue(0.0);
    }

    @Test
    void withoutAProfileNothingIsSaid() {
        var reading = Seen.of((Json.Obj) YamlText.parse("{rows: 5, features: [{name: a, counts: [5, 0]}]}"))
                .reading();

        assertThat(reading.hasProfile()).isFalse();
        assertThat(reading.features()).isEmpty();
    }
}
