package dev.towtank.controllers.gitops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.gitops.ApplicationFacts.Compared;
import dev.towtank.controllers.gitops.ApplicationFacts.Deletion;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.health.HealthRules;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.controllers.gitops.sync.Phase;
import dev.towtank.controllers.gitops.sync.Situation;
import dev.towtank.controllers.gitops.sync.SyncStep;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.patch.MergePatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A process that ends before any one of its writes, and before any two of them: whoever comes after it goes on from
/// what
/// is written, no hook runs twice, and nothing is pruned that should stay.
class SyncCrashTest {

    private static final String APPLICATION = """
            apiVersion: argoproj.io/v1alpha1
            kind: Application
            metadata: {name: app, namespace: argocd, uid: u, finalizers: [resources-finalizer.argocd.argoproj.io]}
            spec:
              project: default
              destination: {server: "https://kubernetes.default.svc", namespace: d}
              source: {repoURL: r, path: p}
              syncPolicy: {automated: {prune: true, selfHeal: true}, retry: {limit: 0}}
            status:
              history: [{id: 0}]
              resources:
              - {version: v1, kind: ConfigMap, namespace: d, name: stays, status: Synced}
              - {version: v1, kind: ConfigMap, namespace: d, name: goes, status: Synced}
              operationState: {phase: Succeeded, syncResult: {revision: old, source: {repoURL: r, path: p}}}
            """;

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /// Everything that outlives a process, and what was done to it.
    private static final class World {
        private Json.Obj application = object(APPLICATION);
        private boolean isGone;
        private final Map<ResourceKey, Json.Obj> live = new TreeMap<>(Comparator.comparing(ResourceKey::toString));
        private final Map<Phase, Json.Obj> hooks = new LinkedHashMap<>();
        private final List<Json.Obj> wanted = new ArrayList<>();
        private final List<String> done = new ArrayList<>();
        private final Set<Integer> crashes;
        private int writes;
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        World(Set<Integer> crashes) {
            this.crashes = crashes;
            put(map("stays", 0));
            put(map("goes", 0));
        }

        private void put(Json.Obj object) {
            live.put(ResourceKey.of(object), object);
        }

        private void write() {
            if (crashes.contains(writes++)) {
                throw new Crash();
            }
        }

        private Managed managed(Json.Obj target) {
            var key = ResourceKey.of(target);
            var there = Optional.ofNullable(live.get(key));
            return new Managed(
                    key,
                    Optional.of(target),
                    there,
                    there.flatMap(it -> HealthRules.BUILT_IN.of(it, now)),
                    Optional.empty(),
                    there.isPresent());
        }

        private Optional<Managed> found(Json.Obj entry) {
            var key = Comparison.key(entry);
            return Optional.ofNullable(live.get(key))
                    .map(it -> new Managed(
                            key,
                            Optional.empty(),
                            Optional.of(it),
                            HealthRules.BUILT_IN.of(it, now),
                            Optional.empty(),
                            false));
        }

        private ApplicationFacts facts() {
            var status = application.object("status");
            if (application.object("metadata").has("deletionTimestamp")) {
                var remains = Stream.concat(
                                status.objects("resources").stream(),
                                status.objects("operationState", "syncResult", "resources").stream())
                        .flatMap(entry -> found(entry).stream())
                        .distinct()
                        .toList();
                return ApplicationFacts.deleting(
                        remains, new Deletion(List.of(managed(job("farewell", "PreDelete"))), List.of()));
            }
            var resources = new ArrayList<>(wanted.stream().map(this::managed).toList());
            Comparison.written(status)
                    .filter(entry ->
                            resources.stream().noneMatch(each -> each.key().equals(Comparison.key(entry))))
                    .toList()
                    .forEach(entry -> found(entry)
                            .filter(each -> !resources.contains(each))
                            .ifPresent(resources::add));
            var compared =
                    new Compared(List.of("new"), List.of("Directory"), resources, List.of(), Set.of("PreDelete"));
            var state = status.object("operationState");
            if (ApplicationFacts.isStepping(state)) {
                var all = hooks.entrySet().stream()
                        .map(each -> new Situation.Hook(each.getKey(), managed(each.getValue())))
                        .toList();
                return ApplicationFacts.syncing(
                        List.of(),
                        List.of(),
                        compared,
                        new Situation(
                                resources,
                                all,
                                Optional.empty(),
                                Operations.results(state),
                                Operations.wishes(state, resource())));
            }
            return application.has("operation")
                    ? ApplicationFacts.beginning(List.of(), compared, List.of("new"))
                    : ApplicationFacts.compared(List.of(), compared);
        }

        private Resource resource() {
            return new Resource(LogicalCluster.DEFAULT, application);
        }

        private void carryOut(Plan plan) {
            for (var change : plan.changes()) {
                switch (change) {
                    case Change.SetStatus set -> {
                        write();
                        application = application.with("status", set.status());
                    }
                    case Change.PatchFields patch -> {
                        write();
                        application = MergePatch.apply(application, patch.fields());
                        isGone = application.object("metadata").has("deletionTimestamp")
                                && application.array("metadata", "finalizers").size() == 0;
                    }
                    case Change.Act act -> {
                        var outcomes = new ArrayList<Json>();
                        for (var action : ((SyncDeed) act.deed()).actions()) {
                            write();
                            outcomes.add(outcome(action).json());
                        }
                        carryOut(act.sequel().after(new Json.Arr(outcomes)));
                    }
                    case Change.Event _ -> {}
                    case Change other -> throw new AssertionError(other);
                }
            }
        }

