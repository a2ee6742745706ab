package dev.towtank.node.probes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Header blocks of HTTP/2 (RFC 7541), as far as a client needs them that allows no table of past headers.
final class HeaderBlock {

    /// What the fixed table has under a number, where we use it.
    static final int AUTHORITY = 1;

    static final int METHOD_POST = 3;
    static final int PATH = 4;
    static final int SCHEME_HTTP = 6;
    static final int CONTENT_TYPE = 31;
    static final int USER_AGENT = 58;

    private static final int LAST_FIXED = 61;
    private static final String STATUS = ":status";
    // The fixed table's entries 8 to 14.
    private static final String[] STATUSES = {"200", "204", "206", "304", "400", "404", "500"};

    private final byte[] block;
    private int at;

    private HeaderBlock(byte[] block) {
        this.block = block;
    }

    /// Writes headers, each of them in full.
    static final class Writer {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Writer fixed(int number) {
            out.write(0x80 | number);
            return this;
        }

        Writer named(int number, String value) {
            integer(0, 4, number);
            text(value);
            return this;
        }

        Writer header(String name, String value) {
            out.write(0);
            text(name);
            text(value);
            return this;
        }

        private void text(String text) {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            integer(0, 7, bytes.length);
            out.writeBytes(bytes);
        }

        private void integer(int flags, int bits, int value) {
            int most = (1 << bits) - 1;
            if (value < most) {
                out.write(flags | value);
                return;
            }
            out.write(flags | most);
            int rest = value - most;
            while (rest >= 0x80) {
                out.write(0x80 | (rest & 0x7f));
                rest >>>= 7;
            }
            out.write(rest);
        }

        byte[] bytes() {
            return out.toByteArray();
        }
    }

    /// The status, and those headers that are not in the fixed table: all that gRPC adds.
    ///
    /// @throws IOException the block is not well-formed, or speaks of a table that we did not allow
    static Map<String, String> read(byte[] block) throws IOException {
        return new HeaderBlock(block).read();
    }

    private Map<String, String> read() throws IOException {
        var headers = new HashMap<String, String>();
        while (at < block.length) {
            int first = block[at] & 0xff;
            if ((first & 0x80) != 0) {
                int number = integer(7);
                if (number >= 8 && number <= 14) {
                    headers.put(STATUS, STATUSES[number - 8]);
                } else {
                    check(number);
                }
            } else if ((first & 0xe0) == 0x20) {
                var _ = integer(5); // the size of a table that stays empty
            } else {
                literal(first, headers);
            }
        }
        return headers;
    }

    private void literal(int first, Map<String, String> headers) throws IOException {
        int number = integer((first & 0x40) != 0 ? 6 : 4);
        if (number == 0) {
            var name = text();
            headers.put(name, text());
            return;
        }
        check(number);
        var value = text();
        if (number >= 8 && number <= 14) {
            headers.put(STATUS, value);
        }
    }

    private static void check(int number) throws IOException {
        if (number < 1 || number > LAST_FIXED) {
            throw new IOException("malformed header: no entry " + number);
        }
    }

    private int integer(int bits) throws IOException {
        int most = (1 << bits) - 1;
        int value = next() & most;
        if (value < most) {
            return value;
        }
        for (int shift = 0; shift <= 21; shift += 7) {
            int more = next();
            value += (more & 0x7f) << shift;
            if ((more & 0x80) == 0) {
                return value;
            }
        }
        throw new IOException("malformed header: a number is too large");
    }

    private int next() throws IOException {
        if (at == block.length) {
            throw new IOException("malformed header: it ends too early");
        }
        return block[at++] & 0xff;
    }

    private String text() throws IOException {
        boolean packed = at < block.length && (block[at] & 0x80) != 0;
        int length = integer(7);
        if (length > block.length - at) {
            throw new IOException("malformed header: it ends too early");
        }
        var bytes = Arrays.copyOfRange(block, at, at + length);
        at += length;
        return new String(packed ? HuffmanCode.unpacked(bytes) : bytes, StandardCharsets.UTF_8);
    }
}
