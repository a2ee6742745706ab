package dev.towtank.controllers.workloads.replicas;

import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.controllers.workloads.pods.Times;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The status of a Deployment: counts, availability and progress.
final class DeploymentStatus {

    private final Rollout rollout;
    private final DeploymentSpec spec;
    private final Json.Obj before;

    DeploymentStatus(Rollout rollout) {
        this.rollout = rollout;
        this.spec = rollout.spec;
        this.before = rollout.deployment().status();
    }

    /// Counts and availability only.
    Json.Obj plain() {
        return with(counts(), availability(rollout.conditions));
    }

    /// With how the rollout goes.
    Json.Obj progress() {
        var counts = counts();
        var conditions = progress(counts, availability(rollout.conditions));
        var failure = failure();
        return with(counts, failure.isPresent() ? conditions.set(failure.get()) : conditions.without("ReplicaFailure"));
    }

    private static Json.Obj with(Json.Obj counts, StatusConditions conditions) {
        return conditions.all().isEmpty() ? counts : counts.with("conditions", conditions.json());
    }

    private Json.Obj counts() {
        var all = rollout.all();
        long available = Rollout.sum(all, "availableReplicas");
        var builder = Json.Obj.builder()
                .putNonEmpty("observedGeneration", Json.of(spec.object().generation()))
                .putNonEmpty("replicas", Json.of(Rollout.sum(all, "replicas")))
                .putNonEmpty(
                        "updatedReplicas",
                        Json.of(rollout.newest()
                                .map(set -> set.status().integer("replicas"))
                                .orElse(0L)))
                .putNonEmpty("readyReplicas", Json.of(Rollout.sum(all, "readyReplicas")))
                .putNonEmpty("availableReplicas", Json.of(available))
                .putNonEmpty("unavailableReplicas", Json.of(Math.max(0, Rollout.sum(all) - available)));
        if (all.stream().noneMatch(DeploymentStatus::isSilentAboutTerminating)) {
            builder.put("terminatingReplicas", Rollout.sum(all, "terminatingReplicas"));
        }
        return builder.putNonEmpty("collisionCount", Json.of(before.integer("collisionCount")))
                .build();
    }

    private static boolean isSilentAboutTerminating(Resource set) {
        return set.status().integer("observedGeneration") > 0 && !set.status().has("terminatingReplicas");
    }

    private StatusConditions availability(StatusConditions conditions) {
        boolean enough = Rollout.sum(rollout.all(), "availableReplicas") >= spec.minAvailable();
        return conditions.set(
                enough
                        ? StatusConditions.updated(
                                "Available",
                                "True",
                                "MinimumReplicasAvailable",
                                "Deployment has minimum availability.",
                                rollout.now)
                        : StatusConditions.updated(
                                "Available",
                                "False",
                                "MinimumReplicasUnavailable",
                                "Deployment does not have minimum availability.",
                                rollout.now));
    }

    private StatusConditions progress(Json.Obj counts, StatusConditions conditions) {
        if (spec.progressDeadlineSeconds().isEmpty()) {
            return conditions.without("Progressing");
        }
        var current = conditions.find("Progressing");
        var reason = conditions.reason("Progressing");
        if (counts.integer("replicas") == counts.integer("updatedReplicas")
                && reason.equals("NewReplicaSetAvailable")) {
            return conditions;
        }
        if (spec.isComplete(counts)) {
            return conditions.set(progressing("True", "NewReplicaSetAvailable", "has successfully progressed."));
        }
        if (hasProgressed(counts)) {
            var next = progressing("True", "ReplicaSetUpdated", "is progressing.");
            boolean stays = current.filter(known -> known.string("status").equals("True"))
                    .isPresent();
            return conditions.plus(
                    stays
                            ? next.withOrWithout(
                                    "lastTransitionTime", current.get().get("lastTransitionTime"))
                            : next);
        }
        return deadline().filter(moment -> moment.isBefore(rollout.now)).isPresent()
                ? conditions.set(progressing("False", "ProgressDeadlineExceeded", "has timed out progressing."))
                : conditions;
    }

    private Json.Obj progressing(String status, String reason, String what) {
        var who = rollout.newest()
                .map(set -> "ReplicaSet \"" + set.name() + "\" ")
                .orElse("Deployment \"" + rollout.deployment().name() + "\" ");
        return StatusConditions.updated("Progressing", status, reason, who + what, rollout.now);
    }

    private boolean hasProgressed(Json.Obj counts) {
        long oldBefore = before.integer("replicas") - before.integer("updatedReplicas");
        long oldNow = counts.integer("replicas") - counts.integer("updatedReplicas");
        return counts.integer("updatedReplicas") > before.integer("updatedReplicas")
                || oldNow < oldBefore
                || counts.integer("readyReplicas") > before.integer("readyReplicas")
                || counts.integer("availableReplicas") > before.integer("availableReplicas");
    }

    /// Until when there must be some progress; absent where nobody waits for any.
    Optional<Instant> deadline() {
        return spec.progressDeadlineSeconds()
                .flatMap(seconds -> rollout.conditions
                        .find("Progressing")
                        .filter(condition -> !List.of("NewReplicaSetAvailable", "ProgressDeadlineExceeded")
                                .contains(condition.string("reason")))
                        .flatMap(condition -> Times.parse(condition.get("lastUpdateTime")))
                        .map(since -> since.plus(Duration.ofSeconds(seconds))));
    }

    private Optional<Json.Obj> failure() {
        var failed = rollout.newest().flatMap(DeploymentStatus::failure);
        return failed.isPresent()
                ? failed
                : rollout.all().stream().flatMap(set -> failure(set).stream()).findFirst();
    }

    private static Optional<Json.Obj> failure(Resource set) {
        return StatusConditions.of(set.status())
                .find("ReplicaFailure")
                .map(condition -> condition.withOrWithout("lastUpdateTime", condition.get("lastTransitionTime")));
    }
}
