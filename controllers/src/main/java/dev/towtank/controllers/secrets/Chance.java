package dev.towtank.controllers.secrets;

import dev.towtank.model.template.functions.Ambient;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What templates know of time and chance. For one refresh of one object it is always the same: so what was written can
/// be compared with what would be written, and only somebody who knows our key could tell it beforehand.
final class Chance {

    private static final int KEY_BYTES = 32;

    private final byte[] key;

    Chance() {
        this(new byte[KEY_BYTES]);
        new SecureRandom().nextBytes(key);
    }

    /// @param key that a server keeps, so that the next one finds the work of this one as it should be
    Chance(byte[] key) {
        this.key = key;
    }

    /// @param round tells objects apart, and refreshes of one in the same second
    Ambient of(String round, Instant refresh) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            // Seeded before its first use, this one is a function of its seed.
            var random = SecureRandom.getInstance("SHA1PRNG");
            random.setSeed(mac.doFinal((round + "@" + refresh.getEpochSecond()).getBytes(StandardCharsets.UTF_8)));
            return new Ambient(Instant.ofEpochSecond(refresh.getEpochSecond()), ZoneOffset.UTC, random);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
