package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.SpaceKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import java.util.List;
import java.util.Optional;

/// The controller of TestPlatformClusters, and where its facts come from.
public final class ClaimedClusters {

    private final Cache deployments;
    private final Cache secrets;

    public ClaimedClusters(Caches caches) {
        deployments = caches.of(ClusterKinds.DEPLOYMENT);
        secrets = caches.of(Secrets.KIND);
    }

    public Controller<Json.Obj, ClaimedClusterReconciler.Facts> controller() {
        return Controller.of(
                        "testplatformcluster-controller",
                        SpaceKinds.CLUSTER_CLAIM,
                        this::around,
                        new ClaimedClusterReconciler())
                .wokenBy(Trigger.of(ClusterKinds.DEPLOYMENT, ClaimedClusters::claimOf))
                .wokenBy(Trigger.of(Secrets.KIND, this::claimOfSecret))
                .wokenBy(Trigger.owned(Secrets.KIND, SpaceKinds.CLUSTER_CLAIM));
    }

    private static List<ObjectName> claimOf(Resource deployment) {
        var parts =
                deployment.annotations().getOrDefault(ClaimedCluster.CLAIM, "").split("/", -1);
        return parts.length == 2 ? List.of(ObjectName.of(parts[0], parts[1])) : List.of();
    }

    private List<ObjectName> claimOfSecret(Resource secret) {
        return secret.namespace().equals(ClaimedCluster.CLUSTERS)
                ? secret.controller()
                        .flatMap(owner -> deployments.get(ObjectName.of(secret.namespace(), owner.name())))
                        .map(ClaimedClusters::claimOf)
                        .orElse(List.of())
                : List.of();
    }

    private ClaimedClusterReconciler.Facts around(Observed<Json.Obj> observed) {
        var claim = new ClaimedCluster(observed.object());
        var deployment = deployments.get(
                ObjectName.of(ClaimedCluster.CLUSTERS, claim.object().uid()));
        return new ClaimedClusterReconciler.Facts(
                deployment,
                key(deployment, "adminKubeconfigSecretRef"),
                key(deployment, "adminPasswordSecretRef"),
                secrets.get(ObjectName.of(claim.object().namespace(), claim.secret())));
    }

    private Optional<Resource> key(Optional<Resource> deployment, String field) {
        return deployment.flatMap(each ->
                secrets.get(ObjectName.of(each.namespace(), each.spec().string("clusterMetadata", field, "name"))));
    }
}
