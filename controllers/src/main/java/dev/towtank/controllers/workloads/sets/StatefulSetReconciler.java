package dev.towtank.controllers.workloads.sets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Claim;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.IntOrStrings;
import dev.towtank.model.kinds.apps.StatefulSets;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Keeps the numbered pods of a StatefulSet, one after the other unless it says in parallel.
public final class StatefulSetReconciler implements Reconciler<Json.Obj, StatefulSetReconciler.Facts> {

    /// @param claim the PersistentVolumeClaim of a name in the set's namespace
    public record Facts(
            Claim.Candidates pods, Claim.Candidates revisions, Function<String, Optional<Resource>> claim) {}

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        return new Look(primary.object(), facts, now).run();
    }

    private static final class Look {
        private final Resource set;
        private final StatefulPods shape;
        private final Facts facts;
        private final Instant now;
        private final RevisionHistory history;
        private final RevisionHistory.Revision current;
        private final Plan claimed;
        private final Plan.Builder actions = new Plan.Builder();
        private final TreeMap<Long, Pod> pods = new TreeMap<>();
        private long taken;

        Look(Resource set, Facts facts, Instant now) {
            this.set = set;
            this.shape = new StatefulPods(set);
            this.facts = facts;
            this.now = now;
            this.history = RevisionHistory.ofStatefulSet(set, facts.revisions);
            this.current = history.named(set.status().string("currentRevision")).orElse(history.newest());
            var claim = Claim.of(Pods.KIND, set, Claim.selector(set), facts.pods);
            this.claimed = claim.plan();
            for (var pod : Pod.all(claim.members())) {
                shape.ordinal(pod).ifPresent(ordinal -> pods.put(ordinal, pod));
            }
        }

        Plan run() {
            if (!set.isDeleting() && keepReplicas() && shrink()) {
                update();
            }
            var plan = new Plan.Builder()
                    .add(claimed)
                    .add(history.plan())
                    .setStatus(StatefulSets.KIND, set, status())
                    .add(actions.build());
            if (!set.isDeleting()) {
                var used = pods.values().stream()
                        .map(pod -> pod.label(RevisionHistory.POD_LABEL))
                        .collect(Collectors.toSet());
                used.add(current.name());
                plan.add(history.cleanUp(used, false));
            }
            return plan.build(Pod.nextAvailable(List.copyOf(pods.values()), minReady(), now));
        }

        private long minReady() {
            return set.spec().integer("minReadySeconds");
        }

        private boolean inOrder() {
            return !set.spec().string("podManagementPolicy").equals("Parallel");
        }

        private boolean isHealthy(Pod pod) {
            return pod.phase().equals("Running") && pod.isAvailable(minReady(), now) && !pod.isDeleting();
        }

        /// @return whether all wanted pods are there and, in order, well
        private boolean keepReplicas() {
            for (long ordinal = shape.start(); ordinal < shape.start() + shape.replicas(); ordinal++) {
                boolean goOn = keep(ordinal, Optional.ofNullable(pods.get(ordinal)));
                if (!goOn && inOrder()) {
                    return false;
                }
            }
            return true;
        }

        private boolean keep(long ordinal, Optional<Pod> pod) {
            if (pod.isEmpty()) {
                create(ordinal);
                return false;
            }
            if (pod.get().isFinished()) {
                delete(pod.get());
                return false;
            }
            if (!pod.get().phase().equals("Running")) {
                createClaims(ordinal);
            }
            if (!isHealthy(pod.get())) {
                return false;
            }
            keepClaims(ordinal, pod.get());
            return true;
        }

        private void create(long ordinal) {
            var name = shape.name(ordinal);
            boolean stale = shape.claims(ordinal).values().stream()
                    .flatMap(claim -> facts.claim.apply(claim.name()).stream())
                    .anyMatch(claim -> claim.isDeleting() || StatefulPods.isStale(claim, name));
            if (stale || facts.pods.taken().test(name)) {
                return;
            }
            createClaims(ordinal);
            actions.create(Pods.KIND, shape.pod(ordinal, revisionFor(ordinal)));
            tell("SuccessfulCreate", "create Pod " + name + " in StatefulSet " + set.name() + " successful");
        }

        /// Below the partition pods stay at the revision that was complete last.
        private RevisionHistory.Revision revisionFor(long ordinal) {
            boolean rolling = set.spec().string("updateStrategy", "type").equals("RollingUpdate")
                    || set.spec().string("updateStrategy", "type").isEmpty();
            return rolling && ordinal < shape.start() + partition() ? current : history.newest();
        }

        private long partition() {
            return set.spec().integer("updateStrategy", "rollingUpdate", "partition");
        }

        private void createClaims(long ordinal) {
            for (var claim : shape.claims(ordinal).values()) {
                if (facts.claim.apply(claim.name()).isEmpty()) {
                    actions.create(PersistentVolumeClaims.KIND, claim);
                    tell(
                            "SuccessfulCreate",
                            "create Claim " + claim.name() + " Pod " + shape.name(ordinal) + " in StatefulSet "
                                    + set.name() + " success");
                }
            }
        }

        private void keepClaims(long ordinal, Pod pod) {
            for (var wanted : shape.claims(ordinal).values()) {
                facts.claim
                        .apply(wanted.name())
                        .filter(claim -> !claim.isDeleting())
                        .filter(claim -> !isOthers(claim, pod))
                        .ifPresent(claim -> {
                            var owners = shape.owners(claim, pod, ordinal);
                            if (!owners.equals(claim.metadata().array("ownerReferences"))) {
                                actions.patch(
                                        PersistentVolumeClaims.KIND,
                                        claim,
                                        Json.Obj.of("metadata", Json.Obj.of("ownerReferences", owners)));
                            }
                        });
            }
        }

        private boolean isOthers(Resource claim, Pod pod) {
            return claim.controller()
                    .filter(owner ->
                            !owner.uid().equals(set.uid()) && !owner.uid().equals(pod.uid()))
                    .isPresent();
        }

        private void delete(Pod pod) {
            if (!pod.isDeleting()) {
                actions.delete(Pods.KIND, pod.object());
                tell("SuccessfulDelete", "delete Pod " + pod.name() + " in StatefulSet " + set.name() + " successful");
            }
        }

        private void tell(String reason, String message) {
            actions.add(Change.Event.normal(set, reason, message));
        }

        /// Deletes pods that are too many, the highest first.
        ///
        /// @return whether none is left
        private boolean shrink() {
            var condemned = pods.entrySet().stream()
                    .filter(entry -> !shape.isWanted(entry.getKey()))
                    .sorted(Comparator.comparing(java.util.Map.Entry::getKey, Comparator.reverseOrder()))
                    .toList();
            condemned.forEach(entry -> keepClaims(entry.getKey(), entry.getValue()));
            // The lowest that is not well may go: nobody waits for it.
            var firstUnhealthy = pods.values().stream()
                    .filter(pod -> !isHealthy(pod))
                    .findFirst()
                    .map(Pod::uid)
                    .orElse("");
            for (var entry : condemned) {
                var pod = entry.getValue();
                boolean waits =
                        pod.isDeleting() || (!isHealthy(pod) && !pod.uid().equals(firstUnhealthy));
                if (!waits || !inOrder()) {
                    delete(pod);
                }
                if (inOrder()) {
                    return false;
                }
            }
            return condemned.isEmpty();
        }

        private void update() {
            if (set.spec().string("updateStrategy", "type").equals("OnDelete")) {
                return;
            }
            var wanted = new ArrayList<Pod>();
            for (long ordinal = shape.start() + shape.replicas() - 1; ordinal >= shape.start(); ordinal--) {
                var pod = pods.get(ordinal);
                if (pod != null) {
                    wanted.add(pod);
                }
            }
            long unavailable = shape.replicas()
                    - wanted.size()
                    + wanted.stream().filter(pod -> !isHealthy(pod)).count();
            var outdated = wanted.stream()
                    .filter(pod -> shape.ordinal(pod).orElse(0) >= shape.start() + partition())
                    .filter(pod -> !pod.label(RevisionHistory.POD_LABEL)
                            .equals(history.newest().name()))
                    .filter(pod -> !pod.isDeleting())
                    .toList();
            var broken = inOrder()
                    ? List.<Pod>of()
                    : outdated.stream().filter(pod -> !isHealthy(pod)).toList();
            broken.forEach(this::replace);
            outdated.stream()
                    .filter(pod -> !broken.contains(pod))
                    .limit(Math.max(0, maxUnavailable() - unavailable))
                    .forEach(this::replace);
        }

        private void replace(Pod pod) {
            delete(pod);
            taken += pod.label(RevisionHistory.POD_LABEL).equals(current.name()) ? 1 : 0;
        }

        private long maxUnavailable() {
            var given = set.json().at("spec", "updateStrategy", "rollingUpdate", "maxUnavailable");
            return given == null ? 1 : Math.max(1, IntOrStrings.scaled(given, shape.replicas(), true));
        }

        private Json.Obj status() {
            var all = List.copyOf(pods.values());
            long ready = all.stream()
                    .filter(pod -> pod.phase().equals("Running") && pod.isReady())
                    .count();
            long available = all.stream()
                    .filter(pod -> pod.phase().equals("Running") && pod.isAvailable(minReady(), now))
                    .count();
            long updated = count(all, history.newest());
            long currents = Math.max(0, count(all, current) - taken);
            var currentName = current.name();
            // The revision is complete once every pod has it and is ready.
            if (!set.spec().string("updateStrategy", "type").equals("OnDelete")
                    && updated == shape.replicas()
                    && all.size() == shape.replicas()
                    && ready == shape.replicas()) {
                currents = updated;
                currentName = history.newest().name();
            }
            return Json.Obj.builder()
                    .putNonEmpty("observedGeneration", Json.of(set.generation()))
                    .put("replicas", all.size())
                    .putNonEmpty("readyReplicas", Json.of(ready))
                    .putNonEmpty("currentReplicas", Json.of(currents))
                    .putNonEmpty("updatedReplicas", Json.of(updated))
                    .put("currentRevision", currentName)
                    .put("updateRevision", history.newest().name())
                    .put("collisionCount", set.status().integer("collisionCount"))
                    .putNonEmpty("conditions", set.status().array("conditions"))
                    .put("availableReplicas", available)
                    .build();
        }

        private static long count(List<Pod> pods, RevisionHistory.Revision revision) {
            return pods.stream()
                    .filter(pod -> !pod.isDeleting()
                            && pod.label(RevisionHistory.POD_LABEL).equals(revision.name()))
                    .count();
        }
    }
}
