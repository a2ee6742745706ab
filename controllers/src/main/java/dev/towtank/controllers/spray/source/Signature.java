package dev.towtank.controllers.spray.source;

import dev.towtank.cluster.web.WebRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Whether GitHub has sent what says so.
final class Signature {

    private Signature() {}

    /// As go-github checks it: the newer header counts where both are there, and only JSON and forms are looked at.
    static boolean isRight(WebRequest request, byte[] body, String secret) {
        var type = request.header("content-type")
                .toLowerCase(Locale.ROOT)
                .split(";", 2)[0]
                .strip();
        if (!type.equals("application/json") && !type.equals("application/x-www-form-urlencoded")) {
            return false;
        }
        var newer = request.header("x-hub-signature-256");
        return newer.isEmpty()
                ? isHmac("HmacSHA1", "sha1=", request.header("x-hub-signature"), body, secret)
                : isHmac("HmacSHA256", "sha256=", newer, body, secret);
    }

    private static boolean isHmac(String algorithm, String prefix, String shown, byte[] body, String secret) {
        if (!shown.startsWith(prefix)) {
            return false;
        }
        try {
            var mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), algorithm));
            return MessageDigest.isEqual(mac.doFinal(body), HexFormat.of().parseHex(shown.substring(prefix.length())));
        } catch (IllegalArgumentException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
