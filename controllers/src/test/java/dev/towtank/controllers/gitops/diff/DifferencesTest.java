package dev.towtank.controllers.gitops.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.List;
import org.junit.jupiter.api.Test;

class DifferencesTest {

    private static final Json.Obj LIVE = object("""
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: web
              resourceVersion: "7"
              managedFields:
              - manager: scaler
                operation: Update
                fieldsV1: {"f:spec": {"f:replicas": {}, "f:containers": {'k:{"name":"proxy"}': {".": {}, "f:image": {}}}}}
            spec:
              replicas: 5
              containers: [{name: main, image: a}, {name: proxy, image: p}]
            status: {ready: 1}
            """);
    private static final Json.Obj TARGET = object("""
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 1
              containers: [{name: main, image: b}]
            """);

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static Differences ignoring(String more) {
        return new Differences(List.of(object("{group: apps, kind: Deployment, " + more + "}")));
    }

    private static Json changed(String pointer, String value) {
        return JsonPaths.with(LIVE, JsonPaths.ofPointer(pointer), Json.of(value));
    }

    @Test
    void statusAndWhatTheServerSetsAreNoDifference() {
        var other = object("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, uid: x, generation: 3}
                spec:
                  replicas: 5
                  containers: [{name: main, image: a}, {name: proxy, image: p}]
                """);
        assertThat(new Differences(List.of()).areNone(LIVE, other)).isTrue();
    }

    @Test
    void pointersAndExpressionsTakeFieldsAwayOnBothSides() {
        var scaled = (Json.Obj) changed("/spec/replicas", "9");
        assertThat(new Differences(List.of()).areNone(LIVE, scaled)).isFalse();
        assertThat(ignoring("jsonPointers: [/spec/replicas]").areNone(LIVE, scaled))
                .isTrue();
        assertThat(ignoring("jqPathExpressions: ['.spec.replicas']").areNone(LIVE, scaled))
                .isTrue();
        assertThat(ignoring("name: other, jsonPointers: [/spec/replicas]").areNone(LIVE, scaled))
                .isFalse();
        var updated = (Json.Obj) changed("/spec/containers/0/image", "z");
        assertThat(ignoring("jqPathExpressions: ['.spec.containers[] | select(.name == \"main\") | .image']")
                        .areNone(LIVE, updated))
                .isTrue();
    }

    @Test
    void whatAManagerOwnsIsNotCompared() {
        var wanted = object("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec: {replicas: 1, containers: [{name: main, image: a}]}
                """);
        assertThat(ignoring("managedFieldsManagers: [scaler]").areNone(LIVE, wanted))
                .isTrue();
        assertThat(ignoring("managedFieldsManagers: [other]").areNone(LIVE, wanted))
                .isFalse();
    }

    @Test
    void aSyncLeavesAloneWhatIsIgnored() {
        assertThat(ignoring("jsonPointers: [/spec/replicas]")
                        .respected(TARGET, LIVE)
                        .integer("spec", "replicas"))
                .isEqualTo(5);
        var byExpression = ignoring("jqPathExpressions: ['.spec.containers[0].image', '.status']")
                .respected(TARGET, LIVE);
        assertThat(byExpression.objects("spec", "containers").getFirst().string("image"))
                .isEqualTo("a");
        assertThat(byExpression.has("status")).isFalse();
        assertThat(ignoring("managedFieldsManagers: [scaler]")
                        .respected(TARGET, LIVE)
                        .object("spec")
                        .has("replicas"))
                .isFalse();
    }

    @Test
    void rulesWithoutEffectAreTold() {
        assertThat(ignoring("jsonPointers: [/spec/replicas]").idle(List.of(LIVE)))
                .isEmpty();
        assertThat(ignoring("jsonPointers: [/spec/paused]").idle(List.of(LIVE)))
                .containsExactly("spec.ignoreDifferences of apps/Deployment: there is nothing at /spec/paused");
        assertThat(ignoring("jqPathExpressions: ['.metadata.namespace == \"x\"', .status]")
                        .idle(List.of(LIVE)))
                .hasSize(2)
                .anyMatch(text -> text.contains(".metadata.namespace == \"x\" is ignored"))
                .anyMatch(text -> text.contains(".status has no effect"));
        assertThat(ignoring("jsonPointers: [/a]").idle(List.of()))
                .containsExactly("spec.ignoreDifferences of apps/Deployment matches none of the application's objects");
        assertThat(ignoring("jqPathExpressions: ['.spec[']").problems()).hasSize(1);
    }

    @Test
    void namesWhoElseSetsAField() {
        assertThat(ManagedFields.contested(LIVE, TARGET, "argocd-controller"))
                .containsOnlyKeys("scaler")
                .containsEntry("scaler", List.of(".spec.replicas"));
        assertThat(ManagedFields.contested(LIVE, TARGET, "scaler")).isEmpty();
    }

    /// TestPerformCSAUpgradeMigration_WithCSAManager, TestPerformCSAUpgradeMigration_NoMigrationNeeded
    @Test
    void whatKubectlAppliedBecomesOurs() {
        var live = object("""
                metadata:
                  managedFields:
                  - {manager: kubectl-client-side-apply, operation: Update, fieldsV1: {"f:data": {"f:a": {}, "f:b": {}}}}
                  - {manager: kubectl-client-side-apply, operation: Apply, fieldsV1: {"f:data": {"f:x": {}}}}
                  - {manager: argocd-controller, operation: Apply, fieldsV1: {"f:data": {"f:b": {}, "f:c": {}}}}
                  - {manager: other, operation: Update, fieldsV1: {"f:data": {"f:d": {}}}}
                """);
        var adopted = ManagedFields.adopted(live, "kubectl-client-side-apply", "argocd-controller")
                .orElseThrow();
        assertThat(adopted.objects()).hasSize(3);
        assertThat(adopted.objects().getLast()).isEqualTo(object("""
                        manager: argocd-controller
                        operation: Apply
                        fieldsV1: {"f:data": {"f:a": {}, "f:b": {}, "f:c": {}}}
                        """));
        assertThat(ManagedFields.adopted(live, "nobody", "argocd-controller")).isEmpty();
        var first = ManagedFields.adopted(live, "other", "newcomer").orElseThrow();
        assertThat(first.objects().getLast())
                .isEqualTo(object("{manager: newcomer, operation: Apply, fieldsV1: {\"f:data\": {\"f:d\": {}}}}"));
    }
}
