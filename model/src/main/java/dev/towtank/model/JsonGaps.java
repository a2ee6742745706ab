package dev.towtank.model;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Passes over values in JSON text without reading them. What is passed over may be most of a text, as schemas are of a
/// definition, and a parser would look at every name in it.
///
/// Only where a value ends is found out, not whether it is well-formed: the text is one that was parsed before. Names
/// are
/// compared as they are written.
final class JsonGaps {

    private static final int ABSENT = -1;

    private JsonGaps() {}

    /// Where the value of a field of the outermost object begins, or -1 where there is none.
    static int field(byte[] text, String name) {
        var wanted = quoted(name);
        int at = next(text, 0);
        if (at == text.length || text[at] != '{') {
            return ABSENT;
        }
        at = next(text, at + 1);
        while (at < text.length && text[at] == '"') {
            int end = endOfString(text, at);
            int value = next(text, next(text, end) + 1);
            if (Arrays.equals(text, at, end, wanted, 0, wanted.length)) {
                return value;
            }
            at = next(text, end(text, value));
            if (at < text.length && text[at] == ',') {
                at = next(text, at + 1);
            }
        }
        return ABSENT;
    }

    /// The text with the value of every field of a name replaced by a short one.
    static byte[] shortened(byte[] text, String name) {
        var wanted = quoted(name);
        var kept = new ByteArrayOutputStream(1024);
        int from = 0;
        int at = 0;
        while (at < text.length) {
            if (text[at] != '"') {
                at++;
                continue;
            }
            int end = endOfString(text, at);
            int colon = next(text, end);
            boolean found =
                    Arrays.equals(text, at, end, wanted, 0, wanted.length) && colon < text.length && text[colon] == ':';
            if (found) {
                int value = next(text, colon + 1);
                kept.write(text, from, value - from);
                kept.write('0');
                from = end(text, value);
            }
            at = found ? from : end;
        }
        kept.write(text, from, text.length - from);
        return kept.toByteArray();
    }

    private static byte[] quoted(String name) {
        return ('"' + name + '"').getBytes(StandardCharsets.UTF_8);
    }

    /// The first place from here on that is no white space.
    private static int next(byte[] text, int from) {
        int at = from;
        while (at < text.length && isSpace(text[at])) {
            at++;
        }
        return Math.min(at, text.length);
    }

    private static boolean isSpace(byte each) {
        return each == ' ' || each == '\n' || each == '\t' || each == '\r';
    }

    /// Where the value that begins here has ended.
    static int end(byte[] text, int from) {
        if (from >= text.length) {
            throw cutOff();
        }
        return switch (text[from]) {
            case '"' -> endOfString(text, from);
            case '{', '[' -> endOfNested(text, from);
            default -> endOfWord(text, from);
        };
    }

    private static int endOfNested(byte[] text, int from) {
        int depth = 0;
        int at = from;
        while (at < text.length) {
            switch (text[at]) {
                case '"' -> at = endOfString(text, at);
                case '{', '[' -> {
                    depth++;
                    at++;
                }
                case '}', ']' -> {
                    depth--;
                    at++;
                    if (depth == 0) {
                        return at;
                    }
                }
                default -> at++;
            }
        }
        throw cutOff();
    }

    private static int endOfString(byte[] text, int from) {
        int at = from + 1;
        while (at < text.length && text[at] != '"') {
            at += text[at] == '\\' ? 2 : 1;
        }
        if (at >= text.length) {
            throw cutOff();
        }
        return at + 1;
    }

    private static int endOfWord(byte[] text, int from) {
        int at = from;
        while (at < text.length && text[at] != ',' && text[at] != '}' && text[at] != ']' && !isSpace(text[at])) {
            at++;
        }
        return at;
    }

    private static JsonText.Malformed cutOff() {
        return new JsonText.Malformed("unexpected end of JSON input");
    }
}
