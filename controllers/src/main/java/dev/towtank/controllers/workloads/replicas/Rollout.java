package dev.towtank.controllers.workloads.replicas;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.Deployments;
import dev.towtank.model.kinds.apps.ReplicaSets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One look at a Deployment while its plan is made: the ReplicaSets as they are with the changes planned so far.
final class Rollout {

    final DeploymentSpec spec;
    final Instant now;
    final Plan.Builder plan = new Plan.Builder();
    StatusConditions conditions;

    /// All that are not the newest, oldest first.
    private final List<Resource> old = new ArrayList<>();

    private Optional<Resource> newest;

    Rollout(Resource deployment, List<Resource> sets, Instant now) {
        this.spec = new DeploymentSpec(deployment);
        this.now = now;
        this.conditions = StatusConditions.of(deployment.status());
        var sorted = sets.stream().sorted(Revisions.OLDEST_FIRST).toList();
        this.newest = sorted.stream()
                .filter(set -> Revisions.isOf(set, spec.template()))
                .findFirst();
        sorted.stream()
                .filter(set ->
                        newest.isEmpty() || !set.uid().equals(newest.get().uid()))
                .forEach(old::add);
    }

    Resource deployment() {
        return spec.object();
    }

    Optional<Resource> newest() {
        return newest;
    }

    List<Resource> old() {
        return List.copyOf(old);
    }

    List<Resource> activeOld() {
        return old.stream().filter(set -> replicas(set) > 0).toList();
    }

    /// The old ones, then the newest.
    List<Resource> all() {
        var all = new ArrayList<>(old);
        newest.ifPresent(all::add);
        return all;
    }

    static long replicas(Resource set) {
        return ReplicaSetReconciler.replicas(set);
    }

    static long available(Resource set) {
        return set.status().integer("availableReplicas");
    }

    static long sum(List<Resource> sets) {
        return sets.stream().mapToLong(Rollout::replicas).sum();
    }

    static long sum(List<Resource> sets, String count) {
        return sets.stream().mapToLong(set -> set.status().integer(count)).sum();
    }

    private long nextRevision() {
        return old.stream().mapToLong(Revisions::revision).max().orElse(0) + 1;
    }

    /// Keeps the newest ReplicaSet's annotations and the Deployment's revision up to date.
    void syncRevision() {
        newest.ifPresent(set -> {
            var annotations = Revisions.newestAnnotations(deployment(), set, nextRevision());
            var fields = set.spec().integer("minReadySeconds") == spec.minReadySeconds()
                    ? Json.Obj.EMPTY
                    : Json.Obj.of("minReadySeconds", Json.of(spec.minReadySeconds()));
            if (annotations.size() > 0 || fields.size() > 0) {
                change(set, annotations, fields);
            }
            setRevision(Long.toString(Revisions.revision(newest.orElse(set))));
            if (spec.progressDeadlineSeconds().isPresent()
                    && conditions.find("Progressing").isEmpty()) {
                progress("True", "FoundNewReplicaSet", "Found new replica set \"" + set.name() + "\"");
            }
        });
    }

    private void setRevision(String revision) {
        if (!deployment()
                .json()
                .string("metadata", "annotations", Revisions.REVISION)
                .equals(revision)) {
            plan.patch(Deployments.KIND, deployment(), annotations(Json.Obj.of(Revisions.REVISION, Json.of(revision))));
        }
    }

    private static Json.Obj annotations(Json.Obj annotations) {
        return Json.Obj.of("metadata", Json.Obj.of("annotations", annotations));
    }

    void progress(String status, String reason, String message) {
        conditions = conditions.set(StatusConditions.updated("Progressing", status, reason, message, now));
    }

    /// Creates the ReplicaSet for the present template, with as many replicas as there is room for.
    void createNewest() {
        long revision = nextRevision();
        long replicas = spec.isRolling() ? newReplicas(0) : spec.replicas();
        var set = Revisions.newSet(spec, replicas, revision);
        plan.create(ReplicaSets.KIND, set);
        if (replicas > 0) {
            tell("Scaled up replica set " + set.name() + " from 0 to " + replicas);
        }
        setRevision(Long.toString(revision));
        if (spec.progressDeadlineSeconds().isPresent()) {
            progress("True", "NewReplicaSetCreated", "Created new replica set \"" + set.name() + "\"");
        }
        newest = Optional.of(set);
    }

    /// How many replicas the newest ReplicaSet may have now.
    long newReplicas(long current) {
        long room = spec.maxReplicas() - sum(all());
        return room <= 0 ? current : current + Math.min(room, spec.replicas() - current);
    }

    private void tell(String message) {
        plan.add(Change.Event.normal(deployment(), "ScalingReplicaSet", message));
    }

    /// @return whether the number of replicas changes
    boolean scale(Resource set, long replicas) {
        return replicas(set) != replicas && scaleAlways(set, replicas);
    }

    /// Also corrects the annotations that tell how big the Deployment was.
    boolean scaleAlways(Resource set, long replicas) {
        long before = replicas(set);
        var annotations = Json.Obj.EMPTY;
        annotations = correct(annotations, set, Revisions.DESIRED, spec.replicas());
        annotations = correct(annotations, set, Revisions.MAXIMUM, spec.maxReplicas());
        if (before == replicas && annotations.size() == 0) {
            return false;
        }
        change(set, annotations, Json.Obj.of("replicas", Json.of(replicas)));
        if (before != replicas) {
            tell("Scaled " + (before < replicas ? "up" : "down") + " replica set " + set.name() + " from " + before
                    + " to " + replicas);
        }
        return before != replicas;
    }

    private static Json.Obj correct(Json.Obj annotations, Resource set, String key, long value) {
        var text = Json.of(Long.toString(value));
        return text.equals(set.json().at("metadata", "annotations", key)) ? annotations : annotations.with(key, text);
    }

    private void change(Resource set, Json.Obj annotations, Json.Obj specFields) {
        var fields = Json.Obj.builder().putNonEmpty("spec", specFields);
        if (annotations.size() > 0) {
            fields.putAll(annotations(annotations));
        }
        plan.patch(ReplicaSets.KIND, set, fields.build());
        var metadata = set.metadata().object("annotations").toBuilder().putAll(annotations);
        replace(set.with(set.json()
                .with(List.of("metadata", "annotations"), metadata.build())
                .with("spec", set.spec().toBuilder().putAll(specFields).build())));
    }

    private void replace(Resource changed) {
        newest = newest.map(set -> set.uid().equals(changed.uid()) ? changed : set);
        old.replaceAll(set -> set.uid().equals(changed.uid()) ? changed : set);
    }

    /// Deletes the oldest of those that the history has no room for.
    void cleanUp() {
        spec.historyLimit().ifPresent(limit -> {
            var alive = old.stream()
                    .filter(set -> !set.isDeleting())
                    .sorted(Revisions.BY_REVISION)
                    .toList();
            alive.stream()
                    .limit(Math.max(0, alive.size() - limit))
                    .filter(Rollout::isIdle)
                    .forEach(set -> plan.delete(ReplicaSets.KIND, set));
        });
    }

    private static boolean isIdle(Resource set) {
        return set.status().integer("replicas") == 0
                && replicas(set) == 0
                && set.generation() <= set.status().integer("observedGeneration");
    }
}
