package dev.towtank.system;

import static dev.towtank.system.ApplicationYaml.configMap;
import static dev.towtank.system.ApplicationYaml.job;
import static dev.towtank.system.ApplicationYaml.wave;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Applications that go to a cluster of another server, by an Argo CD cluster Secret.
class GitOpsRemoteIT extends ApplicationCase {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @Override
    SharedServer server() {
        return SERVER;
    }

    private static final String POLICY =
            "syncPolicy: {automated: {prune: true, selfHeal: true}, retry: {limit: 0}, syncOptions: [CreateNamespace=true]}";

    /// Of an account that may do what the Application needs there.
    private static String token(Kubectl there) {
        there.in("kube-system").run("create", "serviceaccount", "argocd-manager");
        there.run(
                "create",
                "clusterrolebinding",
                "argocd-manager",
                "--clusterrole=cluster-admin",
                "--serviceaccount=kube-system:argocd-manager");
        return there.in("kube-system").run("create", "token", "argocd-manager").strip();
    }

    private static String config(Kubectl there, String path) {
        return there.run("config", "view", "--raw", "--minify", "-o", "jsonpath={" + path + "}");
    }

    private void clusterSecret(String server, String config) {
        argocd.withInput("""
                apiVersion: v1
                kind: Secret
                metadata: {name: %1$s, labels: {argocd.argoproj.io/secret-type: cluster}}
                stringData:
                  name: %1$s
                  server: %2$s
                  config: '%3$s'
                """.formatted(name, server, config), "apply", "-f", "-");
    }

    @Test
    void anApplicationLivesInAnotherServerAndWaitsWhileThatIsGone() {
        repository
                .with("a/one.yaml", configMap("one", wave(-1)))
                .with("a/job.yaml", job("work", "", "true"))
                .with("a/late.yaml", configMap("late", wave(1)))
                .commit();
        try (var other = RunningTowtank.start()) {
            var there = Kubectl.newest(other.kubeconfig(), "spot");
            var server = config(there, ".clusters[0].cluster.server");
            var authority = config(there, ".clusters[0].cluster.certificate-authority-data");
            clusterSecret(server, "{\"tlsClientConfig\": {\"insecure\": true}}");
            applyTo("{name: " + name + ", namespace: spot}", "a", POLICY);
            await("{.status.conditions[0].type}", "InvalidSpecError");
            assertThat(status("{.status.conditions[0].message}"))
                    .contains("config.tlsClientConfig.insecure is not served: give caData");
            clusterSecret(server, """
                    {"bearerToken": "%s", "tlsClientConfig": {"caData": "%s"}}""".formatted(token(there), authority));
            awaitHealthy();
            assertThat(there.run("get", "configmap", "late", "-o", "jsonpath={.data.key}"))
                    .isEqualTo("1");
            assertThat(kubectl.attempt("get", "namespace", "spot").exit()).isNotZero();
            there.run("patch", "configmap", "one", "-p", "{\"data\":{\"key\":\"drift\"}}");
            there.await("configmaps/one", "{.data.key}", "1");
            try (var again = other.killAndStart(() -> {
                repository.without("a/late.yaml").commit();
                argocd.run("annotate", "app", name, "argocd.argoproj.io/refresh=hard", "--overwrite");
                await("{.status.conditions[0].type}/{.status.sync.status}", "ComparisonError/Unknown");
                assertThat(status("{.status.conditions[0].message}")).contains("cannot reach the cluster");
            })) {
                assertThat(again.kubeconfig()).isEqualTo(other.kubeconfig());
                there.run("wait", "--for=delete", "configmap/late", "--timeout=120s");
                awaitHealthy();
                argocd.run("delete", "app", name, "--timeout=120s");
                assertThat(there.run("get", "configmaps", "-o", "name")).doesNotContain("configmap/one");
            }
        }
    }
}
