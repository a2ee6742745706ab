package dev.towtank.controllers.gitops.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthRulesTest {

    private static final String OF_THE_RECORD = """
            hs = {}
            if obj.status.phase == "Pending" then
              hs.status = "Healthy"
              hs.message = "PVC is pending (likely WaitForFirstConsumer)"
            elseif obj.status.phase == "Bound" then
              hs.status = "Healthy"
              hs.message = "PVC is bound"
            else
              hs.status = "Progressing"
              hs.message = "PVC status: " .. obj.status.phase
            end
            return hs
            """;

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static Json.Obj claim(String phase) {
        return object("{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: models, namespace: d},"
                + " spec: {storageClassName: slow}, status: {phase: " + phase + "}}");
    }

    private static HealthRules rules(String key, String script) {
        return new HealthRules(
                new ScriptedHealth(Map.of(key, new ScriptedHealth.Script(script, false))), Neighbours.NONE);
    }

    private static HealthRules with(String bindingMode, boolean isMounted) {
        return new HealthRules(ScriptedHealth.NONE, new Neighbours() {
            @Override
            public Optional<Json.Obj> storageClass(String name) {
                return Optional.of(object("{volumeBindingMode: " + bindingMode + "}"));
            }

            @Override
            public boolean isMounted(String namespace, String claim) {
                return isMounted;
            }
        });
    }

    private static String told(HealthRules rules, Json.Obj object) {
        return rules.of(object, Instant.EPOCH)
                .map(health -> health.status().wire() + " " + health.message())
                .orElse("nothing")
                .strip();
    }

    @Test
    void aClaimThatWaitsForAPodIsHealthyUntilThereIsOne() {
        assertThat(told(with("WaitForFirstConsumer", false), claim("Pending")))
                .isEqualTo("Healthy waiting for first consumer to be created before binding");
        assertThat(told(with("WaitForFirstConsumer", true), claim("Pending"))).isEqualTo("Progressing");
        assertThat(told(with("Immediate", false), claim("Pending"))).isEqualTo("Progressing");
        assertThat(told(with("WaitForFirstConsumer", false), claim("Lost"))).isEqualTo("Degraded");
    }

    @Test
    void scriptsGoBeforeWhatIsBuiltIn() {
        var rules = rules("PersistentVolumeClaim", OF_THE_RECORD);
        assertThat(told(rules, claim("Pending"))).isEqualTo("Healthy PVC is pending (likely WaitForFirstConsumer)");
        assertThat(told(rules, claim("Lost"))).isEqualTo("Progressing PVC status: Lost");
        assertThat(rules.own(claim("Lost")).orElseThrow().status()).isEqualTo(Health.Code.DEGRADED);
    }

    @Test
    void starsStandForGroupsAndKinds() {
        var rules = rules("*.example.com_*", "return {status = 'Degraded', message = 'no'}");
        assertThat(told(rules, object("{apiVersion: a.example.com/v1, kind: Lamp, metadata: {name: x}}")))
                .isEqualTo("Degraded no");
        assertThat(told(rules, object("{apiVersion: example.org/v1, kind: Lamp, metadata: {name: x}}")))
                .isEqualTo("nothing");
    }

    @Test
    void aScriptThatFailsKnowsNothing() {
        var lamp = object("{apiVersion: v1, kind: Lamp, metadata: {name: x}}");
        assertThat(told(rules("Lamp", "return 1"), lamp)).startsWith("Unknown");
        assertThat(told(rules("Lamp", "return {status = 'Fine'}"), lamp))
                .isEqualTo("Unknown Lua returned an invalid health status");
        assertThat(told(rules("Lamp", "while true do end"), lamp)).startsWith("Unknown");
        assertThat(rules("Lamp", "return {").scripts().problems()).hasSize(1);
    }

    @Test
    void aChildApplicationIsWaitedForUntilItIsAboutItsSpec() {
        var child = """
                {apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: child},
                 spec: {source: {path: %s}},
                 status: {health: {status: Healthy}, sync: {comparedTo: {source: {path: new}}}}}
                """;
        assertThat(told(HealthRules.BUILT_IN, object(child.formatted("new")))).isEqualTo("Healthy");
        assertThat(told(HealthRules.BUILT_IN, object(child.formatted("newer"))))
                .isEqualTo("Progressing Waiting for the application to be synced");
    }

    @Test
    void aServiceWaitsForItsModelAndBreaksByABadOne() {
        var service = """
                {apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, metadata: {name: m}, status: {
                  conditions: [{type: Ready, status: "%s", message: waits}],
                  modelStatus: {lastFailureInfo: {reason: "%s", message: "%s"}, states: {activeModelState: "%s"}}}}
                """;
        assertThat(told(HealthRules.BUILT_IN, object(service.formatted("True", "", "", "Loaded"))))
                .isEqualTo("Healthy InferenceService is healthy.");
        assertThat(told(HealthRules.BUILT_IN, object(service.formatted("False", "", "", "Pending"))))
                .isEqualTo("Progressing waits");
        assertThat(told(
                        HealthRules.BUILT_IN,
                        object(service.formatted("False", "ModelLoadFailed", "bad", "FailedToLoad"))))
                .isEqualTo("Degraded bad");
    }

    private static Json.Obj service(String ready, String transition, String failure) {
        return object(("{apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, metadata: {name: m},"
                        + " spec: {predictor: {model: {storageUri: 'pvc://models/m'}}},"
                        + " status: {conditions: [{type: Ready, status: '%s'}], modelStatus: {transitionStatus: %s,"
                        + " states: {activeModelState: Loaded}, lastFailureInfo: {reason: ModelLoadFailed, message: '%s'}}}}")
                .formatted(ready, transition, failure));
    }

    /// A8, A8d: one that is not there yet is waited for, one that cannot be loaded is broken, though the one before
    /// serves.
    @Test
    void a8ModelsThatAreMissingOrBrokenAreToldApart() {
        assertThat(HealthRules.BUILT_IN.own(service("True", "UpToDate", "")))
                .hasValueSatisfying(it -> assertThat(it.status()).isEqualTo(Health.Code.HEALTHY));
        assertThat(HealthRules.BUILT_IN.own(service("False", "BlockedByFailedLoad", "No model file in /mnt/models")))
                .hasValue(Health.progressing("waits for a model at pvc://models/m: No model file in /mnt/models"));
        assertThat(HealthRules.BUILT_IN.own(service("True", "BlockedByFailedLoad", "Cannot load it")))
                .hasValue(Health.degraded("Cannot load it"));
    }

    /// A1e, A8b
    @Test
    void aScriptThatGlossesOverIsFoundOut() {
        var rules = rules("PersistentVolumeClaim", OF_THE_RECORD);
        assertThat(rules.glossedOver(claim("Pending"), Instant.EPOCH)).hasValue(Health.progressing(""));
        assertThat(rules.glossedOver(claim("Bound"), Instant.EPOCH)).isEmpty();
        assertThat(rules.glossedOver(object("{apiVersion: v1, kind: Pod}"), Instant.EPOCH))
                .isEmpty();
    }

    /// A wave that waits for a notebook does not end by how the one before it ended.
    @Test
    void aNotebookIsWhatItsNewestSpecCameTo() {
        var job =
                "{apiVersion: mlops.mlops.dev/v1alpha1, kind: NotebookValidationJob, metadata: {name: n, generation: 2},"
                        + " status: {phase: %s, message: done, observedGeneration: %d}}";

        assertThat(told(HealthRules.BUILT_IN, object(job.formatted("Failed", 2))))
                .isEqualTo("Degraded done");
        assertThat(told(HealthRules.BUILT_IN, object(job.formatted("Succeeded", 2))))
                .isEqualTo("Healthy done");
        assertThat(told(HealthRules.BUILT_IN, object(job.formatted("Building", 2))))
                .isEqualTo("Progressing done");
        for (var phase : List.of("Failed", "Succeeded")) {
            assertThat(told(HealthRules.BUILT_IN, object(job.formatted(phase, 1))))
                    .isEqualTo("Progressing Waiting for the notebook to be run again");
        }
    }
}
