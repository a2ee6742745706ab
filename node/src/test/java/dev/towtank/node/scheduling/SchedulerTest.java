package dev.towtank.node.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Informer;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.loop.EventRecorder;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.cluster.testing.PassingCluster;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.patch.Patch;
import dev.towtank.node.events.NodeEvents;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SchedulerTest {

    private final FakeTimers timers = new FakeTimers();
    private final FakeCluster fake = new FakeCluster(timers);
    private final CompletableFuture<Patch> told = new CompletableFuture<>();

    /// Somebody else may write other conditions at the same time: to send the whole list would undo that.
    @Test
    void tellsOnlyItsOwnConditionOfAPodThatFitsNowhere() throws Exception {
        fake.given(Pods.KIND, Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: v1
                kind: Pod
                metadata: {name: p, namespace: shop, uid: u1}
                spec: {schedulerName: default-scheduler, nodeSelector: {disk: fast}, containers: [{name: main, image: one}]}
                status: {phase: Pending, conditions: [{type: Mine, status: "True"}]}
                """)));
        var api = new Told();
        try (var informers = new Informers(api, timers, Informer.Settings.USUAL);
                var events = new NodeEvents(new EventRecorder(api, timers, "scheduler"));
                var scheduler = new Scheduler(api, List.of("n1"), informers, timers, events)) {
            scheduler.start();
            assertThat(told.get(120, TimeUnit.SECONDS)).isInstanceOfSatisfying(Patch.Strategic.class, patch -> {
                assertThat(patch.body().string("metadata", "uid")).isEqualTo("u1");
                assertThat(patch.body().object("status").objects("conditions"))
                        .singleElement()
                        .satisfies(condition -> {
                            assertThat(condition.string("type")).isEqualTo("PodScheduled");
                            assertThat(condition.string("status")).isEqualTo("False");
                            assertThat(condition.string("reason")).isEqualTo("Unschedulable");
                        });
            });
        }
    }

    /// A run of a second may be over before the scheduler's thread has begun.
    @Test
    void mayBeStoppedBeforeItHasBegun() throws Exception {
        var failed = new CompletableFuture<Throwable>();
        var handler = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((_, problem) -> failed.complete(problem));
        try (var events = new NodeEvents(new EventRecorder(fake, timers, "scheduler"))) {
            var informers = new Informers(fake, timers, Informer.Settings.USUAL);
            var scheduler = new Scheduler(fake, List.of("n1"), informers, timers, events);
            for (var informer : informers.all()) {
                informer.awaitSynced();
            }
            scheduler.close();
            informers.close();
            scheduler.start().join();
            assertThat(failed).isNotCompleted();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(handler);
        }
    }

    /// Takes note of the patch of a pod.
    private final class Told extends PassingCluster {

        Told() {
            super(fake);
        }

        @Override
        public Resource patch(Kind<?> kind, ObjectName name, Patch patch, WriteOptions options) {
            told.complete(patch);
            return fake.get(kind, name).orElseThrow();
        }
    }
}
