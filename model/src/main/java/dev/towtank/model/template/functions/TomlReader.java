package dev.towtank.model.template.functions;

import dev.towtank.model.template.Meter;
import dev.towtank.model.template.SizedInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads TOML: tables as maps, whole numbers as int64. Dates are refused.
final class TomlReader {
    private static final Pattern BARE = Pattern.compile("[A-Za-z0-9_-]+");
    private static final Pattern INTEGER = Pattern.compile(
            "[-+]?(0|[1-9](?:_?[0-9])*)|0x([0-9a-fA-F](?:_?[0-9a-fA-F])*)|0o([0-7](?:_?[0-7])*)|0b([01](?:_?[01])*)");
    private static final Pattern REAL =
            Pattern.compile("[-+]?(0|[1-9](?:_?[0-9])*)(\\.[0-9](?:_?[0-9])*)?([eE][-+]?[0-9](?:_?[0-9])*)?");
    private static final Pattern WORD = Pattern.compile("[-+.:_A-Za-z0-9]+");

    private final String text;
    private final Meter meter;
    private final Map<String, @Nullable Object> root = new TreeMap<>();
    private final Set<String> headers = new HashSet<>();
    private int at;

    private TomlReader(String text, Meter meter) {
        this.text = text;
        this.meter = meter;
    }

