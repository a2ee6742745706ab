package dev.towtank.controllers.testclusters.hypershift;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.controllers.testclusters.api.Releases;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.Optional;

/// Says of a pool of nodes what is asked of it: pods of a logical cluster run on the machine of this server, so as many
/// as are wanted are as good as there.
public final class NodePoolReconciler implements Reconciler<Json.Obj, Optional<Resource>> {

    /// @param cluster the HostedCluster that it belongs to
    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Optional<Resource> cluster, Instant now) {
        var pool = observed.object();
        if (pool.isDeleting()) {
            return Plan.none();
        }
        var conditions = Conditions.of(pool.status(), now);
        if (cluster.isEmpty()) {
            var why = "HostedCluster \"" + pool.spec().string("clusterName") + "\" not found";
            conditions.set("Ready", false, "HostedClusterNotFound", why);
            return said(pool, pool.status().with("conditions", conditions.json()));
        }
        boolean isReady = Conditions.isTrue(cluster.get().status(), "Available");
        var why = isReady ? "All is well" : "Waiting for the hosted control plane";
        var reason = isReady ? "AsExpected" : "WaitingForControlPlane";
        for (var type : new String[] {"AllMachinesReady", "AllNodesHealthy", "Ready"}) {
            conditions.set(type, isReady, reason, why);
        }
        conditions
                .set("ValidReleaseImage", true, "AsExpected", "Using release image: " + image(pool, cluster.get()))
                .set("ReconciliationActive", true, "ReconciliationActive", "Reconciliation active on resource");
        return said(
                pool,
                pool.status()
                        .with("replicas", Json.of(isReady ? wanted(pool) : 0))
                        .with("version", Json.of(Releases.version(image(pool, cluster.get()))))
                        .with("conditions", conditions.json()));
    }

    private static long wanted(Resource pool) {
        return pool.spec().has("autoScaling")
                ? pool.spec().integer("autoScaling", "min")
                : pool.spec().integerOr(0, "replicas");
    }

    private static String image(Resource pool, Resource cluster) {
        var own = pool.spec().string("release", "image");
        return own.isEmpty() ? cluster.spec().string("release", "image") : own;
    }

    private static Plan said(Resource pool, Json.Obj status) {
        return Plan.none().setStatus(ClusterKinds.NODE_POOL, pool, status);
    }
}
