package dev.towtank.system;

import static dev.towtank.system.ClusterTenant.instance;
import static dev.towtank.system.ClusterTenant.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// From a template through an ApplicationSet and a chart to a cluster, with real kubectl. The names of tests begin with
/// what they are called where templates are specified.
class ClusterChainIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static final String DEPLOYMENT = """
            apiVersion: hive.openshift.io/v1
            kind: ClusterDeployment
            metadata: {name: "{{ .Release.Name }}"}
            spec: {clusterName: "{{ .Release.Name }}", baseDomain: test.local}
            """;

    @TempDir
    static Path files;

    private ClusterTenant tenant;
    private Kubectl kubectl;
    private String space;

    @BeforeEach
    void makeTenant() {
        tenant = ClusterTenant.in(SERVER, files);
        kubectl = tenant.kubectl();
        space = kubectl.namespace();
    }

    private String template(String name, String path) {
        return kubectl.run("get", "clustertemplate", name, "-o", "jsonpath=" + path);
    }

    /// What a chart wants to know is only known when it has been read.
    private void awaitChartOfKonflux() {
        kubectl.await(
                "clustertemplates",
                "--field-selector=metadata.name=hypershift-aws-cluster",
                "{.status.clusterDefinition.schema}",
                "a schema",
                text -> text.contains("nodePoolReplicas"));
    }

    @Test
    void theTemplatesOfKonfluxAreThereWithTheirParameters() {
        awaitChartOfKonflux();
        tenant.ask("shared", "hypershift-aws-cluster", """
                  parameters:
                  - {name: version, value: 4.18.2}
                  - {name: instanceType, value: m6g.large}
                  - {name: fips, value: "true"}
                  - {name: imageContentSources, value: ""}
                  - {name: timeout, value: 30m}
                """);
        tenant.awaitReady("shared");
        var uid = tenant.get("shared", "{.metadata.uid}");
        var clusters = kubectl.in("clusters");
        assertThat(clusters.run("get", "hostedcluster", uid, "-o", "jsonpath={.status.version.history[0].version}"))
                .isEqualTo("4.18.2");
        clusters.await("nodepools/" + uid, "{.status.replicas} {.status.version}", "2 4.18.2");
        assertThat(tenant.condition("shared", "ParametersIgnored", "reason")).isEqualTo("Ignored");
        assertThat(tenant.condition("shared", "ParametersIgnored", "message"))
                .contains("instanceType", "fips", "imageContentSources")
                .doesNotContain("version:", "timeout:");
        assertThat(tenant.inside("shared").run("auth", "can-i", "*", "*")).isEqualTo("yes\n");
        kubectl.run("delete", "cti", "shared");
        assertThat(clusters.run("get", "hostedclusters,nodepools,secrets", "-o", "name"))
                .doesNotContain(uid);
    }

    /// The record's first flow: the tenant sees nothing of where the cluster is made.
    @Test
    void flowAWithSharedCredentialsThatNobodySees() {
        tenant.ask("it-1", "hypershift-aws-cluster", "");
        tenant.awaitReady("it-1");
        for (var what :
                List.of("secrets", "hostedclusters.hypershift.openshift.io", "nodepools.hypershift.openshift.io")) {
            assertThat(kubectl.in("clusters")
                            .attempt("auth", "can-i", "get", what, "--as", tenant.account())
                            .out())
                    .isEqualTo("no\n");
        }
        assertThat(kubectl.run("get", "hostedclusters", "-o", "name")).isEmpty();
        assertThat(kubectl.run("get", "secrets", "-o", "name"))
                .contains("it-1-admin-kubeconfig")
                .contains("it-1-admin-password");
    }

    /// The second: everything is in the namespace of who brings the Secrets.
    @Test
    void flowBWithCredentialsOfOnesOwn() {
        kubectl.run("create", "secret", "generic", "mine", "--from-literal=key=value");
        tenant.ask("it-1", "hypershift-cluster", parameter("pullSecret", "mine"));
        tenant.awaitReady("it-1");
        var uid = tenant.get("it-1", "{.metadata.uid}");
        assertThat(kubectl.run("get", "hostedcluster", uid, "-o", "jsonpath={.spec.pullSecret.name}"))
                .isEqualTo("mine");
        assertThat(kubectl.run("get", "secrets", "-o", "name"))
                .contains(uid + "-admin-kubeconfig", "it-1-admin-kubeconfig");
        kubectl.await("nodepools/" + uid, "{.status.conditions[?(@.type==\"Ready\")].status}", "True");
    }

    @Test
    void aHostedClusterIsMadeByHandAndDescribed() {
        kubectl.withInput("""
                apiVersion: hypershift.openshift.io/v1alpha1
                kind: HostedCluster
                metadata: {name: by-hand}
                spec:
                  release: {image: "quay.io/openshift-release-dev/ocp-release:4.17.9-x86_64"}
                  pullSecret: {name: none}
                  sshKey: {name: none}
                  networking: {}
                  platform: {type: None}
                  services: []
                ---
                apiVersion: hypershift.openshift.io/v1beta1
                kind: NodePool
                metadata: {name: lost}
                spec: {clusterName: other, replicas: 2, release: {image: "a:4.1"}, management: {}, platform: {type: None}}
                """, "apply", "-f", "-");
        kubectl.await("hostedclusters/by-hand", "{.status.conditions[?(@.type==\"Available\")].status}", "True");
        assertThat(kubectl.run("get", "hc", "by-hand").lines().toList().getLast())
                .contains("4.17.9", "by-hand-admin-kubeconfig", "Completed", "True");
        assertThat(kubectl.run("get", "secret", "by-hand-kubeadmin-password", "-o", "jsonpath={.data.password}"))
                .isNotEmpty();
        kubectl.await("nodepools/lost", "{.status.conditions[?(@.type==\"Ready\")].reason}", "HostedClusterNotFound");
        kubectl.run("patch", "hc", "by-hand", "--type=merge", "-p", "{\"spec\":{\"pausedUntil\":\"true\"}}");
        kubectl.await(
                "hostedclusters/by-hand",
                "{.status.conditions[?(@.type==\"ReconciliationActive\")].reason}",
                "ReconciliationPaused");
        var inside = tenant.inside(kubectl, "by-hand-admin-kubeconfig");
        assertThat(inside.run("get", "namespaces", "-o", "name").lines())
                .as("it pretends to be OpenShift")
                .contains("namespace/default", "namespace/openshift-console");
        kubectl.run("delete", "hc", "by-hand");
        assertThat(inside.attempt("get", "pods").exit()).isNotZero();
    }

    @Test
    void lc07EverySetupOfATemplateIsUsedAndDefect4IsNotCopied() {
        for (var name : List.of("a", "b")) {
            tenant.set(
                    "day2-" + name + "-" + space,
                    tenant.chart("msg: none\n", "", """
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: day2-%s, namespace: default}
                    data: {msg: "{{ .Values.msg }}"}
                    """.formatted(name)),
                    "default",
                    "[]");
        }
        tenant.apply("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplate
                metadata: {name: "two-%1$s", annotations: {towtank.dev/provider: logical}}
                spec: {clusterDefinition: none, clusterSetup: [day2-a-%1$s, day2-b-%1$s]}
                """.formatted(space));
        tenant.ask(
                "it-1", "two-" + space, "  parameters: [{name: msg, value: hi, clusterSetup: day2-b-" + space + "}]\n");
        tenant.awaitReady("it-1");
        var inside = tenant.inside("it-1");
        assertThat(inside.run("get", "configmap", "day2-a", "-o", "jsonpath={.data.msg}"))
                .isEqualTo("none");
        assertThat(inside.run("get", "configmap", "day2-b", "-o", "jsonpath={.data.msg}"))
                .isEqualTo("hi");
        assertThat(tenant.get("it-1", "{.status.clusterSetup[*].status}")).isEqualTo("Healthy Healthy");
        // The Secret by which it was set up opens nothing in the end, and nobody is left inside. Others are set up
        // meanwhile.
        var own = tenant.get("it-1", "{.status.apiServerURL}").replaceFirst(".*/clusters/", "/clusters/");
        var end = Instant.now().plusSeconds(120);
        while (setupSecret(own).matches("(?s).*(bearerToken|password|keyData).*")) {
            assertThat(Instant.now()).as("the Secret of %s opens nothing", own).isBefore(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        assertThat(inside.run("get", "serviceaccounts", "--all-namespaces")).doesNotContain("argocd-manager");
        assertThat(tenant.attempt(instance(
                                "it-2", "two-" + space, "  parameters: [{name: msg, value: hi, clusterSetup: c}]\n"))
                        .err())
                .contains("is for the cluster setup 'c', which 'two-" + space + "' does not have");
        var uid = tenant.get("it-1", "{.metadata.uid}");
        kubectl.run("delete", "cti", "it-1");
        assertThat(kubectl.in("argocd").run("get", "applications,applicationsets,secrets", "-o", "name"))
                .doesNotContain(uid);
    }

    @Test
    void lc08AClusterThatSomebodyBringsIsSetUp() {
        var set = "given-" + space;
        tenant.set(set, tenant.chart("x: 1\n", "", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: given, namespace: default}
                """), "default", "[]");
        tenant.apply("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateSetup
                metadata: {name: %1$s}
                spec: {clusterSetup: [%1$s]}
                """.formatted(set));
        kubectl.await("clustertemplatesetup/" + set, "{.status.clusterSetup[0].values}", "x: 1");
        assertThat(tenant.attempt(instance("it-1", set, "  kubeconfigSecretRef: mine\n"))
                        .err())
                .contains("secret 'mine' not found");
        kubectl.run("create", "secret", "generic", "mine", "--from-literal=kubeconfig=nonsense");
        assertThat(tenant.attempt(instance("it-1", set, "  kubeconfigSecretRef: mine\n"))
                        .err())
                .contains("the kubeconfig in secret 'mine'");
        tenant.ask("source", "logical-cluster", "");
        tenant.awaitReady("source");
        tenant.apply("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateQuota
                metadata: {name: quota}
                spec: {budget: 1, allowedTemplates: [{name: logical-cluster, count: 1}]}
                """);
        tenant.ask("it-1", set, "  kubeconfigSecretRef: source-admin-kubeconfig\n");
        tenant.awaitReady("it-1");
        assertThat(tenant.inside("source").run("get", "configmap", "given", "-o", "name"))
                .isEqualTo("configmap/given\n");
        assertThat(kubectl.run("get", "ctq", "quota", "-o", "jsonpath={.status.templateInstances[*].count}"))
                .isIn("", "1");
    }

    /// What is set up is set up with the rights of this server, so the keys must have them themselves.
    @Test
    void keysThatOpenNothingLetNobodyIntoTheClusterOfAnother() {
        var set = "stolen-" + space;
        tenant.set(set, tenant.chart("x: 1\n", "", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: stolen, namespace: default}
                """), "default", "[]");
        tenant.apply("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateSetup
                metadata: {name: %1$s}
                spec: {clusterSetup: [%1$s]}
                """.formatted(set));
        tenant.ask("victim", "logical-cluster", "");
        tenant.awaitReady("victim");
        var inside = tenant.inside("victim");
        var forged = inside.run("config", "view", "--raw").replaceFirst("token: \\S+", "token: nonsense");
        kubectl.withInput(forged, "create", "secret", "generic", "forged", "--from-file=kubeconfig=/dev/stdin");
        tenant.ask("thief", set, "  kubeconfigSecretRef: forged\n");
        tenant.awaitPhase("thief", "ClusterLoginPending");
        assertThat(tenant.condition("thief", "Ready", "status")).isEqualTo("Unknown");
        assertThat(inside.attempt("get", "configmap", "stolen").err()).contains("not found");
    }

    @Test
    void lc11AndDefect5ParametersThatTheChartRefusesAreRefusedAtOnce() {
        awaitChartOfKonflux();
        assertThat(tenant.attempt(instance("x", "hypershift-aws-cluster", parameter("nodePoolReplicas", "99")))
                        .err())
                .contains("parameters do not fit the schema of 'hypershift-aws-cluster'")
                .contains("at '/nodePoolReplicas'");
        assertThat(tenant.attempt(instance("x", "hypershift-aws-cluster", parameter("nodePolReplicas", "3")))
                        .err())
                .contains("additional properties 'nodePolReplicas' not allowed");
        assertThat(tenant.attempt(instance("x", "hypershift-aws-cluster", parameter("a=1,secret", "x")))
                        .err())
                .contains("has a name that no value can have");
        var lax = "lax-" + space;
        tenant.template(
                lax,
                tenant.chart("n: 1\n", "{\"properties\": {\"n\": {\"type\": \"integer\"}}}", DEPLOYMENT),
                space,
                "[]");
        kubectl.run("annotate", "clustertemplate", lax, "towtank.dev/validate-parameters=false");
        assertThat(tenant.attempt(instance("x", lax, parameter("n", "word"))).exit())
                .isZero();
        tenant.awaitPhase("x", "ClusterInstallFailed");
        assertThat(tenant.condition("x", "ClusterInstallSucceeded", "reason")).isEqualTo("ApplicationError");
    }

    @Test
    void aTemplateShowsWhatItsChartWantsToKnow() {
        var name = "shown-" + space;
        tenant.template(
                name,
                tenant.chart("a: 1 # one\n", "{\"type\": \"object\"}", DEPLOYMENT),
                space,
                "[{name: b, value: c}]");
        kubectl.await("clustertemplates/" + name, "{.status.clusterDefinition.schema}", "{\"type\": \"object\"}");
        assertThat(template(name, "{.status.clusterDefinition.values}")).isEqualTo("a: 1 # one\n");
        assertThat(template(name, "{.status.clusterDefinition.params}"))
                .isEqualTo("[{\"name\":\"b\",\"value\":\"c\"}]");
        kubectl.in("argocd").run("delete", "applicationset", name);
        kubectl.await(
                "clustertemplates/" + name,
                "{.status.clusterDefinition.error}",
                "ApplicationSet \"" + name + "\" not found in namespace argocd");
    }

    @Test
    void lc16AnyKindOfClusterInAChartIsFound() {
        var name = "deployed-" + space;
        tenant.template(name, tenant.chart("", "", DEPLOYMENT), space, "[]");
        tenant.ask("it-1", name, "");
        tenant.awaitReady("it-1");
        assertThat(tenant.get("it-1", "{.status.conditions[?(@.status!=\"True\")].type}"))
                .isEmpty();
        assertThat(tenant.condition("it-1", "ManagedClusterCreated", "reason")).isEqualTo("ManagedClusterSkipped");
        var uid = tenant.get("it-1", "{.metadata.uid}");
        assertThat(kubectl.run("get", "clusterprovisions", "-o", "jsonpath={.items[*].spec.stage}"))
                .isEqualTo("complete");
        kubectl.run("delete", "cti", "it-1");
        assertThat(kubectl.run("get", "clusterdeployments", "-o", "name")).doesNotContain(uid);
    }

    @Test
    void lc16AChartThatMakesNoClusterIsToldAndSoIsOneThatMakesTwo() {
        var none = "none-" + space;
        tenant.template(none, tenant.chart("", "", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: "no-cluster"}
                """), space, "[]");
        tenant.ask("none", none, "");
        tenant.awaitPhase("none", "ClusterInstallFailed");
        assertThat(tenant.condition("none", "ClusterInstallSucceeded", "reason"))
                .isEqualTo("ClusterProviderDetectionFailed");
        var two = "two-clusters-" + space;
        tenant.template(
                two,
                tenant.chart(
                        "",
                        "",
                        DEPLOYMENT + "---\n"
                                + DEPLOYMENT.replace(
                                        "metadata: {name: \"{{ .Release.Name }}\"}",
                                        "metadata: {name: \"{{ .Release.Name }}-b\"}")),
                space,
                "[]");
        tenant.ask("two", two, "");
        tenant.awaitPhase("two", "ClusterInstallFailed");
        kubectl.await(
                "clustertemplateinstances/two",
                "{.status.message}",
                "the chart makes 2 clusters, and an instance is one: leave one of them in it");
        assertThat(kubectl.run("get", "secrets", "-o", "name")).doesNotContain("two-admin-kubeconfig");
        kubectl.run("delete", "cti", "two", "none");
        assertThat(kubectl.run("get", "clusterdeployments", "-o", "name")).isEmpty();
    }

    @Test
    void fa01AChartThatCannotBeUsedIsExplained() {
        var broken = "broken-" + space;
        tenant.template(broken, tenant.chart("", "", "a: [\n"), space, "[]");
        tenant.ask("broken", broken, "");
        tenant.awaitPhase("broken", "ClusterInstallFailed");
        assertThat(tenant.condition("broken", "ClusterInstallSucceeded", "reason"))
                .isEqualTo("ApplicationError");
        assertThat(tenant.condition("broken", "ClusterInstallSucceeded", "message"))
                .contains("YAML");
        var schema = "schema-" + space;
        tenant.template(schema, tenant.chart("", "{", DEPLOYMENT), space, "[]");
        kubectl.await(
                "clustertemplates",
                "--field-selector=metadata.name=" + schema,
                "{.status.clusterDefinition.error}",
                "an error",
                text -> text.contains("values.schema.json cannot be read"));
        tenant.apply("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplate
                metadata:
                  name: old-%1$s
                  annotations: {towtank.dev/chart: hive-claim@9.9.9}
                spec: {clusterDefinition: old-%1$s}
                """.formatted(space));
        kubectl.await(
                "clustertemplates",
                "--field-selector=metadata.name=old-" + space,
                "{.status.clusterDefinition.error}",
                "an error",
                text -> text.contains("matching version \"9.9.9\" not found"));
        tenant.ask("old", "old-" + space, "");
        tenant.awaitPhase("old", "ClusterInstallFailed");
        assertThat(tenant.condition("old", "Ready", "status")).isEqualTo("False");
    }

    @Test
    void defect7NoObjectGrowsWithTheNumberOfInstances() {
        tenant.ask("one", "hypershift-aws-cluster", "");
        tenant.ask("two", "hypershift-aws-cluster", "");
        tenant.awaitReady("one");
        tenant.awaitReady("two");
        var argo = kubectl.in("argocd");
        assertThat(argo.run("get", "applicationset", "hypershift-aws-cluster", "-o", "jsonpath={.spec.generators}"))
                .isEqualTo("[{\"list\":{\"elements\":[]}}]");
        for (var name : List.of("one", "two")) {
            assertThat(argo.run(
                            "get",
                            "applicationset",
                            tenant.get(name, "{.metadata.uid}"),
                            "-o",
                            "jsonpath={.spec.generators[*].list.elements[*].instance_ns}"))
                    .isEqualTo(space);
        }
    }

    @Test
    void aConfigThatMeansNothingHereIsRefused() {
        var config =
                "apiVersion: clustertemplate.openshift.io/v1alpha1\nkind: Config\nmetadata: {name: %s}\nspec: {%s}\n";
        assertThat(tenant.attempt(config.formatted("other", "")).err()).contains("is called 'config'");
        assertThat(tenant.attempt(config.formatted("config", "uiEnabled: true")).err())
                .contains("spec.uiEnabled: this server has no page for templates");
    }

    private String setupSecret(String cluster) {
        return kubectl.in("argocd")
                .run(
                        "get",
                        "secrets",
                        "-o",
                        "go-template={{range .items}}{{range .data}}{{base64decode .}} {{end}}{{\"\\n\"}}{{end}}")
                .lines()
                .filter(line -> line.contains(cluster))
                .findFirst()
                .orElseThrow();
    }
}
