package dev.towtank.controllers.testclusters.hypershift;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.logical.Delivery;
import dev.towtank.controllers.testclusters.source.Keys;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import java.util.List;
import java.util.Optional;

/// The controllers of HyperShift's kinds, and where their facts come from.
public final class HyperShiftControllers {

    private final Cluster api;
    private final Keys keys;
    private final Cache logical;
    private final Cache clusters;
    private final Cache pools;
    private final Cache secrets;

    public HyperShiftControllers(Cluster api, Caches caches, Keys keys) {
        this.api = api;
        this.keys = keys;
        logical = caches.of(ClusterKinds.LOGICAL);
        clusters = caches.of(ClusterKinds.HOSTED);
        pools = caches.of(ClusterKinds.NODE_POOL);
        secrets = caches.of(Secrets.KIND);
    }

    public List<Controller<?, ?>> all() {
        return List.of(clusters(), pools());
    }

    private Controller<Json.Obj, HostedClusterReconciler.Facts> clusters() {
        return Controller.of(
                        "hostedcluster-controller", ClusterKinds.HOSTED, this::around, new HostedClusterReconciler())
                .wokenBy(Trigger.of(ClusterKinds.LOGICAL, seen -> Delivery.ownerOf(seen, ClusterKinds.HOSTED.kind())))
                .wokenBy(Trigger.owned(Secrets.KIND, ClusterKinds.HOSTED))
                .wokenBy(Trigger.of(
                        ClusterKinds.NODE_POOL, pool -> pool.isDeleting() ? List.of(clusterOf(pool)) : List.of()))
                .doing(Delivery.Issue.class, keys::issue);
    }

    private static ObjectName clusterOf(Resource pool) {
        return ObjectName.of(pool.namespace(), pool.spec().string("clusterName"));
    }

    private HostedClusterReconciler.Facts around(Observed<Json.Obj> observed) {
        var cluster = observed.object();
        var delivery = HostedClusterReconciler.delivery(cluster);
        return new HostedClusterReconciler.Facts(
                new Delivery.Facts(
                        made(delivery.object()),
                        secrets.get(ObjectName.of(cluster.namespace(), delivery.kubeconfig())),
                        secrets.get(ObjectName.of(cluster.namespace(), delivery.password())),
                        keys.address(),
                        api.hasLogicalClusters()),
                pools.by(ClusterKinds.POOLS_OF_CLUSTER, cluster.namespace() + "/" + cluster.name()));
    }

    /// What a cache has not seen yet is neither lost nor gone, so then the API itself is asked.
    private Optional<Resource> made(ObjectName name) {
        return logical.get(name)
                .or(() -> api.hasLogicalClusters() ? api.get(ClusterKinds.LOGICAL, name) : Optional.empty());
    }

    private Controller<Json.Obj, Optional<Resource>> pools() {
        return Controller.of(
                        "nodepool-controller",
                        ClusterKinds.NODE_POOL,
                        observed -> clusters.get(clusterOf(observed.object())),
                        new NodePoolReconciler())
                .wokenBy(Trigger.of(
                        ClusterKinds.HOSTED,
                        cluster ->
                                pools
                                        .by(ClusterKinds.POOLS_OF_CLUSTER, cluster.namespace() + "/" + cluster.name())
                                        .stream()
                                        .map(ObjectName::of)
                                        .toList()));
    }
}
