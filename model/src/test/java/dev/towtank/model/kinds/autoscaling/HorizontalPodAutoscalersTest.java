package dev.towtank.model.kinds.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.kinds.KindTrial;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HorizontalPodAutoscalersTest {

    private static final KindTrial TRIAL = new KindTrial(HorizontalPodAutoscalers.KIND);
    private static final KindTrial OLDER = new KindTrial(HorizontalPodAutoscalers.OLDER);

    private static final String WEB = """
            apiVersion: autoscaling/v2
            kind: HorizontalPodAutoscaler
            metadata: {name: web, namespace: default, creationTimestamp: 2026-01-01T00:00:00Z}
            spec:
              scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
              maxReplicas: 5
            """;

    @Test
    void looksAtTheProcessorWhereNothingIsSaid() {
        var spec = TRIAL.stored(WEB).object("spec");

        assertThat(spec.without("scaleTargetRef")).isEqualTo(KindTrial.yaml("""
                maxReplicas: 5
                minReplicas: 1
                metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
                """));
        assertThat(TRIAL.errors(WEB)).isEmpty();
    }

    @Test
    void completesABehavior() {
        var behavior = TRIAL.stored(WEB + "  behavior: {scaleDown: {selectPolicy: Disabled}}\n")
                .object("spec", "behavior");

        assertThat(behavior).isEqualTo(KindTrial.yaml("""
                scaleDown: {selectPolicy: Disabled, policies: [{type: Percent, value: 100, periodSeconds: 15}]}
                scaleUp:
                  stabilizationWindowSeconds: 0
                  selectPolicy: Max
                  policies:
                  - {type: Pods, value: 4, periodSeconds: 15}
                  - {type: Percent, value: 100, periodSeconds: 15}
                """));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            minReplicas: 0 | spec.minReplicas: Invalid value: 0: must be greater than or equal to 1
            minReplicas: 6 | spec.maxReplicas: Invalid value: 5: must be greater than or equal to `minReplicas`
            metrics: [{type: Load}] | spec.metrics[0].type: Unsupported value: "Load": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"
            metrics: [{type: Resource}] | spec.metrics[0].resource: Required value: must populate information for the given metric source
            metrics: [{type: Pods, pods: {metric: {name: a}, target: {type: AverageValue}}}] | spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue
            metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 0}}}] | spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0
            behavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: 2000}]}} | spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 2000: must be less than or equal to 1800
            behavior: {scaleUp: {selectPolicy: Most}} | spec.behavior.scaleUp.selectPolicy: Unsupported value: "Most": supported values: "Disabled", "Max", "Min"
            """)
    void refusesWhatCannotBe(String field, String message) {
        assertThat(TRIAL.errors(WEB + "  " + field + "\n")).contains(message);
    }

    @Test
    void wantsTheGroupOfItsTargetUnlessItWasLetInBefore() {
        var old = WEB.replace("apps/v1", "v1");
        var message = "spec.scaleTargetRef.apiVersion: Invalid value: \"v1\": apiVersion must specify API group";

        assertThat(TRIAL.errors(old)).containsExactly(message);
        assertThat(TRIAL.updateErrors(old, old)).isEmpty();
        assertThat(TRIAL.updateErrors(WEB, old)).containsExactly(message);
        assertThat(TRIAL.errors(old.replace("kind: Deployment", "kind: ReplicationController")))
                .isEmpty();
    }

    @Test
    void theOlderFormComesBackAsItWas() {
        var stored = TRIAL.stored(WEB + """
                  metrics:
                  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}
                  - {type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 100Mi}}}
                  - {type: Pods, pods: {metric: {name: hits}, target: {type: AverageValue, averageValue: "5"}}}
                  - type: Object
                    object:
                      describedObject: {apiVersion: networking.k8s.io/v1, kind: Ingress, name: main}
                      metric: {name: load, selector: {matchLabels: {a: b}}}
                      target: {type: Value, value: "7"}
                  - {type: External, external: {metric: {name: queue}, target: {type: AverageValue, averageValue: "3"}}}
                  behavior: {scaleDown: {stabilizationWindowSeconds: 10}}
                """).with("status", KindTrial.yaml("""
                currentReplicas: 2
                desiredReplicas: 3
                currentMetrics: [{type: Resource, resource: {name: cpu, current: {averageUtilization: 70, averageValue: 7m}}}]
                conditions: [{type: AbleToScale, status: "True", reason: ReadyForNewScale}]
                """));

        var older = AutoscalerConversion.fromStored(stored);

        assertThat(older.integer("spec", "targetCPUUtilizationPercentage")).isEqualTo(60);
        assertThat(older.integer("status", "currentCPUUtilizationPercentage")).isEqualTo(70);
        assertThat(older.object("spec").has("metrics")).isFalse();
        assertThat(older.string("metadata", "annotations", "autoscaling.alpha.kubernetes.io/metrics"))
                .contains("\"targetAverageValue\":\"100Mi\"");
        assertThat(older.string("metadata", "annotations", "autoscaling.alpha.kubernetes.io/behavior"))
                .contains("\"StabilizationWindowSeconds\":10");
        var back = AutoscalerConversion.toStored(older);
        assertThat(back.object("status")).isEqualTo(stored.object("status"));
        assertThat(back.object("spec", "behavior")).isEqualTo(stored.object("spec", "behavior"));
        assertThat(back.object("metadata")).isEqualTo(stored.object("metadata"));
        assertThat(back.objects("spec", "metrics"))
                .containsExactlyInAnyOrderElementsOf(stored.objects("spec", "metrics"));
    }

    @Test
    void theOlderFormIsCheckedAsTheNewOne() {
        var older = WEB.replace("autoscaling/v2", "autoscaling/v1");

        assertThat(OLDER.errors(older + "  targetCPUUtilizationPercentage: 50\n"))
                .isEmpty();
        assertThat(OLDER.errors(older + "  targetCPUUtilizationPercentage: 0\n"))
                .containsExactly("spec.metrics[0].resource.target.averageUtilization: Invalid value: 0:"
                        + " must be greater than 0");
    }

    @Test
    void isShownAsUpstreamShowsIt() {
        var status = KindTrial.yaml("""
                currentReplicas: 2
                currentMetrics: [{type: Resource, resource: {name: cpu, current: {averageUtilization: 70, averageValue: 7m}}}]
                """);
        var object = TRIAL.stored(WEB).with("status", status);

        assertThat(TRIAL.row(object, "2026-01-01T00:01:00Z"))
                .containsExactly("web", "Deployment/web", "cpu: 70%/80%", "1", "5", "2", "60s");
        assertThat(OLDER.row(AutoscalerConversion.fromStored(object), "2026-01-01T00:01:00Z"))
                .isEqualTo(TRIAL.row(object, "2026-01-01T00:01:00Z"));
        assertThat(TRIAL.row(TRIAL.stored(WEB), "2026-01-01T00:01:00Z")).contains("cpu: <unknown>/80%");
    }

    @Test
    void annotationsThatCannotBeReadAreLeftOut() {
        var older = KindTrial.yaml(WEB.replace("autoscaling/v2", "autoscaling/v1"))
                .with(
                        List.of("metadata", "annotations", "autoscaling.alpha.kubernetes.io/metrics"),
                        Json.of("{broken"));

        assertThat(AutoscalerConversion.toStored(older).objects("spec", "metrics"))
                .hasSize(1);
    }
}
