package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimestampsTest {

    @Test
    void writesAndReadsAsJavaDoes() {
        var random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            var moment = Instant.ofEpochSecond(
                    random.nextLong(-62_000_000_000L, 253_402_300_799L), random.nextInt(1_000_000_000));
            var text = moment.truncatedTo(ChronoUnit.SECONDS).toString();
            assertThat(Timestamps.seconds(moment)).isEqualTo(text);
            assertThat(Timestamps.parseSeconds(text)).contains(Instant.parse(text));
        }
    }

    @Test
    void writesYearsThatTakeMoreThanFourDigits() {
        for (var text : List.of(
                "+10000-01-01T00:00:00Z", "-0001-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z")) {
            assertThat(Timestamps.seconds(Instant.parse(text))).isEqualTo(text);
        }
    }

    @Test
    void knowsLeapYears() {
        assertThat(Timestamps.parseSeconds("2024-02-29T00:00:00Z")).isPresent();
        assertThat(Timestamps.parseSeconds("2023-02-29T00:00:00Z")).isEmpty();
        assertThat(Timestamps.parseSeconds("2023-04-31T00:00:00Z")).isEmpty();
    }

    @Test
    void leavesOtherFormsToOthers() {
        for (var text : List.of(
                "",
                "2026-01-31T23:59:59.1Z",
                "2026-01-31T23:59:59+01:00",
                "2026-01-31t23:59:59Z",
                "2026-13-31T23:59:59Z",
                "2026-00-10T23:59:59Z",
                "2026-01-00T23:59:59Z",
                "2026-01-31T24:00:00Z",
                "2026-01-31T23:60:59Z",
                "2026-01-31T23:59:60Z",
                "2026-01-31T23:59:5xZ",
                "20x6-01-31T23:59:59Z")) {
            assertThat(Timestamps.parseSeconds(text)).as(text).isEmpty();
        }
    }

    @Test
    void keepsTheMomentOfAConditionAsLongAsItsValue() {
        var status = (Json.Obj) YamlText.parse("""
                conditions:
                - {type: Other, status: "False", lastTransitionTime: "2026-01-01T00:00:00Z"}
                - {type: Ready, status: "True", lastTransitionTime: "2026-01-02T00:00:00Z"}
                """);
        var now = Instant.parse("2026-01-03T00:00:00.5Z");

        assertThat(Timestamps.ofCondition(status, "Ready", "True", now)).isEqualTo("2026-01-02T00:00:00Z");
        assertThat(Timestamps.ofCondition(status, "Ready", "False", now)).isEqualTo("2026-01-03T00:00:00Z");
        assertThat(Timestamps.ofCondition(Json.Obj.EMPTY, "Ready", "True", now)).isEqualTo("2026-01-03T00:00:00Z");
    }
}
