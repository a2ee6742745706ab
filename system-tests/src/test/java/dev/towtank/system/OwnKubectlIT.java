package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The small kubectl that pods have when the machine has none, in pods that may do something and in one that may not.
class OwnKubectlIT {

    @TempDir
    static Path data;

    private static RunningTowtank server;
    private static Kubectl kubectl;

    @BeforeAll
    static void start() throws IOException {
        // Whether or not there is another one.
        Files.writeString(data.resolve("images.yaml"), """
                images:
                - match: own/kubectl
                  shell: dash
                  entrypoint: [kubectl]
                  tools: {kubectl: [towtank-kubectl], .kubectl: [towtank-kubectl-socket]}
                """);
        server = RunningTowtank.start(data);
        kubectl = Kubectl.newest(server.kubeconfig(), "scripts");
        kubectl.run("create", "namespace", "scripts");
        kubectl.run("create", "serviceaccount", "builder");
        kubectl.run("create", "rolebinding", "builder", "--clusterrole=edit", "--serviceaccount=scripts:builder");
    }

    @AfterAll
    static void stop() {
        server.close();
        RunningTowtank.deleteAll(data.resolve("node")); // its links would each be warned about
    }

    /// What a script prints, with its exit code at the end.
    private static List<String> run(String name, String account, String script) {
        var container = Json.Obj.builder()
                .put("name", "main")
                .put("image", "own/kubectl")
                .put("command", Json.Arr.of(Json.of("sh"), Json.of("-c"), Json.of(script + "\necho exit $?")))
                .build();
        kubectl.withInput("""
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {restartPolicy: Never, serviceAccountName: %s, containers: [%s]}}
                """.formatted(name, account, JsonText.write(container)), "apply", "-f", "-");
        kubectl.await("pod/" + name, "{.status.phase}", "Succeeded");
        return kubectl.run("logs", name).lines().toList();
    }

    @Test
    void appliesReadsChangesAndDeletes() {
        assertThat(run("all", "builder", """
                exec 2>&1
                cat > /tmp/map.yaml <<END
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: settings}
                data: {color: red}
                ---
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 0, selector: {matchLabels: {a: b}}, \
                template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: debian}]}}}}
                END
                kubectl apply -f /tmp/map.yaml
                kubectl apply -f - < /tmp/map.yaml
                kubectl patch cm settings --type merge -p '{"data":{"color":"blue"}}'
                kubectl get configmap settings -o jsonpath='{.data.color}{"\\n"}'
                kubectl get cm,deploy -o name
                kubectl label cm settings tier=one
                kubectl label cm settings tier=two
                kubectl label cm settings tier=two --overwrite
                kubectl annotate cm/settings tier=x
                kubectl get cm -l tier=two -o jsonpath='{.items[*].metadata.name} {.items[0].metadata.annotations.tier}{"\\n"}'
                kubectl get deploy web | cut -c1-40
                kubectl get cm settings -o yaml | grep color
                kubectl create -f /tmp/map.yaml
                kubectl delete -f /tmp/map.yaml
                kubectl get cm settings
                kubectl delete cm settings --ignore-not-found
                """))
                .containsExactly(
                        "configmap/settings created",
                        "deployment.apps/web created",
                        "configmap/settings unchanged",
                        "deployment.apps/web unchanged",
                        "configmap/settings patched",
                        "blue",
                        "configmap/kube-root-ca.crt",
                        "configmap/settings",
                        "deployment.apps/web",
                        "configmap/settings labeled",
                        "error: 'tier' already has a value (one), and --overwrite is false",
                        "configmap/settings labeled",
                        "configmap/settings annotated",
                        "settings x",
                        "NAME   READY   UP-TO-DATE   AVAILABLE   ",
                        "web    0/0     0            0           ",
                        "  color: blue",
                        "Error from server (AlreadyExists): configmaps \"settings\" already exists",
                        "configmap \"settings\" deleted",
                        "deployment.apps \"web\" deleted",
                        "Error from server (NotFound): configmaps \"settings\" not found",
                        "exit 0");
    }

    @Test
    void waitsAndReadsLogs() {
        kubectl.run("run", "talker", "--image=debian", "--restart=Never", "--", "sh", "-c", "echo one; echo two");
        assertThat(run("waits", "builder", """
                exec 2>&1
                kubectl wait pod/talker --for=jsonpath='{.status.phase}'=Succeeded --timeout=120s
                kubectl wait pod/talker --for=condition=PodScheduled
                kubectl logs talker --tail=1
                kubectl wait pod talker --for=condition=Ready --timeout=1s
                kubectl wait pod/absent --for=delete
                kubectl delete pod talker
                kubectl wait pod/talker --for=delete
                """))
                .containsExactly(
                        "pod/talker condition met",
                        "pod/talker condition met",
                        "two",
                        "error: timed out waiting for the condition on pods/talker",
                        "pod/absent condition met",
                        "pod \"talker\" deleted",
                        "pod/talker condition met",
                        "exit 0");
    }

    @Test
    void mayDoNoMoreThanItsPodAndSaysWhatItCannot() {
        var said = run("poor", "default", """
                exec 2>&1
                kubectl get secrets -n kube-system
                kubectl rollout status deploy/x
                kubectl get pods --show-labels
                kubectl explain pods
                """);
        assertThat(said).hasSize(5);
        assertThat(said.get(0))
                .isEqualTo(
                        "Error from server (Forbidden): secrets is forbidden: User \"system:serviceaccount:scripts:default\""
                                + " cannot list resource \"secrets\" in API group \"\" in the namespace \"kube-system\"");
        assertThat(said.get(1))
                .startsWith("error: unknown command \"rollout\" for \"kubectl\" (this is Towtank's own small");
        assertThat(said.get(2)).startsWith("error: unknown flag: --show-labels");
        assertThat(said.get(4)).isEqualTo("exit 1");
    }
}
