package dev.towtank.cluster;

import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.cluster.testing.LogicalClusterContract;
import dev.towtank.model.LogicalCluster;

class FakeClusterTest extends LogicalClusterContract {

    private final FakeCluster cluster = new FakeCluster(new FakeTimers());

    @Override
    protected Cluster cluster() {
        return cluster;
    }

    @Override
    protected void givenLogicalCluster(LogicalCluster other) {
        // every logical cluster is there
    }

    @Override
    protected void forgetHistory() {
        cluster.forgetHistory();
    }
}
