package dev.towtank.controllers.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.Simulation;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.Deployments;
import dev.towtank.model.kinds.apps.ReplicaSets;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class ReplicasSimulationTest {

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 40);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyDeploymentEndsUpAsItsTemplateSays(long seed) {
        var simulation = new Simulation(
                seed,
                caches -> List.of(
                        WorkloadsFeature.replicaSets(caches),
                        WorkloadsFeature.deployments(caches),
                        FakeNode.thatRunsAll()),
                _ -> false);

        simulation.run(400, ReplicasSimulationTest::act).settle(Duration.ofHours(1));

        for (var deployment : all(simulation, Deployments.KIND)) {
            assertThat(deployment.status().integer("observedGeneration")).isEqualTo(deployment.generation());
            // Half-way through a rollout there may be more or fewer.
            if (deployment.spec().flag("paused")) {
                continue;
            }
            var size = deployment.spec().integer("replicas");
            var pods = all(simulation, Pods.KIND).stream()
                    .filter(pod -> pod.labels().getOrDefault("app", "").equals(deployment.name()))
                    .filter(pod -> new Pod(pod).isActive())
                    .toList();
            assertThat(pods).hasSize((int) size);
            assertThat(pods)
                    .allSatisfy(pod ->
                            assertThat(pod.spec()).isEqualTo(deployment.spec().object("template", "spec")));
            assertThat(deployment.status().integer("updatedReplicas")).isEqualTo(size);
            assertThat(deployment.status().integer("availableReplicas")).isEqualTo(size);
        }
    }

    private static List<Resource> all(Simulation simulation, Kind<?> kind) {
        return simulation.cluster().list(kind, Selection.EVERYWHERE).items();
    }

    private static Resource deployment(String name, Random random) {
        return FakeNode.object("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: %s, namespace: team}
                spec:
                  replicas: %d
                  revisionHistoryLimit: 2
                  progressDeadlineSeconds: 600
                  strategy: %s
                  selector: {matchLabels: {app: %s}}
                  template:
                    metadata: {labels: {app: %s}}
                    spec: {containers: [{name: main, image: a}]}
                """.formatted(
                        name,
                        random.nextInt(5),
                        random.nextInt(3) == 0
                                ? "{type: Recreate}"
                                : "{type: RollingUpdate, rollingUpdate: {maxSurge: 25%%, maxUnavailable: %d}}"
                                        .formatted(random.nextInt(2)),
                        name,
                        name));
    }

    private static void act(FakeCluster cluster, Random random) {
        var name = "d" + random.nextInt(2);
        var key = ObjectName.of("team", name);
        switch (random.nextInt(8)) {
            case 0, 1 -> cluster.create(Deployments.KIND, deployment(name, random), Cluster.WriteOptions.DEFAULT);
            case 2, 3 -> patch(cluster, key, "{\"spec\":{\"replicas\":%d}}".formatted(random.nextInt(6)));
            case 4, 5 ->
                patch(
                        cluster,
                        key,
                        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"i%d\"}]}}}}"
                                .formatted(random.nextInt(4)));
            case 6 -> patch(cluster, key, "{\"spec\":{\"paused\":%b}}".formatted(random.nextInt(4) == 0));
            default -> {
                var pods = cluster.list(Pods.KIND, Selection.EVERYWHERE).items();
                if (random.nextInt(5) == 0) {
                    cluster.delete(Deployments.KIND, key, Cluster.DeleteOptions.DEFAULT);
                } else if (!pods.isEmpty()) {
                    var pod = pods.get(random.nextInt(pods.size()));
                    cluster.delete(Pods.KIND, ObjectName.of(pod), Cluster.DeleteOptions.DEFAULT);
                }
            }
        }
    }

    private static void patch(FakeCluster cluster, ObjectName name, String patch) {
        cluster.patch(
                Deployments.KIND, name, new Patch.Merge(JsonText.parseObject(patch)), Cluster.WriteOptions.DEFAULT);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aReplicaSetHasItsPodsWhateverHappens(long seed) {
        var simulation = new Simulation(
                seed, caches -> List.of(WorkloadsFeature.replicaSets(caches), FakeNode.thatRunsAll()), _ -> false);
        simulation.cluster().given(ReplicaSets.KIND, FakeNode.object("""
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: web, namespace: team, uid: u1, generation: 1}
                spec:
                  replicas: 3
                  selector: {matchLabels: {app: web}}
                  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: a}]}}
                """));

        simulation
                .run(200, (cluster, random) -> {
                    var pods = cluster.list(Pods.KIND, Selection.EVERYWHERE).items();
                    if (pods.isEmpty()) {
                        return;
                    }
                    var pod = ObjectName.of(pods.get(random.nextInt(pods.size())));
                    switch (random.nextInt(4)) {
                        case 0 -> cluster.delete(Pods.KIND, pod, Cluster.DeleteOptions.DEFAULT);
                        case 1 -> relabel(cluster, pod, "other");
                        case 2 -> relabel(cluster, pod, "web");
                        default ->
                            cluster.patch(
                                    ReplicaSets.KIND,
                                    ObjectName.of("team", "web"),
                                    new Patch.Merge(JsonText.parseObject(
                                            "{\"spec\":{\"replicas\":%d}}".formatted(random.nextInt(5)))),
                                    Cluster.WriteOptions.DEFAULT);
                    }
                })
                .settle(Duration.ofHours(1));

        var set = all(simulation, ReplicaSets.KIND).getFirst();
        var pods = all(simulation, Pods.KIND);
        var mine = pods.stream()
                .filter(pod -> pod.labels().get("app").equals("web"))
                .toList();
        assertThat(mine).hasSize((int) set.spec().integer("replicas"));
        assertThat(mine)
                .allSatisfy(
                        pod -> assertThat(pod.controller().orElseThrow().uid()).isEqualTo("u1"));
        assertThat(pods)
                .filteredOn(pod -> !mine.contains(pod))
                .allSatisfy(pod -> assertThat(pod.owners()).isEmpty());
        assertThat(set.status().integer("availableReplicas"))
                .isEqualTo(set.spec().integer("replicas"));
    }

    private static void relabel(FakeCluster cluster, ObjectName pod, String app) {
        cluster.patch(
                Pods.KIND,
                pod,
                new Patch.Merge(JsonText.parseObject("{\"metadata\":{\"labels\":{\"app\":\"%s\"}}}".formatted(app))),
                Cluster.WriteOptions.DEFAULT);
    }
}
