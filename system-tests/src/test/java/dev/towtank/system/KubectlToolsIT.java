package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What kubectl does beyond objects: autoscale, top, debug. And kinds that few use.
@Order(20)
class KubectlToolsIT {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    private Kubectl kubectl;

    @BeforeEach
    void makeNamespace() {
        kubectl = SERVER.inNewNamespace();
    }

    @Test
    void aBusyDeploymentGrows() {
        kubectl.withInput("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: busy}
                spec:
                  selector: {matchLabels: {app: busy}}
                  template:
                    metadata: {labels: {app: busy}}
                    spec:
                      terminationGracePeriodSeconds: 0
                      containers:
                      - name: main
                        image: busybox
                        command: [sh, -c, "while :; do :; done"]
                        resources: {requests: {cpu: 10m}, limits: {cpu: 100m}}
                """, "apply", "-f", "-");
        kubectl.run("autoscale", "deployment", "busy", "--min=1", "--max=2", "--cpu-percent=50");

        kubectl.await("hpa/busy", "{.status.desiredReplicas}", "2");

        assertThat(kubectl.run("get", "hpa", "busy")).contains("Deployment/busy", "%/50%");
        assertThat(kubectl.run(
                        "get",
                        "--raw",
                        "/apis/autoscaling/v1/namespaces/" + kubectl.namespace() + "/horizontalpodautoscalers/busy"))
                .contains("\"targetCPUUtilizationPercentage\":50");
        assertThat(kubectl.run("get", "events", "--field-selector=reason=SuccessfulRescale"))
                .contains("New size: 2; reason: cpu resource utilization (percentage of request) above target");
        assertThat(kubectl.run("top", "pods")).contains("busy-", "m ", "Mi");
        assertThat(kubectl.run("top", "nodes")).contains("%");
    }

    @Test
    void aReplicationControllerKeepsItsPodsAndIsScaled() {
        kubectl.withInput("""
                apiVersion: v1
                kind: ReplicationController
                metadata: {name: old}
                spec:
                  replicas: 1
                  template:
                    metadata: {labels: {app: old}}
                    spec:
                      terminationGracePeriodSeconds: 0
                      containers: [{name: main, image: busybox, command: [sleep, "1000"]}]
                """, "apply", "-f", "-");
        kubectl.run("scale", "rc", "old", "--replicas=2");

        kubectl.await("rc/old", "{.status.readyReplicas}", "2");
        kubectl.run("delete", "rc", "old");
        kubectl.run("wait", "pods", "-l", "app=old", "--for=delete", "--timeout=60s");
    }

    @Test
    void thisServerAnswersAllGroupsItself() {
        assertThat(kubectl.run("get", "apiservices")).contains("v1.apps", "v1beta1.metrics.k8s.io", "Local");
        var refused = kubectl.attempt("""
                apiVersion: apiregistration.k8s.io/v1
                kind: APIService
                metadata: {name: v1.example.com}
                spec:
                  group: example.com
                  version: v1
                  groupPriorityMinimum: 100
                  versionPriority: 100
                  service: {name: elsewhere, namespace: default}
                """, Map.of(), "apply", "-f", "-");

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("passes no request on to another server");
    }

    @Test
    void aContainerIsAddedToARunningPodToLookIntoIt() {
        kubectl.withInput("""
                apiVersion: v1
                kind: Pod
                metadata: {name: silent}
                spec:
                  terminationGracePeriodSeconds: 0
                  volumes: [{name: v, emptyDir: {}}]
                  containers:
                  - name: main
                    image: busybox
                    command: [sh, -c, "echo found > /v/file; sleep 1000"]
                    volumeMounts: [{name: v, mountPath: /v}]
                """, "apply", "-f", "-");
        kubectl.run("wait", "pod/silent", "--for=condition=Ready", "--timeout=60s");

        kubectl.run("debug", "silent", "--image=busybox", "--container=look", "--", "sh", "-c", "echo looked");

        kubectl.await("pod/silent", "{.status.ephemeralContainerStatuses[0].state.terminated.exitCode}", "0");
        assertThat(kubectl.run("logs", "silent", "-c", "look")).isEqualTo("looked\n");
        assertThat(kubectl.run("get", "pod", "silent", "-o", "jsonpath={.status.phase}"))
                .isEqualTo("Running");
        var refused = kubectl.attempt("debug", "silent", "--image=busybox", "--target=main", "--", "true");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("kubectl debug without --target");
    }

    @Test
    void aMistypedFieldOfAnOldTaskIsRefused() {
        var task = """
                apiVersion: tekton.dev/v1beta1
                kind: Task
                metadata: {name: old}
                spec: {steps: [{name: a, image: busybox, comand: [ls], resources: {limits: {cpu: 1}}}]}
                """;

        var refused = kubectl.attempt(task, Map.of(), "create", "-f", "-");
        assertThat(refused.err()).contains("unknown field \"spec.steps[0].comand\"");
        kubectl.withInput(task, "create", "--validate=false", "-f", "-");
        assertThat(kubectl.run("get", "task", "old", "-o", "jsonpath={.spec.steps[0]}"))
                .contains("\"computeResources\":{\"limits\":{\"cpu\":")
                .doesNotContain("comand");
    }
}
