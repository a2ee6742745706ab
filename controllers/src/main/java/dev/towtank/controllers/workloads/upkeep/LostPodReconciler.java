package dev.towtank.controllers.workloads.upkeep;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.core.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Removes pods that nobody runs any more: their node is gone, or they are to go and never had one.
public final class LostPodReconciler implements Reconciler<Json.Obj, Boolean> {

    /// A node may be on its way back.
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    /// @param nodeIsThere whether the node exists that the pod is bound to
    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Boolean nodeIsThere, Instant now) {
        var pod = new Pod(primary.object());
        if (pod.nodeName().isEmpty()) {
            return pod.isDeleting() && pod.object().metadata().integer("deletionGracePeriodSeconds") > 0
                    ? Plan.of(remove(pod))
                    : Plan.none();
        }
        if (nodeIsThere) {
            return Plan.none();
        }
        var due = pod.created().plus(PATIENCE);
        if (due.isAfter(now)) {
            return Plan.lookAgainAt(due);
        }
        boolean going = pod.isDeleting() && pod.object().metadata().integer("deletionGracePeriodSeconds") == 0;
        var plan = pod.isFinished() ? Plan.none() : Plan.none().setStatus(Pods.KIND, pod.object(), failed(pod, now));
        return going ? plan : plan.then(remove(pod));
    }

    private static Json.Obj failed(Pod pod, Instant now) {
        var status = pod.object().status();
        var target = StatusConditions.condition(
                "DisruptionTarget", "True", "DeletionByPodGC", "PodGC: node no longer exists", now);
        return status.with("phase", Json.of("Failed"))
                .with("conditions", StatusConditions.of(status).plus(target).json());
    }

    private static Change remove(Pod pod) {
        return new Change.Delete(Pods.KIND, pod.object(), Optional.empty(), Optional.of(0L));
    }
}
