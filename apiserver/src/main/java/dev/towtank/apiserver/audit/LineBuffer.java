package dev.towtank.apiserver.audit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// JSON text that grows at its end. Lines are many and alike, so they are written as bytes and not as trees.
final class LineBuffer {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int INITIAL = 64 * 1024;

    private byte[] bytes = new byte[INITIAL];
    private int size;

    int size() {
        return size;
    }

    /// Drops what comes behind.
    void cut(int at) {
        size = at;
    }

    void clear() {
        size = 0;
        if (bytes.length > 16 * INITIAL) {
            bytes = new byte[INITIAL];
        }
    }

    ByteBuffer content() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    /// Text of ours: plain ASCII that needs no escapes.
    @SuppressWarnings("deprecation") // the one way to copy ASCII without a temporary array
    LineBuffer raw(String text) {
        int length = text.length();
        reserve(length);
        text.getBytes(0, length, bytes, size);
        size += length;
        return this;
    }

    LineBuffer raw(byte[] json) {
        reserve(json.length);
        System.arraycopy(json, 0, bytes, size, json.length);
        size += json.length;
        return this;
    }

    /// A string of JSON, in quotes.
    LineBuffer text(String text) {
        int length = text.length();
        reserve(6 * length + 2);
        bytes[size++] = '"';
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                i += wide(text, i);
            } else if (c < ' ' || c == '"' || c == '\\' || c == 0x7f) {
                escape(c);
            } else {
                bytes[size++] = (byte) c;
            }
        }
        bytes[size++] = '"';
        return this;
    }

    /// Begins a member of an object: its name, with a comma before unless it is the first.
    LineBuffer member(String name) {
        if (bytes[size - 1] != '{') {
            bytes[size++] = ',';
        }
        return text(name).raw(":");
    }

    LineBuffer optional(String name, String value) {
        return value.isEmpty() ? this : member(name).text(value);
    }

    private void escape(char c) {
        bytes[size++] = '\\';
        if (c == '"' || c == '\\') {
            bytes[size++] = (byte) c;
            return;
        }
        bytes[size++] = 'u';
        bytes[size++] = '0';
        bytes[size++] = '0';
        bytes[size++] = HEX[c >> 4];
        bytes[size++] = HEX[c & 15];
    }

    /// @return how many more characters it took
    private int wide(String text, int at) {
        int codePoint = text.codePointAt(at);
        boolean broken = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        var encoded = (broken ? "\ufffd" : Character.toString(codePoint)).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(encoded, 0, bytes, size, encoded.length);
        size += encoded.length;
        return Character.charCount(codePoint) - 1;
    }

    private void reserve(int more) {
        // Room for a comma, too.
        if (size + more + 1 > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more + 1));
        }
    }
}
