package dev.towtank.controllers.buckets.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.buckets.s3.OutsideKey;
import dev.towtank.controllers.buckets.s3.OutsidePlace;
import dev.towtank.controllers.buckets.s3.S3Keys;
import dev.towtank.controllers.buckets.s3.Signing;
import dev.towtank.controllers.buckets.s3.UriText;
import dev.towtank.model.Json;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An object store elsewhere is another one of ours: its administrator has the keys of a claim that may make buckets.
class OutsideBucketsTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));
    private static final OutsideKey KEY = new OutsideKey("default", "minio");

    @TempDir
    Path directory;

    private BucketStore far;
    private BucketStore near;
    private S3Site farSite;
    private S3Site nearSite;
    private OutsideStores stores;
    private OutsideBuckets buckets;
    private Optional<OutsidePlace> place;

    @BeforeEach
    void open() throws IOException {
        stores = new OutsideStores(CLOCK);
        far = new BucketStore(() -> directory.resolve("far"), CLOCK);
        farSite = new S3Site(new S3Server(far, new Gateway(stores, _ -> Optional.empty()), CLOCK));
        place = Optional.of(farSite.place(
                far.provide(new BucketStore.Wanted("admin", "of-admin", "", 2)).orElseThrow()));
        near = new BucketStore(() -> directory.resolve("near"), CLOCK);
        nearSite = new S3Site(new S3Server(near, new Gateway(stores, _ -> place), CLOCK));
        buckets = new OutsideBuckets(near, stores, _ -> place);
    }

    @AfterEach
    void close() {
        nearSite.close();
        farSite.close();
        stores.close();
    }

    private Json.Obj provided(String claim, String bucket, String rotation) throws Exception {
        return buckets.provide(new BucketStore.Wanted(claim, bucket, rotation, 0), KEY)
                .orElseThrow();
    }

    private HttpResponse<?> ask(Json.Obj keys, OutsideStores.Call call) throws Exception {
        return stores.send(nearSite.place(keys), call);
    }

    private static OutsideStores.Call put(String bucket, String key, String text, String hash, String... header) {
        return new OutsideStores.Call(
                "PUT",
                bucket,
                key,
                List.of(),
                header.length == 0 ? Map.of() : Map.of(header[0], header[1]),
                hash,
                BodyPublishers.ofString(text),
                Duration.ofSeconds(10));
    }

    private static OutsideStores.Call put(String bucket, String key, String text) {
        return put(bucket, key, text, Signing.sha256(text));
    }

    private String text(Json.Obj keys, OutsideStores.Call call) throws Exception {
        try (var body = stores.send(nearSite.place(keys), call).body()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void whatIsWrittenWithKeysOfOursIsElsewhere() throws Exception {
        var keys = provided("one", "models", "");
        assertThat(keys.string("accessKey"))
                .isNotEqualTo(place.orElseThrow().keys().accessKey());

        assertThat(ask(keys, put("models", "a/../b ä+1", "hello", S3Keys.UNSIGNED, "x-amz-meta-from", "near"))
                        .statusCode())
                .isEqualTo(200);
        var there = far.bucket("models").find("a/../b ä+1").orElseThrow();
        assertThat(there.headers()).containsEntry("x-amz-meta-from", "near");
        var read = ask(keys, OutsideStores.Call.of("GET", "models", "a/../b ä+1"));
        assertThat(read.headers().firstValue("etag")).contains("\"" + there.etag() + "\"");
        assertThat(text(keys, OutsideStores.Call.of("GET", "models", "a/../b ä+1")))
                .isEqualTo("hello");
        assertThat(text(keys, OutsideStores.Call.of("GET", "models", "", new UriText.Parameter("prefix", "a/"))))
                .contains("<Key>a/../b ä+1</Key>");
        assertThat(ask(keys, OutsideStores.Call.of("HEAD", "models", "nothing")).statusCode())
                .isEqualTo(404);
        ask(keys, OutsideStores.Call.of("DELETE", "models", "a/../b ä+1"));
        assertThat(far.bucket("models").objects()).isEmpty();
    }

    @Test
    void keysOpenNothingElseThereThoughTheAdministratorsWould() throws Exception {
        var one = provided("one", "models", "");
        var two = provided("two", "others", "");
        ask(two, put("others", "hidden", "two's"));

        assertThat(text(one, OutsideStores.Call.of("GET", "others", "hidden"))).contains("AccessDenied");
        assertThat(text(one, OutsideStores.Call.of("GET", "of-admin", ""))).contains("AccessDenied");
        assertThat(text(one, put("models", "copy", "", Signing.NOTHING, "x-amz-copy-source", "/others/hidden")))
                .contains("AccessDenied");
        assertThat(text(one, OutsideStores.Call.of("DELETE", "models", ""))).contains("AccessDenied");
        assertThat(text(one, OutsideStores.Call.of("PUT", "another", ""))).contains("AccessDenied");
        assertThat(text(one, OutsideStores.Call.of("GET", "models", "", new UriText.Parameter("policy", ""))))
                .contains("NotImplemented");
        assertThat(far.bucketsOf("admin")).containsExactly("models", "of-admin", "others");
    }

    @Test
    void newKeysAndTheEndOfAClaimCountAtOnce() throws Exception {
        var old = provided("one", "models", "");
        ask(old, put("models", "x", "y"));
        var rotated = provided("one", "models", "monday");
        assertThat(text(old, OutsideStores.Call.of("GET", "models", "x"))).contains("InvalidAccessKeyId");
        assertThat(text(rotated, OutsideStores.Call.of("GET", "models", "x"))).isEqualTo("y");

        near.revoke("one");
        buckets.remove("one", "models");
        near.removeAll("one");
        assertThat(text(rotated, OutsideStores.Call.of("GET", "models", "x"))).contains("InvalidAccessKeyId");
        assertThat(far.bucketsOf("admin")).containsExactly("of-admin");
    }

    @Test
    void aBucketThatIsThereAlreadyIsNeverTaken() throws Exception {
        far.provide(new BucketStore.Wanted("stranger", "of-stranger", "", 0));
        for (var bucket : List.of("of-stranger", "of-admin")) {
            assertThat(buckets.provide(new BucketStore.Wanted("one", bucket, "", 0), KEY))
                    .isEmpty();
        }
        provided("one", "models", "");
        assertThat(buckets.provide(new BucketStore.Wanted("two", "models", "", 0), KEY))
                .isEmpty();
    }

    /// Killed between the two stores.
    @Test
    void whatACrashLeftHalfDoneIsFinished() throws Exception {
        near.own("models", new Owner("one", Optional.of(KEY), false));
        assertThat(provided("one", "models", "")).isNotNull();
        near.own("models", new Owner("one", Optional.of(KEY), false));
        assertThat(provided("one", "models", "")).isNotNull();

        near = new BucketStore(() -> directory.resolve("near"), CLOCK);
        assertThat(near.outside("one", "models")).contains(KEY);
        assertThat(near.outside("two", "models")).isEmpty();
    }

    /// Somebody on the way changed bytes: there must be no such object afterwards.
    @Test
    void aBodyThatIsNotWhatWasSaidIsNotStored() throws Exception {
        var keys = provided("one", "models", "");
        var large = "x".repeat(200_000);
        assertThat(text(keys, put("models", "forged", large, Signing.sha256("other"))))
                .contains("XAmzContentSHA256Mismatch");
        assertThat(text(keys, put("models", "forged", large, S3Keys.UNSIGNED, "x-amz-checksum-crc32", "AAAAAA==")))
                .contains("BadDigest");
        assertThat(far.bucket("models").objects()).isEmpty();
    }

    @Test
    void whatIsWrongElsewhereIsToldWithoutKeys() throws Exception {
        var keys = provided("one", "models", "");
        var admin = place.orElseThrow();
        place = Optional.of(new OutsidePlace(admin.endpoint(), new S3Keys("NOBODY", "hush", S3Keys.USUAL_REGION), ""));
        assertThatThrownBy(() -> provided("two", "others", ""))
                .hasMessageContaining("does not take the keys of its administrator: it answers 403 InvalidAccessKeyId")
                .hasMessageNotContaining("hush");
        place = Optional.empty();
        assertThat(text(keys, OutsideStores.Call.of("GET", "models", "x")))
                .contains("ServiceUnavailable", "StorageClass minio does not say where it is");
        assertThatThrownBy(() -> buckets.remove("one", "models")).hasMessageContaining("StorageClass minio is gone");

        place = Optional.of(admin);
        farSite.close();
        assertThat(text(keys, OutsideStores.Call.of("GET", "models", "x"))).contains("ServiceUnavailable");
        assertThatThrownBy(() -> provided("two", "others", "")).hasMessageContaining("127.0.0.1:" + farSite.port());
    }

    @Test
    void furtherBucketsAreMadeAndDeletedByThoseWhoMay() throws Exception {
        var admin = place.orElseThrow();
        var none = far.provide(new BucketStore.Wanted("plain", "plain", "", 0)).orElseThrow();
        try (var answer = stores.send(farSite.place(none), OutsideStores.Call.of("PUT", "more", ""))
                .body()) {
            assertThat(new String(answer.readAllBytes(), StandardCharsets.UTF_8))
                    .contains("AccessDenied");
        }
        assertThat(stores.make(admin, "first")).isTrue();
        assertThat(stores.make(admin, "first")).isTrue();
        assertThat(stores.make(admin, "plain")).isFalse();
        assertThat(stores.make(admin, "second")).isTrue();
        assertThatThrownBy(() -> stores.make(admin, "third")).hasMessageContaining("TooManyBuckets");
        assertThat(stores.send(admin, put("first", "x", "y")).statusCode()).isEqualTo(200);
        assertThat(stores.send(admin, OutsideStores.Call.of("DELETE", "first", ""))
                        .statusCode())
                .isEqualTo(409);
        stores.remove(admin, "first");
        assertThat(far.bucketsOf("admin")).containsExactly("of-admin", "second");
        far.removeAll("admin");
        assertThat(far.bucketsOf("admin")).isEmpty();
    }
}
