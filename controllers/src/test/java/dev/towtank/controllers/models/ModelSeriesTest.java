package dev.towtank.controllers.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelSeriesTest {

    private static Resource version(String name, String state) {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: towtank.dev/v1
                kind: ModelVersion
                metadata: {name: m-%1$s, namespace: team}
                spec:
                  model: m
                  version: %1$s
                  metrics: {accuracy: 0.9, train_duration_seconds: 12.5}
                  gate: {checks: [{name: loads, state: passed}, {name: answers, state: failed}, {name: rows, state: skipped}]}
                status: {state: %2$s}
                """.formatted(name, state)));
    }

    /// TP-11.
    @Test
    void whatIsKnownAboutVersionsIsTold() {
        var text = ModelSeries.of(List.of(version("v1", "previous"), version("v2", "current")), List.of());

        var whose = "{namespace=\"team\",model=\"m\",version=\"v2\"";
        assertThat(text.lines())
                .contains(
                        "# TYPE model_train_duration_seconds gauge",
                        "model_train_duration_seconds" + whose + "} 12.5",
                        "model_metric" + whose + ",name=\"accuracy\"} 0.9",
                        "model_health_check" + whose + ",check=\"loads\"} 1",
                        "model_health_check" + whose + ",check=\"answers\"} 0",
                        "model_health_check" + whose + ",check=\"rows\"} NaN",
                        "model_version_info" + whose + ",state=\"current\"} 1");
        assertThat(text.lines().filter(line -> line.startsWith("model_accuracy")))
                .containsExactly("model_accuracy{namespace=\"team\",model=\"m\"} 0.9");
    }
}
