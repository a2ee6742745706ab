package dev.towtank.controllers.testclusters.templates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class InstanceReconcilerTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:00:00Z");

    private static final Resource INSTANCE = resource("""
            apiVersion: clustertemplate.openshift.io/v1alpha1
            kind: ClusterTemplateInstance
            metadata:
              {name: it-1, namespace: team, uid: u-1, resourceVersion: "1", creationTimestamp: "2026-01-02T03:00:00Z"}
            spec: {clusterTemplateRef: aws, parameters: [{name: region, value: here}]}
            """);

    private static final Resource TEMPLATE = resource("{metadata: {name: aws}, spec: {clusterDefinition: aws}}");

    private static final Resource PATTERN = resource("""
            metadata: {name: aws, namespace: argocd}
            spec: {template: {spec: {source: {helm: {parameters: [{name: region, value: there}]}}}}}
            """);

    private static final Resource SET = resource("metadata: {name: u-1, namespace: argocd}");

    private static Resource resource(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static InstanceFacts facts(Map<String, Resource> sets) {
        var none = Optional.<Resource>empty();
        return new InstanceFacts(
                Optional.of(TEMPLATE),
                List.of(),
                none,
                Map.of("", PATTERN),
                sets,
                Map.of(),
                List.of(),
                JobWords.NONE,
                new InstanceFacts.Keys(none, none, none, none, List.of(), none),
                Optional.empty(),
                none,
                "argocd",
                UnaryOperator.identity());
    }

    private static List<Change> changes(Map<String, Resource> sets) {
        return new InstanceReconciler()
                .reconcile(Observed.of(ClusterKinds.INSTANCE, INSTANCE), facts(sets), NOW)
                .changes();
    }

    private static List<String> ignored(List<Change> changes) {
        return changes.stream()
                .filter(Change.SetStatus.class::isInstance)
                .flatMap(change -> ((Change.SetStatus) change).status().objects("conditions").stream())
                .filter(each -> each.string("type").equals("ParametersIgnored"))
                .map(each -> each.string("message"))
                .toList();
    }

    @Test
    void whatHasNoEffectIsToldWithTheSet() {
        var changes = changes(Map.of());
        assertThat(changes).hasAtLeastOneElementOfType(Change.Create.class);
        assertThat(ignored(changes)).containsExactly("region: fixed by the template");
    }

    /// Somebody changed the instance between the making of the set and the writing of its status.
    @Test
    void whatHasNoEffectIsToldThoughTheSetWasMadeBefore() {
        var changes = changes(Map.of("", SET));
        assertThat(changes).doesNotHaveAnyElementsOfTypes(Change.Create.class);
        assertThat(ignored(changes)).containsExactly("region: fixed by the template");
    }
}
