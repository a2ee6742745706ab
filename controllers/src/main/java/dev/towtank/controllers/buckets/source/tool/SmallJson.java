package dev.towtank.controllers.buckets.source.tool;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// JSON as Amazon's client prints it. The model's own writer is not in the one jar that this program has.
final class SmallJson {

    private static final String INDENT = "    ";

    private SmallJson() {}

    static String text(Object value, int depth) {
        var inner = INDENT.repeat(depth + 1);
        return switch (value) {
            case Map<?, ?> map when map.isEmpty() -> "{}";
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(each ->
                                inner + quoted(String.valueOf(each.getKey())) + ": " + text(each.getValue(), depth + 1))
                        .collect(Collectors.joining(",\n", "{\n", "\n" + INDENT.repeat(depth) + "}"));
            case List<?> list ->
                list.stream()
                        .map(each -> inner + text(each, depth + 1))
                        .collect(Collectors.joining(",\n", "[\n", "\n" + INDENT.repeat(depth) + "]"));
            case Number number -> number.toString();
            default -> quoted(value.toString());
        };
    }

    private static String quoted(String text) {
        var out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            switch (each) {
                case '"', '\\' -> out.append('\\').append(each);
                case '\n' -> out.append("\\n");
                default -> {
                    if (each < ' ' || each > '~') {
                        out.append(String.format("\\u%04x", (int) each));
                    } else {
                        out.append(each);
                    }
                }
            }
        }
        return out.append('"').toString();
    }
}
