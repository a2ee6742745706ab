package dev.towtank.controllers.workloads.sets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Children;
import dev.towtank.controllers.workloads.pods.Claim;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.pods.Times;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.IntOrStrings;
import dev.towtank.model.kinds.apps.DaemonSets;
import dev.towtank.model.kinds.core.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Keeps a pod of a DaemonSet on every node that it is for.
public final class DaemonSetReconciler implements Reconciler<Json.Obj, DaemonSetReconciler.Facts> {

    private static final Duration FAILED_FOR = Duration.ofSeconds(10);

    public record Facts(Claim.Candidates pods, Claim.Candidates revisions, List<Resource> nodes) {}

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        return new Look(primary.object(), facts, now).run();
    }

    private static final class Look {
        private final Resource set;
        private final Facts facts;
        private final Instant now;
        private final RevisionHistory history;
        private final DaemonPlacement placement;
        private final Plan claimed;
        private final List<Pod> pods;
        private final Map<String, List<Pod>> byNode;
        private final Plan.Builder actions = new Plan.Builder();
        private Optional<Instant> lookAgain = Optional.empty();

        Look(Resource set, Facts facts, Instant now) {
            this.set = set;
            this.facts = facts;
            this.now = now;
            this.history = RevisionHistory.ofDaemonSet(set, facts.revisions);
            this.placement = new DaemonPlacement(set.spec().object("template", "spec"));
            var claim = Claim.of(Pods.KIND, set, Claim.selector(set), facts.pods);
            this.claimed = claim.plan();
            this.pods = Pod.all(claim.members());
            this.byNode = pods.stream()
                    .collect(Collectors.groupingBy(DaemonPlacement::nodeOf, TreeMap::new, Collectors.toList()));
        }

        Plan run() {
            if (!set.isDeleting()) {
                facts.nodes.forEach(this::manage);
                if (!set.spec().string("updateStrategy", "type").equals("OnDelete")) {
                    update();
                }
            }
            var plan = new Plan.Builder()
                    .add(claimed)
                    .add(history.plan())
                    .setStatus(DaemonSets.KIND, set, status())
                    .add(actions.build());
            if (!set.isDeleting()) {
                plan.add(history.cleanUp(
                        pods.stream()
                                .map(pod -> pod.label(RevisionHistory.POD_LABEL))
                                .collect(Collectors.toSet()),
                        true));
            }
            lookAgain = Times.earliest(lookAgain, Pod.nextAvailable(pods, minReady(), now));
            return plan.build(lookAgain);
        }

        private long minReady() {
            return set.spec().integer("minReadySeconds");
        }

        private boolean isNew(Pod pod) {
            return pod.label(RevisionHistory.POD_LABEL).equals(history.newest().hash());
        }

        private List<Pod> on(Resource node) {
            return byNode.getOrDefault(node.name(), List.of());
        }

        private void manage(Resource node) {
            var here = on(node);
            if (!placement.shouldStayOn(node)) {
                here.forEach(this::delete);
                return;
            }
            here.stream()
                    .filter(Pod::hasFailed)
                    .filter(pod -> !pod.isDeleting())
                    .forEach(pod -> dropFailed(pod, node));
            var running = here.stream().filter(pod -> !pod.isFinished()).toList();
            // A pod that is going counts as there: the new one starts when it is gone.
            if (running.isEmpty() && here.stream().noneMatch(Pod::hasFailed) && placement.shouldRunOn(node)) {
                create(node);
                return;
            }
            removeDuplicates(running);
        }

        private void dropFailed(Pod pod, Resource node) {
            var until = pod.condition("Ready")
                    .flatMap(condition -> Times.parse(condition.get("lastTransitionTime")))
                    .orElse(pod.created())
                    .plus(FAILED_FOR);
            if (until.isAfter(now)) {
                lookAgain = Times.earliest(lookAgain, Optional.of(until));
                return;
            }
            actions.delete(Pods.KIND, pod.object());
            actions.add(Change.Event.warning(
                    set,
                    "FailedDaemonPod",
                    "Found failed daemon pod " + pod.object().namespace() + "/" + pod.name() + " on node " + node.name()
                            + ", will try to kill it"));
        }

        /// The oldest of each revision stays; a second revision is there only while an update wants both.
        private void removeDuplicates(List<Pod> running) {
            var byRevision = running.stream()
                    .filter(pod -> !pod.isDeleting())
                    .sorted(java.util.Comparator.comparing(Pod::created).thenComparing(Pod::name))
                    .collect(Collectors.groupingBy(this::isNew));
            byRevision.values().forEach(same -> same.stream().skip(1).forEach(this::delete));
        }

        private void create(Resource node) {
            var template = set.spec()
                    .object("template")
                    .with("spec", placement.on(node.name()))
                    .with(
                            List.of("metadata", "labels", RevisionHistory.POD_LABEL),
                            Json.of(history.newest().hash()));
            var name = freeName(node);
            actions.create(Pods.KIND, Children.pod(set, template, name));
            actions.add(Change.Event.normal(set, "SuccessfulCreate", "Created pod: " + name));
        }

        private String freeName(Resource node) {
            for (int attempt = 0; ; attempt++) {
                var name = Children.name(set, node.name() + "/" + attempt);
                if (!facts.pods.taken().test(name)) {
                    return name;
                }
            }
        }

        private void delete(Pod pod) {
            if (!pod.isDeleting()) {
                actions.delete(Pods.KIND, pod.object());
                actions.add(Change.Event.normal(set, "SuccessfulDelete", "Deleted pod: " + pod.name()));
            }
        }

        private long amount(String field, long fallback) {
            var given = set.json().at("spec", "updateStrategy", "rollingUpdate", field);
            return given == null ? fallback : IntOrStrings.scaled(given, desired(), true);
        }

        private long desired() {
            return facts.nodes.stream().filter(placement::shouldRunOn).count();
        }

        private void update() {
            long surge = amount("maxSurge", 0);
            long maxUnavailable = amount("maxUnavailable", 1);
            long unavailable = 0;
            var outdated = new ArrayList<Pod>();
            for (var node : facts.nodes) {
                if (!placement.shouldRunOn(node)) {
                    continue;
                }
                var alive = on(node).stream().filter(Pod::isActive).toList();
                boolean available = alive.stream().anyMatch(pod -> pod.isAvailable(minReady(), now));
                var old = alive.stream().filter(pod -> !isNew(pod)).findFirst();
                var fresh = alive.stream().filter(this::isNew).findFirst();
                if (surge > 0) {
                    surge -= surgeOn(node, old, fresh) ? 1 : 0;
                    continue;
                }
                unavailable += available ? 0 : 1;
                old.filter(pod -> fresh.isEmpty()).ifPresent(outdated::add);
            }
            // Pods that serve nobody go first and cost nothing.
            outdated.stream().filter(pod -> !pod.isAvailable(minReady(), now)).forEach(this::delete);
            outdated.stream()
                    .filter(pod -> pod.isAvailable(minReady(), now))
                    .limit(Math.max(0, Math.max(1, maxUnavailable) - unavailable))
                    .forEach(this::delete);
        }

        /// Runs the new pod beside the old one until it is available.
        ///
        /// @return whether it takes a place of the surge
        private boolean surgeOn(Resource node, Optional<Pod> old, Optional<Pod> fresh) {
            if (old.isEmpty()) {
                return false;
            }
            if (fresh.isEmpty()) {
                boolean going = on(node).stream().anyMatch(pod -> isNew(pod) && !pod.isFinished());
                if (!going) {
                    create(node);
                }
                return true;
            }
            if (fresh.get().isAvailable(minReady(), now) || !old.get().isReady()) {
                delete(old.get());
                return false;
            }
            return true;
        }

        private Json.Obj status() {
            long desired = 0;
            long scheduled = 0;
            long misscheduled = 0;
            long ready = 0;
            long updated = 0;
            long available = 0;
            for (var node : facts.nodes) {
                var alive = on(node).stream().filter(Pod::isActive).toList();
                if (!placement.shouldRunOn(node)) {
                    misscheduled += alive.isEmpty() ? 0 : 1;
                    continue;
                }
                desired++;
                scheduled += alive.isEmpty() ? 0 : 1;
                ready += alive.stream().anyMatch(Pod::isReady) ? 1 : 0;
                available += alive.stream().anyMatch(pod -> pod.isAvailable(minReady(), now)) ? 1 : 0;
                updated += alive.stream().anyMatch(this::isNew) ? 1 : 0;
            }
            return Json.Obj.builder()
                    .put("currentNumberScheduled", scheduled)
                    .put("numberMisscheduled", misscheduled)
                    .put("desiredNumberScheduled", desired)
                    .put("numberReady", ready)
                    .putNonEmpty("observedGeneration", Json.of(set.generation()))
                    .putNonEmpty("updatedNumberScheduled", Json.of(updated))
                    .putNonEmpty("numberAvailable", Json.of(available))
                    .putNonEmpty("numberUnavailable", Json.of(desired - available))
                    .putNonEmpty("conditions", set.status().array("conditions"))
                    .build();
        }
    }
}
