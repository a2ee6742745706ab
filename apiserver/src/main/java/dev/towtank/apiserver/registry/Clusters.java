package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.LogicalClusters;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Which logical clusters there are.
record Clusters(Store store) {

    private static final int RETRY_SECONDS = 1;

    /// An object in every cluster that nobody serves or changes: the cluster is as old as its revision.
    private static final GroupResource BIRTHS = new GroupResource("towtank.dev", "clusterbirths");

    /// What a cluster begins with, before anything else.
    static Write birth(LogicalCluster cluster) {
        var metadata = Json.Obj.of("name", Json.of("birth"), "uid", Json.of("birth-" + cluster));
        return new Write.Create(new Key(BIRTHS, cluster, "", "birth"), Json.Obj.of("metadata", metadata));
    }

    static boolean isBirth(Key key) {
        return key.resource().equals(BIRTHS);
    }

    /// An older cluster of the same name is nobody's past: its last days are still in the history.
    ///
    /// @param asked the revision of a list or watch, or 0 for the newest
    /// @throws StatusError Expired
    void checkPast(LogicalCluster cluster, long asked) {
        if (asked <= 0 || isPermanent(cluster)) {
            return;
        }
        var birth = store.get(new Key(BIRTHS, cluster, "", "birth"));
        // One less: that of the object that made the cluster.
        if (birth != null && asked < birth.revision() - 1) {
            throw StatusError.tooOld(asked, birth.revision());
        }
    }

    /// @throws StatusError NotFound
    void check(LogicalCluster cluster) {
        if (!isPermanent(cluster) && find(cluster) == null) {
            throw StatusError.notFound(LogicalClusters.KIND.resource(), cluster.id());
        }
    }

    /// Wakes one that sleeps, where it says so.
    ///
    /// @throws StatusError ServiceUnavailable, for one that sleeps on
    void checkAwake(LogicalCluster cluster) {
        if (isPermanent(cluster)) {
            return;
        }
        var found = find(cluster);
        if (found != null && LogicalClusters.shouldSleep(found.tree())) {
            if (LogicalClusters.wakesOnRequest(found.tree())) {
                wake(found);
                return;
            }
            throw new StatusError(
                    StatusError.Reason.SERVICE_UNAVAILABLE,
                    "cluster " + cluster.id() + " hibernates: who made it can wake it, by its spec.powerState",
                    Json.Obj.of("retryAfterSeconds", Json.of(RETRY_SECONDS)));
        }
    }

    /// As an update of its object would; where somebody else changes it now, the next request tries again.
    private void wake(Stored sleeping) {
        var object = LogicalClusters.awake(sleeping.tree());
        var generation = Json.of(object.integer("metadata", "generation") + 1);
        try {
            store.commit(new Write.Update(
                    sleeping.key(), sleeping.revision(), object.with(List.of("metadata", "generation"), generation)));
        } catch (Store.Conflict _) {
            // It is awake already, or goes.
        }
    }

    /// Tells from now on whether this very cluster is gone; a new one of the same name is another. It may be gone since
    /// the request for it was let in.
    BooleanSupplier over(LogicalCluster cluster) {
        if (isPermanent(cluster)) {
            return () -> false;
        }
        var uid = uid(cluster);
        return () -> uid.isEmpty() || !uid(cluster).equals(uid);
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
