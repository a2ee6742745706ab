package dev.towtank.controllers.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.Simulation;
import dev.towtank.controllers.workloads.jobs.JobReconciler;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.batch.Jobs;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class JobsSimulationTest {

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 50);
    }

    private static Simulation simulation(long seed) {
        return new Simulation(
                seed,
                caches -> List.of(
                        WorkloadsFeature.jobs(caches),
                        WorkloadsFeature.jobPods(caches),
                        FakeNode.that(pod -> Optional.of(fate(pod)))),
                JobReconciler::isFinished);
    }

    /// A third of the pods fail; which ones follows from their names.
    private static String fate(Pod pod) {
        if (pod.phase().isEmpty()) {
            return "Running";
        }
        return Math.floorMod(pod.name().hashCode(), 3) == 0 ? "Failed" : "Succeeded";
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyPodCountsExactlyOnce(long seed) {
        var simulation = simulation(seed);

        simulation.run(500, (cluster, random) -> act(cluster, random, false)).settle(Duration.ofDays(2));

        for (var job : all(simulation, Jobs.KIND)) {
            assertFinished(simulation, job);
            var pods = pods(simulation, job);
            // A Job that fails deletes the pods that still run.
            if (StatusConditions.of(job.status()).isTrue("Complete")) {
                assertThat(pods.stream().filter(Pod::hasSucceeded).count())
                        .as(job.describe() + job.status())
                        .isEqualTo(job.status().integer("succeeded"));
                assertThat(pods.stream().filter(Pod::hasFailed).count())
                        .as(job.describe() + job.status())
                        .isEqualTo(job.status().integer("failed"));
            }
        }
    }

    /// However old what a controller knows may be: no pod is one too many.
    @ParameterizedTest
    @MethodSource("seeds")
    void makesAsManyPodsAsAreToSucceed(long seed) {
        var simulation = new Simulation(
                seed,
                caches -> List.of(
                        WorkloadsFeature.jobs(caches),
                        WorkloadsFeature.jobPods(caches),
                        FakeNode.that(_ -> Optional.of("Succeeded"))),
                JobReconciler::isFinished);

        simulation.run(500, (cluster, random) -> act(cluster, random, false)).settle(Duration.ofDays(2));

        for (var job : all(simulation, Jobs.KIND)) {
            // Those with a deadline may fail.
            if (StatusConditions.of(job.status()).isTrue("Complete")) {
                assertThat(pods(simulation, job))
                        .as(job.describe() + job.status())
                        .hasSize((int) job.spec().integer("completions"));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyJobEndsWhateverUsersDo(long seed) {
        var simulation = simulation(seed);

        simulation.run(500, (cluster, random) -> act(cluster, random, true)).settle(Duration.ofDays(2));

        all(simulation, Jobs.KIND).forEach(job -> assertFinished(simulation, job));
        // A failed index of a suspended Job keeps its last pod, whose count the next one takes over.
        var suspended = all(simulation, Jobs.KIND).stream()
                .filter(job -> job.spec().flag("suspend"))
                .flatMap(job -> pods(simulation, job).stream())
                .map(Pod::name)
                .toList();
        assertThat(all(simulation, Pods.KIND))
                .filteredOn(pod -> !suspended.contains(pod.name()))
                .allSatisfy(pod -> assertThat(pod.finalizers()).isEmpty());
    }

    private static void assertFinished(Simulation simulation, Resource job) {
        if (job.spec().flag("suspend")) {
            assertThat(pods(simulation, job)).noneMatch(Pod::isActive);
            return;
        }
        assertThat(JobReconciler.isFinished(job))
                .as(job.describe() + job.status())
                .isTrue();
        assertThat(job.status().object("uncountedTerminatedPods")).isEqualTo(Json.Obj.EMPTY);
        if (StatusConditions.of(job.status()).isTrue("Complete")) {
            assertThat(job.status().integer("succeeded")).isEqualTo(job.spec().integer("completions"));
        }
        assertThat(pods(simulation, job)).noneMatch(Pod::isActive);
    }

    private static List<Pod> pods(Simulation simulation, Resource job) {
        return all(simulation, Pods.KIND).stream()
                .filter(pod -> pod.controller()
                        .filter(owner -> owner.uid().equals(job.uid()))
                        .isPresent())
                .map(Pod::new)
                .toList();
    }

    private static List<Resource> all(Simulation simulation, Kind<?> kind) {
        return simulation.cluster().list(kind, Selection.EVERYWHERE).items();
    }

    private static Resource job(String name, Random random) {
        boolean indexed = random.nextBoolean();
        return FakeNode.object("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s, namespace: team}
                spec:
                  parallelism: %d
                  completions: %d
                  backoffLimit: %d
                  %s
                  %s
                  completionMode: %s
                  selector: {matchLabels: {job: %s}}
                  template:
                    metadata: {labels: {job: %s}}
                    spec: {restartPolicy: Never, containers: [{name: main, image: a}]}
                """.formatted(
                        name,
                        random.nextInt(3) + 1,
                        random.nextInt(5) + 1,
                        random.nextInt(6),
                        indexed && random.nextBoolean() ? "backoffLimitPerIndex: " + random.nextInt(2) : "",
                        random.nextInt(4) == 0 ? "activeDeadlineSeconds: 15" : "",
                        indexed ? "Indexed" : "NonIndexed",
                        name,
                        name));
    }

    private static void act(FakeCluster cluster, Random random, boolean rough) {
        var name = "j" + random.nextInt(3);
        var key = ObjectName.of("team", name);
        switch (random.nextInt(rough ? 7 : 4)) {
            case 0, 1, 2, 3 -> cluster.create(Jobs.KIND, job(name, random), Cluster.WriteOptions.DEFAULT);
            case 4 ->
                cluster.patch(
                        Jobs.KIND,
                        key,
                        new Patch.Merge(
                                JsonText.parseObject("{\"spec\":{\"suspend\":%b}}".formatted(random.nextBoolean()))),
                        Cluster.WriteOptions.DEFAULT);
            case 5 -> {
                var pods = cluster.list(Pods.KIND, Selection.EVERYWHERE).items();
                if (!pods.isEmpty()) {
                    cluster.delete(
                            Pods.KIND,
                            ObjectName.of(pods.get(random.nextInt(pods.size()))),
                            Cluster.DeleteOptions.DEFAULT);
                }
            }
            default -> cluster.delete(Jobs.KIND, key, Cluster.DeleteOptions.DEFAULT);
        }
    }
}
