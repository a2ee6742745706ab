package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A client that was written against real clusters, as a judge of ours.
class Fabric8IT {

    private static final long LONGEST_SECONDS = 120;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static KubernetesClient client;

    @BeforeAll
    static void start() {
        client = Fabric8.client(SERVER.kubeconfig());
    }

    @AfterAll
    static void stop() {
        client.close();
    }

    private static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withData(Map.of("color", "blue"))
                .build();
    }

    private static void namespace(String name) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    @Test
    void createsReadsUpdatesAndDeletes() {
        namespace("crud");
        var maps = client.configMaps().inNamespace("crud");
        var created = maps.resource(configMap("settings")).create();
        assertThat(created.getMetadata().getUid()).isNotEmpty();
        var edited = maps.withName("settings")
                .edit(map ->
                        new ConfigMapBuilder(map).addToData("shape", "round").build());
        assertThat(edited.getData()).containsEntry("shape", "round").containsEntry("color", "blue");
        assertThat(maps.list().getItems())
                .extracting(map -> map.getMetadata().getName())
                .contains("settings");
        assertThatThrownBy(() -> maps.resource(created).lockResourceVersion().update())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(409));
        maps.withName("settings").delete();
        assertThat(maps.withName("settings").get()).isNull();
        assertThatThrownBy(() -> maps.resource(configMap("Not Valid")).create())
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> {
                    assertThat(e.getCode()).isEqualTo(422);
                    assertThat(e.getStatus().getReason()).isEqualTo("Invalid");
                });
    }

    @Test
    void scalesAndWritesStatus() {
        namespace("scaling");
        var labels = Map.of("app", "web");
        var deployment = new DeploymentBuilder()
                .withNewMetadata()
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("nginx:1.27")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
        var deployments = client.apps().deployments().inNamespace("scaling");
        deployments.resource(deployment).create();
        var scaled = deployments
                .withName("web")
                .scale(new io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder()
                        .withNewMetadata()
                        .withName("web")
                        .withNamespace("scaling")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(4)
                        .endSpec()
                        .build());
        assertThat(scaled.getSpec().getReplicas()).isEqualTo(4);
        // A Job that another controller manages: ours writes no status of its own.
        var job = client.resource("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: other, namespace: scaling}
                spec:
                  managedBy: example.com/other
                  parallelism: 4
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: nginx}]}}
                """);
        job.create();
        var withStatus = client.batch()
                .v1()
                .jobs()
                .inNamespace("scaling")
                .withName("other")
                .editStatus(each -> new JobBuilder(each)
                        .withNewStatus()
                        .withActive(3)
                        .endStatus()
                        .build());
        assertThat(withStatus.getStatus().getActive()).isEqualTo(3);
        assertThat(withStatus.getSpec().getParallelism()).isEqualTo(4);
    }

    @Test
    void informersSeeEverythingAndResync() throws InterruptedException {
        namespace("informed");
        var events = new LinkedBlockingQueue<String>();
        var maps = client.configMaps().inNamespace("informed");
        maps.resource(configMap("before")).create();
        try (var informer = maps.inform(new Recorder<>(events), 500)) {
            await(events, "added before");
            maps.resource(configMap("during")).create();
            await(events, "added during");
            maps.withName("during")
                    .edit(map -> new ConfigMapBuilder(map).addToData("a", "b").build());
            await(events, "updated during");
            maps.withName("during").delete();
            await(events, "deleted during");
            await(events, "updated before");
            assertThat(informer.getStore().list())
                    .extracting(map -> map.getMetadata().getName())
                    .contains("before")
                    .doesNotContain("during");
        }
    }

    private static void await(BlockingQueue<String> events, String expected) throws InterruptedException {
        while (true) {
            var event = events.poll(LONGEST_SECONDS, TimeUnit.SECONDS);
            assertThat(event).as("waiting for " + expected).isNotNull();
            if (event.equals(expected)) {
                return;
            }
        }
    }

    private record Recorder<T extends io.fabric8.kubernetes.api.model.HasMetadata>(BlockingQueue<String> events)
            implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T object) {
            events.add("added " + object.getMetadata().getName());
        }

        @Override
        public void onUpdate(T old, T object) {
            events.add("updated " + object.getMetadata().getName());
        }

        @Override
        public void onDelete(T object, boolean finalStateUnknown) {
            events.add("deleted " + object.getMetadata().getName());
        }
    }

    @Test
    void waitsForConditions() {
        namespace("waiting");
        var pod = new PodBuilder()
                .withNewMetadata()
                .withName("web")
                .endMetadata()
                .withNewSpec()
                // Not the node's: this test says what its status is.
                .withSchedulerName("nobody")
                .addNewContainer()
                .withName("main")
                .withImage("nginx:1.27")
                .endContainer()
                .endSpec()
                .build();
        var pods = client.pods().inNamespace("waiting");
        pods.resource(pod).create();
        pods.withName("web")
                .editStatus(each -> new PodBuilder(each)
                        .editOrNewStatus()
                        .withPhase("Running")
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
        Pod ready = pods.withName("web").waitUntilReady(LONGEST_SECONDS, TimeUnit.SECONDS);
        assertThat(ready.getStatus().getPhase()).isEqualTo("Running");
    }

    @Test
    void electsOneLeaderAtATime() throws InterruptedException {
        namespace("elected");
        var events = new LinkedBlockingQueue<String>();
        var first = elect("first", events);
        assertThat(events.poll(LONGEST_SECONDS, TimeUnit.SECONDS)).isEqualTo("first leads");
        var second = elect("second", events);
        assertThat(events).isEmpty();
        first.interrupt();
        // The first lets go of the lease before it says so.
        var next = new ArrayList<String>();
        next.add(events.poll(LONGEST_SECONDS, TimeUnit.SECONDS));
        next.add(events.poll(LONGEST_SECONDS, TimeUnit.SECONDS));
        assertThat(next).containsExactlyInAnyOrder("first stopped", "second leads");
        second.interrupt();
        first.join();
        second.join();
    }

    private static Thread elect(String name, BlockingQueue<String> events) {
        var config = new LeaderElectionConfigBuilder()
                .withName("election")
                // Nobody loses it by being slow: it is given away.
                .withLeaseDuration(Duration.ofSeconds(30))
                .withRenewDeadline(Duration.ofSeconds(20))
                .withRetryPeriod(Duration.ofMillis(200))
                .withReleaseOnCancel(true)
                .withLock(new LeaseLock("elected", "leader", name))
                .withLeaderCallbacks(new LeaderCallbacks(
                        () -> events.add(name + " leads"), () -> events.add(name + " stopped"), _ -> {}))
                .build();
        return Thread.ofVirtual().start(() -> {
            var elector = client.leaderElector().withConfig(config).build().start();
            try {
                elector.get();
            } catch (InterruptedException e) {
                elector.cancel(true);
            } catch (java.util.concurrent.ExecutionException e) {
                events.add(name + " failed: " + e.getCause());
            }
        });
    }
}
