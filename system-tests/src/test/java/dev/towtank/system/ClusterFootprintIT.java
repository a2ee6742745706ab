package dev.towtank.system;

import static dev.towtank.system.ClusterTenant.instance;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What clusters cost that nobody uses, and what is left of those that are gone. What they cost in time is measured in
/// `bench/clusters`.
class ClusterFootprintIT {

    private static final int CLUSTERS = 40;
    private static final int ROUNDS = 4;
    private static final long MOST_OF_AN_IDLE_ONE = 256L << 10;

    @TempDir
    Path files;

    /// Time moves here: what is kept for a while, such as events and the history of changes, must not be mistaken for
    /// what is kept for good.
    @Test
    @Tag("deep")
    void lc17AndLc18IdleClustersAreSmallAndThoseThatAreGoneAreForgotten() {
        try (var server = RunningTowtank.start("--virtual-time")) {
            var tenant = new ClusterTenant(Kubectl.newest(server.kubeconfig(), "default"), files);
            // The first ones make the server read, compile and open what it needs for any.
            make(tenant);
            delete(tenant);
            pass(server, "2h");
            var before = settled(server);

            make(tenant);
            pass(server, "6m");
            var idle = Footprint.of(server);
            assertThat((idle.heap() - before.heap()) / CLUSTERS)
                    .as("bytes of an idle cluster, %s and before %s", idle, before)
                    .isLessThan(MOST_OF_AN_IDLE_ONE);
            assertThatCountsAreAsIn(before, idle);
            delete(tenant);

            for (int i = 1; i < ROUNDS; i++) {
                make(tenant);
                delete(tenant);
            }
            pass(server, "2h");
            awaitHeap(server, before.heap() + before.heap() / 20);
            assertThatCountsAreAsIn(before, Footprint.of(server));
        }
    }

    /// Half of them through a chart, half at once, and one of each used.
    private static void make(ClusterTenant tenant) {
        tenant.apply(IntStream.range(0, CLUSTERS)
                .mapToObj(i -> instance("it-" + i, i % 2 == 0 ? "hypershift-aws-cluster" : "logical-cluster", ""))
                .collect(Collectors.joining()));
        tenant.kubectl().run("wait", "cti", "--all", "--for=condition=Ready", "--timeout=120s");
        for (var name : List.of("it-0", "it-1")) {
            tenant.inside(name).run("create", "configmap", "any");
            tenant.inside(name).run("get", "pods,configmaps");
        }
    }

    private static void delete(ClusterTenant tenant) {
        tenant.kubectl().run("delete", "cti", "--all", "--timeout=120s");
        assertThat(tenant.kubectl().run("get", "logicalclusters", "-o", "name")).isEmpty();
    }

    /// What is over goes when something else is written.
    private static void pass(RunningTowtank server, String time) {
        assertThat(server.command("time", "advance", time).exit()).isZero();
        var kubectl = Kubectl.newest(server.kubeconfig(), "default");
        kubectl.run("create", "configmap", "any");
        kubectl.run("delete", "configmap", "any");
    }

    /// When two looks at it see about the same.
    private static Footprint settled(RunningTowtank server) {
        var last = Footprint.of(server);
        for (var next = Footprint.of(server); next.heap() < last.heap() * 99 / 100; next = Footprint.of(server)) {
            last = next;
        }
        return last;
    }

    private static void awaitHeap(RunningTowtank server, long most) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(160);
        for (var now = Footprint.of(server); now.heap() > most; now = Footprint.of(server)) {
            assertThat(System.nanoTime())
                    .as(
                            "%s clusters were made and deleted, and %s is still more than %s bytes",
                            ROUNDS * CLUSTERS, now, most)
                    .isLessThan(end);
            pass(server, "6m");
        }
    }

    /// One for each of half of the clusters would be too many.
    private static void assertThatCountsAreAsIn(Footprint before, Footprint now) {
        assertThat(now.threads()).as("threads").isLessThan(before.threads() + CLUSTERS / 2);
        assertThat(now.virtualThreads()).as("virtual threads").isLessThan(before.virtualThreads() + CLUSTERS / 2);
        assertThat(now.files()).as("open files").isLessThan(before.files() + CLUSTERS / 2);
        assertThat(now.series()).as("series of metrics").isLessThan(before.series() + CLUSTERS / 2);
    }
}
