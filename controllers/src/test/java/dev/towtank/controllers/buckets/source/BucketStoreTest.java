package dev.towtank.controllers.buckets.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.model.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BucketStoreTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));

    @TempDir
    Path directory;

    private BucketStore store;

    @BeforeEach
    void open() {
        store = new BucketStore(() -> directory, CLOCK);
    }

    private Json.Obj keys(String claim, String bucket, String rotation) throws IOException {
        return store.provide(new BucketStore.Wanted(claim, bucket, rotation, 0)).orElseThrow();
    }

    private Optional<Json.Obj> provided(String claim, String bucket) throws IOException {
        return store.provide(new BucketStore.Wanted(claim, bucket, "", 0));
    }

    private void put(String key, String text) throws IOException, S3Refusal {
        var bucket = store.bucket("models");
        var piece = bucket.receive(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), text.length());
        bucket.put(key, "tag", Map.of(), List.of(piece), Precondition.NONE);
    }

    private Optional<String> get(String key) throws IOException {
        var bucket = store.bucket("models");
        var found = bucket.find(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var out = new ByteArrayOutputStream();
        new ObjectBody(bucket, found.get(), new ByteRange(0, found.get().size())).writeTo(out);
        return Optional.of(out.toString(StandardCharsets.UTF_8));
    }

    private List<Path> files(String below) throws IOException {
        try (var all = Files.list(directory.resolve("buckets/models").resolve(below))) {
            return all.toList();
        }
    }

    @Test
    void whoAsksAgainGetsTheSameKeysAlsoAfterARestart() throws IOException {
        var keys = keys("one", "models", "");
        assertThat(keys("one", "models", "")).isEqualTo(keys);
        open();
        assertThat(keys("one", "models", "")).isEqualTo(keys);
    }

    /// OBC-3.
    @Test
    void aBucketIsNeverGivenToASecondClaim() throws IOException {
        keys("one", "models", "");
        assertThat(provided("two", "models")).isEmpty();
        store.revoke("one"); // retained
        assertThat(provided("two", "models")).isEmpty();
        store.remove("two", "models");
        assertThat(provided("two", "models")).isEmpty();
        store.remove("one", "models");
        assertThat(provided("two", "models")).isPresent();
    }

    /// OBC-4, OBC-6.
    @Test
    void rotatedKeysOpenNothingAnyMore() throws IOException {
        var old = keys("one", "models", "");
        var rotated = keys("one", "models", "monday");

        assertThat(store.grant(old.string("accessKey"))).isEmpty();
        assertThat(store.grant(rotated.string("accessKey"))).isPresent();
        store.revoke("one");
        assertThat(store.grant(rotated.string("accessKey"))).isEmpty();
        open();
        assertThat(store.grant(rotated.string("accessKey"))).isEmpty();
    }

    /// Bad input, object keys with `..`.
    @Test
    void aKeyNeverBecomesAPath() throws IOException, S3Refusal {
        keys("one", "models", "");
        var tricks = List.of("../../../escape", "/etc/passwd", "a/../b", "a", "a/", "a\0b", "x".repeat(1000), ".");
        for (var trick : tricks) {
            put(trick, "bytes of " + trick);
        }
        for (var trick : tricks) {
            assertThat(get(trick)).contains("bytes of " + trick);
        }
        assertThat(files("objects")).hasSize(tricks.size()).allMatch(Files::isRegularFile);
        assertThat(directory.resolve("escape")).doesNotExist();
    }

    /// Bad input, bucket names with tricks.
    @Test
    void aBucketWithTricksInItsNameIsNone() {
        for (var name : List.of("..", "../x", "a/b", "UPPER", "a", "-abc", "a..b", "")) {
            assertThatThrownBy(() -> provided("one", name)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void anObjectIsThereAfterARestartAndItsBytesGoWithIt() throws IOException, S3Refusal {
        keys("one", "models", "");
        put("model.pkl", "first");
        put("model.pkl", "second");
        open();

        assertThat(get("model.pkl")).contains("second");
        assertThat(files("data")).hasSize(1);
        store.bucket("models").delete("model.pkl");
        assertThat(get("model.pkl")).isEmpty();
        assertThat(files("data")).isEmpty();
    }

    /// Bad input, an S3 client that stops in the middle.
    @Test
    void aClientThatStopsInTheMiddleLeavesTheOldObjectAndNothingElse() throws IOException, S3Refusal {
        keys("one", "models", "");
        put("model.pkl", "old");
        var broken = new SequenceInputStream(new ByteArrayInputStream(new byte[10]), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("gone");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                throw new IOException("gone");
            }
        });

        assertThatThrownBy(() -> store.bucket("models").receive(broken, 100)).isInstanceOf(IOException.class);
        assertThat(get("model.pkl")).contains("old");
        assertThat(files("data")).hasSize(1);
    }

    @Test
    void whatACrashLeftIsClearedAway() throws IOException, S3Refusal {
        keys("one", "models", "");
        put("model.pkl", "whole");
        Files.writeString(directory.resolve("buckets/models/data/half"), "ha");
        Files.writeString(directory.resolve("buckets/models/objects/x.unfinished"), "{");
        open();

        assertThat(get("model.pkl")).contains("whole");
        assertThat(files("data")).hasSize(1);
        assertThat(files("objects")).hasSize(1);
    }

    /// Bad input, an upload on a full disk.
    @Test
    void whatDoesNotFitOnTheDiskIsRefusedBeforeItComes() throws IOException {
        keys("one", "models", "");
        assertThatThrownBy(() -> store.bucket("models").receive(InputStream.nullInputStream(), Long.MAX_VALUE / 2))
                .isInstanceOfSatisfying(
                        S3Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo("InsufficientStorage"));
        assertThat(files("data")).isEmpty();
    }

    /// Bad input, half a multipart upload.
    @Test
    void halfAnUploadLivesThroughARestartAndCanBeAborted() throws IOException, S3Refusal {
        keys("one", "models", "");
        var bucket = store.bucket("models");
        var upload = bucket.uploads().begin("big", Map.of());
        bucket.uploads().put(upload, 1, "0".repeat(32), bucket.receive(new ByteArrayInputStream(new byte[9]), 9));
        open();

        var uploads = store.bucket("models").uploads();
        var found = uploads.find(upload.id(), "big");
        assertThat(found.parts()).containsOnlyKeys(1);
        assertThat(get("big")).isEmpty();
        uploads.abort(found);
        assertThat(files("data")).isEmpty();
        assertThat(files("uploads")).isEmpty();
    }
}
