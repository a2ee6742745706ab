package dev.towtank.system;

import static dev.towtank.system.ApplicationYaml.configMap;
import static dev.towtank.system.ApplicationYaml.wave;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A6 and C1 to C6: credentials that are wrong, that two want to write, that come late or change.
class GitOpsCredentialsIT extends ApplicationCase {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @Override
    SharedServer server() {
        return SERVER;
    }

    private String externalSecret(String policy, String property, String more) {
        return """
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: store, annotations: {argocd.argoproj.io/sync-wave: "-6"}}
                spec:
                  provider:
                    kubernetes: {remoteNamespace: %1$s, auth: {serviceAccount: {name: reader}}}
                ---
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: reader, annotations: {argocd.argoproj.io/sync-wave: "-7"}}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: reader, annotations: {argocd.argoproj.io/sync-wave: "-7"}}
                rules:
                - {apiGroups: [""], resources: [secrets], verbs: [get, list, watch]}
                - {apiGroups: [authorization.k8s.io], resources: [selfsubjectrulesreviews], verbs: [create]}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: reader, annotations: {argocd.argoproj.io/sync-wave: "-7"}}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
                subjects: [{kind: ServiceAccount, name: reader, namespace: %1$s}]
                ---
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: login, annotations: {argocd.argoproj.io/sync-wave: "-5"}}
                spec:
                  refreshInterval: 1h
                  secretStoreRef: {kind: SecretStore, name: store}
                  target: {name: login, creationPolicy: %2$s}
                  data:
                  - {secretKey: username, remoteRef: {key: source, property: username}}
                  - {secretKey: password, remoteRef: {key: source, property: %3$s}}
                %4$s
                """.formatted(kubectl.namespace(), policy, property, more);
    }

    private void source(String password) {
        kubectl.withInput("""
                apiVersion: v1
                kind: Secret
                metadata: {name: source}
                stringData: {username: ann, password: %s}
                """.formatted(password), "apply", "-f", "-");
    }

    private String value(String key) {
        return kubectl.run(
                "get", "secret", "login", "-o", "go-template={{index .data \"" + key + "\" | base64decode}}");
    }

    @Test
    void a6AWrongPasswordIsNamedAndCorrectedAtItsSourceAlone() throws IOException {
        repository.with("src/Dockerfile", "FROM alpine:3.20\n");
        try (var git = GitServer.start(repository.directory().getParent(), "ann", "right")) {
            source("wrong");
            var url = git.address(repository.directory().getFileName() + "/.git");
            repository
                    .with("a/secrets.yaml", externalSecret("Owner", "password", ""))
                    .with(
                            "a/build.yaml",
                            BuildsIT.stream("app") + "---\n"
                                    + BuildsIT.buildConfig(
                                            "app", wave(2), url, ", contextDir: src, sourceSecret: {name: login}"))
                    .commit();
            apply("a", "syncPolicy: {automated: {}, retry: {limit: -1, backoff: {duration: 1s, factor: 1}}}");
            kubectl.await("builds/app-1", "{.status.reason}", "FetchSourceFailed");
            assertThat(kubectl.run("get", "build", "app-1", "-o", "jsonpath={.status.message}"))
                    .contains("the Secret " + kubectl.namespace() + "/login: check its key password");
            kubectl.await("externalsecrets/login", "{.status.conditions[0].status}", "True");
            assertThat(names("builds")).doesNotContain("app-2");
            source("right");
            awaitHealthy();
            assertThat(git.refusals()).isLessThan(5);
        }
    }

