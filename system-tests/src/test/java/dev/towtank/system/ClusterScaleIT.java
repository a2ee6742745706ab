package dev.towtank.system;

import static dev.towtank.system.ClusterTenant.faulty;
import static dev.towtank.system.ClusterTenant.instance;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Many clusters, and a server that dies under them. How long it takes and what it costs is measured in
/// `bench/clusters`.
class ClusterScaleIT {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @TempDir
    static Path files;

    private ClusterTenant tenant;
    private Kubectl kubectl;

    @BeforeEach
    void makeTenant() {
        tenant = ClusterTenant.in(SERVER, files);
        kubectl = tenant.kubectl();
    }

    private static String many(String prefix, int count, String template) {
        return IntStream.range(0, count)
                .mapToObj(i -> instance(prefix + i, template, ""))
                .collect(Collectors.joining());
    }

    private void awaitAllReady(int count) {
        kubectl.run("wait", "cti", "--all", "--for=condition=Ready", "--timeout=120s");
        assertThat(kubectl.run("get", "cti", "-o", "jsonpath={.items[*].status.phase}")
                        .split(" "))
                .hasSize(count)
                .containsOnly("Ready");
    }

    private String left() {
        return kubectl.run("get", "logicalclusters", "-o", "name")
                + kubectl.in("clusters").run("get", "hostedclusters,nodepools,secrets", "-o", "name")
                + kubectl.in("towtank-clusters").run("get", "clusterdeployments,clusterprovisions", "-o", "name")
                + kubectl.in("argocd").run("get", "applications", "-o", "name");
    }

    /// What belongs to a cluster, such as the attempts at making it, is collected after it.
    private void awaitNothingLeft() {
        await("nothing left", () -> left().isEmpty());
        assertThat(left()).isEmpty();
    }

    @Test
    void lc02ManyAreMadeThroughTheWholeChainAtOnce() {
        tenant.apply(many("it-", 20, "hypershift-aws-cluster"));
        awaitAllReady(20);
        assertThat(kubectl.run("get", "cti", "-o", "jsonpath={.items[*].status.apiServerURL}")
                        .split(" "))
                .doesNotHaveDuplicates();
        kubectl.run("delete", "cti", "--all");
        awaitNothingLeft();
    }

    @Test
    void lc17AndLc18ManyLeaveNothingBehindNotEvenInMetrics() {
        tenant.apply(many("it-", 40, "logical-cluster"));
        awaitAllReady(40);
        var url = tenant.get("it-0", "{.status.apiServerURL}");
        tenant.inside("it-0").run("get", "pods");
        kubectl.run("delete", "cti", "--all");
        awaitNothingLeft();
        var cluster = url.substring(url.lastIndexOf('/') + 1);
        await(
                cluster + " in metrics",
                () -> !kubectl.run("get", "--raw", "/metrics").contains(cluster));
        for (int i = 0; i < 5; i++) {
            tenant.ask("again", "logical-cluster", "");
            tenant.awaitReady("again");
            kubectl.run("delete", "cti", "again");
        }
        awaitNothingLeft();
    }

    /// Half of them through the chart.
    @Test
    @Tag("deep")
    void aThousandAskedForAtOnceAreAllMadeAndAllGo() {
        var asked = IntStream.range(0, 1000)
                .mapToObj(i -> instance("it-" + i, i % 2 == 0 ? "hypershift-aws-cluster" : "logical-cluster", ""))
                .toList();
        assertThat(tenant.askAtOnce(asked)).isEmpty();
        await(
                "phases",
                () -> kubectl.run("get", "cti", "-o", "jsonpath={.items[*].status.phase}")
                        .equals(String.join(" ", Collections.nCopies(1000, "Ready"))));
        assertThat(kubectl.run("get", "cti", "-o", "jsonpath={.items[*].status.apiServerURL}")
                        .split(" "))
                .doesNotHaveDuplicates();
        assertThat(tenant.inside("it-998").run("auth", "can-i", "*", "*")).isEqualTo("yes\n");
        kubectl.run("delete", "cti", "--all", "--wait=false");
        await("deletion", () -> kubectl.run("get", "cti", "-o", "name").isEmpty());
        awaitNothingLeft();
    }

    private static void await(String what, BooleanSupplier enough) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(8);
        while (!enough.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    @Test
    void lc13AServerThatDiesGoesOnWhereItWas() {
        tenant.apply(many("ready-", 4, "logical-cluster") + many("hosted-", 4, "hypershift-aws-cluster"));
        awaitAllReady(8);
        var inside = tenant.inside("ready-0");
        inside.run("create", "configmap", "kept");
        tenant.apply(faulty(instance("half", "logical-cluster", ""), "towtank.dev/fault: hang"));
        tenant.awaitPhase("half", "ClusterInstalling");
        tenant.apply(many("asked-", 11, "hypershift-aws-cluster"));
        SERVER.replace(RunningTowtank::killAndStart);
        assertThat(inside.run("get", "configmap", "kept", "-o", "name")).isEqualTo("configmap/kept\n");
        kubectl.in("towtank-clusters")
                .run("annotate", "cd", tenant.get("half", "{.metadata.uid}"), "towtank.dev/fault-");
        awaitAllReady(20);
        assertThat(tenant.inside("asked-10").run("auth", "can-i", "*", "*")).isEqualTo("yes\n");
        assertThat(kubectl.run("get", "logicalclusters", "-o", "name").lines()).hasSize(20);
        kubectl.run("delete", "cti", "--all");
        awaitNothingLeft();
    }

    @Test
    void lc15WhoWantsItAsElsewhereLetsAnyQuotaEndAnInstance() {
        var other = SERVER.inNewNamespace();
        tenant.apply("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: Config
                metadata: {name: config, annotations: {towtank.dev/caas.crossNamespaceDeleteAfter: "true"}}
                """);
        other.withInput("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateQuota
                metadata: {name: quota}
                spec: {allowedTemplates: [{name: hive-claim, deleteAfter: 1s}]}
                """, "apply", "-f", "-");
        tenant.ask("brief", "hive-claim", "");
        kubectl.run("wait", "--for=delete", "cti/brief", "--timeout=120s");
        kubectl.run("delete", "config.clustertemplate.openshift.io", "config");
    }
}
