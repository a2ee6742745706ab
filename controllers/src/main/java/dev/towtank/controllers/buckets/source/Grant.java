package dev.towtank.controllers.buckets.source;

import dev.towtank.model.Json;
import java.security.SecureRandom;

/// Keys that open one bucket.
///
/// @param claim the uid of who has them
/// @param rotation what was asked for when they were made; another wish makes others
record Grant(String claim, String bucket, String accessKey, String secretKey, String rotation) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    private static final String LETTERS = CAPITALS + "abcdefghijklmnopqrstuvwxyz+/";

    static Grant make(String claim, String bucket, String rotation) {
        return new Grant(claim, bucket, random(CAPITALS, 20), random(LETTERS, 40), rotation);
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
                json.string("rotation"));
    }

    Json.Obj json() {
        return Json.Obj.builder()
                .put("claim", claim)
                .put("bucket", bucket)
                .put("accessKey", accessKey)
                .put("secretKey", secretKey)
                .put("rotation", rotation)
                .build();
    }

    @Override
    public String toString() {
        return "keys of the bucket " + bucket;
    }
}
