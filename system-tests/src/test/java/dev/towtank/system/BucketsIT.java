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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Claimed buckets with real kubectl and Amazon's own client.
class BucketsIT {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @TempDir
    Path files;

    private Kubectl kubectl;

    @BeforeEach
    void makeNamespace() {
        kubectl = SERVER.inNewNamespace();
    }

    /// Keys, and the bucket that they open.
    private record Keys(String bucket, String access, String secret) {}

    private void claim(String name, String spec) {
        kubectl.withInput("""
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: %s}
                spec: {storageClassName: openshift-storage.noobaa.io, %s}
                """.formatted(name, spec), "apply", "-f", "-");
    }

    private Keys bound(String name, String spec) {
        claim(name, spec);
        kubectl.await("objectbucketclaims.objectbucket.io/" + name, "{.items[*].status.phase}{.status.phase}", "Bound");
        return keys(name);
    }

    private Keys keys(String name) {
        return new Keys(
                kubectl.run("get", "configmap", name, "-o", "jsonpath={.data.BUCKET_NAME}"),
                secret(name, "AWS_ACCESS_KEY_ID"),
                secret(name, "AWS_SECRET_ACCESS_KEY"));
    }

    private String secret(String name, String key) {
        var text = kubectl.run("get", "secret", name, "-o", "jsonpath={.data." + key + "}");
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }

    private String port(String name) {
        return kubectl.in("openshift-storage")
                .run("get", "endpointslice", "s3-towtank", "-o", "jsonpath={.ports[?(@.name==\"" + name + "\")].port}");
    }

    private Program.Outcome attempt(Keys keys, String... arguments) {
        return Program.run(command(arguments), "", environment(keys));
    }