    /// What is wrong with a text, and in which line.
    static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message, null, false, false);
        }
    }

    static Map<String, @Nullable Object> read(String text, Meter meter) {
        var reader = new TomlReader(text, meter);
        reader.document();
        return reader.root;
    }

    private void document() {
        var table = root;
        for (skip(true); at < text.length(); skip(true)) {
            meter.step();
            table = text.charAt(at) == '[' ? header() : table;
            if (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r' && text.charAt(at) != '#') {
                pair(table);
            }
            skip(false);
            if (at < text.length() && text.charAt(at) != '\n') {
                throw wrong("expected a new line, comment or end of file, but got " + text.charAt(at));
            }
        }
    }

    // Space and comments, and the ends of lines where they do not count.
    private void skip(boolean lines) {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n')) {
                at++;
            } else {
                return;
            }
        }
    }

    private Map<String, @Nullable Object> header() {
        boolean isList = text.startsWith("[[", at);
        at += isList ? 2 : 1;
        var path = path();
        expect(isList ? "]]" : "]");
        var whole = String.join("\0", path) + "\0";
        var name = path.removeLast();
        var outer = inside(root, path);
        if (isList) {
            var list = outer.computeIfAbsent(name, _ -> new ArrayList<@Nullable Object>());
            if (!(list instanceof List<?>)) {
                throw wrong("Key '" + name + "' was already created and cannot be used as an array");
            }
            var table = new TreeMap<String, @Nullable Object>();
            items(list).add(table);
            headers.removeIf(each -> each.startsWith(whole));
            return table;
        }
        if (!headers.add(whole)) {
            throw wrong("Key '" + name + "' has already been defined");
        }
        return child(outer, name);
    }

    private Map<String, @Nullable Object> inside(Map<String, @Nullable Object> table, List<String> path) {
        var here = table;
        for (var name : path) {
            here = child(here, name);
        }
        return here;
    }

    private Map<String, @Nullable Object> child(Map<String, @Nullable Object> table, String name) {
        var found = table.computeIfAbsent(name, _ -> new TreeMap<String, @Nullable Object>());
        var last = found instanceof List<?> list && !list.isEmpty() ? list.getLast() : found;
        if (!(last instanceof Map<?, ?>)) {
            throw wrong("Key '" + name + "' has already been defined");
        }
        return map(last);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> map(Object value) {
        return (Map<String, @Nullable Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<@Nullable Object> items(Object value) {
        return (List<@Nullable Object>) value;
    }

    private List<String> path() {
        var path = new ArrayList<String>();
        do {
            at += path.isEmpty() ? 0 : 1;
            skip(false);
            path.add(key());
            skip(false);
        } while (at < text.length() && text.charAt(at) == '.');
        return path;
    }

    private String key() {
        if (at < text.length() && (text.charAt(at) == '"' || text.charAt(at) == '\'')) {
            return string();
        }
        var matcher = match(BARE);
        if (matcher == null) {
            throw wrong("expected a key");
        }
        return matcher.group();
    }

    private @Nullable Matcher match(Pattern pattern) {
        var matcher = pattern.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            return null;
        }
        at = matcher.end();
        return matcher;
    }

    private void expect(String what) {
        if (!text.startsWith(what, at)) {
            throw wrong("expected '" + what + "'");
        }
        at += what.length();
    }

    private void pair(Map<String, @Nullable Object> table) {
        var path = path();
        var name = path.removeLast();
        expect("=");
        skip(false);
        var into = inside(table, path);
        if (into.containsKey(name)) {
            throw wrong("Key '" + name + "' has already been defined");
        }
        into.put(name, value());
    }

    private Object value() {
        meter.enter();
        try {
            char c = at < text.length() ? text.charAt(at) : '\n';
            return switch (c) {
                case '"', '\'' -> string();
                case '[' -> list();
                case '{' -> table();
                default -> word();
            };
        } finally {
            meter.leave();
        }
    }

    private List<@Nullable Object> list() {
        var items = new ArrayList<@Nullable Object>();
        expect("[");
        for (skip(true); !text.startsWith("]", at); skip(true)) {
            meter.step();
            items.add(value());
            skip(true);
            if (!text.startsWith("]", at)) {
                expect(",");
            }
        }
        expect("]");
        return items;
    }

    private Map<String, @Nullable Object> table() {
        var table = new TreeMap<String, @Nullable Object>();
        expect("{");
        for (skip(false); !text.startsWith("}", at); skip(false)) {
            pair(table);
            skip(false);
            if (!text.startsWith("}", at)) {
                expect(",");
            }
        }
        expect("}");
        return table;
    }

    private Object word() {
        var matcher = match(WORD);
        var word = matcher == null ? "" : matcher.group();
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "inf", "+inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            case "nan", "+nan", "-nan" -> Double.NaN;
            default -> number(word);
        };
    }

    private Object number(String word) {
        var integer = INTEGER.matcher(word);
        var plain = word.replace("_", "");
        try {
            if (integer.matches()) {
                int base = integer.group(2) != null
                        ? 16
                        : integer.group(3) != null ? 8 : integer.group(4) != null ? 2 : 10;
                return SizedInteger.int64(
                        base == 10 ? Long.parseLong(plain) : Long.parseLong(plain.substring(2), base));
            }
        } catch (NumberFormatException e) {
            throw wrong(word + " is out of range for int64");
        }
        if (REAL.matcher(word).matches()) {
            return Double.parseDouble(plain);
        }
        throw wrong(word.isEmpty() ? "expected value but found something else" : "no value, or a date: " + word);
    }

    private String string() {
        char mark = text.charAt(at);
        var three = String.valueOf(mark).repeat(3);
        boolean isLong = text.startsWith(three, at);
        at += isLong ? 3 : 1;
        if (isLong) {
            at += text.startsWith("\r\n", at) ? 2 : text.startsWith("\n", at) ? 1 : 0;
        }
        var out = new StringBuilder();
        while (!text.startsWith(isLong ? three : String.valueOf(mark), at)) {
            if (at >= text.length() || (!isLong && text.charAt(at) == '\n')) {
                throw wrong("unexpected end of a string");
            }
            if (mark == '"' && text.charAt(at) == '\\') {
                at++;
                escape(out, isLong);
            } else {
                out.append(text.charAt(at++));
            }
        }
        at += isLong ? 3 : 1;
        return out.toString();
    }

    private void escape(StringBuilder out, boolean isLong) {
        char c = at < text.length() ? text.charAt(at++) : ' ';
        switch (c) {
            case 'b' -> out.append('\b');
            case 't' -> out.append('\t');
            case 'n' -> out.append('\n');
            case 'f' -> out.append('\f');
            case 'r' -> out.append('\r');
            case 'e' -> out.append('\u001B');
            case '"', '\\' -> out.append(c);
            case 'x' -> codePoint(out, 2);
            case 'u' -> codePoint(out, 4);
            case 'U' -> codePoint(out, 8);
            default -> {
                // At the end of a line: all space up to the next word is left out.
                if (!isLong || (c != '\n' && c != ' ' && c != '\t' && c != '\r')) {
                    throw wrong("invalid escape character '" + c + "'");
                }
                while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                    at++;
                }
            }
        }
    }

    private void codePoint(StringBuilder out, int digits) {
        var hex = text.substring(at, Math.min(text.length(), at + digits));
        if (!hex.matches("[0-9a-fA-F]{" + digits + "}") || Long.parseLong(hex, 16) > Character.MAX_CODE_POINT) {
            throw wrong("expected " + digits + " hexadecimal digits");
        }
        out.appendCodePoint((int) Long.parseLong(hex, 16));
        at += digits;
    }

    private Malformed wrong(String what) {
        long line = text.substring(0, Math.min(at, text.length()))
                        .chars()
                        .filter(c -> c == '\n')
                        .count()
                + 1;
        return new Malformed("toml: line " + line + ": " + what);
    }
}
