package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Hive's kinds with real kubectl. The names of tests begin with what they are called where pools are specified.
class ClusterPoolsIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @TempDir
    static Path files;

    private Kubectl kubectl;

    @BeforeEach
    void makeImageSet() {
        kubectl = SERVER.inNewNamespace();
        kubectl.withInput("""
                apiVersion: hive.openshift.io/v1
                kind: ClusterImageSet
                metadata: {name: test-4.19}
                spec: {releaseImage: "quay.io/openshift-release-dev/ocp-release:4.19.3-multi"}
                """, "apply", "-f", "-");
    }

    private void pool(String name, String fields) {
        kubectl.withInput("""
                apiVersion: hive.openshift.io/v1
                kind: ClusterPool
                metadata: {name: %s}
                spec:
                  baseDomain: test.local
                  imageSetRef: {name: test-4.19}
                  platform: {aws: {region: us-east-1, credentialsSecretRef: {name: aws-creds}}}
                """.formatted(name) + fields.indent(2), "apply", "-f", "-");
    }

    private void claim(String name, String pool, String fields) {
        kubectl.withInput("""
                apiVersion: hive.openshift.io/v1
                kind: ClusterClaim
                metadata: {name: %s}
                spec:
                  clusterPoolName: %s
                """.formatted(name, pool) + fields.indent(2), "apply", "-f", "-");
    }

    private static String condition(String type, String field) {
        return "{.status.conditions[?(@.type==\"" + type + "\")]." + field + "}";
    }

    private void awaitClaimed(String claim) {
        kubectl.await("clusterclaims/" + claim, condition("ClusterRunning", "reason"), "Running");
    }

    private String get(String object, String path) {
        return kubectl.run("get", object, "-o", "jsonpath=" + path);
    }

    private Kubectl inside(String claim) throws IOException {
        var namespace = get("clusterclaim/" + claim, "{.spec.namespace}");
        var secret = kubectl.in(namespace)
                .run("get", "secret", namespace + "-admin-kubeconfig", "-o", "jsonpath={.data.kubeconfig}");
        var file = files.resolve(namespace);
        Files.writeString(file, new String(Base64.getDecoder().decode(secret), StandardCharsets.UTF_8));
        return Kubectl.newest(file, "default");
    }

    private List<String> deployments(String pool) {
        return kubectl.run("get", "clusterdeployments", "--all-namespaces", "-o", "name")
                .lines()
                .filter(line -> line.contains("/" + pool + "-"))
                .toList();
    }

    /// Those that a pool makes or takes away come and go after it has told of them.
    private List<String> awaitDeployments(String pool, int count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        var found = deployments(pool);
        while (found.size() != count && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            found = deployments(pool);
        }
        assertThat(found).hasSize(count);
        return found;
    }

    @Test
    void po01APoolFillsItself() {
        pool("small", "size: 3\nrunningCount: 1\nmaxSize: 5\n");
        kubectl.await("clusterpools/small", "{.status.size} {.status.ready} {.status.standby}", "3 1 2");
        assertThat(get("clusterpool/small", condition("MissingDependencies", "status")))
                .isEqualTo("False");
        assertThat(get("clusterpool/small", condition("CapacityAvailable", "status")))
                .isEqualTo("True");
        assertThat(get("clusterpool/small", condition("AllClustersCurrent", "status")))
                .isEqualTo("True");
        assertThat(deployments("small")).hasSize(3);
    }

    @Test
    void po02AndPo03AClaimGetsARunningClusterAndThePoolAnother() throws IOException {
        pool("refill", "size: 1\nrunningCount: 1\n");
        kubectl.await("clusterpools/refill", "{.status.ready}", "1");
        var first = deployments("refill").getFirst();
        claim("mine", "refill", "");
        awaitClaimed("mine");
        var namespace = get("clusterclaim/mine", "{.spec.namespace}");
        assertThat(first).endsWith("/" + namespace);
        assertThat(get("clusterclaim/mine", condition("Pending", "reason"))).isEqualTo("ClusterClaimed");
        assertThat(kubectl.in(namespace).run("get", "cd", namespace, "-o", "jsonpath={.spec.clusterPoolRef.claimName}"))
                .isEqualTo("mine");
        awaitDeployments("refill", 2);
        kubectl.await("clusterpools/refill", "{.status.size} {.status.ready}", "1 1");

        var inside = inside("mine");
        inside.run("create", "configmap", "one");
        kubectl.run("delete", "clusterclaim", "mine");
        assertThat(inside.attempt("get", "configmaps").err()).contains("You must be logged in");
        kubectl.run("wait", "--for=delete", "namespace/" + namespace, "--timeout=120s");
        assertThat(deployments("refill")).hasSize(1);
    }

    @Test
    void po04ClustersAreGivenOnce() throws InterruptedException {
        pool("few", "size: 1\nrunningCount: 1\nmaxSize: 5\n");
        var claims = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            claims.append("---\n{apiVersion: hive.openshift.io/v1, kind: ClusterClaim, metadata: {name: c" + i
                    + "}, spec: {clusterPoolName: few}}\n");
        }
        var clusters = watch("clusterdeployments", "{.spec.clusterPoolRef.claimName}", "--all-namespaces");
        var owners = watch("clusterclaims", "{.spec.namespace}");
        kubectl.withInput(claims.toString(), "apply", "-f", "-");
        for (int i = 0; i < 5; i++) {
            awaitClaimed("c" + i);
        }
        kubectl.await("clusterpools/few", condition("CapacityAvailable", "reason"), "MaxCapacity");
        var given =
                kubectl.run("get", "clusterclaims", "-o", "jsonpath={range .items[*]}{.spec.namespace}{\"\\n\"}{end}");
        assertThat(given.lines().filter(line -> !line.isBlank())).hasSize(5).doesNotHaveDuplicates();
        clusters.await("few-\\S+ c0");
        owners.await("c0 few-\\S+");
        kubectl.run("delete", "clusterclaim", "c0");
        awaitClaimed("c5");
        clusters.await("few-\\S+ c5");
        owners.await("c5 few-\\S+");
        assertThatEachHasOne(clusters.end().filter(line -> line.startsWith("few-")));
        assertThatEachHasOne(owners.end());
    }

    /// What a watch has shown until it is ended.
    private record Seen(Process process, Thread reader, List<String> lines) {
        static Seen of(Process process) {
            var lines = new CopyOnWriteArrayList<String>();
            var reader =
                    Thread.ofVirtual().start(() -> process.inputReader().lines().forEach(lines::add));
            return new Seen(process, reader, lines);
        }

        void await(String pattern) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (lines.stream().noneMatch(line -> line.matches(pattern))) {
                assertThat(System.nanoTime()).as(pattern + " in " + lines).isLessThan(end);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }

        Stream<String> end() throws InterruptedException {
            process.toHandle().destroy();
            reader.join();
            return lines.stream();
        }
    }

    private Seen watch(String kind, String path, String... options) {
        var words =
                new ArrayList<>(List.of("get", kind, "--watch", "-o", "jsonpath={.metadata.name} " + path + "{'\\n'}"));
        words.addAll(List.of(options));
        return Seen.of(kubectl.start(words.toArray(String[]::new)));
    }

    /// At no moment had two the same, and none has had another than its first.
    private static void assertThatEachHasOne(Stream<String> events) {
        var partners = new HashMap<String, String>();
        events.map(line -> line.split(" ", -1))
                .filter(words -> words.length == 2 && !words[1].isEmpty())
                .forEach(words -> assertThat(partners.put(words[0], words[1])).isIn(null, words[1]));
        assertThat(partners).hasSizeGreaterThanOrEqualTo(6);
        assertThat(partners.values()).doesNotHaveDuplicates();
    }

    @Test
    void po05WhatTwoClaimsNameIsLeftToOne() {
        pool("forged", "size: 1\nrunningCount: 1\n");
        claim("a", "forged", "");
        awaitClaimed("a");
        var namespace = get("clusterclaim/a", "{.spec.namespace}");
        claim("b", "forged", "namespace: " + namespace + "\n");
        kubectl.await("clusterclaims/b", condition("Pending", "reason"), "ClusterClaimed");
        assertThat(get("clusterclaim/a", "{.spec.namespace}")).isEqualTo(namespace);
        assertThat(get("clusterclaim/b", "{.spec.namespace}"))
                .isNotEqualTo(namespace)
                .isNotEmpty();
    }

    @Test
    void po06ASleepingClusterWakesForAClaim() {
        pool("sleepy", "size: 1\nrunningCount: 0\n");
        kubectl.await("clusterpools/sleepy", "{.status.standby}", "1");
        claim("early", "sleepy", "");
        awaitClaimed("early");
    }

    @Test
    void po07AClusterSleepsAndWakesThoughSomebodyChangesTheirMind() throws IOException {
        pool("napping", "size: 1\nrunningCount: 1\n");
        claim("mine", "napping", "");
        awaitClaimed("mine");
        var inside = inside("mine");
        inside.run("create", "configmap", "kept");
        var name = get("clusterclaim/mine", "{.spec.namespace}");
        var there = kubectl.in(name);
        power(there, name, "Hibernating");
        there.await("clusterdeployments/" + name, "{.status.powerState}", "Hibernating");
        assertThat(there.run(
                        "get",
                        "cd",
                        name,
                        "-o",
                        "jsonpath=" + condition("Ready", "status") + condition("Hibernating", "status")
                                + condition("Unreachable", "status")))
                .isEqualTo("FalseTrueTrue");
        assertThat(inside.attempt("get", "--raw", "/api/v1/pods", "--request-timeout=30s")
                        .err())
                .contains("hibernates");
        power(there, name, "Running");
        power(there, name, "Hibernating");
        power(there, name, "Running");
        there.await("clusterdeployments/" + name, "{.status.powerState}", "Running");
        // Which it may say of the first time, while the second nap has yet to come.
        inside.until(List.of("configmap/kept\n"), "get", "configmap", "kept", "-o", "name");
    }

    private static void power(Kubectl there, String name, String state) {
        there.run("patch", "cd", name, "--type=merge", "-p", "{\"spec\":{\"powerState\":\"" + state + "\"}}");
    }

    @Test
    void po08AClaimedClusterFallsAsleepByItself() {
        pool("drowsy", "size: 1\nrunningCount: 1\nhibernateAfter: 2s\n");
        claim("mine", "drowsy", "");
        // It runs for two seconds, which may be over before anybody looks.
        kubectl.await("clusterclaims/mine", condition("Pending", "reason"), "ClusterClaimed");
        var name = get("clusterclaim/mine", "{.spec.namespace}");
        kubectl.in(name).await("clusterdeployments/" + name, "{.status.powerState}", "Hibernating");
        kubectl.await("clusterpools/drowsy", "{.status.ready}", "1");
    }

    @Test
    void po09AClusterThatDoesNotWakeIsReplaced() {
        pool("stuck", "size: 1\nmaxSize: 1\nrunningCount: 0\nhibernationConfig: {resumeTimeout: 1s}\n");
        kubectl.await("clusterpools/stuck", "{.status.standby}", "1");
        var first = deployments("stuck").getFirst();
        var name = first.substring(first.lastIndexOf('/') + 1);
        kubectl.in(name).run("annotate", "cd", name, "towtank.dev/fault=hang-on-resume");
        claim("patient", "stuck", "");
        awaitClaimed("patient");
        assertThat(get("clusterclaim/patient", "{.spec.namespace}")).isNotEqualTo(name);
        kubectl.run("wait", "--for=delete", "namespace/" + name, "--timeout=120s");
    }

    @Test
    void po14AtMostOneIsMadeOrTakenAwayAtATime() {
        pool("single", "size: 3\nrunningCount: 3\nmaxConcurrent: 1\nannotations: {towtank.dev/fault: hang}\n");
        kubectl.await("clusterpools/single", "{.status.size}", "1");
        for (int i = 1; i <= 3; i++) {
            assertThat(deployments("single")).hasSize(i);
            for (var each : deployments("single")) {
                var name = each.substring(each.lastIndexOf('/') + 1);
                kubectl.in(name).run("annotate", "--overwrite", "cd", name, "towtank.dev/fault-");
            }
            kubectl.await("clusterpools/single", "{.status.ready}", Integer.toString(i));
            kubectl.await("clusterpools/single", "{.status.size}", Integer.toString(Math.min(i + 1, 3)));
        }
    }

    @Test
    void po10AClaimEndsWhenItsTimeIsOver() {
        pool("brief", "size: 1\nrunningCount: 1\nclaimLifetime: {maximum: 2s}\n");
        kubectl.await("clusterpools/brief", "{.status.ready}", "1");
        // Held back, so that it can be looked at however long that takes.
        kubectl.withInput("""
                apiVersion: hive.openshift.io/v1
                kind: ClusterClaim
                metadata: {name: late, finalizers: [example.com/hold]}
                spec: {clusterPoolName: brief, lifetime: 3s}
                """, "create", "-f", "-");
        kubectl.await("clusterclaims/late", "{.status.lifetime}", "2s");
        kubectl.await(
                "clusterclaims",
                "--field-selector=metadata.name=late",
                "{.metadata.deletionTimestamp} {.metadata.finalizers[*]}",
                "deleted, and held by nobody else",
                text -> text.matches("\\S+ example.com/hold"));
        kubectl.run("patch", "clusterclaim", "late", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}");
        kubectl.run("wait", "--for=delete", "clusterclaim/late", "--timeout=120s");
    }

    @Test
    void po11AChangedPoolReplacesWhatNobodyHas() {
        pool("changing", "size: 2\nrunningCount: 2\n");
        claim("before", "changing", "");
        awaitClaimed("before");
        var claimed = get("clusterclaim/before", "{.spec.namespace}");
        kubectl.await("clusterpools/changing", "{.status.size} {.status.ready}", "2 2");
        var before = deployments("changing").stream()
                .filter(each -> !each.endsWith("/" + claimed))
                .toList();
        kubectl.run(
                "patch", "clusterpool", "changing", "--type=merge", "-p", "{\"spec\":{\"baseDomain\":\"new.local\"}}");
        for (var old : before) {
            var name = old.substring(old.lastIndexOf('/') + 1);
            kubectl.run("wait", "--for=delete", "namespace/" + name, "--timeout=120s");
        }
        kubectl.await("clusterpools/changing", "{.status.ready}", "2");
        kubectl.await("clusterpools/changing", condition("AllClustersCurrent", "status"), "True");
        assertThat(kubectl.in(claimed).run("get", "cd", claimed, "-o", "jsonpath={.spec.baseDomain}"))
                .as("what somebody has stays as it is")
                .isEqualTo("test.local");
    }

    @Test
    void po12APoolGoesWhenNobodyHasAClusterOfIt() {
        pool("going", "size: 1\nrunningCount: 1\n");
        claim("kept", "going", "");
        awaitClaimed("kept");
        kubectl.run("scale", "clusterpool", "going", "--replicas=0");
        kubectl.await("clusterpools/going", "{.status.size}", "0");
        assertThat(awaitDeployments("going", 1).getFirst()).endsWith(get("clusterclaim/kept", "{.spec.namespace}"));
        kubectl.run("delete", "clusterpool", "going", "--wait=false");
        kubectl.await("clusterpools/going", condition("DeletionPossible", "status"), "False");
        assertThat(get("clusterpool/going", condition("DeletionPossible", "message")))
                .contains(get("clusterclaim/kept", "{.spec.namespace}"));
        kubectl.run("delete", "clusterclaim", "kept");
        kubectl.run("wait", "--for=delete", "clusterpool/going", "--timeout=120s");
    }

    @Test
    void po13AMissingImageSetIsTold() {
        kubectl.withInput("""
                apiVersion: hive.openshift.io/v1
                kind: ClusterPool
                metadata: {name: missing}
                spec: {size: 1, baseDomain: x, imageSetRef: {name: nope}, platform: {}}
                """, "apply", "-f", "-");
        kubectl.await("clusterpools/missing", condition("MissingDependencies", "status"), "True");
        assertThat(get("clusterpool/missing", condition("MissingDependencies", "message")))
                .startsWith("cluster image set: ");
        assertThat(deployments("missing")).isEmpty();
    }

    @Test
    void po15SubjectsOfAClaimReadItsKeysAndNothingElse() {
        pool("shared", "size: 1\nrunningCount: 1\n");
        claim("alices", "shared", "subjects: [{kind: User, name: alice, apiGroup: rbac.authorization.k8s.io}]\n");
        awaitClaimed("alices");
        var namespace = get("clusterclaim/alices", "{.spec.namespace}");
        var there = kubectl.in(namespace);
        there.await("rolebindings/hive-claim-owner", "{.metadata.name}", "hive-claim-owner");
        there.run("create", "secret", "generic", "aws-creds", "--from-literal=key=CANARY");
        assertThat(may(there, "secret/" + namespace + "-admin-kubeconfig")).isEqualTo("yes\n");
        assertThat(may(there, "secret/aws-creds")).isEqualTo("no\n");
    }

    private static String may(Kubectl there, String object) {
        return there.attempt("auth", "can-i", "get", object, "--as", "alice").out();
    }
}
