package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Clusters that begin as another one was, with real kubectl and the program's own command.
class ClusterSnapshotsIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static final AtomicInteger COUNT = new AtomicInteger();

    private static final String PREPARED = """
            ---
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema:
                      type: object
                      properties: {spec: {type: object, properties: {size: {type: integer}}}}
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: operator}
            ---
            apiVersion: v1
            kind: Secret
            metadata:
              name: operator-token
              annotations: {kubernetes.io/service-account.name: operator}
            type: kubernetes.io/service-account-token
            stringData: {token: STALE-TOKEN}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec: {selector: {app: web}, ports: [{port: 80}]}
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: main, image: busybox, command: [sleep, "4747"]}]}
            """;

    @TempDir
    static Path files;

    private static String fresh(String word) {
        return word + "-" + COUNT.incrementAndGet();
    }

    private static String towtank(String... words) {
        var all = new ArrayList<>(List.of("cluster"));
        all.addAll(List.of(words));
        all.addAll(List.of("--data", SERVER.data().toString()));
        var outcome = Program.towtank(all.toArray(String[]::new));
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return outcome.out();
    }

    private static void make(String name, String spec) {
        SERVER.kubectl().withInput("""
                ---
                {apiVersion: towtank.dev/v1, kind: LogicalCluster, metadata: {name: %s}, spec: {%s}}
                """.formatted(name, spec), "create", "-f", "-");
    }

    private static void copy(String name, String snapshot) {
        make(name, "snapshot: " + snapshot);
    }

    private static void snapshot(String cluster, String name) {
        SERVER.kubectl().withInput("""
                ---
                {apiVersion: towtank.dev/v1, kind: ClusterSnapshot, metadata: {name: %s}, spec: {cluster: %s}}
                """.formatted(name, cluster), "create", "-f", "-");
    }

    private static void delete(String kind, String... names) {
        var all = new ArrayList<>(List.of("delete", kind));
        all.addAll(List.of(names));
        SERVER.kubectl().run(all.toArray(String[]::new));
    }

    /// As the server's administrator.
    private static Kubectl enter(String cluster) throws IOException {
        var file = files.resolve(cluster);
        Files.writeString(
                file,
                Files.readString(SERVER.kubeconfig())
                        .replaceFirst("(server: \\S+?)/?(\\s)", "$1/clusters/" + cluster + "$2"));
        return Kubectl.newest(file, "default");
    }

    private static Kubectl prepared(String name) throws IOException {
        make(name, "");
        var kubectl = enter(name);
        kubectl.run("create", "namespace", "shop");
        kubectl.in("shop").withInput(PREPARED, "apply", "-f", "-");
        kubectl.in("shop").withInput("""
                apiVersion: example.com/v1
                kind: Widget
                metadata: {name: first}
                spec: {size: 3}
                """, "apply", "-f", "-");
        kubectl.in("shop").run("wait", "deployment/web", "--for=condition=Available", "--timeout=120s");
        return kubectl;
    }

    @Test
    void aCopyHasEverythingAndIsItsOwn() throws IOException {
        var name = fresh("source");
        var source = prepared(name);
        snapshot(name, name);
        var one = fresh("copy");
        var two = fresh("copy");
        copy(one, name);
        copy(two, name);
        var first = enter(one).in("shop");
        var second = enter(two).in("shop");
        assertThat(first.run("get", "widget", "first", "-o", "jsonpath={.spec.size}"))
                .isEqualTo("3");
        assertThat(first.run("explain", "widget.spec")).contains("size");

        // Fresh identities, and owners that are those of the copy: nothing is collected as somebody else's.
        var uid = "jsonpath={.metadata.uid}";
        assertThat(first.run("get", "deployment", "web", "-o", uid))
                .isNotEqualTo(source.in("shop").run("get", "deployment", "web", "-o", uid))
                .isNotEqualTo(second.run("get", "deployment", "web", "-o", uid))
                .isEqualTo(first.run("get", "rs", "-o", "jsonpath={.items[0].metadata.ownerReferences[0].uid}"));
        var address = "jsonpath={.spec.clusterIP}";
        assertThat(first.run("get", "service", "web", "-o", address))
                .isNotEmpty()
                .isNotEqualTo(second.run("get", "service", "web", "-o", address));
        first.run("wait", "deployment/web", "--for=condition=Available", "--timeout=120s");

        first.run("patch", "widget", "first", "--type=merge", "-p", "{\"spec\":{\"size\":9}}");
        second.run("delete", "widget", "first");
        first.run("delete", "crd", "widgets.example.com");
        assertThat(source.in("shop").run("get", "widget", "first", "-o", "jsonpath={.spec.size}"))
                .isEqualTo("3");
        var three = fresh("copy");
        copy(three, name);
        assertThat(enter(three).in("shop").run("get", "widget", "first", "-o", "jsonpath={.spec.size}"))
                .isEqualTo("3");
        delete("logicalclusters", one, two, three, name);
        delete("clustersnapshot", name);
    }

    @Test
    void keysOfTheSourceOpenNothingInACopy() throws IOException {
        var name = fresh("source");
        var source = prepared(name);
        var token = source.in("shop").run("create", "token", "operator").strip();
        snapshot(name, name);
        delete("logicalcluster", name);
        // Of the very name that the token is for.
        copy(name, name);
        var inside = enter(name);
        assertThat(inside.in("shop").run("get", "secret", "operator-token", "-o", "jsonpath={.data.token}"))
                .isEmpty();
        var stolen = files.resolve(name + "-stolen");
        Files.writeString(stolen, Files.readString(inside.kubeconfig()).replaceAll("token: \\S+", "token: " + token));
        assertThat(Kubectl.newest(stolen, "default").attempt("get", "pods").err())
                .contains("You must be logged in");
        delete("logicalcluster", name);
        delete("clustersnapshot", name);
    }

    @Test
    void whatIsForgottenLeavesNothingAndIsMissedByName() throws IOException {
        var name = fresh("source");
        towtank("create", name);
        enter(name).run("create", "configmap", "kept", "--from-literal=word=CANARY-" + name);
        assertThat(towtank("snapshot", name, "--as", name + "-snap")).startsWith("Snapshot " + name + "-snap has ");
        var first = fresh("copy");
        assertThat(towtank("create", first, "--from", name + "-snap")).contains("as " + name + "-snap was");
        SERVER.kubectl().await("logicalclusters/" + first, "{.status.powerState}", "Running");
        assertThat(towtank("list")).containsPattern(first + " +\\w+ +" + name + "-snap");
        assertThat(towtank("snapshots")).containsPattern(name + "-snap +" + name + " +\\d+");
        assertThat(SERVER.kubectl().run("get", "clustersnapshots", name + "-snap", "--no-headers"))
                .matches("(?s)" + name + "-snap +" + name + " +\\d+ +\\w+\\s*");
        delete("logicalclusters", name, first);
        assertThat(towtank("forget", name + "-snap")).contains("is gone");
        var refused = SERVER.kubectl()
                .attempt(
                        "---\n{apiVersion: towtank.dev/v1, kind: LogicalCluster, metadata: {name: late}, spec: {snapshot: "
                                + name + "-snap}}",
                        Map.of(),
                        "create",
                        "-f",
                        "-");
        assertThat(refused.err()).contains("spec.snapshot: Not found: \"" + name + "-snap\"");
        // The name is free, and what comes next under it has nothing of the old one.
        make(name, "");
        snapshot(name, name + "-snap");
        var copy = fresh("copy");
        copy(copy, name + "-snap");
        assertThat(enter(copy).run("get", "configmaps", "-o", "yaml")).doesNotContain("CANARY");
        delete("logicalclusters", copy, name);
        delete("clustersnapshot", name + "-snap");
    }

    @Test
    void aTemplateGivesOutCopies() throws IOException {
        var name = fresh("source");
        make(name, "");
        enter(name).run("create", "namespace", "prepared");
        snapshot(name, name);
        var kubectl = SERVER.inNewNamespace();
        kubectl.withInput("""
                ---
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplate
                metadata:
                  name: NAME
                  annotations: {towtank.dev/provider: logical, towtank.dev/snapshot: NAME, towtank.dev/openshift: "4.19"}
                spec: {clusterDefinition: none, skipClusterRegistration: true}
                ---
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateInstance
                metadata: {name: mine}
                spec: {clusterTemplateRef: NAME, parameters: [{name: version, value: 4.19.3}]}
                """.replace("NAME", name), "apply", "-f", "-");
        kubectl.await("clustertemplateinstances/mine", "{.status.phase}", "Ready");
        var file = files.resolve(name + "-mine");
        Files.write(
                file,
                Base64.getDecoder()
                        .decode(kubectl.run(
                                "get", "secret", "mine-admin-kubeconfig", "-o", "jsonpath={.data.kubeconfig}")));
        var inside = Kubectl.newest(file, "default");
        inside.run("get", "namespace", "prepared");
        assertThat(inside.run("get", "route", "console", "-n", "openshift-console", "-o", "jsonpath={.spec.host}"))
                .startsWith("console-openshift-console.apps.");
        assertThat(inside.run("get", "clusterversion", "version", "-o", "jsonpath={.status.history[0].version}"))
                .isEqualTo("4.19.3");
        assertThat(inside.run("get", "crd", "-l", "towtank.dev/pretend=true", "-o", "name")
                        .lines())
                .hasSize(2);
        kubectl.run("delete", "cti", "mine");
        assertThat(kubectl.attempt("annotate", "clustertemplate", name, "--overwrite", "towtank.dev/snapshot=lost")
                        .err())
                .contains("there is no ClusterSnapshot 'lost'");
        kubectl.run("delete", "clustertemplate", name);
        delete("logicalcluster", name);
        delete("clustersnapshot", name);
    }

    @Test
    void aSleepingClusterWakesForARequestWhereItIsSet() throws IOException {
        var name = fresh("light");
        towtank("create", name, "--wake-on-request");
        towtank("hibernate", name);
        enter(name).run("get", "pods");
        SERVER.kubectl().await("logicalclusters/" + name, "{.status.powerState}", "Running");
        delete("logicalcluster", name);
    }
}
