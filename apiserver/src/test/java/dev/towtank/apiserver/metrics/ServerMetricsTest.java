package dev.towtank.apiserver.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerMetricsTest {

    private final ServerMetrics metrics = new ServerMetrics();

    private String text() {
        return new String(metrics.text(), StandardCharsets.UTF_8);
    }

    @Test
    void showsEveryNameAsItWasGiven() {
        metrics.counter("runs_total", "All runs.", "status").count("failed");
        metrics.counter("runs_count", "All runs, by the name of before.", "status")
                .count("failed");
        metrics.gauge("running_count", "Those that run.", () -> 3);
        metrics.histogram("seconds", "How long.", List.of(1.0), "status").observe(0.5, "ok");

        assertThat(text())
                .contains(
                        "# TYPE runs_total counter\nruns_total{status=\"failed\"} 1.0\n",
                        "\nruns_count{status=\"failed\"} 1.0\n",
                        "\nrunning_count 3.0\n",
                        "\nseconds_bucket{status=\"ok\",le=\"1.0\"} 1\n")
                .doesNotContain("runs_count_total");
    }

    @Test
    void boundsWhatUsersMakeUp() {
        var count = metrics.counter("names_total", "Many names.", "name");
        for (int i = 0; i < 3000; i++) {
            count.count("n" + i);
        }

        assertThat(text()).contains("names_total{name=\"_other\"} 1000.0").doesNotContain("\"n2999\"");
    }
}
