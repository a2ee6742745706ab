package dev.towtank.system;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.cluster.testing.ClusterContract;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The port over the network, against the shipped program.
class RemoteClusterIT extends ClusterContract {

    private static RunningTowtank server;
    private static RemoteCluster cluster;

    @BeforeAll
    static void start() {
        server = RunningTowtank.start();
        cluster = RemoteCluster.of(server.kubeconfig(), Optional.empty());
    }

    @AfterAll
    static void stop() {
        cluster.close();
        server.close();
    }

    @Override
    protected Cluster cluster() {
        return cluster;
    }

    /// A server that starts knows the newest state and nothing of how it came about.
    @Override
    protected void forgetHistory() {
        server = server.restart();
    }
}
