package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.time.InstantSource;

/// Counts what the quotas of a namespace have in use and writes it into their status.
///
/// This is what gives back: deleted objects, finished pods, smaller claims. It also fills in the status of new quotas.
/// A result is written only onto the quota it was counted for, so a request that takes something meanwhile wins.
public final class QuotaCount {

    /// Writes the status of a quota; the object carries the resourceVersion it was counted for.
    @FunctionalInterface
    public interface StatusWriter {
        /// @throws dev.towtank.model.StatusError when the quota has changed meanwhile
        void write(LogicalCluster cluster, Json.Obj quota);
    }

    private final Store store;
    private final StatusWriter writer;
    private final InstantSource clock;

    public QuotaCount(Store store, StatusWriter writer, InstantSource clock) {
        this.store = store;
        this.writer = writer;
        this.clock = clock;
    }

    /// @throws dev.towtank.model.StatusError when somebody wrote meanwhile, and it must be counted again
    public void recount(LogicalCluster cluster, String namespace) {
        for (var quota : QuotaTotals.quotas(store, cluster, namespace)) {
            // The quota was read before its objects: whatever is taken from now on changes it, and our write fails.
            var counted = counted(quota);
            if (!counted.equals(quota.tree())) {
                writer.write(cluster, counted);
            }
        }
    }

    private Json.Obj counted(Stored quota) {
        return QuotaTotals.withUsed(quota.tree(), QuotaTotals.used(store, quota, clock.instant()));
    }
}
