package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Clusters at `/clusters/<name>` with real kubectl: what works in one, and what one sees of another.
class LogicalClustersIT {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    private static final AtomicInteger MADE = new AtomicInteger();

    @TempDir
    static Path files;

    private static Kubectl cluster() throws IOException {
        var name = "lc-" + MADE.incrementAndGet();
        SERVER.kubectl().withInput("""
                ---
                {apiVersion: towtank.dev/v1, kind: LogicalCluster, metadata: {name: %s}}
                """.formatted(name), "create", "-f", "-");
        var text = Files.readString(SERVER.kubeconfig());
        var file = files.resolve(name);
        Files.writeString(file, text.replaceFirst("(server: \\S+?)/?(\\s)", "$1/clusters/" + name + "$2"));
        return Kubectl.newest(file, "default");
    }

    @Test
    void lc03AClusterHasOnlyItsOwn() throws IOException {
        SERVER.inNewNamespace();
        var one = cluster();
        one.run("create", "namespace", "x");
        assertThat(one.run("get", "namespaces", "-o", "name").lines())
                .containsExactly(
                        "namespace/default",
                        "namespace/kube-node-lease",
                        "namespace/kube-public",
                        "namespace/kube-system",
                        "namespace/x");
        assertThat(one.run("auth", "can-i", "*", "*")).isEqualTo("yes\n");
    }

    @Test
    void lc04DefinitionsOfOneAreNotThoseOfAnother() throws IOException {
        var one = cluster();
        var other = cluster();
        define(one, "string");
        define(other, "integer");
        widget(one, "\"red\"");
        widget(other, "7");
        assertThat(one.run("get", "widgets", "-o", "jsonpath={.items[*].spec.size}"))
                .isEqualTo("red");
        assertThat(one.run("explain", "widgets.spec.size")).contains("<string>");
        assertThat(other.run("explain", "widgets.spec.size")).contains("<integer>");
        assertThat(SERVER.kubectl().attempt("get", "widgets").err()).contains("doesn't have a resource type");
        one.run("delete", "crd", "widgets.example.com");
        assertThat(one.attempt("get", "widgets").exit()).isNotZero();
        assertThat(other.run("get", "widgets", "-o", "jsonpath={.items[*].spec.size}"))
                .isEqualTo("7");
    }

    private static void define(Kubectl kubectl, String type) {
        kubectl.withInput("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: widgets, singular: widget, kind: Widget}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties: {spec: {type: object, properties: {size: {type: %s}}}}
                """.formatted(type), "apply", "-f", "-");
        kubectl.run("wait", "crd/widgets.example.com", "--for=condition=Established", "--timeout=120s");
    }

    private static void widget(Kubectl kubectl, String size) {
        kubectl.withInput("""
                ---
                {apiVersion: example.com/v1, kind: Widget, metadata: {name: one}, spec: {size: %s}}
                """.formatted(size), "create", "-f", "-");
    }

    @Test
    void lc05PodsOfTwoClustersHaveTheSameNames() throws IOException {
        var one = cluster();
        var other = cluster();
        pod(one, "one");
        pod(other, "other");
        for (var kubectl : List.of(one, other)) {
            kubectl.await("pods/web", "{.status.phase}", "Running");
        }
        // It runs before it has written anything.
        assertThat(one.until(List.of("\n"), "exec", "web", "--", "cat", "/data/name"))
                .isEqualTo("one\n");
        assertThat(other.until(List.of("\n"), "exec", "web", "--", "cat", "/data/name"))
                .isEqualTo("other\n");
        assertThat(one.until(List.of("\n"), "logs", "web") + other.until(List.of("\n"), "logs", "web"))
                .isEqualTo("one\nother\n");
        one.awaitEvents(" Started: ");
    }

    private static void pod(Kubectl kubectl, String name) {
        kubectl.withInput("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: web}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - name: main
                    image: busybox
                    command: [sh, -c, "echo %s | tee /data/name; sleep 1000"]
                    volumeMounts: [{name: data, mountPath: /data}]
                  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
                """.formatted(name), "apply", "-f", "-");
    }

