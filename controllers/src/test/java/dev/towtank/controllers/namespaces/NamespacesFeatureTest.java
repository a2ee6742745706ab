package dev.towtank.controllers.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.loop.ControlLoops;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.cluster.testing.Scenario;
import dev.towtank.cluster.testing.Simulation;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.BuiltinKinds;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.ServiceAccounts;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class NamespacesFeatureTest {

    private static final NamespacesFeature FEATURE = new NamespacesFeature();

    static List<Scenario> serviceAccounts() {
        return Scenario.in("service-accounts");
    }

    @ParameterizedTest
    @MethodSource
    void serviceAccounts(Scenario scenario) {
        scenario.check(NamespacesFeature::serviceAccounts, BuiltinKinds.ALL);
    }

    static List<Scenario> rootCertificates() {
        return Scenario.in("root-ca");
    }

    @ParameterizedTest
    @MethodSource
    void rootCertificates(Scenario scenario) {
        scenario.check(caches -> NamespacesFeature.rootCertificates(caches, "PEM"), BuiltinKinds.ALL);
    }

    private static Resource namespace(LogicalCluster cluster, String name) {
        return new Resource(cluster, Json.Obj.of("metadata", Json.Obj.of("name", Json.of(name))));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyNamespaceEndsUpWithBoth(long seed) {
        var simulation = new Simulation(
                seed,
                caches -> List.of(
                        NamespacesFeature.serviceAccounts(caches), NamespacesFeature.rootCertificates(caches, "PEM")),
                _ -> false);

        simulation.run(200, NamespacesFeatureTest::act).settle(Duration.ofHours(1));

        for (var namespace :
                simulation.cluster().list(Namespaces.KIND, Selection.EVERYWHERE).items()) {
            var name = namespace.name();
            assertThat(simulation.cluster().get(ServiceAccounts.KIND, ObjectName.of(name, "default")))
                    .isPresent();
            var map = simulation.cluster().get(ConfigMaps.KIND, ObjectName.of(name, "kube-root-ca.crt"));
            assertThat(map.orElseThrow().json().object("data")).isEqualTo(JsonText.parse("{\"ca.crt\":\"PEM\"}"));
        }
    }

    private static void act(FakeCluster cluster, Random random) {
        var name = "team-" + random.nextInt(3);
        switch (random.nextInt(5)) {
            case 0, 1 ->
                cluster.create(Namespaces.KIND, namespace(LogicalCluster.DEFAULT, name), Cluster.WriteOptions.DEFAULT);
            case 2 ->
                cluster.delete(ServiceAccounts.KIND, ObjectName.of(name, "default"), Cluster.DeleteOptions.DEFAULT);
            case 3 ->
                cluster.delete(ConfigMaps.KIND, ObjectName.of(name, "kube-root-ca.crt"), Cluster.DeleteOptions.DEFAULT);
            default ->
                cluster.patch(
                        ConfigMaps.KIND,
                        ObjectName.of(name, "kube-root-ca.crt"),
                        new Patch.Merge(JsonText.parseObject("{\"data\":{\"ca.crt\":\"EVIL\",\"x\":\"y\"}}")),
                        Cluster.WriteOptions.DEFAULT);
        }
    }

    @Test
    void worksInEveryLogicalCluster() throws InterruptedException {
        var timers = new FakeTimers();
        var cluster = new FakeCluster(timers);
        var other = new LogicalCluster("other");
        cluster.create(Namespaces.KIND, namespace(LogicalCluster.DEFAULT, "a"), Cluster.WriteOptions.DEFAULT);
        cluster.create(Namespaces.KIND, namespace(other, "a"), Cluster.WriteOptions.DEFAULT);

        try (var _ = ControlLoops.start(cluster, timers, List.of(FEATURE))) {
            for (var place : List.of(LogicalCluster.DEFAULT, other)) {
                await(cluster, ServiceAccounts.KIND, new ObjectName(place, "a", "default"), _ -> true);
                await(cluster, ConfigMaps.KIND, new ObjectName(place, "a", "kube-root-ca.crt"), _ -> true);
            }
            var name = new ObjectName(other, "a", "default");
            var first = cluster.get(ServiceAccounts.KIND, name).orElseThrow().uid();
            cluster.delete(ServiceAccounts.KIND, name, Cluster.DeleteOptions.DEFAULT);
            await(cluster, ServiceAccounts.KIND, name, account -> !account.uid().equals(first));
        }
    }

    private static void await(FakeCluster cluster, Kind<?> kind, ObjectName name, Predicate<Resource> condition)
            throws InterruptedException {
        while (true) {
            var listing = cluster.list(kind, Selection.EVERYWHERE);
            if (cluster.get(kind, name).filter(condition).isPresent()) {
                return;
            }
            try (var watch = cluster.watch(kind, Selection.EVERYWHERE, listing.resourceVersion())) {
                watch.next(Duration.ofSeconds(1));
            }
        }
    }
}
