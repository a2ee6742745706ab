package dev.towtank.apiserver.upkeep;

import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.kinds.LogicalClusters;
import java.util.function.Consumer;

/// Removes everything in a logical cluster whose object is gone. Looked at is a cluster.
///
/// Also finds clusters that lost their object while the process was not running.
public final class ClusterDeletion implements StoreLoop.Task<LogicalCluster> {

    private final Store store;

    public ClusterDeletion(Store store) {
        this.store = store;
    }

    @Override
    public void reset() {}

    @Override
    public void observe(Change change, Consumer<LogicalCluster> touched) {
        var key = change.key();
        if (key.resource().equals(LogicalClusters.KIND.resource()) && change.type() == Change.Type.DELETED) {
            touched.accept(new LogicalCluster(key.name()));
        }
        boolean newcomer =
                change.type() == Change.Type.CREATED && !key.cluster().equals(LogicalCluster.DEFAULT);
        if (newcomer && !exists(key.cluster())) {
            touched.accept(key.cluster());
        }
    }

    @Override
    public void look(LogicalCluster cluster) {
        if (!exists(cluster)) {
            store.drop(cluster);
        }
    }

    private boolean exists(LogicalCluster cluster) {
        return cluster.equals(LogicalCluster.DEFAULT)
                || store.get(new Key(LogicalClusters.KIND.resource(), LogicalCluster.DEFAULT, "", cluster.id()))
                        != null;
    }
}