        private SyncStep.Outcome outcome(SyncStep.Action action) {
            var before = Optional.ofNullable(live.get(action.key()));
            switch (action.verb()) {
                case APPLY -> {
                    if (before.isEmpty()) {
                        done.add("+" + action.key().name());
                    }
                    put(before.map(it -> MergePatch.apply(it, action.object())).orElse(action.object()));
                }
                case DELETE ->
                    before.ifPresent(it -> {
                        done.add("-" + action.key().name());
                        if (it.array("metadata", "finalizers").size() == 0) {
                            live.remove(action.key());
                        } else {
                            put(it.with(List.of("metadata", "deletionTimestamp"), Json.of("2026-01-01T00:00:00Z")));
                        }
                    });
                case RELEASE ->
                    before.ifPresent(it -> {
                        put(it.without(List.of("metadata", "finalizers")));
                        if (it.object("metadata").has("deletionTimestamp")) {
                            live.remove(action.key());
                        }
                    });
            }
            return new SyncStep.Outcome(true, "done");
        }

        /// Jobs end while nothing else happens.
        private boolean hasJobEnded() {
            for (var each : List.copyOf(live.values())) {
                if (each.string("kind").equals("Job") && !each.has("status")) {
                    put(each.with("status", YamlText.parse("{conditions: [{type: Complete, status: 'True'}]}")));
                    return true;
                }
            }
            return false;
        }

        World settle() {
            for (int i = 0; i < 300 && !isGone; i++) {
                now = now.plusMillis(700);
                try {
                    var plan = new ApplicationReconciler()
                            .reconcile(Observed.of(GitOpsKinds.APPLICATION, resource()), facts(), now);
                    carryOut(plan);
                    if (plan.changes().isEmpty()
                            && !hasJobEnded()
                            && plan.lookAgain().isEmpty()) {
                        return this;
                    }
                } catch (Crash e) {
                    // The next one begins with what is written.
                }
            }
            return this;
        }
    }

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static Json.Obj map(String name, int wave) {
        return object(("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: d, uid: u-%s, annotations:"
                        + " {argocd.argoproj.io/sync-wave: '%d'}}}")
                .formatted(name, name, wave));
    }

    private static Json.Obj job(String name, String hook) {
        return object(("{apiVersion: batch/v1, kind: Job, metadata: {name: %s, namespace: d, annotations:"
                        + " {argocd.argoproj.io/sync-wave: '1', %s}}}")
                .formatted(name, hook.isEmpty() ? "" : Marks.HOOK + ": " + hook));
    }

    private static World syncing(Set<Integer> crashes) {
        var world = new World(crashes);
        world.wanted.addAll(List.of(map("stays", 0), job("middle", ""), map("late", 2)));
        world.hooks.put(Phase.PRE_SYNC, job("before", "PreSync"));
        world.hooks.put(Phase.SYNC, job("between", "Sync"));
        world.hooks.put(Phase.POST_SYNC, job("after", "PostSync"));
        return world;
    }

    private static void checkSynced(Set<Integer> crashes) {
        var world = syncing(crashes).settle();
        var status = world.application.object("status");
        assertThat(status.string("operationState", "phase"))
                .as("crashes at %s", crashes)
                .isEqualTo("Succeeded");
        assertThat(status.objects("history"))
                .as("history, crashes at %s", crashes)
                .hasSize(2);
        assertThat(status.string("sync", "status")).isEqualTo("Synced");
        assertThat(world.application.has("operation")).isFalse();
        assertThat(world.done)
                .as("crashes at %s", crashes)
                .containsExactlyInAnyOrder("+before", "-goes", "+middle", "+between", "+late", "+after");
        assertThat(world.live.keySet().stream().map(ResourceKey::name))
                .containsExactlyInAnyOrder("stays", "before", "middle", "between", "late", "after");
    }

    @Test
    void aSyncThatIsCutOffAnywhereGoesOn() {
        int writes = syncing(Set.of()).settle().writes;
        assertThat(writes).isGreaterThan(20);
        for (int first = 0; first <= writes; first++) {
            checkSynced(Set.of(first));
            for (int second = first + 1; second <= writes + 1; second++) {
                checkSynced(Set.of(first, second));
            }
        }
    }

    private static World deleting(Set<Integer> crashes) {
        var world = syncing(Set.of()).settle();
        world.done.clear();
        var other = new World(crashes);
        other.application =
                MergePatch.apply(world.application, object("{metadata: {deletionTimestamp: '2026-01-01T01:00:00Z'}}"));
        other.live.clear();
        other.live.putAll(world.live);
        return other;
    }

    @Test
    void aDeletionThatIsCutOffAnywhereGoesOn() {
        int writes = deleting(Set.of()).settle().writes;
        for (int first = 0; first <= writes; first++) {
            for (int second = first; second <= writes + 1; second++) {
                var crashes = first == second ? Set.of(first) : Set.of(first, second);
                var world = deleting(crashes).settle();
                assertThat(world.isGone).as("gone, crashes at %s", crashes).isTrue();
                assertThat(world.live.keySet().stream().map(ResourceKey::name))
                        .as("what is left, crashes at %s", crashes)
                        .containsExactly("farewell");
                assertThat(world.done.getFirst()).as("crashes at %s", crashes).isEqualTo("+farewell");
                assertThat(world.done).doesNotHaveDuplicates();
                assertThat(world.done.indexOf("-late")).isLessThan(world.done.indexOf("-middle"));
                assertThat(world.done.indexOf("-middle")).isLessThan(world.done.indexOf("-stays"));
            }
        }
    }
}
