package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.JsonText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What kubectl does beyond objects: autoscale, top, debug. And kinds that few use.
class KubectlToolsIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

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

        kubectl.until(List.of("Deployment/busy", "%/50%"), "get", "hpa", "busy");
        assertThat(kubectl.run(
                        "get",
                        "--raw",
                        "/apis/autoscaling/v1/namespaces/" + kubectl.namespace() + "/horizontalpodautoscalers/busy"))
                .contains("\"targetCPUUtilizationPercentage\":50");
        kubectl.awaitEvents(
                "SuccessfulRescale: New size: 2; reason: cpu resource utilization (percentage of request) above target");
        kubectl.until(List.of("busy-", "m ", "Mi"), "top", "pods");
        kubectl.until(List.of("%"), "top", "nodes");
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
        kubectl.run("wait", "pods", "-l", "app=old", "--for=delete", "--timeout=120s");
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
        kubectl.run("wait", "pod/silent", "--for=condition=Ready", "--timeout=120s");

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
    void anObjectOfACustomKindIsScaledWhereItsDefinitionSays() {
        var group = kubectl.namespace() + ".example.com";
        kubectl.withInput("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: farms.GROUP}
                spec:
                  group: GROUP
                  scope: Namespaced
                  names: {plural: farms, kind: Farm}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources:
                      scale: {specReplicasPath: .spec.cows, statusReplicasPath: .status.cows, labelSelectorPath: .status.selector}
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """.replace("GROUP", group), "apply", "-f", "-");
        kubectl.withInput("""
                apiVersion: GROUP/v1
                kind: Farm
                metadata: {name: green}
                spec: {cows: 1}
                ---
                apiVersion: autoscaling/v2
                kind: HorizontalPodAutoscaler
                metadata: {name: green}
                spec: {scaleTargetRef: {apiVersion: GROUP/v1, kind: Farm, name: green}, minReplicas: 3, maxReplicas: 5}
                ---
                apiVersion: autoscaling/v2
                kind: HorizontalPodAutoscaler
                metadata: {name: none}
                spec: {scaleTargetRef: {apiVersion: GROUP/v1, kind: Barn, name: green}, minReplicas: 3, maxReplicas: 5}
                """.replace("GROUP", group), "apply", "-f", "-");

        kubectl.await("farms." + group + "/green", "{.spec.cows}", "3");
        kubectl.await("hpa/none", "{.status.conditions[0].reason}", "FailedGetScale");
        assertThat(kubectl.run("get", "hpa", "none", "-o", "jsonpath={.status.conditions[0].message}"))
                .contains("no matches for kind \"Barn\" in group \"" + group + "\"");
        kubectl.run("delete", "crd", "farms." + group);
    }

    /// What it wants to have in memory is more than it may at first, and is written there only when it has been
    /// resized.
    @Test
    void aRunningPodGetsMoreMemory() {
        kubectl.withInput("""
                apiVersion: v1
                kind: Pod
                metadata: {name: grows}
                spec:
                  restartPolicy: Never
                  terminationGracePeriodSeconds: 0
                  containers:
                  - name: main
                    image: busybox
                    command: [sh, -c, "until [ -e /tmp/go ]; do sleep 0.1; done; x=$(yes | head -c 40000000); echo ${#x}"]
                    resources: {requests: {memory: 16Mi}, limits: {memory: 32Mi}}
                """, "apply", "-f", "-");
        kubectl.run("wait", "pod/grows", "--for=condition=Ready", "--timeout=120s");
        // Without the revision: its status is written meanwhile.
        var pod = JsonText.parseObject(
                        kubectl.run("get", "pod", "grows", "-o", "json").replace("32Mi", "512Mi"))
                .without(List.of("metadata", "resourceVersion"))
                .toString();

        kubectl.withInput(
                pod, "replace", "--raw", "/api/v1/namespaces/" + kubectl.namespace() + "/pods/grows/resize", "-f", "-");
        kubectl.await("pod/grows", "{.status.containerStatuses[0].resources.limits.memory}", "512Mi");
        kubectl.run("exec", "grows", "--", "touch", "/tmp/go");

        kubectl.await("pod/grows", "{.status.phase}", "Succeeded");
        assertThat(kubectl.run("logs", "grows")).isEqualTo("39999999\n");
        assertThat(kubectl.run("get", "pod", "grows", "-o", "jsonpath={.status.containerStatuses[0].restartCount}"))
                .isEqualTo("0");
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
