package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Several Node objects that all stand for this machine.
class NodesIT {

    private RunningTowtank server = RunningTowtank.start(
            "--node", "worker-1:node-type=worker-1", "--node", "worker-2:node-type=worker-2,disk=ssd");
    private final Kubectl kubectl = kubectl();

    private Kubectl kubectl() {
        return Kubectl.newest(server.kubeconfig(), "default");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private List<Json.Obj> list(String kind, String namespace) {
        return JsonText.parseObject(kubectl.in(namespace).run("get", kind, "-o", "json"))
                .objects("items");
    }

    private static List<String> names(List<Json.Obj> objects) {
        return objects.stream().map(object -> object.string("metadata", "name")).toList();
    }

    @Test
    void runsPodsOnEachOfThemAndForgetsThoseThatAreNoMore() {
        var nodes = list("nodes", "default");
        assertThat(names(nodes)).hasSize(3).contains("worker-1", "worker-2");
        assertThat(nodes)
                .extracting(node -> node.object("status", "capacity"))
                .containsOnly(nodes.getFirst().object("status", "capacity"));
        assertThat(kubectl.run("get", "nodes", "-l", "disk=ssd")).containsPattern("worker-2 +Ready +<none>");
        assertThat(names(list("leases", "kube-node-lease"))).hasSize(3);

        kubectl.withInput(WORKLOADS, "apply", "-f", "-");
        kubectl.await("pod/chosen", "{.status.phase}", "Succeeded");
        assertThat(kubectl.run("logs", "chosen")).isEqualTo("on worker-2\n");
        kubectl.await("daemonset/everywhere", "{.status.numberReady}", "3");
        assertThat(kubectl.run("get", "pods", "-l", "app=everywhere", "-o", "jsonpath={.items[*].spec.nodeName}")
                        .split(" "))
                .containsExactlyInAnyOrderElementsOf(names(nodes));
        kubectl.run("delete", "daemonset", "everywhere");

        server = server.restartWith("--node", "worker-2:disk=nvme");
        assertThat(names(list("nodes", "default")))
                .hasSize(2)
                .contains("worker-2")
                .doesNotContain("worker-1");
        assertThat(kubectl.run("get", "node", "worker-2", "-o", "jsonpath={.metadata.labels.disk}"))
                .isEqualTo("nvme");
        server = server.restartWith();
        assertThat(names(list("nodes", "default"))).hasSize(1);
    }

    private static final String WORKLOADS = """
            apiVersion: v1
            kind: Pod
            metadata: {name: chosen}
            spec:
              restartPolicy: Never
              nodeSelector: {node-type: worker-2}
              containers:
              - name: main
                image: busybox
                command: [sh, -c, "echo on $NODE"]
                env: [{name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
            ---
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: everywhere}
            spec:
              selector: {matchLabels: {app: everywhere}}
              template:
                metadata: {labels: {app: everywhere}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: main, image: busybox, command: [sleep, "600"]}]
            """;
}
