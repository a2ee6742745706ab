package dev.towtank.controllers.workloads.replicas;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Claim;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.Deployments;
import dev.towtank.model.kinds.apps.ReplicaSets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Moves a Deployment from what runs to what its template says, one ReplicaSet for each template.
public final class DeploymentReconciler implements Reconciler<Json.Obj, DeploymentReconciler.Facts> {

    /// @param named the object that has the name of the newest ReplicaSet, whoever it belongs to
    /// @param pods of each ReplicaSet, by its uid; where the strategy is to recreate
    public record Facts(Claim.Candidates sets, Optional<Resource> named, Map<String, List<Pod>> pods) {}

    /// The name that the ReplicaSet for the present template has or gets.
    public static String newestName(Resource deployment) {
        return Revisions.name(new DeploymentSpec(deployment));
    }

    public static boolean recreates(Resource deployment) {
        return !new DeploymentSpec(deployment).isRolling();
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        var deployment = primary.object();
        var selector = Claim.selector(deployment);
        if (selector.matchesEverything()) {
            return selectsAll(deployment);
        }
        var claim = Claim.of(ReplicaSets.KIND, deployment, selector, facts.sets);
        var rollout = new Rollout(deployment, claim.members(), now);
        rollout.plan.add(claim.plan());
        if (collides(rollout, facts)) {
            var status = deployment.status();
            return Plan.none()
                    .setStatus(
                            Deployments.KIND,
                            deployment,
                            status.with("collisionCount", Json.of(status.integer("collisionCount") + 1)));
        }
        var status = decide(rollout, facts);
        rollout.plan.setStatus(Deployments.KIND, deployment, status);
        return rollout.plan.isEmpty() ? waiting(rollout) : rollout.plan.build();
    }

    private static Plan selectsAll(Resource deployment) {
        var status = deployment.status();
        return status.integer("observedGeneration") >= deployment.generation()
                ? Plan.none()
                : Plan.of(Change.Event.warning(
                                deployment,
                                "SelectingAll",
                                "This deployment is selecting all pods. A non-empty selector is required."))
                        .setStatus(
                                Deployments.KIND,
                                deployment,
                                status.with("observedGeneration", Json.of(deployment.generation())));
    }

    /// Somebody else has the name, or something else has the hash.
    private static boolean collides(Rollout rollout, Facts facts) {
        return rollout.newest().isEmpty()
                && facts.named
                        .filter(set -> !set.isDeleting()
                                && !(set.controller()
                                                .filter(owner -> owner.uid()
                                                        .equals(rollout.deployment()
                                                                .uid()))
                                                .isPresent()
                                        && Revisions.isOf(set, rollout.spec.template())))
                        .isPresent();
    }

    private static Plan waiting(Rollout rollout) {
        return rollout.spec.isPaused()
                ? Plan.none()
                : new DeploymentStatus(rollout)
                        .deadline()
                        .map(moment -> Plan.lookAgainAt(moment.plusSeconds(1)))
                        .orElse(Plan.none());
    }

    /// Plans what is next, and returns the status that goes with it.
    private static Json.Obj decide(Rollout rollout, Facts facts) {
        if (rollout.deployment().isDeleting()) {
            return new DeploymentStatus(rollout).plain();
        }
        checkPaused(rollout);
        rollout.syncRevision();
        if (rollout.spec.isPaused() || Scaling.isDue(rollout)) {
            new Scaling(rollout).run();
            if (rollout.spec.isPaused()) {
                rollout.cleanUp();
            }
            return new DeploymentStatus(rollout).plain();
        }
        if (rollout.spec.isRolling()) {
            roll(rollout);
        } else {
            recreate(rollout, facts);
        }
        return new DeploymentStatus(rollout).progress();
    }

    private static void checkPaused(Rollout rollout) {
        var reason = rollout.conditions.reason("Progressing");
        if (rollout.spec.progressDeadlineSeconds().isEmpty() || reason.equals("ProgressDeadlineExceeded")) {
            return;
        }
        boolean known = reason.equals("DeploymentPaused");
        if (rollout.spec.isPaused() && !known) {
            rollout.conditions = rollout.conditions.set(StatusConditions.updated(
                    "Progressing", "Unknown", "DeploymentPaused", "Deployment is paused", rollout.now));
        } else if (!rollout.spec.isPaused() && known) {
            rollout.conditions = rollout.conditions.set(StatusConditions.updated(
                    "Progressing", "Unknown", "DeploymentResumed", "Deployment is resumed", rollout.now));
        }
    }

    private static void roll(Rollout rollout) {
        if (rollout.newest().isEmpty()) {
            rollout.createNewest();
            return;
        }
        var newest = rollout.newest().get();
        long replicas = Rollout.replicas(newest);
        long wanted = replicas > rollout.spec.replicas() ? rollout.spec.replicas() : rollout.newReplicas(replicas);
        if (rollout.scale(newest, wanted) || scaleDown(rollout, newest)) {
            return;
        }
        if (rollout.spec.isComplete(rollout.deployment().status())) {
            rollout.cleanUp();
        }
    }

    /// Takes from the old ReplicaSets what can go while enough pods stay available: first what is broken anyway.
    private static boolean scaleDown(Rollout rollout, Resource newest) {
        long unavailable = Rollout.replicas(newest) - Rollout.available(newest);
        long most = Rollout.sum(rollout.all()) - rollout.spec.minAvailable() - unavailable;
        if (Rollout.sum(rollout.old()) == 0 || most <= 0) {
            return false;
        }
        boolean scaled = false;
        for (var set : rollout.activeOld()) {
            long broken = Math.min(most, Rollout.replicas(set) - Rollout.available(set));
            if (broken > 0) {
                scaled |= rollout.scale(set, Rollout.replicas(set) - broken);
                most -= broken;
            }
        }
        long spare = Rollout.sum(rollout.all(), "availableReplicas") - rollout.spec.minAvailable();
        for (var set : rollout.activeOld()) {
            long taken = Math.min(Rollout.replicas(set), spare);
            if (taken > 0) {
                scaled |= rollout.scale(set, Rollout.replicas(set) - taken);
                spare -= taken;
            }
        }
        return scaled;
    }

    private static void recreate(Rollout rollout, Facts facts) {
        boolean scaled = false;
        for (var set : rollout.activeOld()) {
            scaled |= rollout.scale(set, 0);
        }
        if (scaled || oldPodsRun(rollout, facts)) {
            return;
        }
        if (rollout.newest().isEmpty()) {
            rollout.createNewest();
            return;
        }
        rollout.scale(rollout.newest().get(), rollout.spec.replicas());
        if (rollout.spec.isComplete(rollout.deployment().status())) {
            rollout.cleanUp();
        }
    }

    private static boolean oldPodsRun(Rollout rollout, Facts facts) {
        return Rollout.sum(rollout.old(), "replicas") > 0
                || rollout.old().stream()
                        .flatMap(set -> facts.pods.getOrDefault(set.uid(), List.of()).stream())
                        .anyMatch(pod -> !pod.isFinished());
    }
}
