package dev.towtank.model.cel;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `"%s has %d".format([name, count])`
final class TextFormat {

    private static final int MAX_PRECISION = 100;

    private TextFormat() {}

    static String format(String text, List<?> values) {
        var out = new StringBuilder();
        int next = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '%') {
                out.append(c);
            } else if (i + 1 < text.length() && text.charAt(i + 1) == '%') {
                out.append('%');
                i++;
            } else {
                int end = directiveEnd(text, i + 1);
                if (next >= values.size()) {
                    throw new JsonValues.Missing("index " + next + " out of range");
                }
                var part = directive(text.substring(i + 1, end), values.get(next++));
                if (out.length() + (long) part.length() > Meter.MOST_SIZE) {
                    throw new JsonValues.Missing(
                            "the formatted text is longer than " + Meter.MOST_SIZE + " characters");
                }
                out.append(part);
                i = end - 1;
            }
        }
        return out.toString();
    }

    private static int directiveEnd(String text, int start) {
        int end = start;
        if (end < text.length() && text.charAt(end) == '.') {
            end++;
            while (end < text.length() && Character.isDigit(text.charAt(end))) {
                end++;
            }
        }
        if (end >= text.length()) {
            throw new JsonValues.Missing("unexpected end of string");
        }
        return end + 1;
    }

    private static String directive(String directive, @Nullable Object value) {
        char verb = directive.charAt(directive.length() - 1);
        return switch (verb) {
            case 's' -> display(value);
            case 'd' -> value instanceof Number number ? plain(number) : wrong(verb, value);
            case 'f' -> value instanceof Number number ? real("f", directive, number) : wrong(verb, value);
            case 'e' -> value instanceof Number number ? real("e", directive, number) : wrong(verb, value);
            case 'b' -> binary(value);
            case 'o' -> value instanceof Long number ? Long.toOctalString(number) : wrong(verb, value);
            case 'x' -> hex(value);
            case 'X' -> hex(value).toUpperCase(Locale.ROOT);
            default -> throw new JsonValues.Missing("unrecognized formatting clause: " + verb);
        };
    }

    private static String plain(Number number) {
        return number instanceof Double real ? display(real) : number.toString();
    }

    private static String real(String verb, String directive, Number number) {
        var digits = directive.startsWith(".") ? directive.substring(1, directive.length() - 1) : "6";
        int precision = digits.isEmpty() || digits.length() > 3 ? 6 : Math.min(Integer.parseInt(digits), MAX_PRECISION);
        return String.format(Locale.ROOT, "%." + precision + verb, number.doubleValue());
    }

    private static String binary(@Nullable Object value) {
        return switch (value) {
            case Long number -> Long.toBinaryString(number);
            case Boolean flag -> flag ? "1" : "0";
            case null, default -> wrong('b', value);
        };
    }

    private static String hex(@Nullable Object value) {
        return switch (value) {
            case Long number -> Long.toHexString(number);
            case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
            case CelByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
            case null, default -> wrong('x', value);
        };
    }

    private static String wrong(char verb, @Nullable Object value) {
        throw new JsonValues.Missing("error during formatting: %" + verb + " cannot show " + display(value));
    }

    static String display(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case NullValue _ -> "null";
            case Double number
            when number == Math.rint(number) && Math.abs(number) < 1e15 -> Long.toString(number.longValue());
            case Duration duration -> Texts.seconds(duration);
            case CelByteString bytes -> bytes.toStringUtf8();
            case List<?> list -> list.stream().map(TextFormat::display).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> map -> {
                var sorted = new TreeMap<String, String>();
                map.forEach((key, entry) -> sorted.put(display(key), display(entry)));
                yield sorted.entrySet().stream()
                        .map(entry -> entry.getKey() + ": " + entry.getValue())
                        .collect(Collectors.joining(", ", "{", "}"));
            }
            default -> value.toString();
        };
    }
}
