package dev.towtank.controllers.gitops.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.sync.Managed.Refusal;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// More cases of gitops-engine's own tests, under their names; [SyncPlannerTest] has the others.
class SyncCasesTest {

    private final List<Managed> resources = new ArrayList<>();
    private final List<Situation.Hook> hooks = new ArrayList<>();
    private List<Result> results = List.of();
    private boolean prune = true;
    private Set<String> options = Set.of();

    private static Json.Obj object(String kind, String name, String annotations) {
        return (Json.Obj)
                YamlText.parse("{apiVersion: v1, kind: %s, metadata: {name: %s, namespace: %s, annotations: {%s}}}"
                        .formatted(kind, name, kind.equals("Namespace") ? "''" : "d", annotations));
    }

    private static Json.Obj map(String name, String annotations) {
        return object("ConfigMap", name, annotations);
    }

    private static Managed wanted(Json.Obj target, Optional<Refusal> refusal) {
        return new Managed(
                ResourceKey.of(target), Optional.of(target), Optional.empty(), Optional.empty(), refusal, false);
    }

    private static Managed leftover(Json.Obj live) {
        return new Managed(
                ResourceKey.of(live), Optional.empty(), Optional.of(live), Optional.empty(), Optional.empty(), false);
    }

    private Situation situation() {
        return new Situation(
                resources,
                hooks,
                Optional.empty(),
                results,
                new Situation.Wishes(prune, false, Set.of(), options, false, "this"));
    }

    private SyncStep next() {
        return SyncPlanner.next(situation());
    }

    private static List<String> verbs(SyncStep step) {
        return step.actions().stream()
                .map(action -> action.verb() + " " + action.key().name())
                .toList();
    }

