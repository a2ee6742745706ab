package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The process is killed at random moments under load; whatever it acknowledged must be there afterwards.
class PowerCutIT {

    private static final int ROUNDS = 4;
    private static final int WRITERS = 8;

    @TempDir
    Path directory;

    /// What the server said about each object: its resource version, as acknowledged.
    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();

    @Test
    void nothingAcknowledgedIsLost() throws InterruptedException {
        var random = new Random(42);
        var data = directory.resolve("data");
        long highest = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var server = RunningTowtank.start(data);
            try (var client = Fabric8.client(server.kubeconfig())) {
                highest = check(client, highest);
                writeUntilKilled(server, client, round, 300 + random.nextInt(1_200));
            }
        }
        try (var server = RunningTowtank.start(data);
                var client = Fabric8.client(server.kubeconfig())) {
            check(client, highest);
            assertThat(acknowledged).hasSizeGreaterThan(ROUNDS * WRITERS);
            watchesResumeOrSayThatTheyCannot(client);
        }
        RunningTowtank.deleteAll(data.resolve("node")); // its links would each be warned about
    }

    private void writeUntilKilled(RunningTowtank server, KubernetesClient client, int round, int milliseconds)
            throws InterruptedException {
        var killed = new AtomicBoolean();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var writers = new ArrayList<Future<?>>();
            for (int writer = 0; writer < WRITERS; writer++) {
                var prefix = "r" + round + "-w" + writer + "-";
                writers.add(executor.submit(() -> write(client, prefix, killed)));
            }
            try {
                // A server that has just started takes its time to answer first.
                int least = (round + 1) * (WRITERS + 1);
                Eventually.holds(() -> assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(least));
                // Not a wait for anything: the moment of the cut is the random input of this test.
                assertThat(new CountDownLatch(1).await(milliseconds, TimeUnit.MILLISECONDS))
                        .isFalse();
            } finally {
                killed.set(true);
                server.kill();
            }
            for (var writer : writers) {
                assertThatCode(writer::get).doesNotThrowAnyException();
            }
        }
    }

    private void write(KubernetesClient client, String prefix, AtomicBoolean killed) {
        var maps = client.configMaps().inNamespace("default");
        for (int i = 0; !killed.get(); i++) {
            var name = prefix + i;
            try {
                remember(maps.resource(configMap(name, "created")).create());
                if (i % 2 == 1) {
                    remember(maps.withName(name)
                            .edit(map -> new ConfigMapBuilder(map)
                                    .addToData("state", "updated")
                                    .build()));
                }
            } catch (KubernetesClientException e) {
                if (!killed.get()) {
                    throw e;
                }
                return;
            }
        }
    }

    private static ConfigMap configMap(String name, String state) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("test", "power-cut")
                .endMetadata()
                .withData(Map.of("state", state, "twin", state))
                .build();
    }

    private void remember(ConfigMap map) {
        acknowledged.put(
                map.getMetadata().getName(), Long.parseLong(map.getMetadata().getResourceVersion()));
    }

    /// @return the newest revision, which must not be older than any that was seen before
    private long check(KubernetesClient client, long highest) {
        var list = client.configMaps()
                .inNamespace("default")
                .withLabel("test", "power-cut")
                .list();
        long revision = Long.parseLong(list.getMetadata().getResourceVersion());
        assertThat(revision).isGreaterThanOrEqualTo(highest);
        var found = new ConcurrentHashMap<String, Long>();
        for (var map : list.getItems()) {
            found.put(
                    map.getMetadata().getName(),
                    Long.parseLong(map.getMetadata().getResourceVersion()));
            assertThat(map.getData()).containsEntry("twin", "created");
        }
        acknowledged.forEach((name, version) -> {
            assertThat(found).containsKey(name);
            // A write that was not acknowledged may have happened after the last one that was.
            assertThat(found.get(name)).isGreaterThanOrEqualTo(version);
        });
        return revision;
    }

    private void watchesResumeOrSayThatTheyCannot(KubernetesClient client) throws InterruptedException {
        var outcome = new CountDownLatch(1);
        var maps = client.configMaps().inNamespace("default");
        var current = maps.list().getMetadata().getResourceVersion();
        try (var watch = maps.withResourceVersion(current).watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, ConfigMap map) {
                if (map.getMetadata().getName().equals("after")) {
                    outcome.countDown();
                }
            }

            @Override
            public void onClose(WatcherException cause) {}
        })) {
            assertThat(watch).isNotNull();
            maps.resource(configMap("after", "created")).create();
            assertThat(outcome.await(120, TimeUnit.SECONDS)).isTrue();
        }
        var old = new CountDownLatch(1);
        try (var watch = maps.withResourceVersion("1").watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, ConfigMap map) {}

            @Override
            public void onClose(WatcherException cause) {
                if (cause.isHttpGone()) {
                    old.countDown();
                }
            }
        })) {
            assertThat(watch).isNotNull();
            assertThat(old.await(120, TimeUnit.SECONDS)).isTrue();
        } catch (KubernetesClientException e) {
            assertThat(e.getCode()).isEqualTo(410);
        }
    }
}
