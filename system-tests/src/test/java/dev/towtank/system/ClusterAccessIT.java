package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// The doors by which tenants come to clusters, with real kubectl. The names of tests begin with what they are called
/// where access is specified.
class ClusterAccessIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static final String CLAIMS = "namespaces.eaas.konflux-ci.dev";

    @TempDir
    static Path files;

    private Kubectl kubectl;

    @BeforeEach
    void makeTenant() {
        kubectl = SERVER.inNewNamespace();
    }

    private void request(String name, String role) {
        kubectl.withInput("""
                apiVersion: toolchain.dev.openshift.com/v1alpha1
                kind: SpaceRequest
                metadata: {name: %s}
                spec: {tierName: eaas, targetClusterRoles: [cluster-role.toolchain.dev.openshift.com/%s]}
                """.formatted(name, role), "apply", "-f", "-");
    }

    private void claim(String name) {
        kubectl.withInput("""
                apiVersion: eaas.konflux-ci.dev/v1alpha1
                kind: Namespace
                metadata: {name: %s}
                spec: {writeConnectionSecretToRef: {name: %s-secret}}
                """.formatted(name, name), "apply", "-f", "-");
    }

    private void awaitReady(String object) {
        kubectl.run("wait", object, "--for=condition=Ready", "--timeout=120s");
    }

    private String get(String object, String path) {
        return kubectl.run("get", object, "-o", "jsonpath=" + path);
    }

    private Kubectl inside(String secret) throws IOException {
        var file = files.resolve(kubectl.namespace() + "-" + secret);
        var text = Base64.getDecoder().decode(get("secret/" + secret, "{.data.kubeconfig}"));
        Files.write(file, text);
        var namespace = new String(text, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("namespace:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("default");
        return Kubectl.newest(file, namespace);
    }

    private static void instance(Kubectl inside, String name) {
        inside.withInput("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateInstance
                metadata: {name: %s}
                spec: {clusterTemplateRef: logical-cluster}
                """.formatted(name), "create", "-f", "-");
        inside.run("wait", "cti/" + name, "--for=jsonpath={.status.phase}=Ready", "--timeout=120s");
    }

    @Test
    void ac01AndAc03ASpaceRequestLetsATenantMakeClusters() throws IOException {
        request("space", "eaas");
        awaitReady("spacerequest/space");
        assertThat(get("spacerequest/space", "{.status.conditions[0].reason}")).isEqualTo("Provisioned");
        var secret = get("spacerequest/space", "{.status.namespaceAccess[0].secretRef}");
        var namespace = get("spacerequest/space", "{.status.namespaceAccess[0].name}");
        assertThat(get("secret/" + secret, "{.metadata.ownerReferences[0].kind} {.type} {.metadata.labels}"))
                .startsWith("SpaceRequest Opaque")
                .contains("\"toolchain.dev.openshift.com/spacerequest\":\"space\"")
                .contains("\"toolchain.dev.openshift.com/spacerequest-provisioned-namespace\":\"" + namespace + "\"");
        var inside = inside(secret);
        assertThat(inside.namespace()).isEqualTo(namespace);
        instance(inside, "it-1");
        assertThat(inside.run("get", "secret", "it-1-admin-kubeconfig", "-o", "name"))
                .isEqualTo("secret/it-1-admin-kubeconfig\n");
        assertThat(inside.attempt("get", "secrets").err()).contains("Forbidden");
        assertThat(inside.attempt("get", "namespaces").err()).contains("Forbidden");
        assertThat(inside.in("towtank-clusters").attempt("get", "secrets").err())
                .contains("Forbidden");

        kubectl.run("delete", "secret", secret);
        kubectl.await("secrets/" + secret, "{.metadata.ownerReferences[0].name}", "space");

        kubectl.run("delete", "spacerequest", "space", "--wait=false");
        kubectl.run("wait", "--for=delete", "spacerequest/space", "--timeout=120s");
        assertThat(inside.attempt("get", "pods").err()).contains("You must be logged in");
        assertThat(SERVER.kubectl().attempt("get", "namespace", namespace).err())
                .contains("not found");
        kubectl.run("wait", "--for=delete", "secret/" + secret, "--timeout=120s");
    }

    @Test
    void ac02ARoleThatNoClusterHasIsNamed() {
        request("lost", "nobody");
        kubectl.await("spacerequests/lost", "{.status.conditions[0].reason}", "ProvisioningPending");
        assertThat(get("spacerequest/lost", "{.status.conditions[0].message}"))
                .contains("cluster-role.toolchain.dev.openshift.com/nobody");
        assertThat(kubectl.run("get", "secrets", "-o", "name")).isEmpty();
        kubectl.run("delete", "spacerequest", "lost");
    }

    @Test
    void ac04ANamespaceClaimGivesFiveKeys() throws IOException {
        claim("ci-1.0");
        awaitReady(CLAIMS + "/ci-1.0");
        assertThat(get("secret/ci-1.0-secret", "{.data}").replaceAll("\"[^\"]*\"[,}]", ""))
                .contains("namespace", "serviceaccount", "kubeconfig", "token", "apiserver");
        assertThat(kubectl.run("get", "namespaces", "-o", "name"))
                .contains("namespace/kube-system")
                .doesNotContain("ci-1.0");
        var inside = inside("ci-1.0-secret");
        assertThat(inside.namespace()).matches("ci-1-0-[0-9a-f]{8}");
        assertThat(inside.run("get", "resourcequotas", "-o", "name").lines()).hasSize(3);
        kubectl.run("delete", CLAIMS, "ci-1.0");
        assertThat(SERVER.kubectl()
                        .attempt("get", "namespace", inside.namespace())
                        .err())
                .contains("not found");
    }

    @Test
    void sec12ATokenEndsWithItsSpaceAndBeforeLong() throws IOException {
        claim("short");
        awaitReady(CLAIMS + "/short");
        var token = new String(
                Base64.getDecoder().decode(get("secret/short-secret", "{.data.token}")), StandardCharsets.UTF_8);
        var claims = new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), StandardCharsets.UTF_8);
        long issued = Long.parseLong(claims.replaceAll(".*\"iat\":(\\d+).*", "$1"));
        long expires = Long.parseLong(claims.replaceAll(".*\"exp\":(\\d+).*", "$1"));
        assertThat(expires - issued).isLessThanOrEqualTo(4 * 60 * 60);
        var inside = inside("short-secret");
        inside.run("get", "pods");
        // A finalizer holds the namespace back: the token must not wait for it.
        inside.withInput("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: sticky, finalizers: [example.com/hold]}
                """, "create", "-f", "-");
        kubectl.run("delete", CLAIMS, "short", "--wait=false");
        kubectl.await(CLAIMS + "/short", "{.status.conditions[?(@.type==\"Ready\")].reason}", "Deleting");
        assertThat(inside.attempt("get", "pods").err()).contains("You must be logged in");
        SERVER.kubectl()
                .in(inside.namespace())
                .run("patch", "configmap", "sticky", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}");
        kubectl.run("wait", "--for=delete", CLAIMS + "/short", "--timeout=120s");
    }

    @Test
    void ac05ATestPlatformClusterIsTornDown() throws IOException {
        kubectl.withInput("""
                apiVersion: ci.openshift.org/v1alpha1
                kind: TestPlatformCluster
                metadata: {name: aws}
                spec:
                  ciOperator:
                    releases: {latest: {integration: {name: "4.20", namespace: ocp}}}
                    test: {workflow: ipi-aws, clusterProfile: aws}
                  writeConnectionSecretToRef: {name: aws-keys}
                """, "apply", "-f", "-");
        kubectl.run("wait", "testplatformcluster/aws", "--for=condition=ClusterReady", "--timeout=120s");
        assertThat(get(
                        "testplatformcluster/aws",
                        "{.status.conditions[?(@.type==\"_EphemeralClusterPhase\")].message}"))
                .isEqualTo("Ready");
        assertThat(get("secret/aws-keys", "{.data.kubeAdminPassword}")).isNotEmpty();
        var inside = inside("aws-keys");
        assertThat(inside.run("auth", "can-i", "*", "*")).isEqualTo("yes\n");
        kubectl.run(
                "patch", "testplatformcluster", "aws", "--type=merge", "-p", "{\"spec\":{\"tearDownCluster\":true}}");
        kubectl.run("wait", "testplatformcluster/aws", "--for=condition=ProwJobCompleted", "--timeout=120s");
        assertThat(inside.attempt("get", "pods").exit()).isNotZero();
        kubectl.run("delete", "testplatformcluster", "aws");
        kubectl.run("wait", "--for=delete", "secret/aws-keys", "--timeout=120s");
    }

    @Test
    void ac06TasksOfTheseNamesRunAsOnePipeline() {
        // Where the server has no template of that name.
        kubectl.attempt("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplate
                metadata:
                  name: hypershift-aws-cluster
                  annotations: {towtank.dev/provider: logical, towtank.dev/openshift: "4.20"}
                spec: {clusterDefinition: none, skipClusterRegistration: true}
                """, Map.of(), "create", "-f", "-");
        kubectl.run(
                "apply",
                "-f",
                Checkout.ROOT.resolve("examples/konflux-clusters").toString());
        kubectl.await("pipelineruns/konflux-integration", "{.status.conditions[0].reason}", "Succeeded");
        kubectl.run("delete", "pipelinerun", "konflux-integration");
        kubectl.run("wait", "--for=delete", CLAIMS, "--all", "--timeout=120s");
        kubectl.run("wait", "--for=delete", "testplatformclusters", "--all", "--timeout=120s");
    }

    @Test
    void aSpaceMayBeInAnotherCluster() throws IOException {
        var name = "member-" + kubectl.namespace();
        var host = SERVER.kubectl().in("toolchain-host-operator");
        host.withInput("""
                ---
                apiVersion: towtank.dev/v1
                kind: LogicalCluster
                metadata: {name: MEMBER}
                ---
                apiVersion: toolchain.dev.openshift.com/v1alpha1
                kind: ToolchainCluster
                metadata:
                  name: MEMBER
                  labels: {cluster-role.toolchain.dev.openshift.com/MEMBER: ""}
                  annotations: {towtank.dev/cluster: MEMBER}
                spec: {}
                """.replace("MEMBER", name), "apply", "-f", "-");
        host.run("wait", "toolchaincluster/" + name, "--for=condition=Ready", "--timeout=120s");
        request("there", name);
        awaitReady("spacerequest/there");
        assertThat(get("spacerequest/there", "{.status.targetClusterURL}")).endsWith("/clusters/" + name);
        var inside = inside(get("spacerequest/there", "{.status.namespaceAccess[0].secretRef}"));
        inside.run("create", "configmap", "mine");
        kubectl.run("delete", "spacerequest", "there");
        host.run("delete", "toolchaincluster,logicalcluster", name);
    }

    @Test
    void aTierThatReachesOutOfItsSpaceIsRefused() {
        var tier = "wide-" + kubectl.namespace();
        SERVER.kubectl().in("toolchain-host-operator").withInput("""
                ---
                apiVersion: toolchain.dev.openshift.com/v1alpha1
                kind: NSTemplateTier
                metadata: {name: TIER}
                spec: {namespaces: [{templateRef: TIER}]}
                ---
                apiVersion: toolchain.dev.openshift.com/v1alpha1
                kind: TierTemplate
                metadata: {name: TIER}
                spec:
                  tierName: TIER
                  type: dev
                  revision: "1"
                  template:
                    objects:
                      - {apiVersion: v1, kind: Namespace, metadata: {name: "${SPACE_NAME}-dev"}}
                      - apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRole
                        metadata: {name: everything}
                    parameters: [{name: SPACE_NAME, required: true}]
                """.replace("TIER", tier), "apply", "-f", "-");
        var outcome = kubectl.attempt("""
                apiVersion: toolchain.dev.openshift.com/v1alpha1
                kind: SpaceRequest
                metadata: {name: wide}
                spec: {tierName: %s}
                """.formatted(tier), Map.of(), "create", "-f", "-");
        assertThat(outcome.exit()).isZero();
        kubectl.await(
                "spacerequests",
                "--field-selector=metadata.name=wide",
                "{.status.conditions[0].reason}: {.status.conditions[0].message}",
                "what the tier may not have",
                text -> text.startsWith("UnableToProvision: ")
                        && text.contains("ClusterRole everything is of no kind that a space may have"));
        kubectl.run("delete", "spacerequest", "wide");
    }
}
