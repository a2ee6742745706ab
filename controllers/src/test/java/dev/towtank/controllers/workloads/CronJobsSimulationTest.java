package dev.towtank.controllers.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.Simulation;
import dev.towtank.controllers.workloads.jobs.JobReconciler;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.batch.CronJobs;
import dev.towtank.model.kinds.batch.Jobs;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class CronJobsSimulationTest {

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyStartIsMadeOnceAndOldJobsGo(long seed) {
        var simulation = new Simulation(
                seed,
                caches -> List.of(
                        WorkloadsFeature.cronJobs(caches),
                        WorkloadsFeature.jobs(caches),
                        WorkloadsFeature.jobPods(caches),
                        WorkloadsFeature.finishedJobs(caches),
                        FakeNode.that(pod -> Optional.of(pod.phase().isEmpty() ? "Running" : "Succeeded"))),
                object -> object.kind().equals("Job") && JobReconciler.isFinished(object));
        simulation.cluster().given(CronJobs.KIND, cronJob(seed));

        simulation.run(300, CronJobsSimulationTest::act).settle(Duration.ofMinutes(30));

        var cronJob = simulation
                .cluster()
                .get(CronJobs.KIND, ObjectName.of("team", "tick"))
                .orElseThrow();
        var jobs = simulation.cluster().list(Jobs.KIND, Selection.EVERYWHERE).items();
        assertThat(jobs).allMatch(JobReconciler::isFinished);
        if (!cronJob.spec().flag("suspend")) {
            var now = simulation.timers().instant().truncatedTo(ChronoUnit.MINUTES);
            assertThat(jobs).extracting(Resource::name).contains("tick-" + now.getEpochSecond() / 60);
            assertThat(cronJob.status().string("lastScheduleTime")).isEqualTo(now.toString());
            assertThat(jobs).hasSize(2);
        }
        assertThat(cronJob.status().objects("active")).isEmpty();
    }

    private static Resource cronJob(long seed) {
        return FakeNode.object(
                """
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: tick, namespace: team, uid: cron, creationTimestamp: "2026-01-01T00:00:00Z"}
                spec:
                  schedule: "* * * * *"
                  concurrencyPolicy: %s
                  successfulJobsHistoryLimit: 2
                  failedJobsHistoryLimit: 0
                  jobTemplate:
                    spec:
                      completions: 1
                      parallelism: 1
                      selector: {matchLabels: {app: tick}}
                      template:
                        metadata: {labels: {app: tick}}
                        spec: {restartPolicy: Never, containers: [{name: main, image: a}]}
                """.formatted(List.of("Allow", "Forbid", "Replace").get((int) (seed % 3))));
    }

    private static void act(FakeCluster cluster, Random random) {
        var jobs = cluster.list(Jobs.KIND, Selection.EVERYWHERE).items();
        if (random.nextInt(3) == 0 && !jobs.isEmpty()) {
            var job = ObjectName.of(jobs.get(random.nextInt(jobs.size())));
            cluster.delete(Jobs.KIND, job, Cluster.DeleteOptions.DEFAULT);
        } else {
            cluster.patch(
                    CronJobs.KIND,
                    ObjectName.of("team", "tick"),
                    new Patch.Merge(
                            JsonText.parseObject("{\"spec\":{\"suspend\":%b}}".formatted(random.nextInt(4) == 0))),
                    Cluster.WriteOptions.DEFAULT);
        }
    }
}
