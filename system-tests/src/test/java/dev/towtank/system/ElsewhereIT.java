package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Secrets and buckets of another server, with its own authority, accounts and object store.
class ElsewhereIT {

    private static final String READY = "{.status.conditions[?(@.type==\"Ready\")].reason}";

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static RunningTowtank other;

    @TempDir
    Path files;

    private Kubectl kubectl;
    private Kubectl there;

    @BeforeAll
    static void startOther() {
        other = RunningTowtank.start("--no-node");
    }

    @AfterAll
    static void stopOther() {
        other.close();
    }

    @BeforeEach
    void makeNamespaces() {
        kubectl = SERVER.inNewNamespace();
        there = Kubectl.newest(other.kubeconfig(), kubectl.namespace());
        there.run("create", "namespace", there.namespace());
    }

    private void applyStore(String name, String auth) {
        kubectl.withInput(
                """
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: NAME}
                spec:
                  provider:
                    kubernetes:
                      server: {url: "https://127.0.0.1:PORT", caProvider: {type: ConfigMap, name: other-ca, key: ca.crt}}
                      remoteNamespace: NAMESPACE
                      auth: AUTH
                ---
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: NAME}
                spec:
                  refreshInterval: 1s
                  secretStoreRef: {name: NAME}
                  data: [{secretKey: v, remoteRef: {key: bucket, property: id}}]
                """.replace("PORT", Integer.toString(other.port()))
                        .replace("NAMESPACE", there.namespace())
                        .replace("NAME", name)
                        .replace("AUTH", auth),
                "apply",
                "-f",
                "-");
    }

