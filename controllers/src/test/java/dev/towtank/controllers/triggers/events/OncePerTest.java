package dev.towtank.controllers.triggers.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class OncePerTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static Json.Obj run(String coolDown, String status) {
        return (Json.Obj) YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata:
                  name: train-1
                  labels: {towtank.dev/once-per: anomaly-detector}
                  annotations: {towtank.dev/cool-down: "%s"}
                status: {%s}
                """.formatted(coolDown, status));
    }

    private static List<Resource> alike(String status) {
        return List.of(Resource.of(run("", status)));
    }

    @Test
    void thereIsOneAtATime() {
        assertThat(OncePer.obstacle(run("", ""), List.of(), NOON)).isEmpty();
        assertThat(OncePer.obstacle(run("", ""), alike("startTime: '2026-01-01T11:00:00Z'"), NOON))
                .contains("train-1 runs already for \"anomaly-detector\"");
        assertThat(OncePer.obstacle(run("", ""), alike("completionTime: '2026-01-01T12:00:00Z'"), NOON))
                .isEmpty();
    }

    @Test
    void andNoneForAWhileAfterIt() {
        var ended = alike("completionTime: '2026-01-01T11:45:00Z'");

        assertThat(OncePer.obstacle(run("30m", ""), ended, NOON))
                .contains("\"anomaly-detector\" was just run: not again before 2026-01-01T12:15:00Z");
        assertThat(OncePer.obstacle(run("15m", ""), ended, NOON)).isEmpty();
        assertThat(OncePer.obstacle(run("soon", ""), ended, NOON)).isPresent();
    }

    @Test
    void aClockThatWasSetBackStopsNothingForYears() {
        var later = alike("completionTime: '2031-01-01T00:00:00Z'");

        assertThat(OncePer.obstacle(run("30m", ""), later, NOON)).isEmpty();
    }

    /// An alert that never resolves is told again and again: a run for each pause, and no more.
    @Test
    void whatIsToldForEverStartsOnceForEachPause() {
        var end = NOON;
        int started = 0;
        for (var now = NOON; now.isBefore(NOON.plusSeconds(6 * 3600)); now = now.plusSeconds(60)) {
            if (OncePer.obstacle(run("1h", ""), alike("completionTime: '" + end + "'"), now)
                    .isEmpty()) {
                started++;
                end = now;
            }
        }
        assertThat(started).isEqualTo(5);
    }
}
