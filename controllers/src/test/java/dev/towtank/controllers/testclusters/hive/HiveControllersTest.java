package dev.towtank.controllers.testclusters.hive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Ground;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.hypershift.HyperShiftControllers;
import dev.towtank.controllers.testclusters.logical.Delivery;
import dev.towtank.controllers.testclusters.source.Keys;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.net.URI;
import org.junit.jupiter.api.Test;

/// Caches are filled one after another, so what has just been made may be in none of them.
class HiveControllersTest {

    private final FakeTimers timers = new FakeTimers();
    private final FakeCluster cluster = new FakeCluster(timers);
    private final Keys keys = new Keys(cluster, Ground.of(timers).at("", () -> URI.create("https://127.0.0.1:6443")));

    private static Resource resource(String yaml) {
        return new Resource(LogicalCluster.DEFAULT, (Json.Obj) YamlText.parse(yaml));
    }

    private void make(Delivery delivery) {
        cluster.create(
                ClusterKinds.LOGICAL,
                resource("apiVersion: towtank.dev/v1\nkind: LogicalCluster\nmetadata: {name: "
                        + delivery.object().name() + "}\n"),
                Cluster.WriteOptions.DEFAULT);
    }

    private String decided(Controller<?, ?> controller, Resource object) {
        return controller.decide(object, timers.instant()).toString();
    }

    @Test
    void aClusterThatNoCacheHasSeenIsNotLost() {
        var deployment = resource("""
                apiVersion: hive.openshift.io/v1
                kind: ClusterDeployment
                metadata: {name: a, namespace: n, uid: u-1, finalizers: [hive.openshift.io/deprovision]}
                spec: {clusterName: a, baseDomain: x, installed: true}
                """);
        var controller = new HiveControllers(cluster, _ -> new IndexedCache(), keys)
                .all()
                .getFirst();
        assertThat(decided(controller, deployment)).contains("ClusterLost");

        make(Delivery.of(deployment));

        assertThat(decided(controller, deployment)).doesNotContain("ClusterLost");
    }

    @Test
    void norIsOneOfHyperShift() {
        var hosted = resource("""
                apiVersion: hypershift.openshift.io/v1beta1
                kind: HostedCluster
                metadata: {name: a, namespace: n, uid: u-1, finalizers: [hypershift.openshift.io/finalizer]}
                spec: {release: {image: "a:4.19.3"}}
                status: {conditions: [{type: Available, status: "True"}]}
                """);
        var controller = new HyperShiftControllers(cluster, _ -> new IndexedCache(), keys)
                .all()
                .getFirst();
        assertThat(decided(controller, hosted)).contains("ClusterLost");

        make(Delivery.of(hosted));

        assertThat(decided(controller, hosted)).doesNotContain("ClusterLost");
    }
}
