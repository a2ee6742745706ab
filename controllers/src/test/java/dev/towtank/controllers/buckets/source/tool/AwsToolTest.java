package dev.towtank.controllers.buckets.source.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.buckets.source.BucketStore;
import dev.towtank.controllers.buckets.source.S3Site;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is expected here is what awscli 2.9 of Debian says and does.
class AwsToolTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));

    @TempDir
    Path directory;

    private S3Site site;
    private Map<String, String> environment;
    private String out;
    private String err;

    @BeforeEach
    void open() throws IOException {
        var store = new BucketStore(() -> directory.resolve("store"), CLOCK);
        var keys = store.provide(new BucketStore.Wanted("one", "models", "", 2)).orElseThrow();
        site = S3Site.of(store, CLOCK);
        environment = new HashMap<>(Map.of(
                "AWS_ACCESS_KEY_ID", keys.string("accessKey"),
                "AWS_SECRET_ACCESS_KEY", keys.string("secretKey"),
                "AWS_ENDPOINT_URL", "http://127.0.0.1:" + site.port()));
    }

    @AfterEach
    void close() {
        site.close();
    }

    private int aws(String... arguments) {
        var first = new ByteArrayOutputStream();
        var second = new ByteArrayOutputStream();
        int code = new AwsTool(
                        environment,
                        CLOCK,
                        new PrintStream(first, true, StandardCharsets.UTF_8),
                        new PrintStream(second, true, StandardCharsets.UTF_8))
                .run(List.of(arguments));
        out = first.toString(StandardCharsets.UTF_8);
        err = second.toString(StandardCharsets.UTF_8);
        return code;
    }

    private Json.Obj json() {
        return JsonText.parseObject(out.getBytes(StandardCharsets.UTF_8));
    }

    private String file(String text) throws IOException {
        return Files.writeString(directory.resolve("file.txt"), text).toString();
    }

    @Test
    void filesGoToABucketAndComeBack() throws IOException {
        assertThat(aws("s3", "cp", file("hello"), "s3://models/a b/ä/", "--quiet"))
                .isZero();
        assertThat(aws("s3", "ls", "s3://models")).isZero();
        assertThat(out).isEqualTo(" ".repeat(27) + "PRE a b/\n");
        assertThat(aws("s3", "ls", "s3://models/a b/ä/")).isZero();
        assertThat(out).matches("2026-01-02 \\d\\d:\\d\\d:05 {10}5 file.txt\n");
        assertThat(aws("s3", "ls", "s3://models/nothing")).isEqualTo(1);
        assertThat(aws("s3", "cp", "s3://models/a b/ä/file.txt", "-")).isZero();
        assertThat(out).isEqualTo("hello");
        assertThat(aws("s3", "cp", "s3://models/a b/ä/file.txt", "s3://models/copy"))
                .isZero();

        var back = directory.resolve("back");
        assertThat(aws("s3", "cp", "--recursive", "s3://models", back.toString()))
                .isZero();
        assertThat(back.resolve("a b/ä/file.txt")).hasContent("hello");
        assertThat(back.resolve("copy")).hasContent("hello");
        assertThat(aws("s3", "cp", "--recursive", back.toString(), "s3://models/again"))
                .isZero();
        assertThat(aws("s3", "rm", "--recursive", "s3://models/a b")).isZero();
        assertThat(aws("s3", "ls", "--recursive", "s3://models")).isZero();
        assertThat(out).contains(" copy\n", "again/a b/ä/file.txt").doesNotContain("5 a b/");
    }

    @Test
    void singleRequestsAnswerInJson() throws IOException {
        assertThat(aws(
                        "s3api",
                        "put-object",
                        "--bucket",
                        "models",
                        "--key",
                        "k",
                        "--body",
                        file("x"),
                        "--metadata",
                        "placeholder=true"))
                .isZero();
        assertThat(json().string("ETag")).matches("\"[0-9a-f]{32}\"");
        assertThat(aws(
                        "s3api",
                        "put-object",
                        "--bucket=models",
                        "--key=k",
                        "--body",
                        file("y"),
                        "--if-none-match",
                        "*"))
                .isEqualTo(254);
        assertThat(err).contains("An error occurred (PreconditionFailed) when calling the PutObject operation: ");
        assertThat(aws("s3api", "head-object", "--bucket", "models", "--key", "k"))
                .isZero();
        assertThat(json().integer("ContentLength")).isEqualTo(1);
        assertThat(json().string("Metadata", "placeholder")).isEqualTo("true");
        var back = directory.resolve("back");
        assertThat(aws("s3api", "get-object", "--bucket", "models", "--key", "k", back.toString()))
                .isZero();
        assertThat(back).hasContent("x");
        assertThat(aws("s3api", "list-objects-v2", "--bucket", "models", "--max-items", "1"))
                .isZero();
        assertThat(json().objects("Contents").getFirst().string("Key")).isEqualTo("k");
        assertThat(aws("s3api", "delete-object", "--bucket", "models", "--key", "k"))
                .isZero();
        assertThat(aws("s3api", "list-objects-v2", "--bucket", "models")).isZero();
        assertThat(out).isEmpty();
        assertThat(aws("s3api", "head-object", "--bucket", "models", "--key", "k"))
                .isEqualTo(254);
        assertThat(err).isEqualTo("\nAn error occurred (404) when calling the HeadObject operation: Not Found\n");
    }

    @Test
    void bucketsAreMadeAndRemovedByThoseWhoMay() throws IOException {
        assertThat(aws("s3", "mb", "s3://further")).isZero();
        assertThat(aws("s3", "ls")).isZero();
        assertThat(out).contains(" further\n", " models\n");
        aws("s3", "cp", file("x"), "s3://further/");
        assertThat(aws("s3", "rb", "s3://further")).isEqualTo(254);
        assertThat(err).contains("(BucketNotEmpty) when calling the DeleteBucket operation");
        assertThat(aws("s3", "rb", "--force", "s3://further")).isZero();
        assertThat(aws("s3api", "head-bucket", "--bucket", "further")).isEqualTo(254);
    }

    /// The table of failures: wrong key, unknown key, nobody there, no such bucket.
    @Test
    void failuresEndAsAmazonsDo() {
        var right = Map.copyOf(environment);
        environment.put("AWS_SECRET_ACCESS_KEY", "wrong");
        assertThat(aws("s3", "ls", "s3://models")).isEqualTo(254);
        assertThat(err).contains("(SignatureDoesNotMatch) when calling the ListObjectsV2 operation");
        environment.put("AWS_ACCESS_KEY_ID", "NOBODY");
        assertThat(aws("s3", "ls", "s3://models")).isEqualTo(254);
        assertThat(err).contains("(InvalidAccessKeyId)").doesNotContain("wrong");
        environment.remove("AWS_ACCESS_KEY_ID");
        assertThat(aws("s3", "ls", "s3://models")).isEqualTo(253);
        assertThat(err).contains("Unable to locate credentials");

        environment.putAll(right);
        assertThat(aws("s3", "ls", "s3://of-nobody")).isEqualTo(254);
        assertThat(err).contains("(NoSuchBucket)");
        assertThat(aws("--endpoint-url", "http://127.0.0.1:9", "s3", "ls")).isEqualTo(255);
        assertThat(err).contains("Could not connect to the endpoint URL: \"http://127.0.0.1:9/\"", "refused");
        assertThat(aws("s3", "cp", "s3://models/none", directory.resolve("x").toString()))
                .isEqualTo(1);
        assertThat(err).contains("download failed: s3://models/none").contains("(NoSuchKey)");
        assertThat(directory.resolve("x")).doesNotExist();
    }

    @Test
    void whatItDoesNotKnowItRefusesByName() {
        for (var words :
                List.of("ec2 run", "s3 sync a b", "s3 ls --profile x", "s3api put-bucket-acl", "s3 ls --output text")) {
            assertThat(aws(words.split(" "))).as(words).isEqualTo(252);
            assertThat(err).contains("aws: error: ", "install awscli on the machine");
        }
    }

    /// A key may be called `../../etc/cron.d/x`; a copy of a bucket stays where it was asked for.
    @Test
    void aKeyDoesNotLeadOutOfTheDirectory() throws IOException {
        for (var key : List.of("../escaped", "a/../../escaped", "//escaped-root")) {
            aws("s3api", "put-object", "--bucket", "models", "--key", key, "--body", file("evil"));
            assertThat(aws(
                            "s3",
                            "cp",
                            "--recursive",
                            "s3://models",
                            directory.resolve("below").toString()))
                    .isEqualTo(1);
            assertThat(directory.resolve("escaped")).doesNotExist();
            assertThat(Path.of("/escaped-root")).doesNotExist();
            aws("s3", "rm", "--recursive", "s3://models");
        }
    }
}