    private void awaitValue(String secret, String value) {
        kubectl.await(
                "secrets/" + secret,
                "{.data.v}",
                Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
    }

    /// SS-1, RB-1 and RB-2 against a server that knows nothing of this one: its rights count, and not ours.
    @Test
    void anotherServersSecretsAreReadByItsOwnRights() throws IOException {
        there.run("create", "secret", "generic", "bucket", "--from-literal=id=one");
        there.run("create", "serviceaccount", "reader");
        kubectl.run(
                "create",
                "configmap",
                "other-ca",
                "--from-file=ca.crt=" + other.data().resolve("pki/ca.crt"));
        var token = there.run("create", "token", "reader").strip();
        kubectl.run("create", "secret", "generic", "proof", "--from-literal=token=" + token);
        applyStore("by-token", "{token: {bearerToken: {name: proof, key: token}}}");
        kubectl.await("secretstores/by-token", READY, "InvalidProviderConfig");

        there.run("create", "role", "reader", "--verb=get,list", "--resource=secrets");
        there.run(
                "create",
                "rolebinding",
                "reader",
                "--role=reader",
                "--serviceaccount=" + there.namespace() + ":reader");
        awaitValue("by-token", "one");
        there.run("patch", "secret", "bucket", "-p", "{\"stringData\":{\"id\":\"two\"}}");
        awaitValue("by-token", "two");

        kubectl.run(
                "create",
                "secret",
                "generic",
                "certificate",
                "--from-file=crt=" + other.data().resolve("pki/admin.crt"),
                "--from-file=key=" + other.data().resolve("pki/admin.key"));
        applyStore(
                "by-certificate",
                "{cert: {clientCert: {name: certificate, key: crt}, clientKey: {name: certificate, key: key}}}");
        awaitValue("by-certificate", "two");

        // A token of this server is nobody's there; and who has another authority is not even asked.
        kubectl.run("create", "serviceaccount", "reader");
        applyStore("by-account", "{serviceAccount: {name: reader}}");
        kubectl.await("externalsecrets/by-account", READY, "SecretSyncedError");
        var ours = kubectl.run("get", "configmap", "kube-root-ca.crt", "-o", "jsonpath={.data.ca\\.crt}");
        kubectl.run(
                "patch",
                "configmap",
                "other-ca",
                "--type=merge",
                "-p",
                "{\"data\":{\"ca.crt\":\"" + ours.replace("\n", "\\n") + "\"}}");
        kubectl.await("externalsecrets/by-token", READY, "SecretSyncedError");
        awaitValue("by-token", "two");
        // Whose store and events tell why a little later.
        assertThat(kubectl.until(List.of("PKIX"), "get", "externalsecrets,secretstores,events", "-o", "yaml"))
                .doesNotContain(token);
    }

    private String claimed(Kubectl where, String name, String spec) {
        where.withInput("""
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: %s}
                spec: {%s}
                """.formatted(name, spec), "apply", "-f", "-");
        where.await("objectbucketclaims.objectbucket.io/" + name, "{.status.phase}", "Bound");
        return where.run("get", "configmap", name, "-o", "jsonpath={.data.BUCKET_NAME}");
    }

    private static String secret(Kubectl where, String name, String key) {
        var text = where.run("get", "secret", name, "-o", "jsonpath={.data." + key + "}");
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }

    private static String port(Kubectl where) {
        return where.in("openshift-storage")
                .run("get", "endpointslice", "s3-towtank", "-o", "jsonpath={.ports[?(@.name==\"s3\")].port}");
    }

    private Program.Outcome attempt(Kubectl where, String secret, String... arguments) {
        var command = new ArrayList<>(List.of("/usr/bin/aws", "--endpoint-url", "http://127.0.0.1:" + port(where)));
        command.addAll(List.of(arguments));
        return Program.run(
                command,
                "",
                Map.of(
                        "AWS_ACCESS_KEY_ID",
                        secret(where, secret, "AWS_ACCESS_KEY_ID"),
                        "AWS_SECRET_ACCESS_KEY",
                        secret(where, secret, "AWS_SECRET_ACCESS_KEY"),
                        "AWS_DEFAULT_REGION",
                        "us-east-1",
                        "AWS_MAX_ATTEMPTS",
                        "1",
                        "AWS_EC2_METADATA_DISABLED",
                        "true"));
    }

    private String aws(Kubectl where, String secret, String... arguments) {
        var outcome = attempt(where, secret, arguments);
        assertThat(outcome.exit()).as(outcome.toString()).isZero();
        return outcome.out();
    }

    /// Whoever claims a bucket of such a class gets keys of their own, and never the administrator's.
    @Test
    void aClassMayHaveItsBucketsInAnotherObjectStore() throws IOException {
        claimed(
                there,
                "admin",
                "storageClassName: openshift-storage.noobaa.io, generateBucketName: admin,"
                        + " additionalConfig: {towtank.dev/more-buckets: \"3\"}");
        var name = kubectl.namespace();
        kubectl.withInput("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: NAME}
                provisioner: towtank.dev/bucket
                parameters: {endpoint: "http://127.0.0.1:PORT", adminSecretName: admin, adminSecretNamespace: NAME}
                ---
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: models}
                spec: {storageClassName: NAME, generateBucketName: models}
                """.replace("PORT", port(there)).replace("NAME", name), "apply", "-f", "-");
        kubectl.await("objectbucketclaims.objectbucket.io/models", "{.status.reason}", "AdminSecretNotFound");
        kubectl.run(
                "create",
                "secret",
                "generic",
                "admin",
                "--from-literal=AWS_ACCESS_KEY_ID=" + secret(there, "admin", "AWS_ACCESS_KEY_ID"),
                "--from-literal=AWS_SECRET_ACCESS_KEY=" + secret(there, "admin", "AWS_SECRET_ACCESS_KEY"));
        kubectl.await("objectbucketclaims.objectbucket.io/models", "{.status.phase}", "Bound");
        var bucket = kubectl.run("get", "configmap", "models", "-o", "jsonpath={.data.BUCKET_NAME}");
        assertThat(secret(kubectl, "models", "AWS_ACCESS_KEY_ID"))
                .isNotEqualTo(secret(kubectl, "admin", "AWS_ACCESS_KEY_ID"));

        // In parts, and back; the other server has it.
        var bytes = new byte[17 << 20];
        new Random(1).nextBytes(bytes);
        var large = Files.write(files.resolve("large.bin"), bytes);
        aws(kubectl, "models", "s3", "cp", large.toString(), "s3://" + bucket + "/a b/large.bin");
        aws(
                there,
                "admin",
                "s3",
                "cp",
                "s3://" + bucket + "/a b/large.bin",
                files.resolve("back").toString());
        assertThat(files.resolve("back")).hasBinaryContent(bytes);
        aws(kubectl, "models", "s3", "cp", "s3://" + bucket + "/a b/large.bin", "s3://" + bucket + "/copy");
        aws(
                kubectl,
                "models",
                "s3",
                "cp",
                "s3://" + bucket + "/copy",
                files.resolve("copy").toString());
        assertThat(files.resolve("copy")).hasBinaryContent(bytes);
        assertThat(aws(kubectl, "models", "s3", "ls", "--recursive", bucket)).contains("a b/large.bin", "copy");
        assertThat(attempt(kubectl, "models", "s3", "ls", "s3://" + there.namespace())
                        .err())
                .contains("AccessDenied");

        // A bucket that the administrator has already is nobody's to claim.
        aws(there, "admin", "s3", "mb", "s3://" + name + "-taken");
        kubectl.withInput("""
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: thief}
                spec: {storageClassName: NAME, bucketName: NAME-taken}
                """.replace("NAME", name), "apply", "-f", "-");
        kubectl.await("objectbucketclaims.objectbucket.io/thief", "{.status.reason}", "BucketAlreadyExists");

        kubectl.run("delete", "obc", "models", "--timeout=120s");
        assertThat(aws(there, "admin", "s3", "ls")).contains(name + "-taken").doesNotContain(bucket);
    }
}
