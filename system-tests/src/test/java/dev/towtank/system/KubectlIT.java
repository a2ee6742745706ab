package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Real clients against the shipped program: every kubectl that is at hand, each test in a namespace of its own.
@ParameterizedClass
@MethodSource("binaries")
class KubectlIT {

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, labels: {app: web}}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: main, image: 'nginx:1.27'}]}
            """;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @Parameter
    Path binary;

    @TempDir
    Path directory;

    private Kubectl kubectl;

    static List<Path> binaries() {
        return Kubectl.binaries();
    }

    @BeforeEach
    void namespace() {
        kubectl = SERVER.inNewNamespace(binary);
    }

    private void apply(String yaml) {
        kubectl.withInput(yaml, "apply", "-f", "-");
    }

    private void configMap(String name) {
        kubectl.withInput(
                "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}, data: {color: blue}}",
                "create",
                "-f",
                "-");
    }

    @Test
    void getsInEveryForm() {
        apply(DEPLOYMENT);
        assertThat(kubectl.run("get", "deploy"))
                .containsPattern("NAME +READY +UP-TO-DATE +AVAILABLE +AGE")
                .containsPattern("web +0/2 +[0-2] +0 +\\d+s");
        assertThat(kubectl.run("get", "deployments.apps", "web", "-o", "wide"))
                .contains("CONTAINERS", "IMAGES", "SELECTOR", "nginx:1.27", "app=web");
        assertThat(kubectl.run("get", "deploy,configmaps", "-o", "name"))
                .contains("deployment.apps/web", "configmap/kube-root-ca.crt");
        getsTheSameAsJsonAndAsYaml();
        assertThat(kubectl.run("get", "deploy", "-o", "jsonpath={.items[*].metadata.name}"))
                .isEqualTo("web");
        assertThat(kubectl.run("get", "deploy", "-o", "go-template={{range .items}}{{.metadata.name}}{{end}}"))
                .isEqualTo("web");
        assertThat(kubectl.run("get", "deploy", "-o", "custom-columns=N:.metadata.name,R:.spec.replicas"))
                .containsPattern("web +2");
        assertThat(kubectl.run("get", "deploy", "--show-labels", "-l", "app=web"))
                .contains("app=web");
        assertThat(kubectl.run("get", "deploy", "-A")).contains(kubectl.namespace());
        assertThat(kubectl.run("get", "ns", kubectl.namespace(), "--sort-by=.metadata.name"))
                .containsPattern("NAME +STATUS +AGE");
        assertThat(kubectl.run("get", "all")).contains("deployment.apps/web");
        assertThat(kubectl.attempt("get", "deploy", "none").err())
                .isEqualTo("Error from server (NotFound): deployments.apps \"none\" not found\n");
        assertThat(kubectl.attempt("get", "jobs").err())
                .isEqualTo("No resources found in " + kubectl.namespace() + " namespace.\n");
    }

    /// Of an object that changes meanwhile, which is asked for until it does not.
    private void getsTheSameAsJsonAndAsYaml() {
        kubectl.await("deployment/web", "{.status.unavailableReplicas}", "2");
        Json.Obj json;
        Json yaml;
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        do {
            json = JsonText.parseObject(kubectl.run("get", "deploy", "web", "-o", "json"));
            yaml = YamlText.parse(kubectl.run("get", "deploy", "web", "-o", "yaml"));
        } while (!yaml.equals(json) && System.nanoTime() < end);
        assertThat(yaml).isEqualTo(json);
        assertThat(json.integer("spec", "replicas")).isEqualTo(2);
    }

    @Test
    void watches() throws IOException {
        configMap("first");
        var process = kubectl.start("get", "configmaps", "--watch", "-o", "name");
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            await(lines, "configmap/first");
            configMap("second");
            await(lines, "configmap/second");
            kubectl.run("label", "configmap", "first", "seen=yes");
            await(lines, "configmap/first");
        } finally {
            process.destroy();
        }
    }

    private static void await(BufferedReader lines, String expected) throws IOException {
        awaitLine(lines, expected::equals);
    }

    private static void awaitLine(BufferedReader lines, Predicate<String> expected) throws IOException {
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (expected.test(line)) {
                return;
            }
        }
        throw new AssertionError("kubectl ended before the line came that was waited for");
    }

    @Test
    void createsByCommand() {
        kubectl.run("create", "configmap", "settings", "--from-literal=color=red");
        kubectl.run("create", "secret", "generic", "password", "--from-literal=key=value");
        kubectl.run("create", "serviceaccount", "robot");
        kubectl.run("create", "deployment", "api", "--image=nginx:1.27");
        kubectl.run("create", "role", "reader", "--verb=get,list", "--resource=pods");
        kubectl.run(
                "create", "rolebinding", "read", "--role=reader", "--serviceaccount=" + kubectl.namespace() + ":robot");
        kubectl.run("create", "quota", "small", "--hard=configmaps=50");
        kubectl.run("create", "job", "once", "--image=busybox:1");
        if (kubectl.minor() >= 21) {
            // Older ones create a version of CronJob that Kubernetes has not served for years.
            kubectl.run("create", "cronjob", "daily", "--image=busybox:1", "--schedule=0 2 * * *");
            assertThat(kubectl.run("get", "cronjob", "daily")).contains("0 2 * * *");
        }
        kubectl.run("run", "single", "--image=nginx:1.27");
        kubectl.run("expose", "deployment", "api", "--port=80");
        assertThat(kubectl.run("get", "secret", "password", "-o", "jsonpath={.data.key}"))
                .isEqualTo("dmFsdWU=");
        var again = kubectl.attempt("create", "configmap", "settings");
        assertThat(again.err()).contains("configmaps \"settings\" already exists");
        assertThat(again.exit()).isEqualTo(1);
    }

    @Test
    void appliesAndDiffs() throws IOException {
        var file = directory.resolve("web.yaml");
        Files.writeString(file, DEPLOYMENT);
        assertThat(kubectl.run("apply", "-f", file.toString())).isEqualTo("deployment.apps/web created\n");
        assertThat(kubectl.run("apply", "-f", file.toString())).isEqualTo("deployment.apps/web unchanged\n");
        // An object that keeps changing is compared with what it was before.
        kubectl.await("deployment/web", "{.status.unavailableReplicas}", "2");
        assertThat(kubectl.run("diff", "-f", file.toString())).isEmpty();
        Files.writeString(file, DEPLOYMENT.replace("nginx:1.27", "nginx:1.28"));
        var diff = kubectl.attempt("diff", "-f", file.toString());
        assertThat(diff.exit()).as(diff.err()).isEqualTo(1);
        assertThat(diff.out()).contains("-      - image: nginx:1.27", "+      - image: nginx:1.28");
        assertThat(kubectl.run("get", "deploy", "web", "-o", "wide")).contains("nginx:1.27");
        assertThat(kubectl.run("apply", "-f", file.toString())).isEqualTo("deployment.apps/web configured\n");
        assertThat(kubectl.run("get", "deploy", "web", "-o", "wide")).contains("nginx:1.28");
        assertThat(kubectl.run("apply", "--dry-run=server", "-f", file.toString()))
                .contains("server dry run");
        var broken = kubectl.attempt(DEPLOYMENT.replace("replicas: 2", "replicas: -2"), Map.of(), "apply", "-f", "-");
        assertThat(broken.err()).contains("spec.replicas: Invalid value: -2: must be greater than or equal to 0");
    }

    @Test
    void edits() throws IOException {
        configMap("settings");
        var editor = directory.resolve("editor");
        Files.writeString(editor, "#!/bin/sh\nsed -i 's/color: blue/color: green/' \"$1\"\n");
        assertThat(editor.toFile().setExecutable(true)).isTrue();
        var outcome = kubectl.attempt("", Map.of("KUBE_EDITOR", editor.toString()), "edit", "configmap", "settings");
        assertThat(outcome.out()).as(outcome.err()).isEqualTo("configmap/settings edited\n");
        assertThat(kubectl.run("get", "cm", "settings", "-o", "jsonpath={.data.color}"))
                .isEqualTo("green");
    }

    @Test
    void patchesInAllThreeTypes() {
        apply(DEPLOYMENT);
        kubectl.run(
                "patch",
                "deploy",
                "web",
                "-p",
                "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"side\",\"image\":\"busybox:1\"}]}}}}");
        assertThat(kubectl.run("get", "deploy", "web", "-o", "jsonpath={.spec.template.spec.containers[*].name}")
                        .split(" "))
                .containsExactlyInAnyOrder("main", "side");
        kubectl.run("patch", "deploy", "web", "--type=merge", "-p", "{\"spec\":{\"replicas\":5}}");
        kubectl.run(
                "patch",
                "deploy",
                "web",
                "--type=json",
                "-p",
                "[{\"op\":\"replace\",\"path\":\"/metadata/labels/app\",\"value\":\"site\"}]");
        assertThat(kubectl.run("get", "deploy", "web", "-o", "jsonpath={.spec.replicas} {.metadata.labels.app}"))
                .isEqualTo("5 site");
        assertThat(kubectl.attempt(
                                "patch",
                                "deploy",
                                "web",
                                "--type=json",
                                "-p",
                                "[{\"op\":\"test\",\"path\":\"/spec/replicas\",\"value\":1}]")
                        .exit())
                .isEqualTo(1);
    }

    @Test
    void replaces() {
        configMap("settings");
        kubectl.withInput(
                "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {shape: round}}",
                "replace",
                "-f",
                "-");
        assertThat(kubectl.run("get", "cm", "settings", "-o", "jsonpath={.data}"))
                .isEqualTo("{\"shape\":\"round\"}");
        kubectl.withInput(
                "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {shape: square}}",
                "replace",
                "--force",
                "-f",
                "-");
        assertThat(kubectl.run("get", "cm", "settings", "-o", "jsonpath={.data.shape}"))
                .isEqualTo("square");
    }

    @Test
    void labelsAndAnnotates() {
        configMap("settings");
        kubectl.run("label", "cm", "settings", "tier=front", "env=dev");
        assertThat(kubectl.attempt("label", "cm", "settings", "tier=back").err())
                .contains("already has a value");
        kubectl.run("label", "cm", "settings", "tier=back", "--overwrite");
        kubectl.run("label", "cm", "settings", "env-");
        kubectl.run("annotate", "cm", "settings", "note=hello world");
        assertThat(kubectl.run(
                        "get", "cm", "settings", "-o", "jsonpath={.metadata.labels} {.metadata.annotations.note}"))
                .isEqualTo("{\"tier\":\"back\"} hello world");
        assertThat(kubectl.run("get", "cm", "-l", "tier in (back,front),!env", "-o", "name"))
                .isEqualTo("configmap/settings\n");
        assertThat(kubectl.attempt("label", "cm", "settings", "bad key=x").exit())
                .isEqualTo(1);
    }

    @Test
    void deletesWithEachCascade() {
        for (var cascade : List.of("background", "foreground", "orphan")) {
            configMap("owner");
            var uid = kubectl.run("get", "cm", "owner", "-o", "jsonpath={.metadata.uid}");
            kubectl.withInput(
                    "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: child, ownerReferences: [{apiVersion: v1, kind:"
                            + " ConfigMap, name: owner, uid: " + uid + ", blockOwnerDeletion: true}]}}",
                    "create",
                    "-f",
                    "-");
            kubectl.run("delete", "cm", "owner", "--cascade=" + cascade);
            if (cascade.equals("orphan")) {
                assertThat(kubectl.run("get", "cm", "child", "-o", "jsonpath={.metadata.ownerReferences}"))
                        .isEmpty();
            } else {
                kubectl.attempt("wait", "--for=delete", "cm/child", "--timeout=120s");
                assertThat(kubectl.attempt("get", "cm", "child").err()).contains("not found");
            }
        }
        kubectl.run("delete", "cm", "--all");
        kubectl.run("delete", "namespace", kubectl.namespace());
        assertThat(kubectl.attempt("get", "namespace", kubectl.namespace()).err())
                .contains("not found");
    }

    @Test
    void describes() {
        apply(DEPLOYMENT);
        kubectl.run("run", "single", "--image=nginx:1.27");
        assertThat(kubectl.run("describe", "deploy", "web"))
                .contains("Name:                   web", "Replicas:               2 desired", "nginx:1.27");
        assertThat(kubectl.run("describe", "pod", "single")).contains("single", "nginx:1.27", "Events:");
        configMap("settings");
        assertThat(kubectl.run("describe", "cm", "settings")).contains("color:", "blue");
        assertThat(kubectl.run("describe", "ns", kubectl.namespace())).contains("Active");
    }

    @Test
    void knowsItsResources() {
        assertThat(kubectl.run("api-resources"))
                .containsPattern("deployments +deploy +apps/v1 +true +Deployment")
                .containsPattern("configmaps +cm +v1 +true +ConfigMap")
                .containsPattern("namespaces +ns +v1 +false +Namespace");
        assertThat(kubectl.run("api-resources", "--api-group=batch", "-o", "name"))
                .contains("jobs.batch", "cronjobs.batch");
        assertThat(kubectl.run("api-versions")).contains("apps/v1", "rbac.authorization.k8s.io/v1");
        assertThat(kubectl.run("version")).contains("Server Version");
        assertThat(kubectl.run("explain", "deployment.spec.replicas")).contains("replicas", "How many pods");
    }

    @Test
    void waits() throws InterruptedException, IOException {
        // Not the node's: this test says what its status is.
        kubectl.run("run", "single", "--image=nginx:1.27", "--overrides={\"spec\":{\"schedulerName\":\"nobody\"}}");
        var ready = kubectl.start("wait", "--for=condition=Ready", "pod/single", "--timeout=120s");
        setReady();
        assertThat(ready.waitFor()).isZero();
        if (kubectl.minor() >= 23) {
            kubectl.run("wait", "--for=jsonpath={.status.phase}=Running", "pod/single", "--timeout=120s");
        }
        var deleted = kubectl.start("wait", "--for=delete", "pod/single", "--timeout=120s", "-v=6");
        try (var lines = new BufferedReader(new InputStreamReader(deleted.getInputStream(), StandardCharsets.UTF_8))) {
            // A pod that is gone before kubectl looks is an error to it.
            awaitLine(lines, line -> line.contains("watch=true"));
            kubectl.run("delete", "pod", "single", "--wait=false");
            lines.transferTo(Writer.nullWriter());
        }
        assertThat(deleted.waitFor()).isZero();
    }

    // kubectl 1.20 cannot write a status; a raw request of a newer one could, so the object is replaced whole.
    private void setReady() {
        var pod = JsonText.parseObject(kubectl.run("get", "pod", "single", "-o", "json"));
        var condition = JsonText.parseObject("{\"type\":\"Ready\",\"status\":\"True\"}");
        var status = JsonText.parseObject("{\"phase\":\"Running\"}").with("conditions", Json.Arr.of(condition));
        kubectl.withInput(
                pod.with("status", status).toString(),
                "replace",
                "--raw",
                "/api/v1/namespaces/" + kubectl.namespace() + "/pods/single/status",
                "-f",
                "-");
    }

    @Test
    void scales() {
        apply(DEPLOYMENT);
        kubectl.run("scale", "deploy", "web", "--replicas=7");
        assertThat(kubectl.run("get", "deploy", "web", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("7");
        assertThat(kubectl.attempt("scale", "deploy", "web", "--current-replicas=3", "--replicas=1")
                        .exit())
                .isEqualTo(1);
    }

    @Test
    void getsRaw() {
        assertThat(kubectl.run("get", "--raw", "/readyz")).isEqualTo("ok");
        assertThat(kubectl.run("get", "--raw", "/healthz")).isEqualTo("ok");
        var list = JsonText.parseObject(
                kubectl.run("get", "--raw", "/api/v1/namespaces/" + kubectl.namespace() + "/configmaps?limit=1"));
        assertThat(list.string("kind")).isEqualTo("ConfigMapList");
        assertThat(kubectl.run("get", "--raw", "/metrics")).contains("apiserver_request_total");
    }

    @Test
    void showsEvents() {
        kubectl.withInput("""
                apiVersion: v1
                kind: Event
                metadata: {name: hello}
                involvedObject: {kind: Pod, namespace: %s, name: single, apiVersion: v1}
                reason: Greeted
                message: hello there
                type: Normal
                lastTimestamp: 2026-03-01T10:00:00Z
                """.formatted(kubectl.namespace()), "create", "-f", "-");
        assertThat(kubectl.run("get", "events"))
                .containsPattern("LAST SEEN +TYPE +REASON +OBJECT +MESSAGE")
                .containsPattern("Normal +Greeted +pod/single +hello there");
        assertThat(kubectl.run("get", "events.events.k8s.io", "-o", "jsonpath={.items[0].note}"))
                .isEqualTo("hello there");
        if (kubectl.minor() >= 26) {
            assertThat(kubectl.run("events")).contains("hello there");
        }
    }

    @Test
    void pagesLongLists() {
        var list = new StringBuilder("---\n{apiVersion: v1, kind: List, items: [");
        for (int i = 0; i < 25; i++) {
            list.append("{apiVersion: v1, kind: ConfigMap, metadata: {name: c")
                    .append(i)
                    .append("}}, ");
        }
        kubectl.withInput(list + "]}", "create", "-f", "-");
        assertThat(kubectl.run("get", "cm", "--chunk-size=4", "-o", "name")
                        .lines()
                        .filter(line -> line.contains("/c")))
                .hasSize(25);
    }

    @Test
    void worksInALogicalCluster() {
        var cluster = "cluster-of-" + kubectl.namespace();
        kubectl.withInput(
                "---\n{apiVersion: towtank.dev/v1, kind: LogicalCluster, metadata: {name: " + cluster + "}}",
                "create",
                "-f",
                "-");
        var address = kubectl.run("config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}");
        var there = new String[] {"--server", address + "/clusters/" + cluster, "--namespace", "default"};
        assertThat(kubectl.run(with(there, "get", "namespaces", "-o", "name")))
                .isEqualTo(
                        "namespace/default\nnamespace/kube-node-lease\nnamespace/kube-public\nnamespace/kube-system\n");
        kubectl.run(with(there, "create", "configmap", "inside"));
        assertThat(kubectl.in("default").attempt("get", "cm", "inside").err()).contains("not found");
        kubectl.run("delete", "logicalcluster", cluster);
        assertThat(kubectl.attempt(with(there, "get", "cm")).err()).contains("not found");
    }

    private static String[] with(String[] options, String... command) {
        return java.util.stream.Stream.concat(java.util.Arrays.stream(options), java.util.Arrays.stream(command))
                .toArray(String[]::new);
    }
}
