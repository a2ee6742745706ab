package dev.towtank.system;

import static dev.towtank.system.ClusterTenant.faulty;
import static dev.towtank.system.ClusterTenant.instance;
import static dev.towtank.system.ClusterTenant.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Clusters that do not come about, that get lost, and that do not go, with real kubectl. The names of tests begin with
/// what they are called where failures are specified.
class ClusterFailuresIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static final String CANARY = "CANARY-AWS-7f3e";

    @TempDir
    static Path files;

    private ClusterTenant tenant;
    private Kubectl kubectl;

    @BeforeEach
    void makeTenant() {
        tenant = ClusterTenant.in(SERVER, files);
        kubectl = tenant.kubectl();
    }

    private void askFaulty(String name, String annotations, String fields) {
        tenant.apply(faulty(instance(name, "logical-cluster", fields), annotations));
    }

    @Test
    void dl01AndDefect6ADeadlineEndsTheWaiting() {
        // Two of them: what ends soon may have ended before anybody looks.
        askFaulty("patient", "towtank.dev/fault: hang", "");
        kubectl.await(
                "clustertemplateinstances/patient", "{.status.conditions[?(@.type==\"Ready\")].status}", "Unknown");
        askFaulty("slow", "towtank.dev/fault: hang", parameter("timeout", "2s"));
        kubectl.run("wait", "cti/slow", "--for=condition=Ready=false", "--timeout=120s");
        assertThat(tenant.condition("slow", "Ready", "reason")).isEqualTo("ProvisionDeadlineExceeded");
        assertThat(tenant.condition("slow", "ClusterInstallSucceeded", "reason"))
                .isEqualTo("ClusterStatusFailed");
        assertThat(tenant.get("slow", "{.status.message}")).isEqualTo("deadline 2s exceeded");
        var uid = tenant.get("slow", "{.metadata.uid}");
        kubectl.in("towtank-clusters").run("wait", "--for=delete", "clusterdeployment/" + uid, "--timeout=120s");
        assertThat(tenant.get("slow", "{.status.phase}")).isEqualTo("ClusterInstallFailed");
        assertThat(tenant.condition("patient", "Ready", "status")).isEqualTo("Unknown");
    }

    @Test
    void dl02AndFa06ATaskThatWaitsTooLongSaysWhatItWaitedFor() {
        kubectl.withInput("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: late}
                spec:
                  taskRunTemplate: {serviceAccountName: tester}
                  pipelineSpec:
                    tasks:
                    - name: provision
                      params:
                      - {name: ownerName, value: $(context.pipelineRun.name)}
                      - {name: ownerUid, value: $(context.pipelineRun.uid)}
                      taskSpec:
                        params: [{name: ownerName}, {name: ownerUid}]
                        results: [{name: secretRef}]
                        steps:
                        - name: create
                          image: bitnami/kubectl:1.32
                          script: |
                            #!/bin/sh
                            set -eu
                            kubectl create -f - <<YAML
                            apiVersion: clustertemplate.openshift.io/v1alpha1
                            kind: ClusterTemplateInstance
                            metadata:
                              name: never
                              annotations: {towtank.dev/fault: hang}
                              ownerReferences:
                              - {apiVersion: tekton.dev/v1, kind: PipelineRun, name: $(params.ownerName), uid: $(params.ownerUid)}
                            spec: {clusterTemplateRef: logical-cluster}
                            YAML
                            kubectl wait cti/never --for=jsonpath='{.status.phase}'=ClusterInstalling --timeout=120s
                            kubectl wait cti/never --for=condition=Ready --timeout=3s || {
                              kubectl get cti/never -o yaml
                              exit 1
                            }
                            printf never > $(results.secretRef.path)
                    - name: use
                      params: [{name: secret, value: $(tasks.provision.results.secretRef)}]
                      taskSpec:
                        params: [{name: secret}]
                        steps: [{name: use, image: busybox, script: "echo used $(params.secret)"}]
                    finally:
                    - name: tell
                      taskSpec:
                        steps: [{name: tell, image: busybox, script: "echo told"}]
                """, "create", "-f", "-");
        kubectl.await("pipelineruns/late", "{.status.conditions[0].status}", "False");
        assertThat(kubectl.run("logs", "late-provision-pod", "-c", "step-create"))
                .contains("kind: ClusterTemplateInstance", "phase: ClusterInstalling");
        assertThatNothingUsedWhatIsNotThere();
        kubectl.run("delete", "pipelinerun", "late");
        kubectl.run("wait", "--for=delete", "cti/never", "--timeout=120s");
    }

    private void assertThatNothingUsedWhatIsNotThere() {
        assertThat(kubectl.run("get", "taskruns", "-o", "name").lines())
                .containsExactlyInAnyOrder("taskrun.tekton.dev/late-provision", "taskrun.tekton.dev/late-tell");
        assertThat(kubectl.run("get", "taskrun", "late-provision", "-o", "jsonpath={.status.results}"))
                .isEmpty();
    }

    @Test
    void fa02EveryAttemptIsWrittenDownAndThereIsAnEnd() {
        kubectl.withInput("""
                apiVersion: hive.openshift.io/v1
                kind: ClusterDeployment
                metadata:
                  name: failing
                  annotations: {towtank.dev/fault: fail, towtank.dev/retry-unit: 10ms}
                spec: {clusterName: failing, baseDomain: test.local, installAttemptsLimit: 2}
                """, "apply", "-f", "-");
        kubectl.await(
                "clusterdeployments/failing",
                "{.status.conditions[?(@.type==\"ProvisionStopped\")].reason}",
                "InstallAttemptsLimitReached");
        assertThat(
                        kubectl.run(
                                "get",
                                "cd",
                                "failing",
                                "-o",
                                "jsonpath={.status.conditions[?(@.type==\"ProvisionFailed\")].status} {.status.installRestarts}"))
                .isEqualTo("True 1");
        assertThat(kubectl.run(
                        "get",
                        "clusterprovisions",
                        "-o",
                        "jsonpath={range .items[*]}{.spec.stage} {.spec.attempt} {.spec.installLog}{end}"))
                .contains("failed 0 level=error", "failed 1 level=error");
    }

    @Test
    void fa03TheLogOfAFailureIsTheTenantsWithoutItsSecrets() {
        var hidden = SERVER.kubectl().in("towtank-clusters");
        hidden.attempt("create", "namespace", "towtank-clusters");
        hidden.withInput("""
                apiVersion: v1
                kind: Secret
                metadata: {name: aws-creds}
                stringData: {aws_secret_access_key: %s}
                """.formatted(CANARY), "apply", "-f", "-");
        askFaulty("broken", "towtank.dev/fault: fail, towtank.dev/fault-log: \"key " + CANARY + " was refused\"", "");
        tenant.awaitPhase("broken", "ClusterInstallFailed");
        var seen = List.of("configmap/broken-provision-log"); // by the tenant, who is let in after it was written
        kubectl.until(seen, "get", "configmap", "broken-provision-log", "--as", tenant.account(), "-o", "name");
        var log = kubectl.run("get", "configmap", "broken-provision-log", "-o", "jsonpath={.data.log}");
        assertThat(log)
                .contains("key *** was refused", "ClusterProvision", "made to fail")
                .doesNotContain(CANARY);
        assertThat(hidden.attempt("auth", "can-i", "get", "clusterprovisions", "--as", tenant.account())
                        .out())
                .isEqualTo("no\n");
        kubectl.awaitEvents(" ClusterInstallFailed: ");
    }

    @Test
    void fa04WhatCannotBeTakenAwayIsNamedUntilItIsGone() {
        askFaulty("sticky", "towtank.dev/fault: fail-on-delete", "");
        tenant.awaitReady("sticky");
        var uid = tenant.get("sticky", "{.metadata.uid}");
        kubectl.run("delete", "cti", "sticky", "--wait=false");
        kubectl.await(
                "clustertemplateinstances/sticky",
                "{.status.conditions[?(@.type==\"Ready\")].reason}",
                "DeprovisionFailed");
        assertThat(tenant.get("sticky", "{.status.message}")).contains("towtank-clusters/" + uid);
        assertThat(tenant.inside("sticky").run("get", "namespaces", "-o", "name"))
                .isNotEmpty();
        kubectl.in("towtank-clusters").run("annotate", "cd", uid, "towtank.dev/fault-");
        kubectl.run("wait", "--for=delete", "cti/sticky", "--timeout=120s");
    }

    @Test
    void fa05AClusterThatDiesIsNoLongerReadyAndItsKeysStay() {
        tenant.ask("mortal", "logical-cluster", "");
        tenant.awaitReady("mortal");
        var url = tenant.get("mortal", "{.status.apiServerURL}");
        kubectl.run("delete", "logicalcluster", url.substring(url.lastIndexOf('/') + 1));
        kubectl.await(
                "clustertemplateinstances/mortal", "{.status.conditions[?(@.type==\"Ready\")].reason}", "ClusterLost");
        assertThat(tenant.get("mortal", "{.status.phase}")).isEqualTo("Failed");
        assertThat(kubectl.run("get", "secret", "mortal-admin-kubeconfig", "-o", "name"))
                .isNotEmpty();
        kubectl.await("events", "--field-selector=involvedObject.name=mortal,reason=Failed", "{.type}", "Warning");
        kubectl.run("delete", "cti", "mortal");
    }

    @Test
    void aClusterThatSleepsIsNotLost() {
        tenant.ask("sleepy", "logical-cluster", "");
        tenant.awaitReady("sleepy");
        var uid = tenant.get("sleepy", "{.metadata.uid}");
        var there = kubectl.in("towtank-clusters");
        there.run("patch", "cd", uid, "--type=merge", "-p", "{\"spec\":{\"powerState\":\"Hibernating\"}}");
        kubectl.await(
                "clustertemplateinstances/sleepy", "{.status.conditions[?(@.type==\"Ready\")].reason}", "NotRunning");
        assertThat(tenant.get("sleepy", "{.status.phase}")).isEqualTo("Ready");
        there.run("patch", "cd", uid, "--type=merge", "-p", "{\"spec\":{\"powerState\":\"Running\"}}");
        kubectl.run("wait", "cti/sleepy", "--for=condition=Ready", "--timeout=120s");
    }

    @Test
    void aNamespaceThatGoesWhileAClusterIsMadeLeavesNothing() {
        askFaulty("half", "towtank.dev/fault: hang", "");
        tenant.ask("charted", "hypershift-aws-cluster", "");
        var half = tenant.get("half", "{.metadata.uid}");
        var charted = tenant.get("charted", "{.metadata.uid}");
        kubectl.run("delete", "namespace", kubectl.namespace(), "--timeout=120s");
        awaitNothingOf(half, "towtank-clusters", "clusterdeployments");
        awaitNothingOf(charted, "argocd", "applicationsets,applications,secrets");
        awaitNothingOf(charted, "clusters", "hostedclusters,nodepools,secrets");
    }

    /// What was being made as the namespace went is collected after it.
    private void awaitNothingOf(String uid, String namespace, String kinds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        var left = kubectl.in(namespace).run("get", kinds, "-o", "name");
        while (left.contains(uid) && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            left = kubectl.in(namespace).run("get", kinds, "-o", "name");
        }
        assertThat(left).doesNotContain(uid);
    }

    @Test
    void aQuotaThatChangesWhileInstancesAreMadeIsNeverOverdrawn() {
        tenant.apply("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateQuota
                metadata: {name: quota}
                spec: {allowedTemplates: [{name: logical-cluster, count: 2}]}
                """);
        var attempts = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> tenant.attempt(instance("many-" + i, "logical-cluster", ""))))
                .toList();
        kubectl.run(
                "patch",
                "ctq",
                "quota",
                "--type=merge",
                "-p",
                "{\"spec\":{\"allowedTemplates\":[{\"name\":\"logical-cluster\",\"count\":4}]}}");
        long made = attempts.stream().filter(each -> each.join().exit() == 0).count();
        assertThat(made).isBetween(2L, 4L);
        assertThat(kubectl.run("get", "cti", "-o", "name").lines()).hasSize((int) made);
        kubectl.run(
                "patch",
                "ctq",
                "quota",
                "--type=merge",
                "-p",
                "{\"spec\":{\"allowedTemplates\":[{\"name\":\"logical-cluster\",\"count\":1}]}}");
        assertThat(tenant.attempt(instance("more", "logical-cluster", "")).err())
                .contains("maximum cluster instances reached");
        assertThat(kubectl.run("get", "cti", "-o", "name").lines()).hasSize((int) made);
    }

    @Test
    void aProgramRunsOnlyWhereTheServerWasToldThatItMay() {
        tenant.apply("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplate
                metadata: {name: with-kind, annotations: {towtank.dev/provider: kind}}
                spec: {clusterDefinition: none}
                """);
        tenant.ask("it-1", "with-kind", "");
        tenant.awaitPhase("it-1", "ClusterInstallFailed");
        assertThat(tenant.get("it-1", "{.status.message}"))
                .contains("this server runs no kind: start it with TOWTANK_CLUSTER_PROGRAMS=kind");
    }

    @Test
    void aClusterFromElsewhereStandsBehindATemplate() {
        tenant.ask("source", "logical-cluster", "");
        tenant.awaitReady("source");
        var text = tenant.inside("source").run("config", "view", "--raw");
        var name = "elsewhere-" + kubectl.namespace();
        kubectl.in("towtank-clusters")
                .withInput(text, "create", "secret", "generic", name, "--from-file=kubeconfig=/dev/stdin");
        tenant.apply("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplate
                metadata:
                  name: %1$s
                  annotations: {towtank.dev/provider: kubeconfig, towtank.dev/kubeconfig-secret: %1$s}
                spec: {clusterDefinition: none}
                """.formatted(name));
        tenant.ask("it-1", name, "");
        tenant.awaitReady("it-1");
        tenant.inside("it-1").run("create", "configmap", "here");
        kubectl.run("delete", "cti", "it-1");
        assertThat(tenant.inside("source").run("get", "configmap", "here", "-o", "name"))
                .isNotEmpty();
    }

    @Test
    void namesAndPathsWithTricksLeadNowhere() {
        for (var path : List.of(
                "/clusters/*/api/v1/namespaces",
                "/clusters/a:b/api/v1/namespaces",
                "/clusters/%2e%2e/api/v1/namespaces",
                "/clusters/../api/v1/secrets",
                "/clusters//api/v1/namespaces",
                "/clusters/A/api/v1/namespaces",
                "/clusters/" + "x".repeat(300) + "/api/v1/namespaces")) {
            assertThat(kubectl.attempt("get", "--raw", path).exit()).as(path).isNotZero();
        }
    }
}
