package dev.towtank.system;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.cluster.testing.ClusterContract;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The port over the network, against the shipped program.
class RemoteClusterIT extends ClusterContract {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    private static RemoteCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RemoteCluster.of(SERVER.kubeconfig(), Optional.empty());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    protected Cluster cluster() {
        return cluster;
    }

    /// A server that starts knows the newest state and nothing of how it came about.
    @Override
    protected void forgetHistory() {
        SERVER.replace(RunningTowtank::restart);
    }
}
