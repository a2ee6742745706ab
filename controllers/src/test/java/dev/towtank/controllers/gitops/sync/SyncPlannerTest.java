package dev.towtank.controllers.gitops.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.health.HealthRules;
import dev.towtank.controllers.gitops.sync.Managed.Refusal;
import dev.towtank.controllers.gitops.sync.SyncStep.Outcome;
import dev.towtank.controllers.gitops.sync.SyncStep.Verb;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Syncs as a sequence of steps on a cluster that takes everything; named after the cases of gitops-engine.
class SyncPlannerTest {

    private static final String RUNNING = "{phase: Running, conditions: [{type: Ready, status: 'True'}]}";

    private final List<Managed> resources = new ArrayList<>();
    private final List<Situation.Hook> hooks = new ArrayList<>();
    private List<Result> results = List.of();
    private boolean prune = true;
    private Set<String> options = Set.of();

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static Json.Obj pod(String name, String annotations) {
        return object("{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: d, annotations: {%s}}}"
                .formatted(name, annotations));
    }

    private static Json.Obj wave(String kind, String name, int wave) {
        return object(
                "{apiVersion: v1, kind: %s, metadata: {name: %s, namespace: d, annotations: {argocd.argoproj.io/sync-wave: '%d'}}}"
                        .formatted(kind, name, wave));
    }

    private static Managed managed(Optional<Json.Obj> target, Optional<Json.Obj> live, Optional<Refusal> refusal) {
        return new Managed(
                ResourceKey.of(target.or(() -> live).orElseThrow()),
                target,
                live,
                live.flatMap(it -> HealthRules.BUILT_IN.of(it, Instant.EPOCH)),
                refusal,
                false);
    }

    private void want(Json.Obj... targets) {
        Arrays.stream(targets)
                .forEach(it -> resources.add(managed(Optional.of(it), Optional.empty(), Optional.empty())));
    }

    private void leftover(Json.Obj... live) {
        Arrays.stream(live).forEach(it -> resources.add(managed(Optional.empty(), Optional.of(it), Optional.empty())));
    }

    private void hook(Phase phase, Json.Obj target) {
        hooks.add(new Situation.Hook(phase, managed(Optional.of(target), Optional.empty(), Optional.empty())));
    }

    private SyncStep next() {
        return SyncPlanner.next(new Situation(
                resources,
                hooks,
                Optional.empty(),
                results,
                new Situation.Wishes(prune, false, Set.of(), options, false, "this")));
    }

    private static List<String> verbs(SyncStep step) {
        return step.actions().stream()
                .map(action -> action.verb() + " " + action.key().name())
                .toList();
    }

    /// Carries out a step: what is applied lives from then on, with this status.
    private SyncStep carryOut(SyncStep step, String status) {
        for (var action : step.actions()) {
            resources.replaceAll(it -> changed(it, action, status));
            hooks.replaceAll(it -> new Situation.Hook(it.phase(), changed(it.object(), action, status)));
        }
        resources.removeIf(it -> it.target().isEmpty() && it.live().isEmpty());
        var after = step.after(
                step.actions().stream().map(_ -> new Outcome(true, "done")).toList());
        results = after.results();
        return after;
    }

