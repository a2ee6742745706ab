package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Which logical clusters there are.
record Clusters(Store store) {

    /// @throws StatusError NotFound
    void check(LogicalCluster cluster) {
        if (!isPermanent(cluster) && find(cluster) == null) {
            throw StatusError.notFound(ClusterKind.KIND.resource(), cluster.id());
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
        return store.get(new Key(ClusterKind.KIND.resource(), LogicalCluster.DEFAULT, "", cluster.id()));
    }
}
