package dev.towtank.model.wording;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// What Go's reader of JSON says about text that is none: clients and people look for its words.
public final class GoJson {

    private enum Inside {
        OBJECT,
        ARRAY
    }

    private static final class Problem extends RuntimeException {
        private static final long serialVersionUID = 1;

        Problem(String message) {
            super(message, null, false, false);
        }
    }

    private static final String END = "unexpected end of JSON input";

    private final String text;
    private int at;

    private GoJson(String text) {
        this.text = text;
    }

    /// The first thing that is wrong with the text; nothing where it is JSON.
    public static Optional<String> problem(byte[] bytes) {
        try {
            new GoJson(new String(bytes, StandardCharsets.UTF_8)).read();
            return Optional.empty();
        } catch (Problem e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void read() {
        var open = new ArrayDeque<Inside>();
        value(open);
        while (!open.isEmpty()) {
            space();
            char c = next();
            boolean isObject = open.peek() == Inside.OBJECT;
            if (c == ',') {
                at++;
                if (isObject) {
                    key();
                }
                value(open);
            } else if (c == (isObject ? '}' : ']')) {
                at++;
                open.pop();
            } else {
                throw bad(c, isObject ? "after object key:value pair" : "after array element");
            }
        }
        space();
        if (at < text.length()) {
            throw bad(text.charAt(at), "after top-level value");
        }
    }

    // A value, or the beginning of one up to its first value that holds no other.
    private void value(Deque<Inside> open) {
        while (true) {
            space();
            char c = next();
            if (c == '{' || c == '[') {
                at++;
                space();
                if (next() == (c == '{' ? '}' : ']')) {
                    at++;
                    return;
                }
                open.push(c == '{' ? Inside.OBJECT : Inside.ARRAY);
                if (c == '{') {
                    key();
                }
            } else {
                scalar(c);
                return;
            }
        }
    }

    private void key() {
        space();
        if (next() != '"') {
            throw bad(next(), "looking for beginning of object key string");
        }
        string();
        space();
        if (next() != ':') {
            throw bad(next(), "after object key");
        }
        at++;
    }

    private void scalar(char c) {
        switch (c) {
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> {
                if (c != '-' && !isDigit(c)) {
                    throw bad(c, "looking for beginning of value");
                }
                number();
            }
        }
    }

    private void literal(String word) {
        for (int i = 0; i < word.length(); i++, at++) {
            if (next() != word.charAt(i)) {
                throw bad(next(), "in literal " + word + " (expecting '" + word.charAt(i) + "')");
            }
        }
    }

    private void string() {
        at++;
        while (true) {
            char c = next();
            at++;
            if (c == '"') {
                return;
            }
            if (c == '\\') {
                escape();
            } else if (c < ' ') {
                throw bad(c, "in string literal");
            }
        }
    }

    private void escape() {
        char c = next();
        at++;
        if (c == 'u') {
            for (int i = 0; i < 4; i++, at++) {
                if (Character.digit(next(), 16) < 0) {
                    throw bad(next(), "in \\u hexadecimal character escape");
                }
            }
        } else if ("bfnrt\\/\"".indexOf(c) < 0) {
            throw bad(c, "in string escape code");
        }
    }

    private void number() {
        if (next() == '-') {
            at++;
            if (!isDigit(next())) {
                throw bad(next(), "in numeric literal");
            }
        }
        if (next() == '0') {
            at++;
        } else {
            digits();
        }
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            required("after decimal point in numeric literal");
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            at++;
            if (next() == '+' || next() == '-') {
                at++;
            }
            required("in exponent of numeric literal");
        }
    }

    private void required(String place) {
        if (!isDigit(next())) {
            throw bad(next(), place);
        }
        digits();
    }

    private void digits() {
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char next() {
        if (at >= text.length()) {
            throw new Problem(END);
        }
        return text.charAt(at);
    }

    private static Problem bad(char c, String where) {
        return new Problem("invalid character " + quoted(c) + " " + where);
    }

    private static String quoted(char c) {
        return switch (c) {
            case '\'' -> "'\\''";
            case '\\' -> "'\\\\'";
            case '\t' -> "'\\t'";
            case '\n' -> "'\\n'";
            case '\r' -> "'\\r'";
            default -> c < ' ' || c == 0x7f ? String.format("'\\x%02x'", (int) c) : "'" + c + "'";
        };
    }
}
