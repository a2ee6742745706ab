package dev.towtank.controllers.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.Simulation;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.DaemonSets;
import dev.towtank.model.kinds.apps.StatefulSets;
import dev.towtank.model.kinds.core.Nodes;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class SetsSimulationTest {

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 30);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everySetHasItsPodsAndEveryServiceKnowsThem(long seed) {
        var simulation = new Simulation(
                seed,
                caches -> List.of(
                        WorkloadsFeature.statefulSets(caches),
                        WorkloadsFeature.daemonSets(caches),
                        ServiceControllers.endpointSlices(caches),
                        FakeNode.thatRunsAll()),
                _ -> false);
        simulation.cluster().given(Nodes.KIND, FakeNode.object("{apiVersion: v1, kind: Node, metadata: {name: x}}"));
        simulation.cluster().given(StatefulSets.KIND, FakeNode.object(set("StatefulSet", """
                  replicas: 2
                  serviceName: db
                  updateStrategy: {type: RollingUpdate}
                  volumeClaimTemplates: [{metadata: {name: data}, spec: {}}]""")));
        simulation.cluster().given(DaemonSets.KIND, FakeNode.object(set("DaemonSet", """
                  updateStrategy: {type: RollingUpdate}""")));
        simulation.cluster().given(Services.KIND, FakeNode.object("""
                apiVersion: v1
                kind: Service
                metadata: {name: db, namespace: team, uid: service}
                spec: {clusterIP: None, selector: {app: statefulset}, ports: [{port: 80}]}
                """));

        simulation.run(400, SetsSimulationTest::act).settle(Duration.ofHours(1));

        var set = all(simulation, StatefulSets.KIND).getFirst();
        var names = new ArrayList<String>();
        for (int i = 0; i < set.spec().integer("replicas"); i++) {
            names.add("db-" + i);
        }
        var stateful = pods(simulation, "statefulset");
        assertThat(stateful).extracting(Resource::name).containsExactlyElementsOf(names);
        assertThat(stateful)
                .allSatisfy(pod -> assertThat(images(pod.spec()))
                        .isEqualTo(images(set.spec().object("template", "spec"))));
        assertThat(all(simulation, PersistentVolumeClaims.KIND))
                .extracting(Resource::name)
                .containsAll(names.stream().map(name -> "data-" + name).toList());
        assertThat(set.status().string("currentRevision"))
                .isEqualTo(set.status().string("updateRevision"));
        var daemons = all(simulation, DaemonSets.KIND).getFirst();
        assertThat(pods(simulation, "daemonset"))
                .singleElement()
                .satisfies(pod -> assertThat(images(pod.spec()))
                        .isEqualTo(images(daemons.spec().object("template", "spec"))));
        assertThat(all(simulation, EndpointSlices.KIND).stream()
                        .flatMap(slice -> slice.json().objects("endpoints").stream())
                        .map(endpoint -> endpoint.string("targetRef", "name")))
                .containsExactlyInAnyOrderElementsOf(names);
    }

    private static Json images(Json.Obj spec) {
        return spec.array("containers");
    }

    private static List<Resource> pods(Simulation simulation, String app) {
        return all(simulation, Pods.KIND).stream()
                .filter(pod -> pod.labels().get("app").equals(app))
                .toList();
    }

    private static List<Resource> all(Simulation simulation, Kind<?> kind) {
        return simulation.cluster().list(kind, Selection.EVERYWHERE).items();
    }

    private static String set(String kind, String spec) {
        var app = kind.toLowerCase(java.util.Locale.ROOT);
        return """
                apiVersion: apps/v1
                kind: %s
                metadata: {name: db, namespace: team, uid: %s, generation: 1}
                spec:
                  selector: {matchLabels: {app: %s}}
                  template: {metadata: {labels: {app: %s}}, spec: {containers: [{name: main, image: a}]}}
                %s
                """.formatted(kind, app, app, app, spec.stripTrailing().indent(spec.startsWith(" ") ? 0 : 2));
    }

    private static void act(FakeCluster cluster, Random random) {
        var kind = random.nextBoolean() ? StatefulSets.KIND : DaemonSets.KIND;
        switch (random.nextInt(4)) {
            case 0 -> patch(cluster, StatefulSets.KIND, "{\"spec\":{\"replicas\":%d}}".formatted(random.nextInt(4)));
            case 1, 2 ->
                patch(
                        cluster,
                        kind,
                        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"i%d\"}]}}}}"
                                .formatted(random.nextInt(3)));
            default -> {
                var pods = cluster.list(Pods.KIND, Selection.EVERYWHERE).items();
                if (!pods.isEmpty()) {
                    cluster.delete(
                            Pods.KIND,
                            ObjectName.of(pods.get(random.nextInt(pods.size()))),
                            Cluster.DeleteOptions.DEFAULT);
                }
            }
        }
    }

    private static void patch(FakeCluster cluster, Kind<?> kind, String patch) {
        cluster.patch(
                kind,
                ObjectName.of("team", "db"),
                new Patch.Merge(JsonText.parseObject(patch)),
                Cluster.WriteOptions.DEFAULT);
    }
}
