package dev.towtank.controllers.buckets.s3;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// AWS Signature Version 4: how a key is derived and a text signed.
///
/// One is for a moment and a scope, with the key that is derived for them.
public final class Signing {

    public static final String ALGORITHM = "AWS4-HMAC-SHA256";

    /// The SHA-256 of nothing.
    public static final String NOTHING = sha256("");

    private final String moment;
    private final String scope;
    private final byte[] key;

    private Signing(String moment, String scope, byte[] key) {
        this.moment = moment;
        this.scope = scope;
        this.key = key;
    }

    /// @param moment as it was sent: `20130524T000000Z`
    /// @param scope `20130524/us-east-1/s3/aws4_request`
    public static Signing of(String secretKey, String moment, String scope) {
        var derived = ("AWS4" + secretKey).getBytes(StandardCharsets.UTF_8);
        for (var part : scope.split("/", -1)) {
            derived = hmac(derived, part);
        }
        return new Signing(moment, scope, derived);
    }

    /// Of a whole request.
    public String ofRequest(String canonicalRequest) {
        return sign(ALGORITHM + "\n" + moment + "\n" + scope + "\n" + sha256(canonicalRequest));
    }

    /// Of a piece of a body that is sent in pieces.
    ///
    /// @param before the signature of the piece before, or of the request
    /// @param hash of its bytes
    public String ofChunk(String before, String hash) {
        return sign(String.join("\n", ALGORITHM + "-PAYLOAD", moment, scope, before, NOTHING, hash));
    }

    /// Of the headers that come behind such a body.
    public String ofTrailer(String before, String trailers) {
        return sign(String.join("\n", ALGORITHM + "-TRAILER", moment, scope, before, sha256(trailers)));
    }

    private String sign(String text) {
        return HexFormat.of().formatHex(hmac(key, text));
    }

    /// In the same time wherever they differ.
    public static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    public static String sha256(String text) {
        return HexFormat.of().formatHex(digest("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /// One of those that every Java has.
    public static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "signing for " + scope;
    }
}
