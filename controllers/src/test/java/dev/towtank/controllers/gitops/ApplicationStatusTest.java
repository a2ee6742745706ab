package dev.towtank.controllers.gitops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.gitops.ApplicationFacts.Compared;
import dev.towtank.controllers.gitops.api.MissingRight;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.health.Health;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What an Application tells about itself, as scripts read it.
class ApplicationStatusTest {

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static Managed managed(String apiVersion, String kind, String name, String annotations, Health health) {
        var object = object("{apiVersion: %s, kind: %s, metadata: {name: %s, namespace: d, annotations: {%s}}}"
                .formatted(apiVersion, kind, name, annotations));
        return new Managed(
                ResourceKey.of(object),
                Optional.of(object),
                health.is(Health.Code.MISSING) ? Optional.empty() : Optional.of(object),
                health.is(Health.Code.MISSING) ? Optional.empty() : Optional.of(health),
                Optional.empty(),
                true);
    }

    private static Managed pod(String name, Health health) {
        return managed("v1", "Pod", name, "", health);
    }

    private static Health health(Managed... resources) {
        return ApplicationStatus.health(Arrays.asList(resources));
    }

    private static final Health GOOD = Health.HEALTHY;
    private static final Health BUSY = Health.progressing("starts");
    private static final Health BAD = Health.degraded("broke");
    private static final Health GONE = Health.of(Health.Code.MISSING, "");

    @Test
    void itIsAsHealthyAsTheWorstOfItsObjectsAndNamesThree() {
        assertThat(health()).isEqualTo(GOOD);
        assertThat(health(pod("a", GOOD), pod("b", BUSY))).isEqualTo(Health.progressing("Caused by Pod:d/b: starts"));
        assertThat(health(pod("a", BUSY), managed("apps/v1", "Deployment", "b", "", BAD), pod("c", BAD)))
                .isEqualTo(Health.degraded("Caused by apps/Deployment:d/b, Pod:d/c: broke"));
        assertThat(health(pod("a", BAD), pod("b", BAD), pod("c", BAD), pod("d", BAD), pod("e", BAD)))
                .isEqualTo(Health.degraded("Caused by Pod:d/a, Pod:d/b, Pod:d/c and 2 more: broke"));
    }

    @Test
    void whatDoesNotCountIsLeftOut() {
        assertThat(health(pod("a", GONE), pod("b", GOOD))).isEqualTo(GOOD);
        assertThat(health(pod("a", GONE), pod("b", GONE))).isEqualTo(Health.of(Health.Code.MISSING, ""));
        assertThat(health(managed("v1", "Pod", "a", "argocd.argoproj.io/ignore-healthcheck: 'true'", BAD)))
                .isEqualTo(GOOD);
        assertThat(health(managed("v1", "Pod", "a", "argocd.argoproj.io/hook: Skip", BAD)))
                .isEqualTo(GOOD);
        var unknown = Health.of(Health.Code.UNKNOWN, "");
        assertThat(health(managed("argoproj.io/v1alpha1", "Application", "child", "", unknown)))
                .isEqualTo(GOOD);
        assertThat(health(managed("argoproj.io/v1alpha1", "Application", "child", "", BAD))
                        .status())
                .isEqualTo(Health.Code.DEGRADED);
        assertThat(health(pod("a", unknown)).status()).isEqualTo(Health.Code.UNKNOWN);
    }

    @Test
    void entriesHaveTheFieldsThatScriptsRead() {
        var spec = new ApplicationSpec(
                "app", object("{source: {repoURL: r}, syncPolicy: {syncOptions: [Delete=confirm]}}"));
        var compared = new Compared(
                List.of("abc"),
                List.of("Directory"),
                List.of(
                        managed("apps/v1", "Deployment", "web", "argocd.argoproj.io/sync-wave: '2'", GOOD),
                        managed("v1", "Pod", "a", "argocd.argoproj.io/sync-options: Delete=true", GONE)),
                List.of(managed("batch/v1", "Job", "hook", "argocd.argoproj.io/hook: Sync", GOOD)),
                Set.of());
        var status = ApplicationStatus.compared(Json.Obj.EMPTY, spec, compared, Instant.EPOCH);
        assertThat(status.objects("resources"))
                .containsExactly(
                        object("{group: apps, version: v1, kind: Deployment, namespace: d, name: web, syncWave: 2,"
                                + " status: Synced, health: {status: Healthy}, requiresDeletionConfirmation: true}"),
                        object(
                                "{version: v1, kind: Pod, namespace: d, name: a, status: Synced, health: {status: Missing}}"),
                        object("{group: batch, version: v1, kind: Job, namespace: d, name: hook, hook: true,"
                                + " health: {status: Healthy}}"));
        // A hook is never pruned because it was seen.
        assertThat(Comparison.written(status).map(each -> each.string("name"))).containsExactly("web", "a");
    }

