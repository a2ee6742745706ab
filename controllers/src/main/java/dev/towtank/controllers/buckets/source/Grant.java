package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.OutsideKey;
import dev.towtank.model.Json;
import java.security.SecureRandom;
import java.util.Optional;

/// Keys that open the buckets of one claim.
///
/// @param claim the uid of who has them
/// @param rotation what was asked for when they were made; another wish makes others
/// @param more how many buckets beside the claim's own they may make
/// @param outside by which class the bucket is in another object store
record Grant(
        String claim,
        String bucket,
        String accessKey,
        String secretKey,
        String rotation,
        int more,
        Optional<OutsideKey> outside) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    private static final String LETTERS = CAPITALS + "abcdefghijklmnopqrstuvwxyz+/";

    static Grant make(BucketStore.Wanted wanted, Optional<OutsideKey> outside) {
        return new Grant(
                wanted.claim(),
                wanted.bucket(),
                random(CAPITALS, 20),
                random(LETTERS, 40),
                wanted.rotation(),
                wanted.more(),
                outside);
    }

    private static String random(String letters, int length) {
        var text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt(RANDOM.nextInt(letters.length())));
        }
        return text.toString();
    }

    static Grant read(Json.Obj json) {
        return new Grant(
                json.string("claim"),
                json.string("bucket"),
                json.string("accessKey"),
                json.string("secretKey"),
                json.string("rotation"),
                (int) json.integer("more"),
                OutsideKey.read(json));
    }

    boolean isFor(BucketStore.Wanted wanted) {
        return bucket.equals(wanted.bucket()) && rotation.equals(wanted.rotation()) && more == wanted.more();
    }

    Json.Obj json() {
        var json = Json.Obj.builder()
                .put("claim", claim)
                .put("bucket", bucket)
                .put("accessKey", accessKey)
                .put("secretKey", secretKey)
                .put("rotation", rotation)
                .put("more", more);
        outside.ifPresent(key -> json.put("outside", key.json()));
        return json.build();
    }

    @Override
    public String toString() {
        return "keys of the bucket " + bucket;
    }
}
