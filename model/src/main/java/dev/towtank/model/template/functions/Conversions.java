package dev.towtank.model.template.functions;

import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.GoObject;
import dev.towtank.model.template.GoText;
import dev.towtank.model.template.Print;
import dev.towtank.model.template.SizedInteger;
import dev.towtank.model.template.TypedList;
import dev.towtank.model.template.Values;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values as text, numbers and lists, as Sprig takes them: what cannot be a number is 0.
final class Conversions {
    private Conversions() {}

    static String text(@Nullable Object value) {
        return switch (value) {
            case String text -> text;
            case byte[] bytes -> GoText.of(bytes);
            case GoObject object -> object.text();
            case null, default -> Print.value(value);
        };
    }

    static long integer(@Nullable Object value) {
        return switch (value) {
            case Long number -> number;
            case SizedInteger number -> number.value();
            case Double number -> integer((double) number);
            case Boolean bool -> bool ? 1 : 0;
            case String text -> integer(text);
            case null, default -> 0;
        };
    }

    // What does not fit is the least there is, as on the machines that Helm is mostly built for.
    private static long integer(double number) {
        return Math.abs(number) < 0x1p63 ? (long) number : Long.MIN_VALUE;
    }

    // As the library does that Sprig asks: zeros before and after do not count, and the digits may have a base.
    private static long integer(String text) {
        var trimmed = text;
        int point = trimmed.indexOf('.');
        if (point > 0 && trimmed.substring(point + 1).chars().allMatch(c -> c == '0')) {
            trimmed = trimmed.substring(0, point);
        }
        boolean negative = trimmed.startsWith("-");
        var digits = negative || trimmed.startsWith("+") ? trimmed.substring(1) : trimmed;
        int start = 0;
        while (start < digits.length() - 1 && digits.charAt(start) == '0') {
            start++;
        }
        digits = digits.substring(start);
        var all = digits.replace("_", "");
        if (all.isEmpty() || !all.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return hexadecimal(text);
        }
        var value = new BigInteger(negative ? "-" + all : all);
        return value.bitLength() < Long.SIZE ? value.longValue() : 0;
    }

    private static long hexadecimal(String text) {
        if (!text.matches("[-+]?0[xX][0-9a-fA-F]{1,15}")) {
            return 0;
        }
        return Long.parseLong(text.replaceFirst("0[xX]", ""), 16);
    }

    static double real(@Nullable Object value) {
        return switch (value) {
            case Double number -> number;
            case Long number -> number;
            case SizedInteger number -> number.value();
            case Boolean bool -> bool ? 1 : 0;
            case String text
            when text.matches("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?") -> Double.parseDouble(text);
            case null, default -> 0;
        };
    }

    /// A list of whatever kind, or null where the value is none.
    static @Nullable List<@Nullable Object> list(@Nullable Object value) {
        return switch (value) {
            case List<?> list -> new ArrayList<@Nullable Object>(list);
            case byte[] bytes -> {
                var list = new ArrayList<@Nullable Object>();
                for (var each : bytes) {
                    list.add(SizedInteger.uint8(each & 0xFF));
                }
                yield list;
            }
            case GoObject object
            when object.elements().orElse(object) instanceof List<?> list -> new ArrayList<@Nullable Object>(list);
            case null, default -> null;
        };
    }

    /// A list, or the error of a function that can do nothing without one.
    static List<@Nullable Object> list(@Nullable Object value, String complaint) {
        var list = list(value);
        if (list != null) {
            return list;
        }
        if (value == null) {
            throw new FunctionError("runtime error: invalid memory address or nil pointer dereference");
        }
        throw new FunctionError(complaint + " " + Values.kind(value));
    }

    /// The texts of a list without its nils; of something else, its own.
    static List<String> texts(@Nullable Object value) {
        var list = list(value);
        if (list == null) {
            return value == null ? List.of() : List.of(text(value));
        }
        var texts = new ArrayList<String>(list.size());
        for (var item : list) {
            if (item != null) {
                texts.add(text(item));
            }
        }
        return texts;
    }

    static TypedList strings(List<String> texts) {
        return TypedList.strings(texts);
    }

    /// What Sprig calls empty.
    static boolean isEmpty(@Nullable Object value) {
        return !Values.isTrue(value);
    }
}
