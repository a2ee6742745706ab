package dev.towtank.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads JSON as machines write it, in one pass over its bytes. Whatever is unusual, and all that is wrong, it leaves
/// to the library, which says in what way. That one copies its table of names, some fifty kilobytes, for each text
/// that has a name of its own, as every pod has that knows who wrote it.
final class JsonScan {

    private static final int LONGEST_KEY = 64;
    private static final int MOST_DIGITS = 18;
    private static final int LONGEST_REAL = 100;

    /// Names of fields that were read lately, each in the place that its letters lead to; a new one takes the place
    /// of an old one. Nothing hangs on what is there: it saves memory, and to find a field by a name that is the
    /// same string is quicker.
    private static final @Nullable String[] NAMES = new String[1 << 12];

    private final byte[] text;
    private final int end;
    private int at;
    private int depth;

    // The fields and items of all that is open, the innermost last.
    private String[] keys = new String[32];
    private Json[] values = new Json[32];
    private int top;

    /// Not an error: somebody else has to look.
    private static final class Unusual extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Unusual() {
            super(null, null, false, false);
        }
    }

    private JsonScan(byte[] text, int from, int length) {
        this.text = text;
        this.at = from;
        this.end = from + length;
    }

    /// Null where the text is none, or not of the plain kind.
    static @Nullable Json parse(byte[] text, int from, int length) {
        try {
            var scan = new JsonScan(text, from, length);
            var value = scan.value();
            return scan.peek() == -1 ? value : null;
        } catch (Unusual e) {
            return null;
        }
    }

    /// The next byte that is not space, or -1.
    private int peek() {
        while (at < end) {
            byte b = text[at];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b & 0xFF;
            }
            at++;
        }
        return -1;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw new Unusual();
        }
        at++;
    }

    private boolean skip(char c) {
        if (peek() != c) {
            return false;
        }
        at++;
        return true;
    }

    private Json value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> new Json.Str(string());
            case 't' -> literal("true", Json.Bool.TRUE);
            case 'f' -> literal("false", Json.Bool.FALSE);
            case 'n' -> literal("null", Json.Null.NULL);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> throw new Unusual();
        };
    }

    private Json literal(String word, Json value) {
        for (int i = 0; i < word.length(); i++) {
            if (next() != word.charAt(i)) {
                throw new Unusual();
            }
        }
        return value;
    }

    private int next() {
        return at < end ? text[at++] : -1;
    }

    private void open() {
        at++;
        depth++;
        if (depth > JsonText.MAX_DEPTH) {
            throw new Unusual();
        }
    }

    private Json.Obj object() {
        open();
        int base = top;
        if (!skip('}')) {
            do {
                var key = key();
                expect(':');
                push(key, value());
            } while (skip(','));
            expect('}');
        }
        depth--;
        checkKeys(base);
        var object = base == top
                ? Json.Obj.EMPTY
                : new Json.Obj(Arrays.copyOfRange(keys, base, top), Arrays.copyOfRange(values, base, top));
        top = base;
        return object;
    }

    private Json.Arr array() {
        open();
        int base = top;
        if (!skip(']')) {
            do {
                push("", value());
            } while (skip(','));
            expect(']');
        }
        depth--;
        var items = base == top
                ? Json.Arr.EMPTY
                : new Json.Arr(Arrays.asList(values).subList(base, top));
        top = base;
        return items;
    }

    private void push(String key, Json value) {
        if (top == keys.length) {
            keys = Arrays.copyOf(keys, top * 2);
            values = Arrays.copyOf(values, top * 2);
        }
        keys[top] = key;
        values[top] = value;
        top++;
    }

    /// What stands twice is told by the other reader.
    private void checkKeys(int base) {
        if (top - base > KeyIndex.SCAN_LIMIT) {
            if (new HashSet<>(List.of(Arrays.copyOfRange(keys, base, top))).size() < top - base) {
                throw new Unusual();
            }
            return;
        }
        for (int i = base + 1; i < top; i++) {
            for (int j = base; j < i; j++) {
                if (keys[i].equals(keys[j])) {
                    throw new Unusual();
                }
            }
        }
    }

    private String key() {
        if (peek() != '"') {
            throw new Unusual();
        }
        int hash = 0;
        for (int i = at + 1; i < end; i++) {
            byte b = text[i];
            if (b == '"') {
                return name(at + 1, i, hash);
            }
            if (b < ' ' || b == '\\' || i - at > LONGEST_KEY) {
                break;
            }
            hash = 31 * hash + b;
        }
        return string();
    }

    private String name(int from, int until, int hash) {
        at = until + 1;
        int place = (hash ^ (hash >>> 12)) & (NAMES.length - 1);
        var known = NAMES[place];
        if (known != null && is(known, from, until)) {
            return known;
        }
        var name = new String(text, from, until - from, StandardCharsets.ISO_8859_1).intern();
        NAMES[place] = name;
        return name;
    }

    private boolean is(String name, int from, int until) {
        if (name.length() != until - from) {
            return false;
        }
        for (int i = from; i < until; i++) {
            if (name.charAt(i - from) != text[i]) {
                return false;
            }
        }
        return true;
    }

    private String string() {
        int from = ++at;
        boolean ascii = true;
        for (; at < end; at++) {
            byte b = text[at];
            if (b == '"') {
                var plain = ascii ? ascii(from, at) : unicode(from, at);
                at++;
                return plain;
            }
            if (b == '\\') {
                return withEscapes(from);
            }
            if (b >= 0 && b < ' ') {
                break;
            }
            ascii &= b >= 0;
        }
        throw new Unusual();
    }

    private String ascii(int from, int until) {
        return new String(text, from, until - from, StandardCharsets.ISO_8859_1);
    }

    private String unicode(int from, int until) {
        var decoded = new String(text, from, until - from, StandardCharsets.UTF_8);
        if (decoded.indexOf('\uFFFD') >= 0) {
            throw new Unusual(); // perhaps not UTF-8
        }
        return decoded;
    }

    private String withEscapes(int from) {
        var whole = new StringBuilder();
        int start = from;
        for (; at < end; at++) {
            byte b = text[at];
            if (b == '"') {
                whole.append(unicode(start, at));
                at++;
                return whole.toString();
            }
            if (b >= 0 && b < ' ') {
                break;
            }
            if (b == '\\') {
                whole.append(unicode(start, at));
                at++;
                whole.append(escaped());
                start = at + 1;
            }
        }
        throw new Unusual();
    }

    /// Leaves off at its last letter.
    private char escaped() {
        return switch (at < end ? text[at] : -1) {
            case '"' -> '"';
            case '\\' -> '\\';
            case '/' -> '/';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex();
            default -> throw new Unusual();
        };
    }

    private char hex() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            at++;
            int digit = at < end ? Character.digit(text[at], 16) : -1;
            if (digit < 0) {
                throw new Unusual();
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private Json number() {
        int from = at;
        boolean negative = text[at] == '-';
        if (negative) {
            at++;
        }
        int first = at;
        long number = 0;
        while (isDigit()) {
            number = number * 10 + (text[at] - '0');
            at++;
        }
        int digits = at - first;
        if (digits == 0 || (digits > 1 && text[first] == '0')) {
            throw new Unusual();
        }
        if (at < end && (text[at] == '.' || text[at] == 'e' || text[at] == 'E')) {
            return real(from);
        }
        if (digits > MOST_DIGITS) {
            throw new Unusual();
        }
        return new Json.Int(negative ? -number : number);
    }

    private boolean isDigit() {
        return at < end && text[at] >= '0' && text[at] <= '9';
    }

    private void digits() {
        if (!isDigit()) {
            throw new Unusual();
        }
        while (isDigit()) {
            at++;
        }
    }

    private Json real(int from) {
        if (text[at] == '.') {
            at++;
            digits();
        }
        if (at < end && (text[at] == 'e' || text[at] == 'E')) {
            at++;
            if (at < end && (text[at] == '+' || text[at] == '-')) {
                at++;
            }
            digits();
        }
        if (at - from > LONGEST_REAL) {
            throw new Unusual();
        }
        double value = Double.parseDouble(ascii(from, at));
        if (Double.isInfinite(value)) {
            throw new Unusual();
        }
        return new Json.Real(value);
    }
}
