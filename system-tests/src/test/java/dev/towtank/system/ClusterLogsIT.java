package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// What a tenant hears of a chart whose own Job makes the cluster, in a namespace where the tenant sees nothing: as
/// charts
/// for real clouds do it.
class ClusterLogsIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static final String CANARY = "CANARY-AWS-5d1c";

    @TempDir
    static Path files;

    private ClusterTenant tenant;
    private Kubectl kubectl;
    private Kubectl hidden;

    @BeforeEach
    void makeTenant() {
        tenant = ClusterTenant.in(SERVER, files);
        kubectl = tenant.kubectl();
        hidden = SERVER.inNewNamespace();
        hidden.run("create", "secret", "generic", "aws-creds", "--from-literal=key=" + CANARY);
    }

    /// @param after what it does when it has spoken
    private String chartWhoseJobEnds(String after) {
        var name = "job-of-" + kubectl.namespace();
        var chart = tenant.chart("region: none\n", "", """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: "create-cluster-{{ .Release.Name }}"}
                spec:
                  backoffLimit: 0
                  template:
                    spec:
                      restartPolicy: Never
                      initContainers:
                      - {name: login, image: busybox, command: [sh, -c, "echo logged in to {{ .Values.region }}"]}
                      containers:
                      - name: create
                        image: busybox
                        command: [sh, -c, 'echo "key $KEY was refused"; touch /tmp/spoken; AFTER']
                        env: [{name: KEY, valueFrom: {secretKeyRef: {name: aws-creds, key: key}}}]
                        readinessProbe: {exec: {command: [test, -f, /tmp/spoken]}, periodSeconds: 1}
                """.replace("AFTER", after));
        tenant.template(name, chart, hidden.namespace(), "[{name: region, value: nowhere}]");
        return name;
    }

    /// As the tenant reads it, who is let in after it was written.
    private String log(String instance) {
        var name = instance + "-provision-log";
        kubectl.until(List.of("configmap/" + name), "get", "configmap", name, "--as", tenant.account(), "-o", "name");
        return kubectl.run("get", "configmap", name, "--as", tenant.account(), "-o", "jsonpath={.data.log}");
    }

    private void assertThatTheTenantSeesNoPods() {
        assertThat(hidden.attempt("auth", "can-i", "get", "pods/log", "--as", tenant.account())
                        .out())
                .isEqualTo("no\n");
    }

    @Test
    void fa03WhatTheJobOfAChartSaidIsInTheLogWithoutItsSecrets() {
        tenant.ask("broken", chartWhoseJobEnds("exit 3"), "");
        tenant.awaitPhase("broken", "ClusterInstallFailed");
        assertThat(log("broken"))
                .contains("container login ended with exit code 0", "logged in to nowhere")
                .contains("container create ended with exit code 3", "key *** was refused")
                .doesNotContain(CANARY);
        assertThatTheTenantSeesNoPods();
        assertThat(kubectl.run("get", "events", "-o", "jsonpath={.items[*].message}")
                        + tenant.get("broken", "{.status}"))
                .doesNotContain(CANARY);
    }

    /// Undone is only what has been heard: with the Job its words would be gone.
    @Test
    void fa03AndDl01AJobThatHangsIsHeardBeforeItIsTakenAway() {
        var template = chartWhoseJobEnds("exec sleep 3600");
        tenant.ask("slow", template, "");
        var job = "create-cluster-" + tenant.get("slow", "{.metadata.uid}");
        hidden.await("pods", "--selector=job-name=" + job, "{.status.containerStatuses[0].ready}", "true");
        kubectl.run("annotate", "clustertemplate", template, "towtank.dev/provision-timeout=1s");
        tenant.awaitPhase("slow", "ClusterInstallFailed");
        assertThat(tenant.condition("slow", "Ready", "reason")).isEqualTo("ProvisionDeadlineExceeded");
        assertThat(log("slow"))
                .contains("deadline 1s exceeded", "key *** was refused")
                .doesNotContain(CANARY);
        hidden.run("wait", "--for=delete", "job/" + job, "--timeout=120s");
    }
}
