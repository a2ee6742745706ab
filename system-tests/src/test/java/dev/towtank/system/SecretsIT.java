package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// External Secrets with real kubectl: from a Secret of one namespace to one of another, by the rights of an account.
class SecretsIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static final String READY = "{.status.conditions[?(@.type==\"Ready\")].reason}";

    private Kubectl kubectl;
    private Kubectl storage;

    @BeforeEach
    void makeNamespaces() {
        kubectl = SERVER.inNewNamespace();
        storage = SERVER.inNewNamespace();
        storage.run(
                "create",
                "secret",
                "generic",
                "bucket",
                "--from-literal=AWS_ACCESS_KEY_ID=one",
                "--from-literal=AWS_SECRET_ACCESS_KEY=hush");
    }

    private void apply(String yaml) {
        kubectl.withInput(yaml.replace("STORAGE", storage.namespace()), "apply", "-f", "-");
    }

    private void applyStore() {
        kubectl.run("create", "serviceaccount", "reader");
        apply("""
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: buckets}
                spec:
                  provider:
                    kubernetes:
                      auth: {serviceAccount: {name: reader}}
                      remoteNamespace: STORAGE
                """);
    }

    private void allowReading() {
        storage.run("create", "role", "reader", "--verb=get,list,watch", "--resource=secrets");
        storage.run(
                "create",
                "rolebinding",
                "reader",
                "--role=reader",
                "--serviceaccount=" + kubectl.namespace() + ":reader");
    }

    private void applyExternalSecret(String property) {
        apply("""
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: model-storage-config, labels: {app: models}}
                spec:
                  secretStoreRef: {name: buckets, kind: SecretStore}
                  data:
                  - secretKey: AWS_ACCESS_KEY_ID
                    remoteRef: {key: bucket, property: %s}
                """.formatted(property));
    }

    private void await(String object, String path, String value) {
        kubectl.await(object, path, value);
    }

    private void awaitReason(String reason) {
        await("externalsecrets/model-storage-config", READY, reason);
    }

    private String value(String secret, String key) {
        var encoded = kubectl.run("get", "secret", secret, "-o", "jsonpath={.data." + key + "}");
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    /// ES-4, ES-5, ES-8, ES-9, ES-10.
    @Test
    void aSecretFollowsItsSource() {
        applyStore();
        allowReading();
        await("secretstores/buckets", READY, "Valid");
        applyExternalSecret("AWS_ACCESS_KEY_ID");
        awaitReason("SecretSynced");
        assertThat(value("model-storage-config", "AWS_ACCESS_KEY_ID")).isEqualTo("one");
        assertThat(kubectl.run("get", "secretstores").lines().toList().getLast())
                .matches("buckets +\\w+ +Valid +ReadWrite +True *");
        assertThat(kubectl.run("get", "es").lines().toList().getLast())
                .matches("model-storage-config +SecretStore +buckets +1h0m0s +SecretSynced +True +\\w+ *");
        var secret = kubectl.run("get", "secret", "model-storage-config", "-o", "yaml");
        assertThat(secret)
                .contains(
                        "app: models",
                        "reconcile.external-secrets.io/managed: \"true\"",
                        "reconcile.external-secrets.io/created-by:",
                        "reconcile.external-secrets.io/data-hash:",
                        "kind: ExternalSecret");

        storage.run("patch", "secret", "bucket", "-p", "{\"stringData\":{\"AWS_ACCESS_KEY_ID\":\"two\"}}");
        kubectl.await("secrets/model-storage-config", "{.data.AWS_ACCESS_KEY_ID}", "dHdv");

        kubectl.run("patch", "secret", "model-storage-config", "-p", "{\"stringData\":{\"mine\":\"x\"}}");
        kubectl.await("secrets/model-storage-config", "{.data.mine}", "");
        kubectl.run("delete", "secret", "model-storage-config");
        kubectl.await("secrets/model-storage-config", "{.data.AWS_ACCESS_KEY_ID}", "dHdv");

        kubectl.run("delete", "externalsecret", "model-storage-config");
        kubectl.run("wait", "--for=delete", "secret/model-storage-config", "--timeout=120s");
    }

    /// SS-3, SS-7, RB-1 and the table of failures, a source that is not there yet.
    @Test
    void whatIsMissingIsToldAndComesBackByItself() {
        applyStore();
        await("secretstores/buckets", READY, "InvalidProviderConfig");
        kubectl.until(
                List.of("client is not allowed to get secrets"),
                "get",
                "events",
                "--field-selector=involvedObject.name=buckets",
                "-o",
                "jsonpath={.items[*].message}");
        applyExternalSecret("AWS_S3_ENDPOINT");
        awaitReason("SecretSyncedError");
        await(
                "externalsecrets/model-storage-config",
                "{.status.cause}",
                "error processing spec.data[0] (key: bucket), err: SecretStore \"buckets\" is not ready");
        allowReading();
        await("secretstores/buckets", READY, "Valid");
        var cause = "error processing spec.data[0] (key: bucket), err: property AWS_S3_ENDPOINT does not exist in data"
                + " of secret \"bucket\"";
        await("externalsecrets/model-storage-config", "{.status.cause}", cause);
        assertThat(kubectl.run("get", "externalsecret", "model-storage-config", "-o", "yaml"))
                .contains("message: could not get secret data from provider");
        assertThat(kubectl.until(List.of("UpdateFailed", cause), "describe", "externalsecret", "model-storage-config"))
                .doesNotContain("hush");

        storage.run("patch", "secret", "bucket", "-p", "{\"stringData\":{\"AWS_S3_ENDPOINT\":\"http://s3\"}}");
        awaitReason("SecretSynced");
        assertThat(value("model-storage-config", "AWS_ACCESS_KEY_ID")).isEqualTo("http://s3");

        storage.run("delete", "rolebinding", "reader");
        await("secretstores/buckets", READY, "InvalidProviderConfig");
        awaitReason("SecretSyncedError");
        assertThat(value("model-storage-config", "AWS_ACCESS_KEY_ID")).isEqualTo("http://s3");
    }

    /// The table of failures, rotated credentials: who took them into its environment is named, and started anew where
    /// its workload says so.
    @Test
    void podsWithOlderValuesAreNamedAndStartedAnew() {
        applyStore();
        allowReading();
        applyExternalSecret("AWS_ACCESS_KEY_ID");
        awaitReason("SecretSynced");
        for (var restart : new String[] {"false", "true"}) {
            apply("""
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: web-RESTART, annotations: {secrets.towtank.dev/restart-on-change: "RESTART"}}
                    spec:
                      selector: {matchLabels: {app: web-RESTART}}
                      template:
                        metadata: {labels: {app: web-RESTART}}
                        spec:
                          terminationGracePeriodSeconds: 0
                          containers:
                          - name: main
                            image: busybox
                            command: [sh, -c, "echo has $AWS_ACCESS_KEY_ID; exec sleep 1000"]
                            envFrom: [{secretRef: {name: model-storage-config}}]
                            # Starts are told in seconds: what changes afterwards is later.
                            readinessProbe: {exec: {command: ["true"]}, initialDelaySeconds: 2}
                    """.replace("RESTART", restart));
            kubectl.run("rollout", "status", "deployment/web-" + restart, "--timeout=120s");
        }
        storage.run("patch", "secret", "bucket", "-p", "{\"stringData\":{\"AWS_ACCESS_KEY_ID\":\"two\"}}");

        var revision = "{.metadata.annotations.deployment\\.kubernetes\\.io/revision}";
        kubectl.await("deployments/web-true", revision, "2");
        kubectl.run("rollout", "status", "deployment/web-true", "--timeout=120s");
        // The old pod may still be about to go, and be the one that is asked.
        assertThat(kubectl.until(List.of("has two"), "logs", "deployment/web-true"))
                .isEqualToIgnoringNewLines("has two");
        var old = kubectl.run("get", "pods", "-l", "app=web-false", "-o", "jsonpath={.items[*].metadata.name}");
        await("externalsecrets/model-storage-config", "{.status.stalePods}", "[\"" + old + "\"]");
        assertThat(kubectl.run(
                        "get",
                        "es",
                        "model-storage-config",
                        "-o",
                        "jsonpath={.status.conditions[?(@.type==\"StalePods\")].message}"))
                .isEqualTo("1 pod has older values in its environment, until it is started anew: " + old);
        assertThat(kubectl.run("get", "--raw", "/metrics")).contains("towtank_secrets_stale_pods");
        assertThat(kubectl.run("get", "deployments", "-o", "jsonpath={range .items[*]}" + revision + " {end}"))
                .isEqualTo("1 2 ");
        kubectl.run("delete", "pod", old, "--now");
        await("externalsecrets/model-storage-config", "{.status.stalePods}", "");
    }

    /// ES-2: nothing else is written into what somebody applied, so that a repository and the server agree.
    @Test
    void onlyTheDefaultsOfUpstreamAreWrittenBack() {
        applyStore();
        allowReading();
        apply("""
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: model-storage-config}
                spec:
                  refreshInterval: 1h
                  secretStoreRef: {name: buckets}
                  target: {template: {templateFrom: [{configMap: {name: none, items: [{key: a}]}}]}}
                  data: [{secretKey: a, remoteRef: {key: bucket, property: AWS_ACCESS_KEY_ID}}]
                """);
        awaitReason("SecretSyncedError");
        assertThat(kubectl.run("get", "es", "model-storage-config", "-o", "jsonpath={.spec}"))
                .isEqualTo("""
                        {"data":[{"remoteRef":{"key":"bucket","property":"AWS_ACCESS_KEY_ID"},"secretKey":"a"}],\
                        "refreshInterval":"1h","secretStoreRef":{"name":"buckets"},\
                        "target":{"creationPolicy":"Owner","deletionPolicy":"Retain",\
                        "template":{"engineVersion":"v2","mergePolicy":"Replace",\
                        "templateFrom":[{"configMap":{"items":[{"key":"a","templateAs":"Values"}],"name":"none"},"target":"Data"}]}}}\
                        """);
        await(
                "externalsecrets/model-storage-config",
                "{.metadata.finalizers}",
                "[\"externalsecrets.external-secrets.io/externalsecret-cleanup\"]");
    }

    /// SS-6, ES-7.
    @Test
    void theOldVersionAndTemplatesWork() {
        applyStore();
        allowReading();
        var outcome = kubectl.attempt("""
                apiVersion: external-secrets.io/v1beta1
                kind: ExternalSecret
                metadata: {name: model-storage-config}
                spec:
                  refreshInterval: 1h
                  secretStoreRef: {name: buckets, kind: SecretStore}
                  target:
                    name: config
                    template:
                      type: kubernetes.io/basic-auth
                      metadata: {labels: {for: "{{ .AWS_ACCESS_KEY_ID }}"}}
                      data:
                        username: "{{ .AWS_ACCESS_KEY_ID | upper }}"
                        password: "{{ .AWS_SECRET_ACCESS_KEY }}-{{ randAlphaNum 8 }}-{{ now }}"
                  dataFrom:
                  - extract: {key: bucket}
                """, Map.of(), "apply", "-f", "-");
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.err()).contains("external-secrets.io/v1beta1 ExternalSecret is deprecated");
        awaitReason("SecretSynced");
        assertThat(value("config", "username")).isEqualTo("ONE");
        var password = value("config", "password");
        assertThat(password).startsWith("hush-");
        assertThat(kubectl.run("get", "secret", "config", "-o", "jsonpath={.type} {.metadata.labels.for}"))
                .isEqualTo("kubernetes.io/basic-auth one");

        var time = kubectl.run(
                "get", "externalsecret", "model-storage-config", "-o", "jsonpath={.status.syncedResourceVersion}");
        kubectl.run("annotate", "es", "model-storage-config", "force-sync=1");
        kubectl.run("label", "es", "model-storage-config", "seen=yes");
        storage.run("patch", "secret", "bucket", "-p", "{\"stringData\":{\"AWS_ACCESS_KEY_ID\":\"two\"}}");
        kubectl.await("secrets/config", "{.data.username}", "VFdP");
        kubectl.await(
                "externalsecrets",
                "--field-selector=metadata.name=model-storage-config",
                "{.status.syncedResourceVersion}",
                "another than " + time,
                version -> !version.isEmpty() && !version.equals(time));
        assertThat(value("config", "password")).isNotEqualTo(password);
    }

    /// SS-2.
    @Test
    void whatCannotBeServedIsRefusedByName() {
        var vault = kubectl.attempt("""
                apiVersion: external-secrets.io/v1
                kind: ClusterSecretStore
                metadata: {name: vault}
                spec: {provider: {vault: {server: "https://vault"}}}
                """, Map.of(), "apply", "-f", "-");
        assertThat(vault.exit()).isNotZero();
        assertThat(vault.err())
                .contains("provider \"vault\" is not supported here; there are: fake, kubernetes, object, webhook");
    }

    /// Bad input, two ExternalSecrets on one target.
    @Test
    void twoExternalSecretsShareATarget() {
        applyStore();
        allowReading();
        kubectl.run("create", "secret", "generic", "shared", "--from-literal=own=mine");
        for (var key : new String[] {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}) {
            apply("""
                    apiVersion: external-secrets.io/v1
                    kind: ExternalSecret
                    metadata: {name: NAME}
                    spec:
                      secretStoreRef: {name: buckets}
                      target: {name: shared, creationPolicy: Merge}
                      data:
                      - secretKey: KEY
                        remoteRef: {key: bucket, property: KEY}
                    """.replace("NAME", key.toLowerCase(Locale.ROOT).replace('_', '-'))
                    .replace("KEY", key));
        }
        kubectl.await("secrets/shared", "{.data.AWS_ACCESS_KEY_ID} {.data.AWS_SECRET_ACCESS_KEY}", "b25l aHVzaA==");
        assertThat(value("shared", "own")).isEqualTo("mine");
    }
}
