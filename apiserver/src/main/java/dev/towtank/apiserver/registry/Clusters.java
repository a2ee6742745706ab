package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.LogicalClusters;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Which logical clusters there are.
record Clusters(Store store) {

    private static final int RETRY_SECONDS = 1;

    /// @throws StatusError NotFound
    void check(LogicalCluster cluster) {
        if (!isPermanent(cluster) && find(cluster) == null) {
            throw StatusError.notFound(LogicalClusters.KIND.resource(), cluster.id());
        }
    }

    /// @throws StatusError ServiceUnavailable, for one that sleeps
    void checkAwake(LogicalCluster cluster) {
        if (isPermanent(cluster)) {
            return;
        }
        var found = find(cluster);
        if (found != null && LogicalClusters.shouldSleep(found.tree())) {
            throw new StatusError(
                    StatusError.Reason.SERVICE_UNAVAILABLE,
                    "cluster " + cluster.id() + " hibernates: who made it can wake it, by its spec.powerState",
                    Json.Obj.of("retryAfterSeconds", Json.of(RETRY_SECONDS)));
        }
    }

    /// Tells from now on whether this very cluster is gone; a new one of the same name is another.
    BooleanSupplier over(LogicalCluster cluster) {
        if (isPermanent(cluster)) {
            return () -> false;
        }
        var uid = uid(cluster);
        return () -> !uid(cluster).equals(uid);
    }

    private static boolean isPermanent(LogicalCluster cluster) {
        return cluster.equals(LogicalCluster.DEFAULT) || cluster.equals(LogicalCluster.ALL);
    }

    private String uid(LogicalCluster cluster) {
        var found = find(cluster);
        return found == null ? "" : found.tree().string("metadata", "uid");
    }

    private @Nullable Stored find(LogicalCluster cluster) {
        return store.get(new Key(LogicalClusters.KIND.resource(), LogicalCluster.DEFAULT, "", cluster.id()));
    }
}
