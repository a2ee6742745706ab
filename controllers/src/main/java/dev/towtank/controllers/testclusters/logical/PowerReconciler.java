package dev.towtank.controllers.testclusters.logical;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.LogicalClusters;
import java.time.Instant;

/// Says of a logical cluster what its power is: it sleeps when nothing of it runs any more.
public final class PowerReconciler implements Reconciler<Json.Obj, Integer> {

    /// @param running how many of its pods have processes
    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Integer running, Instant now) {
        var cluster = observed.object();
        boolean shouldSleep = LogicalClusters.shouldSleep(cluster.json());
        var state = !shouldSleep ? "Running" : running == 0 ? "Hibernating" : "Stopping";
        return Plan.none()
                .setStatus(ClusterKinds.LOGICAL, cluster, cluster.status().with("powerState", Json.of(state)));
    }
}