    @Test
    void whatOutlivesItsApplicationAndWhatAsksFirst() {
        var definition = object("{kind: CustomResourceDefinition, metadata: {name: x}}");
        var kept = object("{kind: ConfigMap, metadata: {annotations: {helm.sh/resource-policy: keep}}}");
        var own = object("{kind: ConfigMap, metadata: {annotations: {argocd.argoproj.io/sync-options: Delete=false}}}");
        var other = object(
                "{kind: ConfigMap, metadata: {annotations: {argocd.argoproj.io/sync-options: 'Delete=true,Prune=confirm'}}}");
        assertThat(SyncOptions.outlives(definition, Set.of())).isTrue();
        assertThat(SyncOptions.outlives(kept, Set.of())).isTrue();
        assertThat(SyncOptions.outlives(own, Set.of())).isTrue();
        assertThat(SyncOptions.outlives(other, Set.of("Delete=false"))).isFalse();
        assertThat(SyncOptions.outlives(object("{kind: ConfigMap}"), Set.of("Delete=false")))
                .isTrue();
        assertThat(SyncOptions.needsConsent(other, Set.of())).isTrue();
        assertThat(SyncOptions.needsConsent(own, Set.of("Delete=confirm"))).isFalse();
        assertThat(SyncOptions.needsConsent(object("{kind: ConfigMap}"), Set.of("Delete=confirm")))
                .isTrue();
    }

    /// Each of the options that Argo CD documents is served or refused by its name, and so are its values.
    @Test
    void optionsAreServedOrRefusedByTheirNames() {
        var served = List.of(
                "Prune=false",
                "Prune=confirm",
                "PruneLast=true",
                "PrunePropagationPolicy=foreground",
                "PrunePropagationPolicy=background",
                "PrunePropagationPolicy=orphan",
                "Delete=false",
                "Delete=confirm",
                "Replace=true",
                "Force=true",
                "ServerSideApply=true",
                "ServerSideApply=false",
                "ClientSideApplyMigration=false",
                "Validate=false",
                "SkipDryRunOnMissingResource=true",
                "ApplyOutOfSyncOnly=true",
                "RespectIgnoreDifferences=true",
                "CreateNamespace=true",
                "FailOnSharedResource=true");
        assertThat(SyncOptions.problems(served)).isEmpty();
        assertThat(SyncOptions.problems(List.of("SkipHealthCheck=true", "Sideways=true", "Prune", "PruneLast=confirm")))
                .containsExactly(
                        "the sync option SkipHealthCheck=true is not served",
                        "the sync option Sideways=true is not served",
                        "the sync option Prune has no such value",
                        "the sync option PruneLast=confirm has no such value");
        for (var option : List.of(
                "Prune=false",
                "Delete=confirm",
                "PruneLast=true",
                "Replace=true",
                "Force=true",
                "ServerSideApply=true",
                "Validate=false",
                "SkipDryRunOnMissingResource=true",
                "SkipHealthCheck=true")) {
            assertThat(SyncOptions.problemOfOne(
                            object("{metadata: {annotations: {argocd.argoproj.io/sync-options: '" + option + "'}}}")))
                    .isEmpty();
        }
        assertThat(SyncOptions.problemOfOne(
                        object("{metadata: {annotations: {argocd.argoproj.io/sync-options: CreateNamespace=true}}}")))
                .hasValue("the sync option CreateNamespace=true is not served");
    }

    /// A5
    @Test
    void a5AHookThatIsRefusedIsNamedWithTheRuleThatHelps() {
        var words = "Error from server (Forbidden): imagestreamtags.image.openshift.io \"app:latest\" is forbidden:"
                + " User \"system:serviceaccount:demo:builder\" cannot get resource \"imagestreamtags\" in API group"
                + " \"image.openshift.io\" in the namespace \"demo\"";
        var state = object(
                "{syncResult: {resources: [{group: batch, kind: Job, namespace: demo, name: wait, hookType: Sync}]}}");
        var entry = state.objects("syncResult", "resources").getFirst().with("message", Json.of("exit 1: " + words));
        var told = HookRefusals.of(state.with(List.of("syncResult", "resources"), Json.Arr.of(entry)));
        assertThat(told)
                .containsExactly(
                        new ApplicationFacts.Condition(
                                "SyncWarning",
                                "hook batch/Job/demo/wait: serviceaccount demo/builder cannot get"
                                        + " imagestreamtags.image.openshift.io in demo. Add to a Role that is bound to it:"
                                        + " {apiGroups: [\"image.openshift.io\"], resources: [imagestreamtags], verbs: [get]}"));
        assertThat(HookRefusals.of(state)).isEmpty();
        assertThat(MissingRight.in("all is well")).isEmpty();
    }
}
