package dev.towtank.model.template.crypto;

import java.math.BigInteger;
import java.util.Arrays;

/// Hashes of passwords by Blowfish with an expensive key schedule, in the form `$2a$10$…`.
public final class Bcrypt {
    private static final String DIGITS = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int[] TEXT = {0x4f727068, 0x65616e42, 0x65686f6c, 0x64657253, 0x63727944, 0x6f756274};
    private static final int SALT = 16;
    private static final int MOST = 72;
    private static final int SUBKEYS = 18;
    private static final int BOX = 256;

    // Subkeys, and behind them the four boxes.
    private final int[] state;

    private Bcrypt() {
        state = Pi.DIGITS.clone();
    }

    /// The digits of pi behind the point, 32 bits each, with which every schedule begins.
    private static final class Pi {
        private static final int GUARD = 64;
        private static final int[] DIGITS = digits(SUBKEYS + 4 * BOX);

        private static int[] digits(int words) {
            int bits = words * Integer.SIZE + GUARD;
            // Machin: pi = 16 arctan(1/5) - 4 arctan(1/239).
            var pi = arctan(5, bits).shiftLeft(4).subtract(arctan(239, bits).shiftLeft(2));
            var fraction = pi.subtract(BigInteger.valueOf(3).shiftLeft(bits)).shiftRight(GUARD);
            var digits = new int[words];
            for (int i = words - 1; i >= 0; i--) {
                digits[i] = fraction.intValue();
                fraction = fraction.shiftRight(Integer.SIZE);
            }
            return digits;
        }

        private static BigInteger arctan(int inverse, int bits) {
            var square = BigInteger.valueOf((long) inverse * inverse);
            var power = BigInteger.ONE.shiftLeft(bits).divide(BigInteger.valueOf(inverse));
            var sum = power;
            for (int divisor = 3; power.signum() != 0; divisor += 2) {
                power = power.divide(square).negate();
                sum = sum.add(power.divide(BigInteger.valueOf(divisor)));
            }
            return sum;
        }
    }

    /// @param salt of 16 bytes
    /// @param cost the logarithm of the number of rounds
    public static String hash(byte[] password, byte[] salt, int cost) {
        if (password.length > MOST) {
            throw new CryptoError("bcrypt: password length exceeds 72 bytes");
        }
        if (salt.length != SALT) {
            throw new IllegalArgumentException("a salt has 16 bytes");
        }
        // The zero behind the password belongs to it.
        var key = Arrays.copyOf(password, password.length + 1);
        var cipher = new Bcrypt();
        cipher.expand(key, salt);
        var none = new byte[SALT];
        for (long i = 0; i < 1L << cost; i++) {
            cipher.expand(key, none);
            cipher.expand(salt, none);
        }
        return "$2a$%02d$".formatted(cost) + encode(salt, SALT) + encode(cipher.seal(), 23);
    }

    private byte[] seal() {
        var words = TEXT.clone();
        var pair = new int[2];
        for (int i = 0; i < words.length; i += 2) {
            pair[0] = words[i];
            pair[1] = words[i + 1];
            for (int round = 0; round < 64; round++) {
                encipher(pair);
            }
            words[i] = pair[0];
            words[i + 1] = pair[1];
        }
        var out = new byte[words.length * 4];
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) (words[i / 4] >> (24 - 8 * (i % 4)));
        }
        return out;
    }

    private void expand(byte[] key, byte[] salt) {
        for (int i = 0, at = 0; i < SUBKEYS; i++, at += 4) {
            state[i] ^= word(key, at);
        }
        var pair = new int[2];
        for (int i = 0, at = 0; i < state.length; i += 2, at += 8) {
            pair[0] ^= word(salt, at);
            pair[1] ^= word(salt, at + 4);
            encipher(pair);
            state[i] = pair[0];
            state[i + 1] = pair[1];
        }
    }

    private static int word(byte[] bytes, int at) {
        int word = 0;
        for (int i = 0; i < 4; i++) {
            word = (word << 8) | (bytes[(at + i) % bytes.length] & 0xFF);
        }
        return word;
    }

    private void encipher(int[] pair) {
        int left = pair[0] ^ state[0];
        int right = pair[1];
        for (int i = 1; i < SUBKEYS - 1; i += 2) {
            right ^= mix(left) ^ state[i];
            left ^= mix(right) ^ state[i + 1];
        }
        pair[0] = right ^ state[SUBKEYS - 1];
        pair[1] = left;
    }

    private int mix(int word) {
        int sum = state[SUBKEYS + (word >>> 24)] + state[SUBKEYS + BOX + ((word >> 16) & 0xFF)];
        return (sum ^ state[SUBKEYS + 2 * BOX + ((word >> 8) & 0xFF)]) + state[SUBKEYS + 3 * BOX + (word & 0xFF)];
    }

    private static String encode(byte[] bytes, int length) {
        var out = new StringBuilder();
        for (int bit = 0; bit < length * 8; bit += 6) {
            int at = bit / 8;
            int two = ((bytes[at] & 0xFF) << 8) | (at + 1 < length ? bytes[at + 1] & 0xFF : 0);
            out.append(DIGITS.charAt((two >> (10 - bit % 8)) & 63));
        }
        return out.toString();
    }
}
