package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Whether a forge has sent what says so.
final class Signatures {

    private Signatures() {}

    static boolean isRight(GitEvent.Forge forge, Map<String, String> headers, byte[] body, String secret) {
        if (secret.isEmpty()) {
            return false;
        }
        return switch (forge) {
            case GITHUB -> {
                var newer = headers.getOrDefault("x-hub-signature-256", "");
                yield newer.isEmpty()
                        ? isHmac("HmacSHA1", headers.getOrDefault("x-hub-signature", ""), "sha1=", body, secret)
                        : isHmac("HmacSHA256", newer, "sha256=", body, secret);
            }
            case GITEA -> {
                var signature =
                        headers.getOrDefault("x-forgejo-signature", headers.getOrDefault("x-gitea-signature", ""));
                yield isHmac("HmacSHA256", signature, "", body, secret);
            }
            case GITLAB -> isSame(headers.getOrDefault("x-gitlab-token", ""), secret);
            case LOCAL -> false;
        };
    }

    static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isHmac(String algorithm, String signature, String prefix, byte[] body, String secret) {
        if (signature.isEmpty() || !signature.startsWith(prefix)) {
            return false;
        }
        try {
            var mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), algorithm));
            return MessageDigest.isEqual(
                    mac.doFinal(body), HexFormat.of().parseHex(signature.substring(prefix.length())));
        } catch (IllegalArgumentException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
