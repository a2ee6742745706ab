package dev.towtank.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelPageTest {

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Resource version(String name, String state, String f1) {
        return object("""
                apiVersion: towtank.dev/v1
                kind: ModelVersion
                metadata: {name: m-%1$s, creationTimestamp: '2026-01-01T00:00:00Z'}
                spec:
                  version: %1$s
                  storageUri: pvc://models/m/%1$s
                  metrics: {f1: %3$s}
                  gate: {verdict: passed, checks: [{name: load, state: passed, message: '<b>Tree</b> in 0.1 s'}]}
                status: {state: %2$s}
                """.formatted(name, state, f1));
    }

    private static final Resource MODEL = object("""
            apiVersion: towtank.dev/v1
            kind: Model
            metadata: {name: anomaly-detector}
            spec: {storageUri: pvc://models/m, rules: ['f1 >= 0.8']}
            status:
              current: v3
              conditions: [{type: Ready, status: 'True', message: v3 answers}]
              history: [{type: Promoted, time: '2026-01-01T00:00:00Z', message: v3 serves now in place of v1}]
            """);

    @Test
    void metricsAreDrawnOverVersions() {
        var page = ModelPage.of(
                MODEL,
                List.of(
                        version("v1", "previous", "0.9"),
                        version("v2", "rejected", "0.7"),
                        version("v3", "current", "1")));

        assertThat(page)
                .contains("<title>anomaly-detector</title>", "v3 serves now in place of v1", "f1 &gt;= 0.8")
                .contains("<title>v2 (rejected): 0.7</title>")
                .containsPattern(
                        "<polyline class=\"metric-line\" points=\"52.0,\\d+\\.\\d 274.0,\\d+\\.\\d 496.0,\\d+\\.\\d\">")
                .contains("&lt;b&gt;Tree&lt;/b&gt;")
                .doesNotContain("<b>", "<script");
        assertThat(page.indexOf("<strong>v3")).isLessThan(page.indexOf("<strong>v1")); // the newest first
    }

    @Test
    void aModelWithoutVersionsHasAPageToo() {
        assertThat(ModelPage.of(MODEL, List.of())).contains("Versions").doesNotContain("<svg");
    }

    @Test
    void oneVersionIsAPoint() {
        assertThat(ModelPage.of(MODEL, List.of(version("v1", "odd \"state\"", "0"))))
                .contains("cx=\"274.0\"", "class=\"candidate\"");
    }
}