    /// TestDoNotPruneAppLevelPruneFalse, TestDoNotPruneResourceLevelPruneFalse, TestPruneConfirmResourceLevel,
    /// TestPruneConfirmAppLevel: what an object says counts more than what is said about all.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | '' | DELETE old",
                "Prune=false | '' | ignored (no prune)",
                "'' | Prune=false | ignored (no prune)",
                "Prune=false | Prune=true | DELETE old",
                "Prune=confirm | Prune=true | DELETE old",
                "Prune=confirm | Prune=false | ignored (no prune)",
                "Prune=false | Prune=confirm | waiting for pruning confirmation of /ConfigMap/old",
                "Prune=confirm | '' | waiting for pruning confirmation of /ConfigMap/old",
            })
    void whatIsPrunedIsUpToTheObjectFirst(String ofAll, String ofOne, String expected) {
        options = ofAll.isEmpty() ? Set.of() : Set.of(ofAll);
        resources.add(leftover(map("old", "argocd.argoproj.io/sync-options: '" + ofOne + "'")));
        var step = next();
        var told = new ArrayList<>(verbs(step));
        step.results().forEach(result -> told.add(result.message()));
        told.add(step.message());
        assertThat(told.getFirst()).isEqualTo(expected);
    }

    /// TestSync_getSyncTasks_FailureMessage, TestSyncNotPermittedNamespace
    @Test
    void whatMakesNoSenseToTryIsNotTried() {
        resources.add(wanted(map("good", ""), Optional.empty()));
        resources.add(wanted(map("a", ""), Optional.of(new Refusal(Refusal.Cause.NOT_PERMITTED, "not permitted"))));
        resources.add(wanted(map("b", ""), Optional.of(new Refusal(Refusal.Cause.UNKNOWN_KIND, "no such kind"))));
        resources.add(wanted(map("c", ""), Optional.of(new Refusal(Refusal.Cause.UNKNOWN_KIND, "no such kind"))));
        assertThat(next().actions()).isEmpty();
        assertThat(next().state()).isEqualTo("Failed");
        assertThat(next().message())
                .isEqualTo("one or more synchronization tasks are not valid: no such kind; not permitted");
        assertThat(next().results())
                .extracting(Result::message)
                .containsExactly("not permitted", "no such kind", "no such kind");
    }

    /// Test_executeSyncFailPhase_DuplicatedMessages
    @Test
    void theSameReasonIsToldOnce() {
        resources.add(wanted(map("a", ""), Optional.empty()));
        resources.add(wanted(map("b", ""), Optional.empty()));
        var outcomes = List.of(
                new SyncStep.Outcome(false, "namespace not found"), new SyncStep.Outcome(false, "namespace not found"));
        results = next().after(outcomes).results();
        assertThat(next().message()).isEqualTo("one or more objects failed to apply, reason: namespace not found");
    }

    /// TestSyncTasksSort_NamespaceAndObjectInNamespace: it is pulled into the phase of the hook, and made once.
    @Test
    void aNamespaceThatAHookLivesInComesFirstAndOnce() {
        resources.add(wanted(object("Namespace", "d", ""), Optional.empty()));
        resources.add(wanted(map("settings", ""), Optional.empty()));
        hooks.add(new Situation.Hook(
                Phase.PRE_SYNC, wanted(object("Pod", "before", "argocd.argoproj.io/hook: PreSync"), Optional.empty())));
        assertThat(verbs(next())).containsExactly("APPLY d", "APPLY before");
        results = next().after(List.of(new SyncStep.Outcome(true, "created"), new SyncStep.Outcome(true, "created")))
                .results();
        resources.set(0, there(resources.getFirst()));
        hooks.set(0, new Situation.Hook(Phase.PRE_SYNC, there(hooks.getFirst().object())));
        assertThat(verbs(next())).doesNotContain("APPLY d").contains("APPLY settings");
    }

    private static Managed there(Managed managed) {
        return new Managed(
                managed.key(), managed.target(), managed.target(), Optional.empty(), Optional.empty(), false);
    }

    /// TestWave, TestWeight
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | 0",
                "argocd.argoproj.io/sync-wave: '1' | 1",
                "argocd.argoproj.io/sync-wave: '-3' | -3",
                "argocd.argoproj.io/sync-wave: soon | 0",
                "argocd.argoproj.io/sync-wave: '1.5' | 0",
                "argocd.argoproj.io/sync-wave: ' 1' | 0",
                "argocd.argoproj.io/sync-wave: '99999999999999999999' | 0",
                "helm.sh/hook-weight: '5' | 5",
                "'argocd.argoproj.io/sync-wave: soon, helm.sh/hook-weight: ''5''' | 5",
            })
    void wavesAreNumbersOrNone(String annotations, int wave) {
        assertThat(Marks.wave(map("a", annotations))).isEqualTo(wave);
    }

    private static String wave(int wave) {
        return "argocd.argoproj.io/sync-wave: '" + wave + "'";
    }

    private Map<String, Integer> waves() {
        return TaskList.of(situation()).stream()
                .collect(Collectors.toMap(task -> task.key().name(), Task::wave));
    }

    /// TestWaveReorderingOfPruneTasks: differentWave_allPruneTasks, differentWave_mixedTasks, mixedTasks
    @Test
    void wavesOfWhatGoesChangePlaces() {
        resources.add(leftover(object("Namespace", "ns", wave(0))));
        for (int i = 1; i <= 4; i++) {
            resources.add(leftover(map("pod" + i, wave(i))));
        }
        assertThat(waves()).isEqualTo(Map.of("ns", 4, "pod1", 3, "pod2", 2, "pod3", 1, "pod4", 0));
        resources.set(0, wanted(object("Namespace", "ns", wave(0)), Optional.empty()));
        resources.set(2, wanted(map("pod2", wave(2)), Optional.empty()));
        assertThat(waves()).isEqualTo(Map.of("ns", 0, "pod1", 4, "pod2", 2, "pod3", 3, "pod4", 1));
        resources.clear();
        resources.add(wanted(object("Namespace", "ns", wave(-1)), Optional.empty()));
        resources.add(leftover(map("pod1", wave(1))));
        resources.add(wanted(map("pod2", wave(3)), Optional.empty()));
        resources.add(leftover(map("pod3", wave(3))));
        resources.add(leftover(map("pod4", wave(3))));
        resources.add(leftover(map("pod5", wave(4))));
        resources.add(wanted(map("pod6", wave(5)), Optional.empty()));
        resources.add(leftover(map("pod7", wave(5))));
        assertThat(waves())
                .isEqualTo(
                        Map.of("ns", -1, "pod1", 5, "pod2", 3, "pod3", 4, "pod4", 4, "pod5", 3, "pod6", 5, "pod7", 1));
    }

    /// TestWaveReorderingOfPruneTasks: pruneLast, pruneLastIndividualResources
    @Test
    void whatIsToGoLastGoesAfterAllWaves() {
        resources.add(wanted(object("Namespace", "ns", wave(0)), Optional.empty()));
        for (int i = 1; i <= 4; i++) {
            var last = i == 2 ? ", argocd.argoproj.io/sync-options: PruneLast=true" : "";
            resources.add(leftover(map("pod" + i, wave(i) + last)));
        }
        assertThat(waves()).isEqualTo(Map.of("ns", 0, "pod1", 4, "pod2", 5, "pod3", 2, "pod4", 1));
        options = Set.of("PruneLast=true");
        assertThat(waves()).isEqualTo(Map.of("ns", 0, "pod1", 5, "pod2", 5, "pod3", 5, "pod4", 5));
    }

    /// TestSync_MultistepResourceDeletionMidstep
    @Test
    void anObjectThatIsGoneInTheMiddleOfASyncEndsIt() {
        resources.add(wanted(map("one", wave(1)), Optional.empty()));
        resources.add(wanted(map("two", wave(2)), Optional.empty()));
        results = next().after(List.of(new SyncStep.Outcome(true, "created"))).results();
        var step = next();
        assertThat(step.state()).isEqualTo("Failed");
        assertThat(step.results()).singleElement().satisfies(result -> {
            assertThat(result.status()).isEqualTo("SyncFailed");
            assertThat(result.state()).isEqualTo("Error");
            assertThat(result.message()).isEqualTo("Resource /ConfigMap/one is missing, it might have been deleted");
        });
    }

    /// GetResourceImages
    @Test
    void resultsNameTheImagesOfPods() {
        var pod = "{containers: [{image: a}, {image: b}]}";
        for (var spec : List.of(
                pod, "{template: {spec: " + pod + "}}", "{jobTemplate: {spec: {template: {spec: " + pod + "}}}}")) {
            var target = map("x", "").with("spec", YamlText.parse(spec));
            resources.clear();
            resources.add(wanted(target, Optional.empty()));
            var entry = next().after(List.of(new SyncStep.Outcome(true, "created")))
                    .results()
                    .getFirst();
            assertThat(entry.json().array("images").strings()).containsExactly("a", "b");
            assertThat(Result.read(entry.json())).isEqualTo(entry);
        }
    }

    /// TestSyncCreateFailure, TestSyncPruneFailure, TestSync_FailedSyncWithSyncFailHook_ApplyFailed,
    /// Test_executeSyncFailPhase_NoTasks
    @Test
    void whatCannotBeAppliedOrPrunedFailsTheSyncAndRunsTheAlarm() {
        resources.add(wanted(map("new", ""), Optional.empty()));
        resources.add(leftover(map("old", "")));
        assertThat(verbs(next())).containsExactly("DELETE old", "APPLY new");
        results = next().after(List.of(new SyncStep.Outcome(false, "may not"), new SyncStep.Outcome(false, "will not")))
                .results();
        assertThat(next().state()).isEqualTo("Failed");
        assertThat(next().message()).isEqualTo("one or more objects failed to apply, reason: will not,may not");
        hooks.add(new Situation.Hook(
                Phase.SYNC_FAIL,
                wanted(object("Pod", "alarm", "argocd.argoproj.io/hook: SyncFail"), Optional.empty())));
        assertThat(next().state()).isEqualTo("Running");
        assertThat(verbs(next())).containsExactly("APPLY alarm");
    }

    /// TestSync_ApplyOutOfSyncOnly: and waves
    @Test
    void wavesOfWhatIsAsItShouldBeArePassed() {
        options = Set.of("ApplyOutOfSyncOnly=true");
        var good = map("good", wave(1));
        resources.add(new Managed(
                ResourceKey.of(good), Optional.of(good), Optional.of(good), Optional.empty(), Optional.empty(), true));
        resources.add(wanted(map("bad", wave(2)), Optional.empty()));
        assertThat(verbs(next())).containsExactly("APPLY bad");
    }
}
