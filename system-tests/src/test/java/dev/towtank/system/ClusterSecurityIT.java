package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// What tenants of test clusters cannot do, tried with real kubectl. The names of tests begin with what they are called
/// where that is specified; the first six are with the templates.
class ClusterSecurityIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String CANARY = "CANARY-SSH-91ab";

    @TempDir
    static Path files;

    private Kubectl kubectl;

    @BeforeEach
    void makeTenant() {
        kubectl = SERVER.inNewNamespace();
        kubectl.run("create", "serviceaccount", "tester");
        kubectl.run(
                "create",
                "rolebinding",
                "tester",
                "--clusterrole=cluster-templates-user",
                "--serviceaccount=" + kubectl.namespace() + ":tester");
    }

    private Program.Outcome create(String yaml) {
        return kubectl.attempt(yaml, Map.of(), "create", "-f", "-");
    }

    private void instance(String name, String more) {
        var outcome = create("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateInstance
                metadata:
                  name: %s
                  annotations: {%s}
                spec: {clusterTemplateRef: logical-cluster}
                """.formatted(name, more));
        assertThat(outcome.exit()).as(outcome.err()).isZero();
    }

    private String decoded(String secret, String key) {
        var text = kubectl.run("get", "secret", secret, "-o", "jsonpath={.data." + key + "}");
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }

    private static String cluster() {
        var name = "sec-" + COUNT.incrementAndGet();
        made(name, "");
        return name;
    }

    private static void made(String name, String spec) {
        SERVER.kubectl().withInput("""
                ---
                {apiVersion: towtank.dev/v1, kind: LogicalCluster, metadata: {name: %s}, spec: {%s}}
                """.formatted(name, spec), "create", "-f", "-");
    }

    private static Kubectl enter(String cluster) throws IOException {
        var file = files.resolve(cluster);
        Files.writeString(
                file,
                Files.readString(SERVER.kubeconfig())
                        .replaceFirst("(server: \\S+?)/?(\\s)", "$1/clusters/" + cluster + "$2"));
        return Kubectl.newest(file, "default");
    }

    /// The table of who may read what. The operators of templates, of Hive and of HyperShift are one here, `clusters`;
    /// `local` is whatever runs where the shared keys are.
    @Test
    void theTableOfSecretsHoldsCellByCell() {
        kubectl.withInput("""
                apiVersion: eaas.konflux-ci.dev/v1alpha1
                kind: Namespace
                metadata: {name: space}
                spec: {writeConnectionSecretToRef: {name: space-secret}}
                """, "create", "-f", "-");
        var shared = SERVER.inNewNamespace();
        var pool = claimedFromPool(shared);
        kubectl.run("wait", "namespaces.eaas.konflux-ci.dev/space", "--for=condition=Ready", "--timeout=120s");
        var space = decoded("space-secret", "namespace");
        kubectl.in(space).withInput("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateInstance
                metadata: {name: it-1}
                spec: {clusterTemplateRef: logical-cluster}
                """, "create", "-f", "-");
        kubectl.in(space).await("clustertemplateinstances/it-1", "{.status.phase}", "Ready");
        var uid = kubectl.in(space).run("get", "cti", "it-1", "-o", "jsonpath={.metadata.uid}");
        var account = "system:serviceaccount:";
        var names = Map.of(
                "tenant", account + kubectl.namespace() + ":tester",
                "remote", account + space + ":namespace-manager",
                "stranger", account + "default:default",
                "local", account + shared.namespace() + ":default",
                "clusters", account + "kube-system:testclusters",
                "argo", account + "kube-system:gitops",
                "SHARED", shared.namespace(),
                "POOL", pool,
                "SPACE", space,
                "TENANT", kubectl.namespace());
        assertThat(new AccessTable(SERVER.kubectl(), names).wrong("""
                tenant remote stranger local | get list watch | * | SHARED POOL towtank-clusters argocd kube-system | no
                tenant remote stranger local | get | aws-creds pull ssh | SHARED | no
                clusters admin | get | aws-creds pull ssh | SHARED | yes
                argo admin | create update | aws-creds pull ssh | SHARED | yes
                tenant remote stranger local | get | KEYS | POOL | no
                clusters admin | get create update | KEYS | POOL | yes
                tenant remote stranger local | get | MADE | towtank-clusters | no
                clusters admin | get create update | MADE | towtank-clusters | yes
                remote | get | it-1-admin-kubeconfig it-1-admin-password | SPACE | yes
                tenant stranger local | get | it-1-admin-kubeconfig it-1-admin-password | SPACE | no
                tenant remote stranger local | list watch | * | SPACE | no
                clusters admin | create update | it-1-admin-kubeconfig it-1-admin-password | SPACE | yes
                remote stranger local | get | space-secret | TENANT | no
                clusters admin | get create | space-secret | TENANT | yes
                tenant remote stranger local | get | cluster-MADE | argocd | no
                clusters argo admin | get create | cluster-MADE | argocd | yes
                """.replace("KEYS", pool + "-admin-kubeconfig")
                        .replace("MADE", uid + "-admin-kubeconfig")))
                .isEmpty();
        // Of what is copied for each cluster elsewhere there is nothing here that anybody could read.
        assertThat(shared.in(pool).run("get", "secrets", "-o", "name").lines())
                .containsExactlyInAnyOrder(
                        "secret/" + pool + "-admin-kubeconfig", "secret/" + pool + "-admin-password");
        kubectl.run("delete", "namespaces.eaas.konflux-ci.dev", "space");
        shared.run("delete", "clusterclaim,clusterpool", "--all");
    }

    /// Where the claimed cluster of a pool is whose keys are shared.
    private static String claimedFromPool(Kubectl shared) {
        for (var secret : List.of("aws-creds", "pull", "ssh")) {
            shared.run("create", "secret", "generic", secret, "--from-literal=k=" + CANARY);
        }
        shared.withInput("""
                apiVersion: hive.openshift.io/v1
                kind: ClusterImageSet
                metadata: {name: table-4.19}
                spec: {releaseImage: "quay.io/openshift-release-dev/ocp-release:4.19.3-multi"}
                ---
                apiVersion: hive.openshift.io/v1
                kind: ClusterPool
                metadata: {name: table}
                spec:
                  size: 1
                  runningCount: 1
                  baseDomain: test.local
                  imageSetRef: {name: table-4.19}
                  pullSecretRef: {name: pull}
                  platform: {aws: {region: us-east-1, credentialsSecretRef: {name: aws-creds}}}
                ---
                apiVersion: hive.openshift.io/v1
                kind: ClusterClaim
                metadata: {name: mine}
                spec: {clusterPoolName: table}
                """, "apply", "-f", "-");
        shared.await("clusterclaims/mine", "{.status.conditions[?(@.type==\"ClusterRunning\")].reason}", "Running");
        return shared.run("get", "clusterclaim", "mine", "-o", "jsonpath={.spec.namespace}");
    }

    @Test
    void sec07KeysOfAnotherNamespaceAreNotFound() {
        var other = SERVER.inNewNamespace();
        other.run("create", "secret", "generic", "theirs", "--from-literal=kubeconfig=" + CANARY);
        kubectl.withInput("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateSetup
                metadata: {name: any-SPACE}
                spec: {clusterSetup: []}
                """.replace("SPACE", kubectl.namespace()), "apply", "-f", "-");
        for (var name : List.of("theirs", "../" + other.namespace() + "/theirs", other.namespace() + "/theirs")) {
            var outcome = create("""
                    apiVersion: clustertemplate.openshift.io/v1alpha1
                    kind: ClusterTemplateInstance
                    metadata: {name: mine}
                    spec: {clusterTemplateRef: any-%s, kubeconfigSecretRef: %s}
                    """.formatted(kubectl.namespace(), name));
            assertThat(outcome.exit()).isNotZero();
            assertThat(outcome.err()).doesNotContain(CANARY);
        }
        // One that is adopted reads keys of its own namespace alone.
        kubectl.withInput("""
                apiVersion: hive.openshift.io/v1
                kind: ClusterDeployment
                metadata: {name: adopted}
                spec:
                  clusterName: adopted
                  baseDomain: test.local
                  installed: true
                  clusterMetadata: {adminKubeconfigSecretRef: {name: theirs}, clusterID: x, infraID: x}
                """, "apply", "-f", "-");
        assertThat(kubectl.run("get", "clusterdeployment,secret", "-o", "yaml")).doesNotContain(CANARY);
        kubectl.run("delete", "clusterdeployment", "adopted");
        kubectl.run("delete", "clustertemplatesetup", "any-" + kubectl.namespace());
    }

    @Test
    void sec08AndSec05APodReachesItsOwnClusterAlone() throws IOException {
        SERVER.kubectl()
                .in(kubectl.namespace())
                .run("create", "secret", "generic", "ssh", "--from-literal=k=" + CANARY);
        var name = cluster();
        var inside = enter(name);
        var other = cluster();
        var server = Files.readString(SERVER.kubeconfig()).replaceAll("(?s).*server: (\\S+?)/?\\s.*", "$1");
        inside.run(
                "create",
                "clusterrolebinding",
                "all",
                "--clusterrole=cluster-admin",
                "--serviceaccount=default:default");
        inside.withInput(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: curious}
                spec:
                  restartPolicy: Never
                  containers:
                    - name: main
                      image: bitnami/kubectl
                      command: [sh, -c]
                      args:
                        - |
                          echo "own: $(kubectl get namespaces -o name | wc -l)"
                          kubectl --server SERVER/clusters/default get namespaces && echo REACHED hub
                          kubectl --server SERVER/clusters/OTHER get namespaces && echo REACHED other
                          ls DATA && echo REACHED data
                          env; cat /proc/*/environ | tr '\\0' '\\n'; cat /etc/* 2>/dev/null
                          echo done
                """.replace("SERVER", server)
                        .replace("OTHER", other)
                        .replace("DATA", SERVER.data().toString()),
                "create",
                "-f",
                "-");
        inside.await("pods/curious", "{.status.phase}", "Succeeded");
        assertThat(inside.run("logs", "curious"))
                .contains("own: 4", "done")
                .doesNotContain("REACHED")
                .doesNotContain(CANARY);
        for (var path : List.of("/metrics", "/debug/pprof", "/configz", "/logs")) {
            assertThat(inside.attempt("get", "--raw", "/clusters/" + name + path)
                            .out())
                    .doesNotContain(CANARY);
        }
    }

    @Test
    void sec08WhatCannotBeKeptIsSaidByTheTemplate() {
        kubectl.await(
                "clustertemplates/logical-cluster",
                "{.status.conditions[?(@.type==\"MachineIsolated\")].reason}",
                "SharedMachine");
    }

    @Test
    void sec09NoTokenIsWhereOthersRead() throws IOException {
        kubectl.run(
                "apply", "-f", Checkout.ROOT.resolve("examples/test-clusters").toString());
        kubectl.await("pipelineruns/integration", "{.status.conditions[0].reason}", "Succeeded");
        var instance = kubectl.run("get", "cti", "-o", "jsonpath={.items[0].metadata.name}");
        var token = decoded(instance + "-admin-kubeconfig", "kubeconfig").replaceAll("(?s).*token: (\\S+).*", "$1");
        var password = decoded(instance + "-admin-password", "password");
        assertThat(token).hasSizeGreaterThan(100);
        var signature = token.substring(token.lastIndexOf('.') + 1);
        var told = kubectl.run("get", "taskruns,pipelineruns,pods,events,cti,rolebindings,roles", "-o", "yaml")
                + SERVER.kubectl()
                        .run("get", "clusterdeployments,applicationsets,applications,events", "-A", "-o", "yaml")
                + SERVER.kubectl().run("get", "logicalclusters,clustertemplates", "-o", "yaml")
                + kubectl.run("logs", "-l", "tekton.dev/pipelineRun=integration", "--all-containers", "--tail=-1");
        assertThat(told).doesNotContain(signature).doesNotContain(password);
        assertThat(written()).contains(instance).doesNotContain(signature).doesNotContain(password);
        kubectl.run("delete", "pipelinerun", "integration");
    }

    /// What the server has noted down of requests, and what it has printed.
    private static String written() throws IOException {
        var all = new StringBuilder(
                Files.readString(SERVER.data().resolveSibling(SERVER.data().getFileName() + ".log")));
        try (var files = Files.list(SERVER.data().resolve("audit"))) {
            for (var file : files.toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    @Test
    void sec10WithItsNamespaceAClusterGoesThatIsBeingMade() {
        instance("slow", "towtank.dev/fault: hang");
        kubectl.await("clustertemplateinstances/slow", "{.status.phase}", "ClusterInstalling");
        var uid = kubectl.run("get", "cti", "slow", "-o", "jsonpath={.metadata.uid}");
        SERVER.kubectl().run("delete", "namespace", kubectl.namespace(), "--timeout=120s");
        assertThat(SERVER.kubectl().in("towtank-clusters").run("get", "clusterdeployments,secrets", "-o", "name"))
                .doesNotContain(uid);
    }

    @Test
    void sec11ANewClusterOfAnOldNameHasNothingOfIt() throws IOException {
        var name = cluster();
        var inside = enter(name);
        inside.run("create", "configmap", "old", "--from-literal=word=" + CANARY);
        var version = inside.run("get", "configmap", "old", "-o", "jsonpath={.metadata.resourceVersion}");
        var token = inside.run("create", "token", "default").strip();
        SERVER.kubectl().run("delete", "logicalcluster", name);
        made(name, "");
        assertThat(inside.run("get", "configmaps", "-A", "-o", "yaml")).doesNotContain(CANARY);
        var stolen = files.resolve(name + "-stolen");
        Files.writeString(
                stolen,
                Files.readString(inside.kubeconfig())
                        .replaceAll("client-(certificate|key)-data: \\S+", "")
                        .replaceAll("token: \\S+", "token: " + token));
        assertThat(Kubectl.newest(stolen, "default").attempt("get", "pods").err())
                .contains("You must be logged in");
        var list = "/clusters/" + name + "/api/v1/namespaces/default/configmaps?resourceVersion=" + version;
        for (var query : List.of("&watch=1&timeoutSeconds=1", "&resourceVersionMatch=Exact&limit=5")) {
            var outcome = inside.attempt("get", "--raw", list + query);
            assertThat(outcome.out()).doesNotContain(CANARY);
            assertThat(outcome.out() + outcome.err()).contains("too old resource version");
        }
    }

    @Test
    void sec13TricksInPathsLeadNowhere() throws IOException {
        var name = cluster();
        enter(name).run("create", "configmap", "here", "--from-literal=word=" + CANARY);
        var hub = SERVER.kubectl();
        for (var path : List.of(
                "/clusters/*/api/v1/configmaps",
                "/clusters/%2a/api/v1/configmaps",
                "/clusters/a:b/api/v1/configmaps",
                "/clusters/../api/v1/namespaces",
                "/clusters/%2e%2e/api/v1/namespaces",
                "/clusters//api/v1/configmaps",
                "/clusters/" + name + "/../default/api/v1/configmaps",
                "/clusters/" + name + "%2f..%2fdefault/api/v1/configmaps",
                "/clusters/" + name.toUpperCase(Locale.ROOT) + "/api/v1/configmaps")) {
            var outcome = hub.attempt("get", "--raw", path);
            assertThat(outcome.exit()).as(path).isNotZero();
            assertThat(outcome.out() + outcome.err()).as(path).doesNotContain(CANARY);
        }
        // Who may be whom is a matter of each cluster: an administrator inside is nobody outside.
        var inside = enter(name);
        inside.run("create", "serviceaccount", "boss");
        inside.run(
                "create", "clusterrolebinding", "boss", "--clusterrole=cluster-admin", "--serviceaccount=default:boss");
        var token = inside.run("create", "token", "boss").strip();
        var file = files.resolve(name + "-boss");
        Files.writeString(
                file,
                Files.readString(SERVER.kubeconfig())
                        .replaceAll("client-(certificate|key)-data: \\S+", "")
                        .replaceAll("token: \\S+", "token: " + token));
        var boss = Kubectl.newest(file, "default");
        assertThat(boss.run("get", "configmaps", "-o", "name")).contains("configmap/here");
        assertThat(boss.run("get", "namespaces", "-o", "name", "--as", "towtank-admin", "--as-group", "system:masters")
                        .lines())
                .hasSize(4);
    }

    @Test
    void sec14AWebhookOfAClusterHearsOfItsOwnAlone() throws IOException {
        kubectl.withInput("""
                apiVersion: v1
                kind: Service
                metadata: {name: hub-service}
                spec: {ports: [{port: 443}], selector: {app: none}}
                """, "apply", "-f", "-");
        var inside = enter(cluster());
        inside.withInput("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingWebhookConfiguration
                metadata: {name: nosy}
                webhooks:
                  - name: nosy.example.com
                    admissionReviewVersions: [v1]
                    sideEffects: None
                    failurePolicy: Fail
                    timeoutSeconds: 2
                    clientConfig: {service: {name: hub-service, namespace: SPACE}}
                    rules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]
                """.replace("SPACE", kubectl.namespace()), "apply", "-f", "-");
        assertThat(inside.attempt("create", "configmap", "x").err())
                .contains("nosy.example.com")
                .contains("not found");
        kubectl.run("create", "configmap", "x");
        assertThat(inside.attempt("""
                        apiVersion: apiregistration.k8s.io/v1
                        kind: APIService
                        metadata: {name: v1.hub.example.com}
                        spec: {group: hub.example.com, version: v1, groupPriorityMinimum: 1, versionPriority: 1, service: {name: hub-service, namespace: default}}
                        """, Map.of(), "create", "-f", "-").exit()).isNotZero();
    }

    @Test
    void sec15AClusterGrowsToItsLimitAndNoFurther() throws IOException {
        var name = "sec-" + COUNT.incrementAndGet();
        made(name, "maxObjects: 30");
        var inside = enter(name);
        var list = new StringBuilder("{apiVersion: v1, kind: List, items: [");
        for (int i = 0; i < 40; i++) {
            list.append("{apiVersion: v1, kind: ConfigMap, metadata: {name: many-")
                    .append(i)
                    .append("}},");
        }
        var outcome = inside.attempt("---\n" + list + "]}\n", Map.of(), "create", "-f", "-");
        // What the server itself puts there may come on top: accounts, authorities, events.
        assertThat(outcome.err())
                .containsPattern("is forbidden: cluster " + name + " has 3[0-9] objects, and its limit is 30;");
        assertThat(inside.run("get", "configmaps", "-o", "name").lines()).hasSizeLessThanOrEqualTo(30);
        inside.run("delete", "configmap", "many-0", "many-1");
        inside.run("create", "configmap", "again");
        enter(cluster()).run("create", "configmap", "elsewhere");
    }
}
