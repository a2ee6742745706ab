package dev.towtank.controllers.pipelines.validation;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/// How Go prints values, for messages that must read the same.
final class GoText {

    private GoText() {}

    /// `%q`.
    static String quote(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints().forEach(point -> quoted.append(escaped(point)));
        return quoted.append('"').toString();
    }

    private static String escaped(int point) {
        return switch (point) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            case '\b' -> "\\b";
            case '\f' -> "\\f";
            case 0x07 -> "\\a";
            case 0x0b -> "\\v";
            default -> isPrintable(point) ? Character.toString(point) : code(point);
        };
    }

    private static boolean isPrintable(int point) {
        if (point == ' ') {
            return true;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    private static String code(int point) {
        if (point < 0x80) {
            return "\\x%02x".formatted(point);
        }
        return point < 0x10000 ? "\\u%04x".formatted(point) : "\\U%08x".formatted(point);
    }

    /// `%v` of a list of strings.
    static String list(Collection<String> items) {
        return "[" + String.join(" ", items) + "]";
    }

    /// `%v` of lists of strings by key.
    static String map(Map<String, ? extends Collection<String>> entries) {
        var text = new StringBuilder("map[");
        new TreeMap<>(entries)
                .forEach((key, items) -> text.append(text.length() > 4 ? " " : "")
                        .append(key)
                        .append(':')
                        .append(list(items)));
        return text.append(']').toString();
    }
}