    /// Goes on until it is destroyed.
    private Process start(Keys keys, String... arguments) throws IOException {
        var builder = new ProcessBuilder(command(arguments)).redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).environment().putAll(environment(keys));
        return builder.start();
    }

    private List<String> command(String... arguments) {
        var command = new ArrayList<>(List.of("/usr/bin/aws", "--endpoint-url", "http://127.0.0.1:" + port("s3")));
        command.addAll(List.of(arguments));
        return command;
    }

    private Map<String, String> environment(Keys keys) {
        return Map.of(
                "AWS_ACCESS_KEY_ID",
                keys.access,
                "AWS_SECRET_ACCESS_KEY",
                keys.secret,
                "AWS_DEFAULT_REGION",
                "us-east-1",
                "AWS_MAX_ATTEMPTS",
                "1",
                "AWS_CONFIG_FILE",
                files.resolve("none").toString(),
                "AWS_EC2_METADATA_DISABLED",
                "true");
    }

    private String aws(Keys keys, String... arguments) {
        var outcome = attempt(keys, arguments);
        assertThat(outcome.exit()).as(outcome.toString()).isZero();
        return outcome.out();
    }

    /// OBC-1, OBC-2, OBC-3, OBC-7.
    @Test
    void aClaimGetsABucketWithKeysOfItsOwn() throws IOException {
        var keys = bound("models", "generateBucketName: models");
        var address = "s3://" + keys.bucket;
        assertThat(keys.bucket).startsWith("models-");
        assertThat(kubectl.run("get", "obcs").lines().findFirst().orElseThrow())
                .matches("NAME +STORAGE-CLASS +PHASE +AGE *");
        assertThat(kubectl.run("get", "obc", "models")).contains("openshift-storage.noobaa.io", "Bound");
        assertThat(kubectl.run(
                        "get", "obc", "models", "-o", "jsonpath={.metadata.finalizers} {.spec.objectBucketName}"))
                .isEqualTo("[\"objectbucket.io/finalizer\"] obc-" + kubectl.namespace() + "-models");
        for (var kind : new String[] {"secret", "configmap"}) {
            assertThat(kubectl.run(
                            "get",
                            kind,
                            "models",
                            "-o",
                            "jsonpath={.metadata.ownerReferences[*].kind}" + " {.metadata.finalizers}"))
                    .isEqualTo("ObjectBucketClaim [\"objectbucket.io/finalizer\"]");
        }
        kubectl.await(
                "objectbuckets.objectbucket.io/obc-" + kubectl.namespace() + "-models", "{.status.phase}", "Bound");
        assertThat(kubectl.run("get", "ob")).contains("obc-" + kubectl.namespace() + "-models", "Bound");
        assertThat(kubectl.run("get", "configmap", "models", "-o", "jsonpath={.data}"))
                .contains("\"BUCKET_HOST\":\"s3.openshift-storage.svc\"", "\"BUCKET_PORT\":\"443\"");

        var small = Files.writeString(files.resolve("small.txt"), "hello");
        aws(keys, "s3", "cp", small.toString(), address + "/a/../b/small file+1.txt");
        assertThat(aws(keys, "s3", "cp", address + "/a/../b/small file+1.txt", "-"))
                .isEqualTo("hello");
        assertThat(aws(keys, "s3", "ls", "--recursive", address)).contains("a/../b/small file+1.txt");
        assertThat(aws(keys, "s3", "ls", address + "/")).contains("PRE a/");
        assertThat(aws(keys, "s3", "ls")).contains(keys.bucket);

        var bytes = new byte[20 << 20];
        new Random(1).nextBytes(bytes);
        var large = Files.write(files.resolve("large.bin"), bytes);
        aws(keys, "s3", "cp", large.toString(), address + "/large.bin");
        aws(keys, "s3", "cp", address + "/large.bin", files.resolve("back.bin").toString());
        assertThat(files.resolve("back.bin")).hasBinaryContent(bytes);
        assertThat(aws(keys, "s3api", "head-object", "--bucket", keys.bucket, "--key", "large.bin"))
                .contains("-3\\\"", "20971520");

        aws(keys, "s3", "rm", "--recursive", address);
        assertThat(aws(keys, "s3api", "list-objects-v2", "--bucket", keys.bucket))
                .doesNotContain("Key");
    }

    /// OBC-4 and the table of failures, wrong and unknown keys.
    @Test
    void keysOfOneClaimOpenNothingElse() throws IOException {
        var one = bound("one", "bucketName: " + kubectl.namespace() + "-one");
        var two = bound("two", "bucketName: " + kubectl.namespace() + "-two");
        var file = Files.writeString(files.resolve("x"), "x");
        aws(one, "s3", "cp", file.toString(), "s3://" + one.bucket + "/x");

        assertThat(attempt(two, "s3", "cp", "s3://" + one.bucket + "/x", "-").err())
                .contains("403");
        assertThat(attempt(two, "s3", "ls", "s3://" + one.bucket).err()).contains("AccessDenied");
        assertThat(attempt(two, "s3", "cp", "s3://" + one.bucket + "/x", "s3://" + two.bucket + "/x")
                        .exit())
                .isNotZero();
        assertThat(attempt(two, "s3", "mb", "s3://another").err()).contains("AccessDenied");
        assertThat(attempt(new Keys(one.bucket, one.access, "wrong"), "s3", "ls", "s3://" + one.bucket)
                        .err())
                .contains("SignatureDoesNotMatch");
        assertThat(attempt(new Keys(one.bucket, "NOBODY", "wrong"), "s3", "ls", "s3://" + one.bucket)
                        .err())
                .contains("InvalidAccessKeyId");
    }

    /// OBC-5, OBC-6 and OBC-8: a class of one's own that keeps what was claimed, and puts no more than NooBaa does into
    /// Secrets.
    @Test
    void aClassDecidesWhatIsToldAndWhatIsKept() {
        var name = kubectl.namespace();
        kubectl.withInput("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: NAME}
                provisioner: towtank.dev/bucket
                reclaimPolicy: Retain
                ---
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: model-storage, annotations: {towtank.dev/secret-alias: model-storage-obc-secret}}
                spec: {storageClassName: NAME, bucketName: NAME-kept}
                ---
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: waiting}
                spec: {storageClassName: nobody, bucketName: NAME-waiting}
                """.replace("NAME", name), "apply", "-f", "-");
        kubectl.await("objectbucketclaims.objectbucket.io/model-storage", "{.status.phase}", "Bound");
        var keys = kubectl.run("get", "secret", "model-storage", "-o", "jsonpath={.data}");
        assertThat(keys).contains("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY").doesNotContain("AWS_S3", "REGION");
        assertThat(kubectl.run("get", "secret", "model-storage-obc-secret", "-o", "jsonpath={.data}"))
                .isEqualTo(keys);
        kubectl.await(
                "objectbucketclaims.objectbucket.io/waiting",
                "{.status.phase} {.status.reason}",
                "Pending StorageClassNotFound");

        kubectl.run("annotate", "obc", "model-storage", "towtank.dev/rotate-keys=now");
        kubectl.await("secrets/model-storage-obc-secret", "{.metadata.annotations.towtank\\.dev/rotate-keys}", "now");
        assertThat(kubectl.run("get", "secret", "model-storage-obc-secret", "-o", "jsonpath={.data}"))
                .isEqualTo(kubectl.run("get", "secret", "model-storage", "-o", "jsonpath={.data}"))
                .isNotEqualTo(keys);

        var rotated = keys("model-storage");
        kubectl.run("delete", "obc", "model-storage", "--timeout=120s");
        kubectl.run("wait", "--for=delete", "secret/model-storage-obc-secret", "--timeout=120s");
        assertThat(attempt(rotated, "s3", "ls").err()).contains("InvalidAccessKeyId");
        var kept = "obc-" + name + "-model-storage";
        assertThat(kubectl.run("get", "ob", kept, "-o", "jsonpath={.status.phase}"))
                .isEqualTo("Released");
        claim("thief", "bucketName: " + name + "-kept");
        kubectl.await("objectbucketclaims.objectbucket.io/thief", "{.status.reason}", "BucketAlreadyExists");
        kubectl.run("delete", "ob", kept, "--timeout=120s");
    }

    /// OBC-3 and bad input, a bucket of somebody else.
    @Test
    void aBucketOfSomebodyElseCannotBeClaimed() {
        var one = bound("first", "bucketName: " + kubectl.namespace() + "-taken");
        claim("second", "bucketName: " + one.bucket);
        kubectl.await("objectbucketclaims.objectbucket.io/second", "{.items[*].status.phase}{.status.phase}", "Failed");

        assertThat(kubectl.run("get", "obc", "second", "-o", "jsonpath={.status.reason}"))
                .isEqualTo("BucketAlreadyExists");
        assertThat(kubectl.attempt("get", "secret", "second").exit()).isNotZero();
    }

    /// OBC-6.
    @Test
    void newKeysMakeTheOldOnesWorthlessAndSoDoesTheEndOfTheClaim() {
        var old = bound("turning", "generateBucketName: turning");
        kubectl.run("annotate", "obc", "turning", "towtank.dev/rotate-keys=monday");
        kubectl.await(
                "secrets/turning",
                "{.items[*].metadata.annotations.towtank\\.dev/rotate-keys}{.metadata.annotations.towtank\\.dev/rotate-keys}",
                "monday");
        var rotated = keys("turning");
        assertThat(attempt(old, "s3", "ls", "s3://" + old.bucket).err()).contains("InvalidAccessKeyId");
        aws(rotated, "s3", "ls", "s3://" + old.bucket);

        kubectl.run("delete", "obc", "turning", "--timeout=120s");
        assertThat(attempt(rotated, "s3", "ls", "s3://" + old.bucket).err()).contains("InvalidAccessKeyId");
        assertThat(kubectl.attempt("get", "secret", "turning").exit()).isNotZero();
        assertThat(kubectl.run("get", "ob")).doesNotContain("turning");
    }

    /// As pods reach it by `https://s3.openshift-storage.svc`, with the authority that they have.
    @Test
    void theStoreAnswersOverTlsWithOurOwnAuthority() throws IOException {
        var keys = bound("sealed", "generateBucketName: sealed");
        kubectl.await("configmaps/kube-root-ca.crt", "{.metadata.name}", "kube-root-ca.crt");
        var authority = Files.writeString(
                files.resolve("ca.crt"),
                kubectl.run("get", "configmap", "kube-root-ca.crt", "-o", "jsonpath={.data.ca\\.crt}"));
        var address = "https://s3.openshift-storage.svc:" + port("s3-https");
        var host = "s3.openshift-storage.svc:" + port("s3-https") + ":127.0.0.1";
        var trusted = Program.run(List.of(
                "curl", "-sS", "--cacert", authority.toString(), "--resolve", host, address + "/" + keys.bucket));
        assertThat(trusted.out()).contains("AccessDenied");
        var stranger = Program.run(List.of("curl", "-sS", "--resolve", host, address + "/" + keys.bucket));
        assertThat(stranger.exit()).isEqualTo(60);
    }

    /// Bad input, forged signatures in presigned addresses.
    @Test
    void aPresignedAddressIsAllThatSomebodyNeeds() throws IOException {
        var keys = bound("shared", "generateBucketName: shared");
        var file = Files.writeString(files.resolve("x"), "for you");
        aws(keys, "s3", "cp", file.toString(), "s3://" + keys.bucket + "/x y");
        var address = aws(keys, "s3", "presign", "s3://" + keys.bucket + "/x y").strip();

        assertThat(Program.run(List.of("curl", "-sS", address)).out()).isEqualTo("for you");
        assertThat(Program.run(List.of("curl", "-sS", address.replace("/x%20y", "/z")))
                        .out())
                .contains("SignatureDoesNotMatch");
    }

    @Test
    void nothingIsLostOrHalfThereWhenTheServerIsKilled() throws Exception {
        var old = bound("survivor", "generateBucketName: survivor");
        var file = Files.writeString(files.resolve("x"), "kept");
        aws(old, "s3", "cp", file.toString(), "s3://" + old.bucket + "/x");
        var half = start(old, "s3", "cp", "-", "s3://" + old.bucket + "/half");
        try (var input = half.getOutputStream()) {
            input.write(new byte[24 << 20]);
            input.flush();
            awaitUpload(old);
            // Neither the upload nor the rotation has come to its end, or one may just have.
            kubectl.run("annotate", "obc", "survivor", "towtank.dev/rotate-keys=now");
            SERVER.replace(RunningTowtank::killAndStart);
        } catch (IOException e) {
            // the client has seen the end of the server
        } finally {
            half.destroyForcibly();
        }
        kubectl.await(
                "secrets/survivor",
                "{.items[*].metadata.annotations.towtank\\.dev/rotate-keys}{.metadata.annotations.towtank\\.dev/rotate-keys}",
                "now");
        var rotated = keys("survivor");
        // Where the store listens now is told beside the start.
        Eventually.holds(() -> assertThat(aws(rotated, "s3", "cp", "s3://" + old.bucket + "/x", "-"))
                .isEqualTo("kept"));
        assertThat(attempt(rotated, "s3", "cp", "s3://" + old.bucket + "/half", "-")
                        .err())
                .contains("404");
        assertThat(attempt(old, "s3", "ls", "s3://" + old.bucket).err()).contains("InvalidAccessKeyId");
    }

    private void awaitUpload(Keys keys) {
        Eventually.holds(() -> assertThat(aws(keys, "s3api", "list-multipart-uploads", "--bucket", keys.bucket))
                .contains("UploadId"));
    }
}