    private static Managed changed(Managed managed, SyncStep.Action action, String status) {
        if (!managed.key().equals(action.key()) || action.verb() == Verb.RELEASE) {
            return managed;
        }
        var live = action.verb() == Verb.APPLY
                ? Optional.of(action.object().with("status", YamlText.parse(status)))
                : Optional.<Json.Obj>empty();
        if (live.isEmpty() && managed.target().isEmpty()) {
            return new Managed(
                    managed.key(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);
        }
        return managed(managed.target(), live, Optional.empty());
    }

    private void lives(String name, String status) {
        resources.replaceAll(it -> it.key().name().equals(name)
                ? managed(it.target(), it.live().map(live -> live.with("status", YamlText.parse(status))), it.refusal())
                : it);
        hooks.replaceAll(it -> it.object().key().name().equals(name)
                ? new Situation.Hook(
                        it.phase(),
                        managed(
                                it.object().target(),
                                it.object().live().map(live -> live.with("status", YamlText.parse(status))),
                                Optional.empty()))
                : it);
    }

    /// TestSyncSuccessfully, TestSyncCreateInSortedOrder, TestSortSyncTask
    @Test
    void appliesEverythingOfOneWaveByKindAndIsDone() {
        want(pod("web", ""), wave("Service", "front", 0), wave("ConfigMap", "settings", 0));
        var step = next();
        assertThat(verbs(step)).containsExactly("APPLY settings", "APPLY front", "APPLY web");
        var after = carryOut(step, "{}");
        assertThat(after.state()).isEqualTo("Succeeded");
        assertThat(after.message()).isEqualTo("successfully synced (all tasks run)");
    }

    /// TestSyncSuccessfully_Multistep, Test_syncTasks_multiStep, Test_setRunningPhase, Test_syncTask_wave
    @Test
    void waitsForAWaveToBeHealthyBeforeTheNext() {
        want(wave("Pod", "first", -1), wave("ConfigMap", "second", 3));
        assertThat(verbs(next())).containsExactly("APPLY first");
        carryOut(next(), "{phase: Pending}");
        assertThat(next().actions()).isEmpty();
        assertThat(next().message()).isEqualTo("waiting for healthy state of /Pod/first");
        lives("first", RUNNING);
        assertThat(verbs(next())).isEmpty();
        lives("first", "{phase: Succeeded}");
        assertThat(verbs(next())).containsExactly("APPLY second");
        assertThat(carryOut(next(), "{}").state()).isEqualTo("Succeeded");
    }

    @Test
    void failsWhenAnObjectOfAWaveDegrades() {
        want(wave("Pod", "first", -1), wave("ConfigMap", "second", 3));
        carryOut(next(), "{phase: Failed, message: out of luck}");
        assertThat(next().state()).isEqualTo("Failed");
        assertThat(next().message())
                .isEqualTo("one or more synchronization tasks completed unsuccessfully, reason: out of luck");
    }

    @Test
    void letsAWavePassThatIsNotToBeWaitedFor() {
        want(
                pod(
                        "slow",
                        "argocd.argoproj.io/sync-wave: '-1', argocd.argoproj.io/sync-options: SkipHealthCheck=true"),
                wave("ConfigMap", "second", 3));
        carryOut(next(), "{phase: Pending}");
        assertThat(verbs(next())).containsExactly("APPLY second");
    }

    /// TestSyncValidate
    @Test
    void appliesNothingWhenTheServerWouldRefuseOneObject() {
        want(wave("ConfigMap", "good", 0));
        resources.add(managed(
                Optional.of(pod("bad", "")),
                Optional.empty(),
                Optional.of(new Refusal(Refusal.Cause.REFUSED, "spec.containers: Required value"))));
        var step = next();
        assertThat(step.actions()).isEmpty();
        assertThat(step.state()).isEqualTo("Failed");
        assertThat(step.message()).isEqualTo("one or more objects failed to apply (dry run)");
        assertThat(step.results()).singleElement().satisfies(result -> {
            assertThat(result.status()).isEqualTo("SyncFailed");
            assertThat(result.message()).isEqualTo("spec.containers: Required value");
        });
    }

    /// TestSyncCustomResources, TestSyncTasksSort_CRDAndCR, Test_syncContext_hasCRDOfGroupKind
    @Test
    void takesAnUnknownKindWhoseDefinitionComesAlong() {
        want(object("""
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: trees.example.com}
            spec: {group: example.com, names: {kind: Tree}}
            """));
        resources.add(managed(
                Optional.of(object("{apiVersion: example.com/v1, kind: Tree, metadata: {name: oak, namespace: d}}")),
                Optional.empty(),
                Optional.of(new Refusal(Refusal.Cause.UNKNOWN_KIND, "no Tree"))));
        assertThat(verbs(next())).containsExactly("APPLY trees.example.com");
        carryOut(next(), "{conditions: []}");
        assertThat(next().message())
                .isEqualTo(
                        "waiting for healthy state of apiextensions.k8s.io/CustomResourceDefinition/trees.example.com");
        lives("trees.example.com", "{conditions: [{type: Established, status: 'True'}]}");
        assertThat(verbs(next())).containsExactly("APPLY oak");
    }

    @Test
    void prunesInTheOppositeOrderOfWaves() {
        leftover(wave("ConfigMap", "a", 1), wave("ConfigMap", "b", 2), wave("ConfigMap", "c", 3));
        assertThat(verbs(next())).containsExactly("DELETE c");
        carryOut(next(), "{}");
        assertThat(verbs(next())).containsExactly("DELETE b");
        carryOut(next(), "{}");
        assertThat(verbs(next())).containsExactly("DELETE a");
        assertThat(carryOut(next(), "{}").results())
                .extracting(Result::status)
                .containsExactly("Pruned", "Pruned", "Pruned");
    }

    /// TestPruneLast
    @Test
    void prunesLastWhenAsked() {
        options = Set.of("PruneLast=true");
        want(wave("ConfigMap", "new", 5));
        leftover(wave("ConfigMap", "old", 0));
        assertThat(verbs(next())).containsExactly("APPLY new");
        carryOut(next(), "{}");
        assertThat(verbs(next())).containsExactly("DELETE old");
    }

    @Test
    void keepsWhatIsNotToBePruned() {
        prune = false;
        leftover(wave("ConfigMap", "old", 0));
        var step = next();
        assertThat(step.actions()).isEmpty();
        assertThat(step.results()).singleElement().satisfies(result -> {
            assertThat(result.status()).isEqualTo("PruneSkipped");
            assertThat(result.message()).isEqualTo("ignored (requires pruning)");
        });
        prune = true;
        resources.clear();
        leftover(pod("dear", "argocd.argoproj.io/sync-options: Prune=false"));
        assertThat(next().results()).extracting(Result::message).containsExactly("ignored (no prune)");
    }

    @Test
    void runsHooksBeforeAndAfterAndWaitsForTheirEnd() {
        want(wave("ConfigMap", "settings", 0));
        hook(Phase.PRE_SYNC, pod("before", "argocd.argoproj.io/hook: PreSync"));
        hook(
                Phase.POST_SYNC,
                pod(
                        "after",
                        "argocd.argoproj.io/hook: PostSync, argocd.argoproj.io/hook-delete-policy: HookSucceeded"));
        hook(Phase.SYNC_FAIL, pod("alarm", "argocd.argoproj.io/hook: SyncFail"));
        assertThat(verbs(next())).containsExactly("APPLY before");
        carryOut(next(), "{phase: Running}");
        assertThat(next().message()).isEqualTo("waiting for completion of hook /Pod/before");
        lives("before", "{phase: Succeeded}");
        assertThat(verbs(next())).containsExactly("RELEASE before", "APPLY settings");
        carryOut(next(), "{}");
        assertThat(verbs(next())).contains("APPLY after");
        carryOut(next(), "{phase: Succeeded}");
        assertThat(next().state()).isEqualTo("Succeeded");
        assertThat(verbs(next())).contains("DELETE after").doesNotContain("DELETE before", "APPLY alarm");
    }

    /// TestSync_FailedSyncWithSyncFailHook_HookFailed, Test_executeSyncFailPhase,
    /// Test_executeSyncFailPhase_CompletedHooks
    @Test
    void runsTheAlarmWhenAHookFailsAndNothingElse() {
        want(wave("ConfigMap", "settings", 0));
        hook(Phase.PRE_SYNC, pod("before", "argocd.argoproj.io/hook: PreSync"));
        hook(Phase.SYNC_FAIL, pod("alarm", "argocd.argoproj.io/hook: SyncFail"));
        carryOut(next(), "{phase: Failed, message: no luck}");
        assertThat(verbs(next())).contains("APPLY alarm").doesNotContain("APPLY settings");
        carryOut(next(), "{phase: Succeeded}");
        assertThat(next().state()).isEqualTo("Failed");
        assertThat(next().message())
                .isEqualTo("one or more synchronization tasks completed unsuccessfully, reason: no luck");
    }

    /// TestBeforeHookCreation, TestSync_ExistingHooksWithFinalizer, Test_syncTask_deleteBeforeCreation,
    /// Test_syncTask_hasHookDeletePolicy
    @Test
    void deletesTheHookOfAnEarlierSyncBeforeItRunsAnew() {
        var hook = pod("before", "argocd.argoproj.io/hook: PreSync");
        hooks.add(new Situation.Hook(Phase.PRE_SYNC, managed(Optional.of(hook), Optional.of(hook), Optional.empty())));
        assertThat(verbs(next())).containsExactly("DELETE before");
        assertThat(next().message()).isEqualTo("waiting for deletion of hook /Pod/before");
    }

    @Test
    void doesNotRunAHookTwiceOfWhichNobodyCouldWriteDownThatItRuns() {
        hook(Phase.PRE_SYNC, pod("before", "argocd.argoproj.io/hook: PreSync"));
        var begun = next();
        carryOut(begun, "{phase: Running}");
        results = List.of();
        var again = next();
        assertThat(again.actions()).isEmpty();
        assertThat(again.results()).extracting(Result::state).containsExactly("Running");
    }

    @Test
    void tellsThatARunningHookIsGone() {
        hook(Phase.PRE_SYNC, pod("before", "argocd.argoproj.io/hook: PreSync"));
        carryOut(next(), "{phase: Running}");
        hooks.replaceAll(it ->
                new Situation.Hook(it.phase(), managed(it.object().target(), Optional.empty(), Optional.empty())));
        assertThat(next().state()).isEqualTo("Failed");
        assertThat(next().message()).contains("Resource /Pod/before is missing, it might have been deleted");
    }

    /// TestHelmHook, TestBothHooks, TestWeight
    @Test
    void readsHelmsHooksUnlessThereIsOneOfArgo() {
        var helm = pod("h", "helm.sh/hook: 'pre-install,post-upgrade', helm.sh/hook-weight: '-5'");
        assertThat(Marks.phases(helm)).containsExactly(Phase.PRE_SYNC, Phase.POST_SYNC);
        assertThat(Marks.wave(helm)).isEqualTo(-5);
        assertThat(Marks.phases(pod("h", "helm.sh/hook: pre-install, argocd.argoproj.io/hook: Sync")))
                .containsExactly(Phase.SYNC);
        assertThat(Marks.isHook(pod("h", "helm.sh/hook: crd-install"))).isFalse();
        assertThat(Marks.wave(pod("h", "argocd.argoproj.io/sync-wave: high"))).isZero();
    }

    private static final String IMAGE = "image-registry.openshift-image-registry.svc:5000/d/app";

    private static Json.Obj buildConfig(String latest) {
        return object("""
                apiVersion: build.openshift.io/v1
                kind: BuildConfig
                metadata: {name: app, namespace: d}
                spec: {output: {to: {kind: ImageStreamTag, name: "app:latest"}}, triggers: [{type: ConfigChange}]}
                status: {conditions: [{type: LatestBuild, %s}]}
                """.formatted(latest));
    }

    private void build(String latest) {
        var live = buildConfig(latest);
        resources.removeIf(it -> it.key().kind().equals("BuildConfig"));
        resources.add(managed(Optional.of(live.without("status")), Optional.of(live), Optional.empty()));
    }

    private static Json.Obj user(int wave) {
        return object("""
                {apiVersion: v1, kind: Pod, metadata: {name: user, namespace: d, annotations:
                {argocd.argoproj.io/sync-wave: '%d'}}, spec: {containers: [{image: '%s'}]}}
                """.formatted(wave, IMAGE));
    }

    @Test
    void whoUsesAnImageOfABuildWaitsForItInOneWave() {
        want(buildConfig("status: Unknown").without("status"), user(0), pod("other", ""));
        var first = next();
        assertThat(verbs(first)).containsExactly("APPLY other", "APPLY app");
        carryOut(first, RUNNING);
        build("status: Unknown, reason: Running");
        var second = next();
        assertThat(second.actions()).isEmpty();
        assertThat(second.message())
                .isEqualTo(
                        "waiting for healthy state of build.openshift.io/BuildConfig/app, whose image /Pod/user needs");
        build("status: 'True'");
        assertThat(verbs(next())).containsExactly("APPLY user");
    }

    @Test
    void aBuildThatFailsFailsTheSync() {
        want(buildConfig("status: Unknown").without("status"), user(0));
        carryOut(next(), RUNNING);
        build("status: 'False', message: 'build app-1 failed: no such file'");
        var ended = carryOut(next(), RUNNING);
        assertThat(ended.state()).isEqualTo("Failed");
        assertThat(ended.message()).contains("build app-1 failed: no such file");
        assertThat(resources)
                .filteredOn(it -> it.key().name().equals("user"))
                .allMatch(it -> it.live().isEmpty());
    }

    @Test
    void aBuildThatComesLaterIsNotWaitedFor() {
        want(user(-1), buildConfig("status: Unknown").without("status"));
        assertThat(verbs(next())).containsExactly("APPLY user");
    }

    @Test
    void aBuildThatNobodyStartedIsWaitedForOnlyByThoseWhoNeedIt() {
        want(wave("ConfigMap", "other", 1), user(2));
        build("status: Unknown, reason: NotStarted");
        carryOut(next(), RUNNING);
        build("status: Unknown, reason: NotStarted");
        carryOut(next(), RUNNING);
        assertThat(next().message()).contains("BuildConfig/app, whose image /Pod/user needs");
    }

    private static Json.Obj marked(String name, String annotations) {
        return object("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: d, annotations: {%s}}}"
                .formatted(name, annotations));
    }

    /// TestSync_ApplyOutOfSyncOnly
    @Test
    void appliesOnlyWhatDriftedWhenAskedAndStillWaitsForIt() {
        options = Set.of("ApplyOutOfSyncOnly=true");
        var same = pod("same", "");
        resources.add(new Managed(
                ResourceKey.of(same), Optional.of(same), Optional.of(same), Optional.empty(), Optional.empty(), true));
        want(pod("drifted", ""), wave("ConfigMap", "late", 1));
        var first = next();
        assertThat(verbs(first)).containsExactly("APPLY drifted");
        carryOut(first, "{phase: Pending}");
        // What was applied is as wanted now, and not yet healthy.
        resources.replaceAll(it -> it.key().name().equals("drifted")
                ? new Managed(it.key(), it.target(), it.live(), it.health(), it.refusal(), true)
                : it);
        assertThat(next().message()).isEqualTo("waiting for healthy state of /Pod/drifted");
    }

    /// TestSelectiveSyncOnly, TestDoNotSyncOrPruneHooks
    @Test
    void aSelectionTakesItsObjectsAlone() {
        want(marked("one", ""), marked("two", ""));
        hook(Phase.PRE_SYNC, pod("check", ""));
        var step = SyncPlanner.next(new Situation(
                resources,
                hooks,
                Optional.empty(),
                results,
                new Situation.Wishes(
                        true, false, Set.of(new ResourceKey("", "ConfigMap", "", "two")), Set.of(), false, "this")));
        assertThat(verbs(step)).containsExactly("APPLY two");
        assertThat(step.isLast()).isTrue();
    }

    /// TestSync_DryRun: nothing is changed.
    @Test
    void aDryRunChangesNothing() {
        want(marked("one", ""));
        var step = SyncPlanner.next(new Situation(
                resources,
                hooks,
                Optional.empty(),
                results,
                new Situation.Wishes(true, true, Set.of(), Set.of(), false, "this")));
        assertThat(step.actions()).isEmpty();
        assertThat(step.state()).isEqualTo("Succeeded");
    }

    /// TestPruneConfirmResourceLevel, TestPruneConfirmAppLevel
    @Test
    void whatAsksForConsentIsNotPrunedWithoutIt() {
        leftover(marked("old", "argocd.argoproj.io/sync-options: Prune=confirm"));
        assertThat(next().actions()).isEmpty();
        assertThat(next().message()).isEqualTo("waiting for pruning confirmation of /ConfigMap/old");
        var agreed = SyncPlanner.next(new Situation(
                resources,
                hooks,
                Optional.empty(),
                results,
                new Situation.Wishes(true, false, Set.of(), Set.of(), true, "this")));
        assertThat(verbs(agreed)).containsExactly("DELETE old");
    }

    /// TestSync_HooksDeletedAfterSyncSucceeded, TestSync_HooksNotDeletedIfPhaseNotCompleted
    @Test
    void hooksThatAreToGoAfterASuccessGoAtItsEnd() {
        hook(Phase.PRE_SYNC, pod("before", "argocd.argoproj.io/hook-delete-policy: HookSucceeded"));
        want(marked("one", ""));
        carryOut(next(), "{phase: Succeeded}");
        var second = next();
        assertThat(verbs(second)).contains("APPLY one").doesNotContain("DELETE before");
        carryOut(second, "{}");
        assertThat(verbs(next())).contains("DELETE before");
    }

    /// TestSync_HooksDeletedAfterSyncFailed
    @Test
    void hooksThatAreToGoAfterAFailureGoThen() {
        hook(Phase.PRE_SYNC, pod("before", "argocd.argoproj.io/hook-delete-policy: HookFailed"));
        want(marked("one", ""));
        carryOut(next(), "{phase: Failed, message: no}");
        var ended = next();
        assertThat(ended.state()).isEqualTo("Failed");
        assertThat(verbs(ended)).contains("DELETE before").doesNotContain("APPLY one");
    }

    /// TestSync_FailedSyncWithSyncFailHook_HookFailed
    @Test
    void anAlarmThatFailsIsToldAsWell() {
        hook(Phase.PRE_SYNC, pod("before", ""));
        hook(Phase.SYNC_FAIL, pod("alarm", ""));
        carryOut(next(), "{phase: Failed, message: first}");
        var alarm = next();
        assertThat(verbs(alarm)).contains("APPLY alarm");
        carryOut(alarm, "{phase: Failed, message: second}");
        assertThat(next().message())
                .contains("one or more synchronization tasks completed unsuccessfully", "first")
                .contains("one or more SyncFail hooks failed", "second");
    }

    /// TestSync_SuccessfulSyncWithSyncFailHook
    @Test
    void anAlarmIsNotRunWithoutNeed() {
        hook(Phase.SYNC_FAIL, pod("alarm", ""));
        want(marked("one", ""));
        assertThat(carryOut(next(), "{}").state()).isEqualTo("Succeeded");
    }

    /// TestWaitForCleanUpBeforeNextWave
    @Test
    void whatIsBeingDeletedIsWaitedForBeforeTheNextWave() {
        leftover(wave("Pod", "old-1", 1), wave("Pod", "old-2", 2));
        var first = next();
        assertThat(verbs(first)).containsExactly("DELETE old-2");
        results = first.after(List.of(new Outcome(true, ""))).results();
        resources.replaceAll(it -> it.key().name().equals("old-2")
                ? managed(
                        Optional.empty(),
                        it.live()
                                .map(live -> live.with(
                                        List.of("metadata", "deletionTimestamp"), Json.of("2026-11-17T10:00:00Z"))),
                        Optional.empty())
                : it);
        assertThat(next().message()).isEqualTo("waiting for deletion of /Pod/old-2");
        resources.removeIf(it -> it.key().name().equals("old-2"));
        assertThat(verbs(next())).containsExactly("DELETE old-1");
    }

    /// Test_syncTasks_kindOrder
    @Test
    void kindsComeInTheirOrder() {
        var kinds = List.of(
                "Namespace",
                "NetworkPolicy",
                "ResourceQuota",
                "LimitRange",
                "PodDisruptionBudget",
                "ServiceAccount",
                "Secret",
                "ConfigMap",
                "StorageClass",
                "PersistentVolume",
                "PersistentVolumeClaim",
                "CustomResourceDefinition",
                "ClusterRole",
                "ClusterRoleBinding",
                "Role",
                "RoleBinding",
                "Service",
                "DaemonSet",
                "Pod",
                "ReplicationController",
                "ReplicaSet",
                "Deployment",
                "HorizontalPodAutoscaler",
                "StatefulSet",
                "Job",
                "CronJob",
                "IngressClass",
                "Ingress",
                "APIService",
                "Anything");
        var ranks = kinds.stream().map(KindOrder::rank).toList();
        assertThat(ranks).isSorted().doesNotHaveDuplicates();
    }

    /// TestNoHooks, TestOneHook, TestSkipHook, TestGarbageHook, TestTwoHooks, TestSkipAndHook,
    /// TestGarbageAndHook, TestBothHooks, TestHelmHook, TestIsHook, TestTypes, TestType_HookType,
    /// TestDupHookTypes, TestGarbageHelmHook, TestDeletePolicies, TestDeletePolicy_DeletePolicy,
    /// TestNewHookType, TestNewHookDeletePolicy, TestSyncPhaseNone, TestSyncPhasePreSync, TestSyncPhaseSync,
    /// TestSyncPhaseSkip, TestSyncPhaseGarbage, TestSyncPhasePost, TestSyncPhaseFail, TestSyncPhaseTwoPhases,
    /// TestSyncDuplicatedPhases, TestIgnore
    @Test
    void marksAreReadAsUpstreamReadsThem() {
        assertThat(Marks.phases(marked("a", "argocd.argoproj.io/hook: Garbage")))
                .isEmpty();
        assertThat(Marks.isHook(marked("a", "argocd.argoproj.io/hook: Garbage")))
                .isTrue();
        assertThat(Marks.phases(marked("a", "argocd.argoproj.io/hook: 'PreSync,PostSync,PreSync'")))
                .containsExactly(Phase.PRE_SYNC, Phase.POST_SYNC);
        assertThat(Marks.phases(marked("a", "argocd.argoproj.io/hook: 'Sync,Garbage'")))
                .containsExactly(Phase.SYNC);
        assertThat(Marks.isSkipped(marked("a", "argocd.argoproj.io/hook: Skip")))
                .isTrue();
        assertThat(Marks.isSkipped(marked("a", "argocd.argoproj.io/hook: 'Skip,PreSync'")))
                .isFalse();
        assertThat(Marks.phases(marked("a", "argocd.argoproj.io/hook: 'Skip,PreSync'")))
                .containsExactly(Phase.PRE_SYNC);
        assertThat(Marks.phases(marked("a", "argocd.argoproj.io/hook: Garbage, helm.sh/hook: pre-install")))
                .containsExactly(Phase.PRE_SYNC);
        assertThat(Marks.phases(marked("a", "argocd.argoproj.io/hook: Sync, helm.sh/hook: pre-install")))
                .containsExactly(Phase.SYNC);
        assertThat(Marks.isHook(marked("a", "helm.sh/hook: 'crd-install,pre-install'")))
                .isTrue();
        assertThat(
                        Marks.deletePolicies(
                                marked(
                                        "a",
                                        "argocd.argoproj.io/hook-delete-policy: HookFailed, helm.sh/hook-delete-policy: hook-succeeded")))
                .containsExactlyInAnyOrder(Marks.DeletePolicy.HOOK_SUCCEEDED, Marks.DeletePolicy.HOOK_FAILED);
        assertThat(Marks.phases(marked("a", "helm.sh/hook: garbage"))).isEmpty();
        assertThat(Marks.isHook(marked("a", "helm.sh/hook: crd-install"))).isFalse();
        assertThat(Marks.deletePolicies(marked("a", "argocd.argoproj.io/hook-delete-policy: garbage")))
                .containsExactly(Marks.DeletePolicy.BEFORE_HOOK_CREATION);
        assertThat(Marks.deletePolicies(
                        marked("a", "argocd.argoproj.io/hook-delete-policy: 'HookSucceeded,HookFailed'")))
                .containsExactlyInAnyOrder(Marks.DeletePolicy.HOOK_SUCCEEDED, Marks.DeletePolicy.HOOK_FAILED);
        assertThat(Marks.wave(marked("a", "argocd.argoproj.io/sync-wave: soon")))
                .isZero();
        assertThat(Marks.wave(marked("a", "helm.sh/hook-weight: '5'"))).isEqualTo(5);
        assertThat(Marks.wave(marked("a", "argocd.argoproj.io/sync-wave: '-2', helm.sh/hook-weight: '5'")))
                .isEqualTo(-2);
    }
}
