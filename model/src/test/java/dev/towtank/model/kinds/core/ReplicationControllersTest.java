package dev.towtank.model.kinds.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.kinds.KindTrial;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicationControllersTest {

    private static final KindTrial TRIAL = new KindTrial(ReplicationControllers.KIND);
    private static final KindTrial TEMPLATES = new KindTrial(PodTemplateObjects.KIND);

    private static final String WEB = """
            metadata: {name: web, namespace: default, creationTimestamp: 2026-01-01T00:00:00Z}
            spec:
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: nginx, image: "nginx:1"}]}
            """;

    @Test
    void takesLabelsAndSelectorFromItsTemplate() {
        var stored = TRIAL.stored(WEB);

        assertThat(stored.object("spec", "selector")).isEqualTo(KindTrial.yaml("{app: web}"));
        assertThat(stored.object("metadata", "labels")).isEqualTo(KindTrial.yaml("{app: web}"));
        assertThat(stored.integer("spec", "replicas")).isEqualTo(1);
        assertThat(TRIAL.errors(WEB)).isEmpty();
    }

    @Test
    void itsScaleNamesItsLabels() {
        var scale = ReplicationControllers.KIND.scale().orElseThrow().of(TRIAL.stored(WEB));

        assertThat(scale.string("status", "selector")).isEqualTo("app=web");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            replicas: -1 | spec.replicas: Invalid value: -1: must be greater than or equal to 0
            selector: {app: other} | spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`
            minReadySeconds: -1 | spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0
            """)
    void refusesWhatCannotBe(String field, String message) {
        assertThat(TRIAL.errors(WEB + "  " + field + "\n")).containsExactly(message);
    }

    @Test
    void needsATemplate() {
        assertThat(TRIAL.errors("{metadata: {name: web}, spec: {selector: {app: web}}}"))
                .containsExactly("spec.template: Required value");
    }

    @Test
    void isShownAsUpstreamShowsIt() {
        assertThat(TRIAL.row(TRIAL.stored(WEB), "2026-01-01T00:01:00Z"))
                .containsExactly("web", "1", "0", "0", "60s", "nginx", "nginx:1", "app=web");
    }

    @Test
    void aTemplateOfItsOwnIsFilledAndShown() {
        var stored = TEMPLATES.stored("""
                metadata: {name: job, namespace: default}
                template:
                  metadata: {labels: {b: "2", a: "1"}}
                  spec: {containers: [{name: main, image: "a:1"}]}
                """);

        assertThat(stored.string("template", "spec", "restartPolicy")).isEqualTo("Always");
        assertThat(TEMPLATES.row(stored, "2026-01-01T00:01:00Z")).containsExactly("job", "main", "a:1", "a=1,b=2");
        assertThat(TEMPLATES.errors("{metadata: {name: job}, template: {spec: {}}}"))
                .containsExactly("template.spec.containers: Required value");
    }
}
