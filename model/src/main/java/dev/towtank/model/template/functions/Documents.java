package dev.towtank.model.template.functions;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.template.GoObject;
import dev.towtank.model.template.Meter;
import dev.towtank.model.template.SizedInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The values of templates as JSON and YAML, in the text that Go's libraries write.
public final class Documents {
    // Below and above, Go writes numbers with an exponent.
    private static final double LARGEST_PLAIN = 1e21;

    private Documents() {}

    /// A value as JSON, with the keys of maps in the order of the alphabet.
    public static Json json(@Nullable Object value, Meter meter) {
        return json(value, meter, Comparator.naturalOrder());
    }

    /// A value as the YAML that Helm's `toYaml` writes, with the end of its last line.
    public static String yaml(@Nullable Object value, Meter meter) {
        var text = YamlText.writeFolded(json(value, meter, Documents::compareKeys));
        meter.claim(text.length());
        return text;
    }

    /// As a value whose floats stay floats, whole ones as well.
    static Json typed(@Nullable Object value, Meter meter) {
        return switch (value) {
            case Double number -> new Json.Real(number);
            case Map<?, ?> map -> {
                meter.enter();
                var sorted = new TreeMap<String, Json>();
                map.forEach((key, each) -> sorted.put((String) key, typed(each, meter)));
                meter.leave();
                yield Json.Obj.copyOf(sorted);
            }
            case List<?> list -> {
                meter.enter();
                var items = new ArrayList<Json>(list.size());
                list.forEach(each -> items.add(typed(each, meter)));
                meter.leave();
                yield new Json.Arr(items);
            }
            case null, default -> json(value, meter);
        };
    }

    private static Json json(@Nullable Object value, Meter meter, Comparator<String> order) {
        meter.step();
        return switch (value) {
            case null -> Json.Null.NULL;
            case Boolean bool -> Json.of(bool);
            case Long number -> Json.of(number);
            case SizedInteger number -> Json.of(number.value());
            case Double number -> number(number);
            case String text -> Json.of(text);
            case byte[] bytes -> Json.of(Base64.getEncoder().encodeToString(bytes));
            case Map<?, ?> map -> {
                meter.enter();
                var sorted = new TreeMap<String, Json>(order);
                map.forEach((key, each) -> sorted.put((String) key, json(each, meter, order)));
                meter.leave();
                yield Json.Obj.copyOf(sorted);
            }
            case List<?> list -> {
                meter.enter();
                var items = new ArrayList<Json>(list.size());
                list.forEach(each -> items.add(json(each, meter, order)));
                meter.leave();
                yield new Json.Arr(items);
            }
            case GoObject object -> json(object.data(), meter, order);
            default ->
                throw new IllegalArgumentException(
                        "no template value: " + value.getClass().getName());
        };
    }

    private static Json number(double number) {
        boolean isWhole = number == Math.rint(number) && Math.abs(number) < LARGEST_PLAIN;
        return isWhole && Math.abs(number) < Long.MAX_VALUE ? Json.of((long) number) : new Json.Real(number);
    }

    /// Numbers inside of keys count as numbers: `port2` comes before `port10`. Letters come after everything else.
    static int compareKeys(String one, String other) {
        int shorter = Math.min(one.length(), other.length());
        for (int i = 0; i < shorter; i++) {
            char left = one.charAt(i);
            char right = other.charAt(i);
            if (left == right) {
                continue;
            }
            boolean leftLetter = Character.isLetter(left);
            boolean rightLetter = Character.isLetter(right);
            if (leftLetter && rightLetter) {
                return Character.compare(left, right);
            }
            if (leftLetter || rightLetter) {
                return rightLetter ? -1 : 1;
            }
            return compareNumbers(one, other, i);
        }
        return Integer.compare(one.length(), other.length());
    }

    private static int compareNumbers(String one, String other, int at) {
        // Behind digits that are not zero, a zero is one of the number's digits.
        boolean inside = false;
        if (one.charAt(at) == '0' || other.charAt(at) == '0') {
            for (int j = at - 1; j >= 0 && Character.isDigit(one.charAt(j)) && !inside; j--) {
                inside = one.charAt(j) != '0';
            }
        }
        int leftEnd = digitsEnd(one, at);
        int rightEnd = digitsEnd(other, at);
        var left = new java.math.BigInteger((inside ? "1" : "0") + one.substring(at, leftEnd));
        var right = new java.math.BigInteger((inside ? "1" : "0") + other.substring(at, rightEnd));
        int byValue = left.compareTo(right);
        if (byValue != 0) {
            return byValue;
        }
        return leftEnd != rightEnd
                ? Integer.compare(leftEnd, rightEnd)
                : Character.compare(one.charAt(at), other.charAt(at));
    }

    private static int digitsEnd(String text, int at) {
        int end = at;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }
}
