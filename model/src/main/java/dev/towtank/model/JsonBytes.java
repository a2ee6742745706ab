package dev.towtank.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// JSON as UTF-8 without spaces, in one growing array. Every write to the store passes here, and a library's
/// generator takes sixteen kilobytes of buffers on every new thread, of which an event needs one.
final class JsonBytes {

    private static final int ROOM_AT_FIRST = 2048;
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private byte[] text = new byte[ROOM_AT_FIRST];
    private int length;

    int length() {
        return length;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(text, length);
    }

    /// A part of what is in a larger text.
    void copyTo(byte[] target, int at, int from, int until) {
        System.arraycopy(text, from, target, at, until - from);
    }

    void write(Json json) {
        switch (json) {
            case Json.Null() -> ascii("null");
            case Json.Bool(var value) -> ascii(value ? "true" : "false");
            case Json.Int(var value) -> ascii(Long.toString(value));
            case Json.Real(var value) -> real(value);
            case Json.Str(var value) -> string(value);
            case Json.Arr arr -> array(arr);
            case Json.Obj obj -> object(obj);
        }
    }

    private void array(Json.Arr arr) {
        put('[');
        for (int i = 0; i < arr.size(); i++) {
            if (i > 0) {
                put(',');
            }
            write(arr.get(i));
        }
        put(']');
    }

    private void object(Json.Obj obj) {
        put('{');
        for (int i = 0; i < obj.size(); i++) {
            if (i > 0) {
                put(',');
            }
            key(obj.key(i));
            write(obj.value(i));
        }
        put('}');
    }

    void key(String name) {
        string(name);
        put(':');
    }

    void put(char c) {
        reserve(1);
        text[length++] = (byte) c;
    }

    // Go writes whole floating point numbers without a fraction, and clients compare texts.
    private void real(double value) {
        boolean isWhole = value == Math.rint(value) && Math.abs(value) < 1e15;
        ascii(isWhole ? Long.toString((long) value) : Double.toString(value));
    }

    private void ascii(String value) {
        reserve(value.length());
        for (int i = 0; i < value.length(); i++) {
            text[length + i] = (byte) value.charAt(i);
        }
        length += value.length();
    }

    void string(String value) {
        // Nearly every character takes one byte; the others ask for more where they come.
        reserve(value.length() + 2);
        text[length++] = '"';
        for (int i = plain(value, 0); i < value.length(); i = plain(value, i + 1)) {
            special(value.charAt(i), value.length() - i);
        }
        put('"');
    }

    /// @return where the next character is that does not stand for itself; all before are written
    private int plain(String value, int from) {
        var to = text;
        int at = length;
        int i = from;
        for (; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                break;
            }
            to[at++] = (byte) c;
        }
        length = at;
        return i;
    }

    private void special(char c, int left) {
        reserve(6 + left);
        switch (c) {
            case '"', '\\' -> escape(c);
            case '\b' -> escape('b');
            case '\t' -> escape('t');
            case '\n' -> escape('n');
            case '\f' -> escape('f');
            case '\r' -> escape('r');
            default -> other(c);
        }
    }

    private void escape(char c) {
        text[length++] = '\\';
        text[length++] = (byte) c;
    }

    // Halves of pairs are escaped each on its own, so that one without the other can be written, too.
    private void other(char c) {
        if (c < ' ' || Character.isSurrogate(c)) {
            escape('u');
            for (int shift = 12; shift >= 0; shift -= 4) {
                text[length++] = HEX[(c >> shift) & 0xF];
            }
        } else if (c < 0x80) {
            text[length++] = (byte) c;
        } else if (c < 0x800) {
            text[length++] = (byte) (0xC0 | (c >> 6));
            text[length++] = (byte) (0x80 | (c & 0x3F));
        } else {
            text[length++] = (byte) (0xE0 | (c >> 12));
            text[length++] = (byte) (0x80 | ((c >> 6) & 0x3F));
            text[length++] = (byte) (0x80 | (c & 0x3F));
        }
    }

    private void reserve(int more) {
        int needed = Math.addExact(length, more);
        if (needed > text.length) {
            text = Arrays.copyOf(text, Math.max(needed, (int) Math.min(2L * text.length, Integer.MAX_VALUE - 8)));
        }
    }
}
