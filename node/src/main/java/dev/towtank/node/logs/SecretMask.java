package dev.towtank.node.logs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Blots secret values out of a log: each as it is, each line of those with several, and each in base64,
/// wherever in the encoded text it begins. Shorter ones than [#SHORTEST] bytes stay, for logs would become
/// unreadable: such are `true`, `admin` or a port.
public final class SecretMask {

    public static final int SHORTEST = 6;

    private static final byte[] MASK = "***".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST = 16 * 1024;
    private static final int SIEVE = 1 << 14;

    private final Map<Integer, List<byte[]>> byStart = new HashMap<>();
    private final long[] sieve = new long[SIEVE / 64];
    private int longest;

    private SecretMask() {}

    public static SecretMask of(Collection<String> values) {
        var mask = new SecretMask();
        var patterns = new LinkedHashSet<String>();
        for (var value : values) {
            var all = value.getBytes(StandardCharsets.UTF_8);
            encoded(all, patterns);
            for (var line : latin(all).split("[\r\n]+", -1)) {
                patterns.add(line);
                encoded(line.getBytes(StandardCharsets.ISO_8859_1), patterns);
            }
        }
        patterns.forEach(pattern -> mask.add(pattern.getBytes(StandardCharsets.ISO_8859_1)));
        return mask;
    }

    /// In front of the value may be 0, 1 or 2 bytes of something else in its group of three: what then does
    /// not depend on the neighbours is looked for.
    private static void encoded(byte[] value, Collection<String> patterns) {
        if (value.length < SHORTEST) {
            return;
        }
        for (int before = 0; before < 3; before++) {
            var shifted = new byte[before + value.length];
            System.arraycopy(value, 0, shifted, before, value.length);
            int from = before == 0 ? 0 : before + 1;
            int to = shifted.length * 8 / 6;
            var standard =
                    latin(Base64.getEncoder().withoutPadding().encode(shifted)).substring(from, to);
            patterns.add(standard);
            patterns.add(standard.replace('+', '-').replace('/', '_'));
        }
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private void add(byte[] pattern) {
        for (int from = 0; from < pattern.length; from += LONGEST) {
            var piece = Arrays.copyOfRange(pattern, from, Math.min(pattern.length, from + LONGEST));
            if (piece.length < SHORTEST) {
                continue;
            }
            int start = start(piece, 0);
            byStart.computeIfAbsent(start, _ -> new ArrayList<>()).add(piece);
            sieve[slot(start) / 64] |= 1L << slot(start);
            longest = Math.max(longest, piece.length);
        }
    }

    /// How many bytes behind a place must be known to tell what begins there.
    int longest() {
        return longest;
    }

    /// The first place from `cut` on where the bytes can be divided without dividing a secret.
    int dividable(byte[] bytes, int from, int to, int cut) {
        int end = cut;
        for (int at = Math.max(from, cut - longest); at < end; at++) {
            end = Math.max(end, at + matchAt(bytes, at, to));
        }
        return end;
    }

    /// Appends the bytes without the secrets.
    void copy(byte[] bytes, int from, int to, Bytes out) {
        if (longest == 0) {
            out.append(bytes, from, to - from);
            return;
        }
        int kept = from;
        int secretEnd = from;
        for (int at = from; at <= to - SHORTEST; at++) {
            int length = matchAt(bytes, at, to);
            if (length == 0 || at + length <= secretEnd) {
                continue;
            }
            if (at > secretEnd || secretEnd == from) {
                out.append(bytes, kept, Math.max(at - kept, 0));
                out.append(MASK, 0, MASK.length);
            }
            secretEnd = at + length;
            kept = secretEnd;
        }
        out.append(bytes, kept, to - kept);
    }

    /// A text without the secrets.
    public String masked(String text) {
        if (longest == 0) {
            return text;
        }
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var out = new Bytes();
        copy(bytes, 0, bytes.length, out);
        return new String(out.array(), 0, out.length(), StandardCharsets.UTF_8);
    }

    /// The length of the longest secret that begins there.
    private int matchAt(byte[] bytes, int at, int to) {
        if (at + SHORTEST > to) {
            return 0;
        }
        int start = start(bytes, at);
        if ((sieve[slot(start) / 64] & (1L << slot(start))) == 0) {
            return 0;
        }
        int found = 0;
        for (var pattern : byStart.getOrDefault(start, List.of())) {
            int end = at + pattern.length;
            if (pattern.length > found && end <= to && Arrays.equals(pattern, 0, pattern.length, bytes, at, end)) {
                found = pattern.length;
            }
        }
        return found;
    }

    private static int start(byte[] bytes, int at) {
        return ((bytes[at] & 0xff) << 24)
                | ((bytes[at + 1] & 0xff) << 16)
                | ((bytes[at + 2] & 0xff) << 8)
                | (bytes[at + 3] & 0xff);
    }

    private static int slot(int start) {
        return (start * 0x9e3779b1) >>> 18;
    }

    @Override
    public String toString() {
        return "SecretMask";
    }
}
