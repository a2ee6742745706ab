package dev.towtank.node.probes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// Unpacks texts that HTTP/2 has packed by a fixed code.
final class HuffmanCode {

    private static final int SHORTEST = 5;
    private static final int LONGEST = 30;

    /// How many bits each byte has: A for 5, and so on. Codes count up by length, then by byte.
    private static final String LENGTHS = "ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHF"
            + "IBCCCCCCCCCCCCCCCCCCCCCCDCDIOIJBKABABABBBACCBBBABCBAABCCCCCKGJIX"
            + "PRPPRRRSRSSSSSTSTTRSTSSSSQRSRSSTRQPRRSSQSRRTQRSSQQRQSRSSPRRRSRRS"
            + "VVPORSRUVVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVSVWVVWWWWWXWWWWWV";

    /// For each length the first code of it, and how many there are, and which bytes they stand for.
    private static final int[] FIRST = new int[LONGEST + 1];

    private static final byte[][] BYTES = new byte[LONGEST + 1][];

    static {
        int code = 0;
        for (int bits = SHORTEST; bits <= LONGEST; bits++) {
            var found = new ByteArrayOutputStream();
            for (int value = 0; value < LENGTHS.length(); value++) {
                if (LENGTHS.charAt(value) - 'A' + SHORTEST == bits) {
                    found.write(value);
                }
            }
            code <<= 1;
            FIRST[bits] = code;
            BYTES[bits] = found.toByteArray();
            code += found.size();
        }
    }

    private HuffmanCode() {}

    static byte[] unpacked(byte[] packed) throws IOException {
        var out = new ByteArrayOutputStream(packed.length * 2);
        int code = 0;
        int bits = 0;
        for (int i = 0; i < packed.length * 8; i++) {
            code = (code << 1) | ((packed[i / 8] >> (7 - i % 8)) & 1);
            bits++;
            if (bits > LONGEST) {
                throw new IOException("malformed header: a text is packed wrongly");
            }
            int number = code - FIRST[bits];
            if (bits >= SHORTEST && number >= 0 && number < BYTES[bits].length) {
                out.write(BYTES[bits][number]);
                code = 0;
                bits = 0;
            }
        }
        if (bits > 7 || code != (1 << bits) - 1) {
            throw new IOException("malformed header: a text is packed wrongly");
        }
        return out.toByteArray();
    }
}
