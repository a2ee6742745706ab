package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.controllers.testclusters.api.SpaceKinds;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.Optional;

/// Says of a ToolchainCluster where it is: spaces are made in clusters of this server alone.
public final class ToolchainClusterReconciler implements Reconciler<Json.Obj, Optional<String>> {

    /// On a ToolchainCluster: which cluster of this server it is, `default` or the name of a LogicalCluster.
    static final String CLUSTER = "towtank.dev/cluster";

    /// Which cluster of this server it says it is.
    static Optional<LogicalCluster> of(Resource toolchainCluster) {
        var id = toolchainCluster.annotations().getOrDefault(CLUSTER, "");
        return LogicalCluster.isValid(id) ? Optional.of(new LogicalCluster(id)) : Optional.empty();
    }

    /// @param url of the cluster, where it is one of this server and is there
    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Optional<String> url, Instant now) {
        var object = observed.object();
        var conditions = Conditions.of(object.status(), now);
        if (url.isPresent()) {
            conditions.set("Ready", true, "ClusterReady", "/healthz responded with ok");
            conditions.set("Offline", false, "ClusterReachable", "cluster is reachable");
        } else {
            conditions.set("Ready", false, "ClusterNotReady", problem(object));
            conditions.set("Offline", true, "ClusterNotReachable", problem(object));
        }
        var status = object.status()
                .with("apiEndpoint", Json.of(url.orElse("")))
                .with("operatorNamespace", Json.of(SpaceKinds.HOST_NAMESPACE))
                .with("conditions", conditions.json());
        return Plan.none().setStatus(SpaceKinds.CLUSTER, object, status);
    }

    private static String problem(Resource object) {
        var id = object.annotations().getOrDefault(CLUSTER, "");
        return id.isEmpty()
                ? "spaces are made in clusters of this server alone: the annotation " + CLUSTER
                        + " says which, \"default\" or the name of a LogicalCluster"
                : "this server has no cluster \"" + id + "\", which the annotation " + CLUSTER + " names";
    }
}
