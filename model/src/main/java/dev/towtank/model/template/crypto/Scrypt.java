package dev.towtank.model.template.crypto;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Keys of passwords by much memory, as in RFC 7914.
public final class Scrypt {
    private static final int BLOCK = 16;

    private Scrypt() {}

    /// @param cost a power of two: how many blocks are kept
    /// @param size of a block, in units of 128 bytes
    /// @param lanes how often all of it is done
    public static byte[] key(byte[] password, byte[] salt, int cost, int size, int lanes, int length) {
        var blocks = stretch(password, salt, lanes * 128 * size);
        int words = 32 * size;
        for (int lane = 0; lane < lanes; lane++) {
            var block = new int[words];
            for (int i = 0; i < words; i++) {
                block[i] = word(blocks, (lane * words + i) * 4);
            }
            mix(block, cost);
            for (int i = 0; i < words; i++) {
                for (int j = 0; j < 4; j++) {
                    blocks[(lane * words + i) * 4 + j] = (byte) (block[i] >> (8 * j));
                }
            }
        }
        return stretch(password, blocks, length);
    }

    private static int word(byte[] bytes, int at) {
        return (bytes[at] & 0xFF)
                | ((bytes[at + 1] & 0xFF) << 8)
                | ((bytes[at + 2] & 0xFF) << 16)
                | ((bytes[at + 3] & 0xFF) << 24);
    }

    // One round of PBKDF2 with HMAC of SHA-256.
    private static byte[] stretch(byte[] password, byte[] salt, int length) {
        var out = new byte[length];
        for (int block = 1, at = 0; at < length; block++, at += 32) {
            var counted = Arrays.copyOf(salt, salt.length + 4);
            for (int i = 0; i < 4; i++) {
                counted[salt.length + i] = (byte) (block >> (24 - 8 * i));
            }
            System.arraycopy(hmac(password, counted), 0, out, at, Math.min(32, length - at));
        }
        return out;
    }

    static byte[] hmac(byte[] key, byte[] text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            // An empty key is refused by the JDK, and the same as one zero.
            mac.init(new SecretKeySpec(key.length == 0 ? new byte[1] : key, "HmacSHA256"));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }

    private static void mix(int[] block, int cost) {
        int words = block.length;
        var kept = new int[cost * words];
        var scratch = new int[words];
        for (int i = 0; i < cost; i++) {
            System.arraycopy(block, 0, kept, i * words, words);
            mixBlocks(block, scratch);
        }
        for (int i = 0; i < cost; i++) {
            int from = (block[words - BLOCK] & (cost - 1)) * words;
            for (int j = 0; j < words; j++) {
                block[j] ^= kept[from + j];
            }
            mixBlocks(block, scratch);
        }
    }

    private static void mixBlocks(int[] block, int[] out) {
        int count = block.length / BLOCK;
        var x = Arrays.copyOfRange(block, block.length - BLOCK, block.length);
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < BLOCK; j++) {
                x[j] ^= block[i * BLOCK + j];
            }
            salsa(x);
            System.arraycopy(x, 0, out, (i / 2 + (i % 2) * (count / 2)) * BLOCK, BLOCK);
        }
        System.arraycopy(out, 0, block, 0, block.length);
    }

    // Eight rounds of Salsa20: columns, then rows.
    private static void salsa(int[] words) {
        var x = words.clone();
        for (int round = 0; round < 8; round += 2) {
            for (int i = 0; i < 4; i++) {
                quarter(x, 5 * i, (5 * i + 4) % 16, (5 * i + 8) % 16, (5 * i + 12) % 16);
            }
            for (int i = 0; i < 4; i++) {
                int row = 4 * i;
                quarter(x, row + i, row + (i + 1) % 4, row + (i + 2) % 4, row + (i + 3) % 4);
            }
        }
        for (int i = 0; i < BLOCK; i++) {
            words[i] += x[i];
        }
    }

    private static void quarter(int[] x, int a, int b, int c, int d) {
        x[b] ^= Integer.rotateLeft(x[a] + x[d], 7);
        x[c] ^= Integer.rotateLeft(x[b] + x[a], 9);
        x[d] ^= Integer.rotateLeft(x[c] + x[b], 13);
        x[a] ^= Integer.rotateLeft(x[d] + x[c], 18);
    }
}
