package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
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
    void po02To03AClaimGetsARunningClusterAndThePoolAnother() throws IOException {
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
        kubectl.await("clusterpools/refill", "{.status.size} {.status.ready}", "1 1");
        assertThat(deployments("refill")).hasSize(2);

        var inside = inside("mine");
        inside.run("create", "configmap", "one");
        kubectl.run("delete", "clusterclaim", "mine");
        assertThat(inside.attempt("get", "configmaps").err()).contains("You must be logged in");
        kubectl.run("wait", "--for=delete", "namespace/" + namespace, "--timeout=30s");
        assertThat(deployments("refill")).hasSize(1);
    }

    @Test
    void po04ClustersAreGivenOnce() {
        pool("few", "size: 1\nrunningCount: 1\nmaxSize: 5\n");
        var claims = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            claims.append("---\n{apiVersion: hive.openshift.io/v1, kind: ClusterClaim, metadata: {name: c" + i
                    + "}, spec: {clusterPoolName: few}}\n");
        }
        kubectl.withInput(claims.toString(), "apply", "-f", "-");
        for (int i = 0; i < 5; i++) {
            awaitClaimed("c" + i);
        }
        kubectl.await("clusterpools/few", condition("CapacityAvailable", "reason"), "MaxCapacity");
        var given =
                kubectl.run("get", "clusterclaims", "-o", "jsonpath={range .items[*]}{.spec.namespace}{\"\\n\"}{end}");
        assertThat(given.lines().filter(line -> !line.isBlank())).hasSize(5).doesNotHaveDuplicates();
        kubectl.run("delete", "clusterclaim", "c0");
        awaitClaimed("c5");
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
    void po10AClaimEndsWhenItsTimeIsOver() {
        pool("brief", "size: 1\nrunningCount: 1\nclaimLifetime: {maximum: 2s}\n");
        kubectl.await("clusterpools/brief", "{.status.ready}", "1");
        claim("late", "brief", "lifetime: 3s\n");
        kubectl.await("clusterclaims/late", "{.status.lifetime}", "2s");
        kubectl.run("wait", "--for=delete", "clusterclaim/late", "--timeout=30s");
    }

    @Test
    void po11AChangedPoolReplacesWhatNobodyHas() {
        pool("changing", "size: 2\nrunningCount: 2\n");
        kubectl.await("clusterpools/changing", "{.status.ready}", "2");
        var before = deployments("changing");
        kubectl.run(
                "patch", "clusterpool", "changing", "--type=merge", "-p", "{\"spec\":{\"baseDomain\":\"new.local\"}}");
        for (var old : before) {
            var name = old.substring(old.lastIndexOf('/') + 1);
            kubectl.run("wait", "--for=delete", "namespace/" + name, "--timeout=30s");
        }
        kubectl.await("clusterpools/changing", "{.status.ready}", "2");
        kubectl.await("clusterpools/changing", condition("AllClustersCurrent", "status"), "True");
    }

    @Test
    void po12APoolGoesWhenNobodyHasAClusterOfIt() {
        pool("going", "size: 1\nrunningCount: 1\n");
        claim("kept", "going", "");
        awaitClaimed("kept");
        kubectl.run("delete", "clusterpool", "going", "--wait=false");
        kubectl.await("clusterpools/going", condition("DeletionPossible", "status"), "False");
        assertThat(get("clusterpool/going", condition("DeletionPossible", "message")))
                .contains(get("clusterclaim/kept", "{.spec.namespace}"));
        kubectl.run("delete", "clusterclaim", "kept");
        kubectl.run("wait", "--for=delete", "clusterpool/going", "--timeout=30s");
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