    /// The password is in the status of the object that an operator keeps, and nobody copies it by hand.
    @Test
    void a6bAPasswordOutOfTheStatusOfAnObjectFollowsIt() throws IOException {
        repository.with("src/Dockerfile", "FROM alpine:3.20\n");
        var group = kubectl.namespace() + ".example.com";
        kubectl.withInput("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: giteas.%1$s}
                spec:
                  group: %1$s
                  names: {kind: Gitea, plural: giteas}
                  scope: Namespaced
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """.formatted(group), "apply", "-f", "-");
        kubectl.run("wait", "--for=condition=Established", "crd/giteas." + group, "--timeout=120s");
        try (var git = GitServer.start(repository.directory().getParent(), "ann", "right")) {
            gitea(group, "wrong");
            var url = git.address(repository.directory().getFileName() + "/.git");
            var secrets = externalSecret("Owner", "status.adminPassword", "")
                    .replace(
                            "kubernetes: {remoteNamespace: " + kubectl.namespace() + ", ",
                            "object: {apiVersion: " + group + "/v1, kind: Gitea, namespace: " + kubectl.namespace()
                                    + ", ")
                    .replace(
                            "apiGroups: [\"\"], resources: [secrets]",
                            "apiGroups: [" + group + "], resources: [giteas]")
                    .replace(
                            "{key: source, property: username}",
                            "{key: gitea-with-admin, property: spec.giteaAdminUser}")
                    .replace("key: source", "key: gitea-with-admin");
            repository
                    .with("a/secrets.yaml", secrets)
                    .with(
                            "a/build.yaml",
                            BuildsIT.stream("app") + "---\n"
                                    + BuildsIT.buildConfig(
                                            "app", wave(2), url, ", contextDir: src, sourceSecret: {name: login}"))
                    .commit();
            apply("a", "syncPolicy: {automated: {}, retry: {limit: -1, backoff: {duration: 1s, factor: 1}}}");
            kubectl.await("builds/app-1", "{.status.reason}", "FetchSourceFailed");
            assertThat(kubectl.run("get", "build", "app-1", "-o", "jsonpath={.status.message}"))
                    .contains("the Secret " + kubectl.namespace() + "/login: check its key password");
            gitea(group, "right");
            awaitHealthy();
            assertThat(git.refusals()).isLessThan(5);
        }
    }

    private void gitea(String group, String password) {
        kubectl.withInput("""
                apiVersion: %s/v1
                kind: Gitea
                metadata: {name: gitea-with-admin}
                spec: {giteaAdminUser: ann}
                status: {adminPassword: %s}
                """.formatted(group, password), "apply", "-f", "-");
    }

    @Test
    void c1TwoWhoFightOverAFieldAreNamedAndWhoDoesNotHealIsLeftAlone() {
        repository.with("a/one.yaml", """
                apiVersion: v1
                kind: Secret
                metadata: {name: one}
                stringData: {password: placeholder}
                """).commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        for (int i = 0; i < 3; i++) {
            patch("value" + i);
            kubectl.await("secrets/one", "{.data.password}", "cGxhY2Vob2xkZXI=");
        }
        await("{.status.conditions[0].type}", "ContestedFieldWarning");
        assertThat(status("{.status.conditions[0].message}"))
                .contains(
                        "argocd-controller and credentials-task set the fields .data.password of /Secret/one in turn");
        argocd.run(
                "patch",
                "app",
                name,
                "--type=merge",
                "-p",
                "{\"spec\":{\"syncPolicy\":{\"automated\":{\"selfHeal\":false}}}}");
        patch("stays");
        await("{.status.sync.status}", "OutOfSync");
        assertThat(kubectl.run("get", "secret", "one", "-o", "jsonpath={.data.password}"))
                .isEqualTo("c3RheXM=");
    }

    private void patch(String value) {
        kubectl.run(
                "patch",
                "secret",
                "one",
                "--field-manager=credentials-task",
                "-p",
                "{\"stringData\":{\"password\":\"" + value + "\"}}");
    }

    @Test
    void c2ToC4SecretsOfAnExternalSecretAreNobodyElses() {
        source("first");
        repository
                .with("a/secrets.yaml", externalSecret("Owner", "password", ""))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        assertThat(status("{.status.resources[*].kind}"))
                .doesNotContain("Secret ")
                .doesNotEndWith(" Secret");
        // c3: what somebody changes in the Secret is put right by its owner, and is no drift.
        kubectl.run("patch", "secret", "login", "-p", "{\"stringData\":{\"password\":\"other\"}}");
        kubectl.await("secrets/login", "{.data.password}", "Zmlyc3Q=");
        // c4: what changes at the source arrives without waiting for refreshInterval.
        source("second");
        kubectl.await("secrets/login", "{.data.password}", "c2Vjb25k");
        for (int i = 0; i < 5; i++) {
            argocd.run("annotate", "app", name, "argocd.argoproj.io/refresh=normal", "--overwrite");
            await("{.metadata.annotations.argocd\\.argoproj\\.io/refresh}", "");
        }
        assertThat(status("{.status.sync.status}/{.status.health.status}/{.status.history[*].id}"))
                .isEqualTo("Synced/Healthy/0");
        assertThat(value("password")).isEqualTo("second");
        assertThat(kubectl.run(
                        "get",
                        "secret",
                        "login",
                        "--show-managed-fields",
                        "-o",
                        "jsonpath={.metadata.managedFields[*].manager}"))
                .doesNotContain("argocd-controller");
    }

    @Test
    void c4WhatIsCopiedOnceStaysAndPodsSeeWhatIsCopiedAnew() {
        source("first");
        repository
                .with(
                        "a/once.yaml",
                        externalSecret("Owner", "password", "")
                                .replace("{name: login,", "{name: once,")
                                .replace("target: {name: login", "target: {name: once")
                                .replace("refreshInterval: 1h", "refreshInterval: '0'"))
                .with("a/secrets.yaml", externalSecret("Owner", "password", "").replaceFirst("(?s).*\n---\n", ""))
                .with("a/reader.yaml", """
                        apiVersion: batch/v1
                        kind: Job
                        metadata: {name: reader, annotations: {argocd.argoproj.io/sync-options: SkipHealthCheck=true}}
                        spec:
                          template:
                            spec:
                              restartPolicy: Never
                              volumes: [{name: login, secret: {secretName: login}}]
                              containers:
                              - name: main
                                image: alpine:3.20
                                command: [sh, -c, "until grep -q second /login/password; do sleep 1; done"]
                                volumeMounts: [{name: login, mountPath: /login}]
                        """)
                .commit();
        apply("a", AUTOMATED);
        kubectl.await("pods", "--selector=job-name=reader", "{.status.phase}", "Running");
        source("second");
        kubectl.await("jobs/reader", "{.status.succeeded}", "1");
        assertThat(kubectl.run("get", "secret", "once", "-o", "jsonpath={.data.password}"))
                .isEqualTo("Zmlyc3Q=");
        awaitHealthy();
    }

    @Test
    void c2SecretsThatAreLeftBehindAreNotPrunedThoughTheyCarryTheMarks() {
        source("first");
        repository
                .with("a/secrets.yaml", externalSecret("Orphan", "password", ""))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        argocd.run("patch", "app", name, "--type=merge", "-p", "{\"operation\":{\"sync\":{\"prune\":true}}}");
        await("{.status.operationState.phase}/{.operation}", "Succeeded/");
        assertThat(value("password")).isEqualTo("first");
        assertThat(status("{.status.sync.status}")).isEqualTo("Synced");
    }

    @Test
    void c5AShellInGitIsFilledByItsExternalSecretAndStaysSynced() {
        source("first");
        var shell = """
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: login, annotations: {argocd.argoproj.io/sync-wave: "-6"}}
                """;
        repository
                .with("a/secrets.yaml", externalSecret("Merge", "password", shell))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        assertThat(value("password")).isEqualTo("first");
        assertThat(status("{.status.resources[?(@.kind=='Secret')].status}")).isEqualTo("Synced");
    }

    @Test
    void c6ASourceThatComesLaterIsNamedAndTheSyncGoesOn() {
        repository
                .with("a/secrets.yaml", externalSecret("Owner", "password", ""))
                .with("a/late.yaml", configMap("late", wave(0)))
                .commit();
        apply("a", "syncPolicy: {automated: {}, retry: {limit: -1, backoff: {duration: 1s, factor: 1}}}");
        kubectl.await("externalsecrets/login", "{.status.conditions[0].reason}", "SecretSyncedError");
        argocd.await(
                "applications",
                "--field-selector=metadata.name=" + name,
                "{.status.operationState.retryCount}",
                "1 or more",
                retries -> retries.matches("[1-9][0-9]*"));
        argocd.await( // while the next attempt waits for it, another message is shown
                "applications",
                "--field-selector=metadata.name=" + name,
                "{.status.operationState.message}",
                "what names the source",
                message -> message.contains("source"));
        assertThat(names("configmaps")).doesNotContain("configmap/late");
        source("first");
        awaitHealthy();
        assertThat(List.of(status("{.status.history[*].id}").split(" ", -1))).hasSize(1);
    }
}
