package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Cluster templates with real kubectl. The names of tests begin with what they are called where templates are
/// specified.
class ClusterTemplatesIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static final String CANARY = "CANARY-AWS-7f3e";

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

    private static String instance(String name, String fields) {
        return """
                ---
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateInstance
                metadata:
                  name: %s
                spec:
                  clusterTemplateRef: logical-cluster
                """.formatted(name) + fields;
    }

    private void template(String name, String fields) {
        kubectl.withInput("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplate
                metadata: {name: %s, annotations: {towtank.dev/provider: logical}}
                spec: {clusterDefinition: none, %s}
                """.formatted(name, fields), "apply", "-f", "-");
    }

    private void quota(String spec) {
        kubectl.withInput("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateQuota
                metadata: {name: quota}
                spec: %s
                """.formatted(spec), "apply", "-f", "-");
    }

    private void apply(String name) {
        kubectl.withInput(instance(name, ""), "apply", "-f", "-");
    }

    private Program.Outcome attempt(String yaml) {
        return kubectl.attempt(yaml, Map.of(), "create", "-f", "-");
    }

    private void awaitReady(String name) {
        kubectl.await("clustertemplateinstances/" + name, "{.status.phase}", "Ready");
    }

    private String get(String name, String path) {
        return kubectl.run("get", "cti", name, "-o", "jsonpath=" + path);
    }

    private Kubectl inside(String name) throws IOException {
        var secret = kubectl.run("get", "secret", name + "-admin-kubeconfig", "-o", "jsonpath={.data.kubeconfig}");
        var file = files.resolve(kubectl.namespace() + "-" + name);
        Files.writeString(file, new String(Base64.getDecoder().decode(secret), StandardCharsets.UTF_8));
        return Kubectl.newest(file, "default");
    }

    @Test
    void lc01AnInstanceBecomesReady() throws IOException {
        apply("it-1");
        awaitReady("it-1");
        assertThat(get("it-1", "{.status.kubeconfig.name} {.status.adminPassword.name}"))
                .isEqualTo("it-1-admin-kubeconfig it-1-admin-password");
        assertThat(get("it-1", "{.status.conditions[?(@.status!=\"True\")].type}"))
                .isEmpty();
        assertThat(get("it-1", "{.status.conditions[*].type}").split(" ")).hasSize(10);
        assertThat(get("it-1", "{.metadata.annotations.clustertemplates\\.openshift\\.io/requester}"))
                .isEqualTo("towtank-admin");
        assertThat(Files.readString(inside("it-1").kubeconfig())).contains(get("it-1", "{.status.apiServerURL}"));
        assertThat(kubectl.run("get", "cti").lines().toList().getLast())
                .matches("it-1 +Ready +it-1-admin-password +it-1-admin-kubeconfig +https://\\S+ +\\w+ *");
        kubectl.run("wait", "cti/it-1", "--for=condition=Ready", "--timeout=120s");
    }

    @Test
    void lc03AndLc12AClusterIsOnesOwnAndGoesWithoutATrace() throws IOException {
        apply("it-1");
        awaitReady("it-1");
        var inside = inside("it-1");
        assertThat(inside.run("get", "namespaces", "-o", "name").lines()).hasSize(4);
        assertThat(inside.run("auth", "can-i", "*", "*")).isEqualTo("yes\n");
        inside.run("run", "web", "--image=busybox", "--", "sleep", "4343");
        inside.await("pods/web", "{.status.phase}", "Running");
        var uid = get("it-1", "{.metadata.uid}");
        kubectl.run("delete", "cti", "it-1");
        assertThat(inside.attempt("get", "pods").err()).contains("You must be logged in");
        for (var each : List.of(
                "secret/it-1-admin-kubeconfig",
                "secret/it-1-admin-password",
                "role/it-1-role-managed",
                "rolebinding/it-1-rolebinding-managed")) {
            kubectl.run("wait", "--for=delete", each, "--timeout=120s");
        }
        assertThat(SERVER.kubectl()
                        .in("towtank-clusters")
                        .attempt("get", "clusterdeployment", uid)
                        .err())
                .contains("not found");
    }

    @Test
    void lc09WhatWasAskedForStays() {
        apply("it-1");
        var changed = kubectl.attempt(
                "patch", "cti", "it-1", "--type=merge", "-p", "{\"spec\":{\"clusterTemplateRef\":\"other\"}}");
        assertThat(changed.err()).contains("spec is immutable");
        var stolen =
                kubectl.attempt("annotate", "--overwrite", "cti", "it-1", "clustertemplates.openshift.io/requester=me");
        assertThat(stolen.err()).contains("cluster requester cannot be changed");
    }

    @Test
    void lc10ATemplateThatIsNotThereIsTold() {
        assertThat(attempt(instance("x", "").replace("logical-cluster", "nope")).err())
                .contains("cluster template 'nope' not found");
    }

    @Test
    void sec06AParameterThatIsATemplateIsRefused() {
        assertThat(attempt(instance("x", "  parameters: [{name: a, value: \"{{ .Values }}\"}]\n"))
                        .err())
                .contains("parameter 'a' must not contain '{{'");
    }

    @Test
    void lc14AClusterGoesWithItsOwner() {
        kubectl.run("create", "configmap", "owner");
        var uid = kubectl.run("get", "configmap", "owner", "-o", "jsonpath={.metadata.uid}");
        kubectl.withInput(
                instance("it-1", "")
                        .replace(
                                "  name: it-1\n",
                                "  name: it-1\n  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: "
                                        + uid + "}]\n"),
                "apply",
                "-f",
                "-");
        awaitReady("it-1");
        kubectl.run("delete", "configmap", "owner");
        kubectl.run("wait", "--for=delete", "cti/it-1", "--timeout=120s");
    }

    @Test
    void lc15AndDefect1TimeEndsByTheQuotaOfTheNamespaceAlone() {
        var other = kubectl;
        makeTenant();
        quota("{allowedTemplates: [{name: logical-cluster, deleteAfter: 2s}]}");
        apply("brief");
        other.withInput(instance("lasting", ""), "apply", "-f", "-");
        kubectl.run("wait", "--for=delete", "cti/brief", "--timeout=120s");
        other.await("clustertemplateinstances/lasting", "{.status.phase}", "Ready");
    }

    @Test
    void qu01Qu03AndQu04AQuotaIsKept() {
        template("costly", "cost: 2");
        quota("{budget: 3, allowedTemplates: [{name: logical-cluster, count: 1}, {name: costly}]}");
        apply("one");
        assertThat(attempt(instance("two", "")).err()).contains("maximum cluster instances reached");
        var costly = instance("three", "").replace("logical-cluster", "costly");
        assertThat(attempt(costly).exit()).isZero();
        assertThat(attempt(costly.replace("three", "four")).err()).contains("cluster cost would exceed budget");
        template("unknown", "cost: 0");
        assertThat(attempt(instance("five", "").replace("logical-cluster", "unknown"))
                        .err())
                .contains("quota does not allow 'unknown' cluster template");
        kubectl.await("clustertemplatequotas/quota", "{.status.budgetSpent}", "2");
        kubectl.run("delete", "cti", "three");
        kubectl.await("clustertemplatequotas/quota", "{.status.budgetSpent}", "0");
    }

    @Test
    void qu02AndDefect2ManyAtOnceGetNoMoreThanAreAllowed() {
        quota("{allowedTemplates: [{name: logical-cluster, count: 3}]}");
        var instances =
                IntStream.range(0, 20).mapToObj(i -> instance("many-" + i, "")).toList();
        assertThat(new ClusterTenant(kubectl, files).askAtOnce(instances))
                .hasSize(17)
                .allMatch(why -> why.contains("maximum cluster instances reached"));
        assertThat(kubectl.run("get", "cti", "-o", "name").lines()).hasSize(3);
    }

    @Test
    void qu05AQuotaIsAloneAndNamesWhatIsThere() {
        quota("{budget: 1}");
        var second = kubectl.attempt("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateQuota
                metadata: {name: second}
                spec: {budget: 1}
                """, Map.of(), "create", "-f", "-");
        assertThat(second.err()).contains("cluster quota for this namespace already exists");
        var unknown = kubectl.attempt(
                "patch",
                "ctq",
                "quota",
                "--type=merge",
                "-p",
                "{\"spec\":{\"allowedTemplates\":[{\"name\":\"nope\"}]}}");
        assertThat(unknown.err()).contains("template 'nope' does not exist");
    }

    @Test
    void qu06AResourceQuotaCountsInstances() {
        kubectl.run("create", "quota", "few", "--hard=count/clustertemplateinstances.clustertemplate.openshift.io=1");
        apply("one");
        assertThat(attempt(instance("two", "")).err()).contains("exceeded quota");
        kubectl.run("delete", "cti", "one");
        kubectl.await(
                "resourcequotas/few",
                "{.status.used.count/clustertemplateinstances\\.clustertemplate\\.openshift\\.io}",
                "0");
    }

    @Test
    void defect3ATemplateWithoutACostCostsNothing() {
        quota("{budget: 1, allowedTemplates: [{name: logical-cluster}]}");
        apply("one");
        apply("two");
        awaitReady("two");
        assertThat(kubectl.run("get", "ctq", "quota", "-o", "jsonpath={.status.budgetSpent}"))
                .isEqualTo("0");
    }

    @Test
    void defect8AccountsOfTheSameNameInTwoNamespacesAreTwo() {
        kubectl.run(
                "create",
                "rolebinding",
                "other",
                "--clusterrole=cluster-templates-user",
                "--serviceaccount=elsewhere:tester");
        apply("it-1");
        awaitReady("it-1");
        kubectl.await(
                "rolebindings",
                "--field-selector=metadata.name=it-1-rolebinding-managed",
                "{.subjects[*].namespace}",
                "both",
                text -> text.contains("elsewhere") && text.contains(kubectl.namespace()));
        kubectl.run("delete", "rolebinding", "other");
        kubectl.await("rolebindings/it-1-rolebinding-managed", "{.subjects[*].namespace}", kubectl.namespace());
    }

    @Test
    void lc06ConditionsBecomeTrueInTheirOrder() {
        apply("it-1");
        awaitReady("it-1");
        assertThat(get("it-1", "{.status.conditions[*].type}"))
                .isEqualTo("ClusterDefinitionCreated ClusterInstallSucceeded ManagedClusterCreated"
                        + " ManagedClusterImported KlusterletAddonCreated ConsoleURLRetrieved ArgoClusterAdded"
                        + " ClusterSetupCreated ClusterSetupSucceeded Ready");
        kubectl.withInput(
                instance("hung", "")
                        .replace("  name: hung\n", "  name: hung\n  annotations: {towtank.dev/fault: hang}\n"),
                "apply",
                "-f",
                "-");
        kubectl.await("clustertemplateinstances/hung", "{.status.phase}", "ClusterInstalling");
        assertThat(get("hung", "{.status.conditions[?(@.status==\"True\")].type}"))
                .isEqualTo("ClusterDefinitionCreated");
    }

    @Test
    void lc06OnTheWayNothingIsTrueBeforeWhatItNeeds() {
        var watch = kubectl.start(
                "get",
                "cti",
                "--watch",
                "-o",
                "jsonpath={.status.phase} {.status.conditions[?(@.status==\"True\")].type}{'\\n'}");
        var lines =
                CompletableFuture.supplyAsync(() -> watch.inputReader().lines().toList());
        kubectl.withInput(
                instance("it-1", "").replace("logical-cluster", "hypershift-aws-cluster"), "create", "-f", "-");
        awaitReady("it-1");
        watch.toHandle().destroy();
        var order = List.of(get("it-1", "{.status.conditions[*].type}").split(" ", -1));
        int before = 0;
        for (var line : lines.join()) {
            var words = List.of(line.strip().split(" ", -1));
            var isTrue = words.subList(1, words.size());
            assertThat(isTrue).isEqualTo(order.subList(0, isTrue.size())).hasSizeGreaterThanOrEqualTo(before);
            assertThat(words.getFirst().equals("Ready")).isEqualTo(isTrue.size() == order.size());
            before = isTrue.size();
        }
    }

    @Test
    void sec01To03ATenantReadsItsOwnKeysAndNothingElse() throws IOException {
        kubectl.run("create", "secret", "generic", "other", "--from-literal=key=" + CANARY);
        apply("it-1");
        awaitReady("it-1");
        kubectl.await("rolebindings/it-1-rolebinding-managed", "{.subjects[0].name}", "tester");
        assertThat(may("get", "secret/it-1-admin-kubeconfig", kubectl.namespace()))
                .isEqualTo("yes\n");
        assertThat(may("list", "secrets", kubectl.namespace())).isEqualTo("no\n");
        assertThat(may("get", "secret/other", kubectl.namespace())).isEqualTo("no\n");
        for (var namespace : List.of("towtank-clusters", "argocd", "kube-system")) {
            assertThat(may("get", "secrets", namespace)).isEqualTo("no\n");
        }
        apply("it-2");
        awaitReady("it-2");
        var one = Files.readString(inside("it-1").kubeconfig());
        var crossed = files.resolve("crossed");
        Files.writeString(
                crossed, one.replace(get("it-1", "{.status.apiServerURL}"), get("it-2", "{.status.apiServerURL}")));
        assertThat(Kubectl.newest(crossed, "default").attempt("get", "pods").err())
                .contains("You must be logged in");
    }

    private String may(String verb, String object, String namespace) {
        return SERVER.kubectl()
                .in(namespace)
                .attempt(
                        "auth",
                        "can-i",
                        verb,
                        object,
                        "--as",
                        "system:serviceaccount:" + kubectl.namespace() + ":tester")
                .out();
    }

    @Test
    void sec05NothingOfTheHubIsInACluster() throws IOException {
        SERVER.kubectl().run("create", "secret", "generic", "aws-creds", "--from-literal=key=" + CANARY);
        apply("it-1");
        awaitReady("it-1");
        var inside = inside("it-1");
        var kinds = inside.run("api-resources", "--verbs=list", "-o", "name")
                .lines()
                .toList();
        assertThat(kinds).contains("secrets");
        var all = inside.run("get", String.join(",", kinds), "--all-namespaces", "-o", "yaml");
        assertThat(all)
                .doesNotContain(CANARY)
                .doesNotContain(Base64.getEncoder().encodeToString(CANARY.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void lc16AndSec04AChartOfTheAdministratorMakesTheCluster() {
        var url = chart(files);
        kubectl.withInput("""
                ---
                apiVersion: hive.openshift.io/v1
                kind: ClusterImageSet
                metadata: {name: any}
                spec: {releaseImage: "release:4.19.3"}
                ---
                apiVersion: hive.openshift.io/v1
                kind: ClusterPool
                metadata: {name: chosen}
                spec: {size: 1, runningCount: 1, baseDomain: x, imageSetRef: {name: any}, platform: {}}
                ---
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplate
                metadata: {name: chosen}
                spec: {clusterDefinition: chosen-claim, skipClusterRegistration: true}
                """, "apply", "-f", "-");
        kubectl.in("argocd")
                .withInput("""
                apiVersion: argoproj.io/v1alpha1
                kind: ApplicationSet
                metadata: {name: chosen-claim}
                spec:
                  generators: [{}]
                  template:
                    metadata: {name: unused}
                    spec:
                      project: default
                      destination: {server: "{{ url }}", namespace: SPACE}
                      source:
                        repoURL: "ADDRESS"
                        path: chart
                        targetRevision: main
                        helm: {parameters: [{name: pool, value: chosen}]}
                      syncPolicy: {automated: {}}
                """.replace("SPACE", kubectl.namespace()).replace("ADDRESS", url), "apply", "-f", "-");
        kubectl.withInput(
                instance("it-1", "  parameters: [{name: pool, value: other}]\n").replace("logical-cluster", "chosen"),
                "apply",
                "-f",
                "-");
        awaitReady("it-1");
        var uid = get("it-1", "{.metadata.uid}");
        assertThat(kubectl.in("argocd").run("get", "applicationsets", "-o", "name"))
                .contains(uid);
        assertThat(kubectl.run("get", "clusterclaims", "-o", "jsonpath={.items[*].spec.clusterPoolName}"))
                .isEqualTo("chosen");
        kubectl.run("delete", "cti", "it-1");
        assertThat(kubectl.run("get", "clusterclaims", "-o", "name")).isEmpty();
        assertThat(kubectl.in("argocd").run("get", "applicationsets", "-o", "name"))
                .doesNotContain(uid);
    }

    private static String chart(Path directory) {
        var repository = GitRepository.in(directory)
                .with("chart/Chart.yaml", "{apiVersion: v2, name: claim, version: 0.1.0}\n")
                .with("chart/values.yaml", "pool: none\n")
                .with("chart/templates/claim.yaml", """
                        apiVersion: hive.openshift.io/v1
                        kind: ClusterClaim
                        metadata: {name: "{{ .Release.Name }}"}
                        spec: {clusterPoolName: "{{ .Values.pool }}"}
                        """);
        repository.commit();
        return repository.url();
    }

    @Test
    void theExampleRunsToItsEnd() {
        var story = Checkout.ROOT.resolve("examples/test-clusters").toString();
        kubectl.run("apply", "-f", story);
        kubectl.await("pipelineruns/integration", "{.status.conditions[0].reason}", "Succeeded");
        assertThat(kubectl.run("get", "cti", "-o", "jsonpath={.items[*].status.phase}"))
                .isEqualTo("Ready");
        kubectl.run("delete", "pipelinerun", "integration");
        kubectl.run("wait", "--for=delete", "cti", "--all", "--timeout=120s");
    }
}
