package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Deployments, Jobs, Services and their kind with real kubectl; pods only pretend to run.
@ParameterizedClass
@MethodSource("binaries")
class WorkloadsIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static KubernetesClient client;
    private static PretendedNode node;

    @Parameter
    Path binary;

    private Kubectl kubectl;

    static List<Path> binaries() {
        return Kubectl.binaries();
    }

    @BeforeAll
    static void start() {
        client = Fabric8.client(SERVER.kubeconfig());
        node = new PretendedNode(client);
    }

    @AfterAll
    static void stop() {
        node.close();
        client.close();
    }

    @BeforeEach
    void makeNamespace() {
        kubectl = SERVER.inNewNamespace(binary);
    }

    @AfterEach
    void deleteNamespace() {
        client.namespaces().withName(kubectl.namespace()).delete();
    }

    private static <T extends HasMetadata> T await(Resource<T> resource, Predicate<T> condition) {
        return resource.waitUntilCondition(object -> object != null && condition.test(object), 120, TimeUnit.SECONDS);
    }

    private static String template(String app, String annotations) {
        return """
                metadata: {labels: {app: %s, pretended: "yes"}, annotations: {%s}}
                    spec: {%s, restartPolicy: RESTART, containers: [{name: main, image: "one:1"}]}
                """.formatted(app, annotations, PretendedNode.SELECTOR).stripTrailing();
    }

    private void deploy(int replicas) {
        kubectl.withInput(
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: web}}
                  template:
                    %s
                """.formatted(replicas, template("web", "").replace("RESTART", "Always")), "apply", "-f", "-");
        kubectl.run("rollout", "status", "deployment/web", "--timeout=120s");
    }

    /// Old pods go a moment after a roll-out is over.
    private void awaitImages(String images) {
        Eventually.holds(() -> assertThat(kubectl.run("get", "pods", "-o", "jsonpath={..containers[*].image}"))
                .isEqualTo(images));
    }

    private String image() {
        return kubectl.run("get", "deployment", "web", "-o", "jsonpath={.spec.template.spec.containers[0].image}");
    }

    @Test
    void aDeploymentRollsOutAndBack() {
        deploy(3);
        assertThat(kubectl.run("get", "deployment", "web")).contains("3/3");

        kubectl.run("set", "image", "deployment/web", "main=two:1");
        assertThat(kubectl.run("rollout", "status", "deployment/web", "--timeout=120s"))
                .contains("deployment \"web\" successfully rolled out");
        assertThat(kubectl.run("rollout", "history", "deployment/web").lines().map(String::strip))
                .anyMatch(line -> line.startsWith("1 "))
                .anyMatch(line -> line.startsWith("2 "));
        awaitImages("two:1 two:1 two:1");

        kubectl.run("rollout", "undo", "deployment/web");
        kubectl.run("rollout", "status", "deployment/web", "--timeout=120s");
        assertThat(image()).isEqualTo("one:1");
        assertThat(kubectl.run("rollout", "history", "deployment/web").lines().map(String::strip))
                .anyMatch(line -> line.startsWith("3 "))
                .noneMatch(line -> line.startsWith("1 "));
        kubectl.until(List.of("ScalingReplicaSet", "NewReplicaSetAvailable"), "describe", "deployment", "web");
    }

    @Test
    void aPausedDeploymentWaits() {
        deploy(1);
        kubectl.run("rollout", "pause", "deployment/web");
        kubectl.run("set", "image", "deployment/web", "main=two:1");
        await(
                client.apps().deployments().inNamespace(kubectl.namespace()).withName("web"),
                deployment -> deployment
                        .getStatus()
                        .getObservedGeneration()
                        .equals(deployment.getMetadata().getGeneration()));
        assertThat(sets()).hasSize(1);

        kubectl.run("rollout", "resume", "deployment/web");
        kubectl.run("rollout", "status", "deployment/web", "--timeout=120s");
        assertThat(sets()).hasSize(2);

        kubectl.run("rollout", "restart", "deployment/web");
        kubectl.run("rollout", "status", "deployment/web", "--timeout=120s");
        assertThat(sets()).hasSize(3);
    }

    private List<ReplicaSet> sets() {
        return client.apps()
                .replicaSets()
                .inNamespace(kubectl.namespace())
                .list()
                .getItems();
    }

    @Test
    void aQuotaThatIsFullIsSaid() {
        kubectl.run("create", "quota", "few", "--hard=pods=1");
        kubectl.withInput("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  replicas: 2
                  selector: {matchLabels: {app: web}}
                  template:
                    %s
                """.formatted(template("web", "").replace("RESTART", "Always")), "apply", "-f", "-");

        var failed = await(
                client.apps().deployments().inNamespace(kubectl.namespace()).withName("web"),
                deployment -> deployment.getStatus() != null
                        && deployment.getStatus().getConditions().stream()
                                .anyMatch(condition -> condition.getType().equals("ReplicaFailure")));

        assertThat(failed.getStatus().getConditions())
                .anyMatch(condition -> condition.getReason().equals("FailedCreate")
                        && condition.getMessage().contains("exceeded quota: few"));
        kubectl.awaitEvents(" FailedCreate: Error creating: pods");
    }

    private void runJob(String name, String spec, String fate) {
        kubectl.withInput(
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s}
                spec:
                %s
                  template:
                    %s
                """.formatted(
                                name,
                                spec.indent(2).stripTrailing(),
                                template(name, "fate: " + fate).replace("RESTART", "Never")),
                "apply",
                "-f",
                "-");
    }

    private Job job(String name) {
        return client.batch()
                .v1()
                .jobs()
                .inNamespace(kubectl.namespace())
                .withName(name)
                .get();
    }

    @Test
    void jobsCompleteAndFail() {
        runJob("plain", "completions: 5\nparallelism: 2", "Succeeded");
        runJob("indexed", "completions: 4\nparallelism: 2\ncompletionMode: Indexed", "Succeeded");
        runJob("broken", "backoffLimit: 0", "Failed");

        kubectl.run("wait", "--for=condition=Complete", "job/plain", "job/indexed", "--timeout=120s");
        kubectl.run("wait", "--for=condition=Failed", "job/broken", "--timeout=120s");

        assertThat(kubectl.run("get", "job", "plain")).contains("5/5");
        assertThat(job("indexed").getStatus().getCompletedIndexes()).isEqualTo("0-3");
        assertThat(job("broken").getStatus().getFailed()).isEqualTo(1);
        kubectl.until(List.of("BackoffLimitExceeded"), "describe", "job", "broken");
        // They are let go after they were counted.
        Eventually.holds(() -> assertThat(
                        client.pods().inNamespace(kubectl.namespace()).list().getItems())
                .hasSize(10)
                .allSatisfy(pod -> assertThat(pod.getMetadata().getFinalizers()).isEmpty()));
    }

    @Test
    void aJobStopsAndGoesOn() {
        runJob("work", "suspend: true", "Succeeded");
        kubectl.run("wait", "--for=condition=Suspended", "job/work", "--timeout=120s");
        assertThat(client.pods().inNamespace(kubectl.namespace()).list().getItems())
                .isEmpty();

        kubectl.run("patch", "job", "work", "-p", "{\"spec\":{\"suspend\":false,\"ttlSecondsAfterFinished\":0}}");

        client.batch()
                .v1()
                .jobs()
                .inNamespace(kubectl.namespace())
                .withName("work")
                .waitUntilCondition(job -> job == null, 120, TimeUnit.SECONDS);
    }

    @Test
    void aJobIsMadeFromACronJob() {
        kubectl.withInput("""
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: nightly}
                spec:
                  schedule: "0 2 * * *"
                  jobTemplate:
                    spec:
                      template:
                        metadata: {labels: {pretended: "yes"}, annotations: {fate: Succeeded}}
                        spec: {%s, restartPolicy: Never, containers: [{name: main, image: "one:1"}]}
                """.formatted(PretendedNode.SELECTOR), "create", "--validate=false", "-f", "-");
        // The oldest kubectl knows CronJobs only as a beta.
        if (kubectl.minor() >= 21) {
            kubectl.run("create", "job", "now", "--from=cronjob/nightly");
            kubectl.run("wait", "--for=condition=Complete", "job/now", "--timeout=120s");
        }
    }

    @Test
    void servicesGetAddressesAndEndpoints() {
        deploy(2);
        kubectl.run("expose", "deployment", "web", "--port=80", "--target-port=8080", "--type=NodePort");
        var service = client.services()
                .inNamespace(kubectl.namespace())
                .withName("web")
                .get();
        var ip = service.getSpec().getClusterIP();
        assertThat(ip).matches("127\\.(9[6-9]|10[0-9]|11[01])\\..*");
        assertThat(service.getSpec().getPorts().getFirst().getNodePort()).isBetween(30000, 32767);

        await(
                client.endpoints().inNamespace(kubectl.namespace()).withName("web"),
                endpoints -> !endpoints.getSubsets().isEmpty()
                        && endpoints.getSubsets().getFirst().getAddresses().size() == 2);
        assertThat(kubectl.run("get", "endpoints", "web")).contains("127.3.2.1:8080");

        var taken = kubectl.attempt(service("other", ip), Map.of(), "create", "-f", "-");
        assertThat(taken.err())
                .contains("spec.clusterIPs: Invalid value")
                .contains("failed to allocate IP " + ip + ": provided IP is already allocated");
        kubectl.run("delete", "service", "web");
        kubectl.withInput(service("other", ip), "create", "-f", "-");
    }

    private static String service(String name, String ip) {
        return """
                apiVersion: v1
                kind: Service
                metadata: {name: %s}
                spec: {clusterIP: %s, ports: [{port: 80}]}
                """.formatted(name, ip);
    }

    @Test
    void theServerHasAServiceOfItsOwn() {
        var all = kubectl.in("default");
        assertThat(all.run("get", "service", "kubernetes")).contains("127.96.0.1", "443/TCP");
        assertThat(all.run("get", "endpoints", "kubernetes")).contains("127.0.0.1:");
    }

    @Test
    void aStatefulSetNumbersItsPods() {
        kubectl.withInput("""
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: db}
                spec:
                  replicas: 2
                  serviceName: db
                  selector: {matchLabels: {app: db}}
                  volumeClaimTemplates:
                  - metadata: {name: data}
                    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                  template:
                    %s
                """.formatted(template("db", "").replace("RESTART", "Always")), "apply", "-f", "-");
        kubectl.run("rollout", "status", "statefulset/db", "--timeout=120s");
        assertThat(kubectl.run("get", "pods,pvc", "-o", "name").lines())
                .containsExactly(
                        "pod/db-0", "pod/db-1", "persistentvolumeclaim/data-db-0", "persistentvolumeclaim/data-db-1");

        kubectl.run("set", "image", "statefulset/db", "main=two:1");
        kubectl.run("rollout", "status", "statefulset/db", "--timeout=120s");
        kubectl.run("rollout", "undo", "statefulset/db");
        kubectl.run("rollout", "status", "statefulset/db", "--timeout=120s");
        awaitImages("one:1 one:1");
        assertThat(kubectl.run("rollout", "history", "statefulset/db")).contains("3");
    }

    @Test
    void aDaemonSetRunsOnItsNode() {
        var name = "pretended-" + kubectl.namespace();
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToLabels("towtank.dev/pretended", "yes")
                        .endMetadata()
                        .build())
                .create();
        kubectl.withInput("""
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: log}
                spec:
                  selector: {matchLabels: {app: log}}
                  template:
                    %s
                """.formatted(template("log", "").replace("RESTART", "Always")), "apply", "-f", "-");
        kubectl.run("rollout", "status", "daemonset/log", "--timeout=120s");

        kubectl.run("set", "image", "daemonset/log", "main=two:1");
        kubectl.run("rollout", "status", "daemonset/log", "--timeout=120s");
        kubectl.run("rollout", "undo", "daemonset/log");
        kubectl.run("rollout", "status", "daemonset/log", "--timeout=120s");

        awaitImages("one:1");
        client.nodes().withName(name).delete();
    }

    @Test
    void aBudgetSaysWhatMayGo() {
        deploy(3);
        kubectl.withInput("""
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: keep}
                spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
                """, "create", "-f", "-");

        await(
                client.policy()
                        .v1()
                        .podDisruptionBudget()
                        .inNamespace(kubectl.namespace())
                        .withName("keep"),
                budget -> budget.getStatus() != null
                        && Integer.valueOf(1).equals(budget.getStatus().getDisruptionsAllowed()));
    }
}
