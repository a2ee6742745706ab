package dev.towtank.model.template.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BcryptTest {
    private static final String DIGITS = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    @ParameterizedTest
    @CsvSource({
        "'', $2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.",
        "abc, $2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i",
        "a, $2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe",
    })
    void hashesAsEverybodyDoes(String password, String hash) {
        assertThat(Bcrypt.hash(password.getBytes(StandardCharsets.UTF_8), salt(hash.substring(7, 29)), 6))
                .isEqualTo(hash);
    }

    @Test
    void refusesMoreThanItLooksAt() {
        assertThatThrownBy(() -> Bcrypt.hash(new byte[73], new byte[16], 4)).hasMessageContaining("exceeds 72 bytes");
    }

    @Test
    void derivesKeysAsTheStandardSays() {
        var key = Scrypt.key(bytes("password"), bytes("NaCl"), 1024, 8, 16, 64);
        assertThat(HexFormat.of().formatHex(key))
                .startsWith("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162");
        assertThat(HexFormat.of().formatHex(Scrypt.key(bytes(""), bytes(""), 16, 1, 1, 64)))
                .startsWith("77d6576238657b203b19ca42c18a0497");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] salt(String text) {
        var salt = new byte[16];
        for (int bit = 0; bit < 128; bit++) {
            int digit = DIGITS.indexOf(text.charAt(bit / 6));
            salt[bit / 8] |= (byte) (((digit >> (5 - bit % 6)) & 1) << (7 - bit % 8));
        }
        return salt;
    }
}