    @Test
    void theKindsOfThePlatformWorkInEveryCluster() throws IOException {
        var kubectl = cluster();
        kubectl.withInput("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: run}
                spec:
                  pipelineSpec:
                    tasks:
                    - name: one
                      taskSpec:
                        results: [{name: word}]
                        steps: [{name: say, image: busybox, script: "printf hello > $(results.word.path)"}]
                    - name: two
                      params: [{name: word, value: $(tasks.one.results.word)}]
                      taskSpec:
                        params: [{name: word}]
                        steps: [{name: hear, image: busybox, script: "test $(params.word) = hello"}]
                ---
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: given}
                spec: {provider: {fake: {data: [{key: a, value: b}]}}}
                ---
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: wanted}
                spec:
                  secretStoreRef: {name: given}
                  data: [{secretKey: key, remoteRef: {key: a}}]
                """, "apply", "-f", "-");
        kubectl.await("pipelineruns/run", "{.status.conditions[0].reason}", "Succeeded");
        kubectl.await("secrets/wanted", "{.data.key}", "Yg==");
        assertThat(SERVER.kubectl().run("get", "pipelineruns", "-o", "name")).isEmpty();

        kubectl.run("create", "serviceaccount", "bob");
        assertThat(mayRun(kubectl)).isEqualTo("no\n");
        kubectl.run("create", "rolebinding", "bob", "--clusterrole=edit", "--serviceaccount=default:bob");
        assertThat(mayRun(kubectl)).isEqualTo("yes\n");
    }

    private static String mayRun(Kubectl kubectl) {
        return kubectl.attempt("auth", "can-i", "create", "pipelineruns", "--as", "system:serviceaccount:default:bob")
                .out();
    }

    @Test
    void workloadsWorkInEveryCluster() throws IOException {
        var kubectl = cluster();
        kubectl.run("create", "namespace", "team");
        var team = kubectl.in("team");
        team.withInput("""
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {name: once}
                spec:
                  template:
                    spec: {restartPolicy: Never, containers: [{name: main, image: busybox, command: [echo, done]}]}
                ---
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: db}
                spec:
                  serviceName: db
                  selector: {matchLabels: {app: db}}
                  template:
                    metadata: {labels: {app: db}}
                    spec:
                      terminationGracePeriodSeconds: 0
                      containers: [{name: main, image: busybox, command: [sleep, "4919"]}]
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: db}
                spec: {selector: {app: db}, ports: [{port: 80}]}
                """, "apply", "-f", "-");
        team.run("wait", "job/once", "--for=condition=Complete", "--timeout=120s");
        team.await("statefulsets/db", "{.status.readyReplicas}", "1");
        team.await("endpointslices", "-lkubernetes.io/service-name=db", "{.endpoints[0].targetRef.name}", "db-0");
        kubectl.run("delete", "namespace", "team", "--timeout=120s");
        assertThat(kubectl.run("get", "pods", "-A", "-o", "name")).isEmpty();
    }

    @Test
    void quotasCountInTheirOwnCluster() throws IOException {
        var one = cluster();
        var other = cluster();
        one.run("create", "quota", "few", "--hard=count/configmaps=2");
        one.run("create", "configmap", "one");
        assertThat(one.attempt("create", "configmap", "two").err()).contains("exceeded quota: few");
        other.run("create", "configmap", "two");
    }

    @Test
    void withAClusterAllGoesThatIsInIt() throws IOException {
        var kubectl = cluster();
        var name = "lc-" + MADE.get();
        kubectl.run("run", "web", "--image=busybox", "--", "sleep", "4242");
        kubectl.await("pods/web", "{.status.phase}", "Running");
        var watch = kubectl.start("get", "pods", "--watch");
        SERVER.kubectl().run("delete", "logicalcluster", name);
        assertThat(kubectl.attempt("get", "pods").exit()).isNotZero();
        assertThat(watch.onExit()).succeedsWithin(Duration.ofMinutes(2));
        await(() -> !Program.run(List.of("ps", "-eo", "args")).out().contains("sleep 4242"));
    }

    private static void await(BooleanSupplier enough) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!enough.getAsBoolean()) {
            assertThat(System.nanoTime()).as("still not so after two minutes").isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    /// A container has begun before it is the program that it is to be.
    private static void awaitProcess(String command) {
        await(() -> {
            try {
                return !ShellProgram.processes(command).isEmpty();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void aClusterMadeByHandSleepsAndWakes() throws IOException {
        assertThat(towtank("create", "nap").exit()).isZero();
        var file = files.resolve("nap");
        Files.writeString(file, towtank("kubeconfig", "nap", "--duration", "1h").out());
        var inside = Kubectl.newest(file, "default");
        inside.withInput("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      terminationGracePeriodSeconds: 1
                      containers: [{name: main, image: busybox, command: [sleep, "4718"]}]
                """, "create", "-f", "-");
        inside.run("wait", "deployment/web", "--for=condition=Available", "--timeout=120s");
        awaitProcess("sleep 4718");

        assertThat(towtank("hibernate", "nap").out()).contains("sleeps");

        assertThat(ShellProgram.processes("sleep 4718")).isEmpty();
        assertThat(inside.attempt("get", "--raw", "/api/v1/pods", "--request-timeout=30s")
                        .err())
                .contains("cluster nap hibernates");
        assertThat(towtank("list").out()).containsPattern("nap +Hibernating");

        assertThat(towtank("resume", "nap").exit()).isZero();
        // The Deployment may still tell of the time before.
        inside.await(
                "pods",
                "-lapp=web",
                "{.status.containerStatuses[0].restartCount} {.status.containerStatuses[0].ready}",
                "1 true");
        inside.run("wait", "deployment/web", "--for=condition=Available", "--timeout=120s");
        assertThat(inside.run("get", "pods", "-o", "jsonpath={.items[*].status.containerStatuses[*].restartCount}"))
                .isEqualTo("1");
        awaitProcess("sleep 4718");

        assertThat(towtank("delete", "nap").exit()).isZero();
        assertThat(towtank("delete", "nap").err()).contains("There is no cluster nap.");
        assertThat(towtank("create", "../x").err()).contains("cannot be the name of a cluster");
    }

    private static Program.Outcome towtank(String... words) {
        var all = new ArrayList<>(List.of("cluster"));
        all.addAll(List.of(words));
        all.addAll(List.of("--data", SERVER.data().toString()));
        return Program.towtank(all.toArray(String[]::new));
    }
}
