package dev.towtank.apiserver.auth;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Signed tokens in the compact form of RFC 7515, with the one algorithm that their key has.
///
/// No message here repeats any part of a token.
final class Jwt {

    /// Tokens of ours have about 1,200 characters; what is much longer is not looked at.
    static final int MAX_LENGTH = 16 * 1024;

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private Jwt() {}

    /// The token is not one that we signed, or says something that does not hold.
    static final class Invalid extends RuntimeException {
        private static final long serialVersionUID = 1;

        Invalid(String why) {
            super(why, null, false, false);
        }
    }

    static String encode(byte[] bytes) {
        return ENCODER.encodeToString(bytes);
    }

    static String sign(TokenKey key, Json.Obj claims) {
        var header = Json.Obj.of("alg", Json.of(key.algorithm().name()), "kid", Json.of(key.id()));
        var signed = encode(JsonText.bytes(header)) + "." + encode(JsonText.bytes(claims));
        try {
            var signature = Signature.getInstance(key.algorithm().signature());
            signature.initSign(key.privateKey());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + encode(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign with the service account key", e);
        }
    }

    /// The claims without any check, only to see whose token it might be; null where it is no JWT.
    static Json.@Nullable Obj peek(String token) {
        var parts = token.length() > MAX_LENGTH ? new String[0] : token.split("\\.", -1);
        if (parts.length != 3) {
            return null;
        }
        try {
            return object(parts[1]);
        } catch (Invalid e) {
            return null;
        }
    }

    /// The claims of a token with a good signature by one of our keys.
    static Json.Obj verify(String token, Function<String, @Nullable TokenKey> keys) {
        var parts = token.length() > MAX_LENGTH ? new String[0] : token.split("\\.", -1);
        if (parts.length != 3) {
            throw new Invalid("not a signed token");
        }
        var header = object(parts[0]);
        var key = keys.apply(header.string("kid"));
        if (key == null) {
            throw new Invalid("signed with an unknown key");
        }
        if (!key.algorithm().name().equals(header.string("alg")) || header.has("crit") || header.has("b64")) {
            throw new Invalid("unsupported signature algorithm");
        }
        var claims = object(parts[1]);
        var signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
        if (!isSigned(key, signed, decode(parts[2]))) {
            throw new Invalid("wrong signature");
        }
        return claims;
    }

    private static boolean isSigned(TokenKey key, byte[] text, byte[] proof) {
        if (proof.length != key.algorithm().signatureBytes()) {
            return false;
        }
        try {
            var signature = Signature.getInstance(key.algorithm().signature());
            signature.initVerify(key.publicKey());
            signature.update(text);
            return signature.verify(proof);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static Json.Obj object(String part) {
        var duplicates = new ArrayList<String>();
        try {
            if (JsonText.parse(decode(part), duplicates::add) instanceof Json.Obj object && duplicates.isEmpty()) {
                return object;
            }
        } catch (JsonText.Malformed e) {
            throw new Invalid("not readable");
        }
        throw new Invalid("not readable");
    }

    private static byte[] decode(String part) {
        try {
            var bytes = DECODER.decode(part);
            if (encode(bytes).equals(part)) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            throw new Invalid("not readable");
        }
        // The same bytes in another spelling: nobody who signs writes that.
        throw new Invalid("not readable");
    }
}
