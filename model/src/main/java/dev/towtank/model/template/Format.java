package dev.towtank.model.template;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Go's `fmt.Sprintf`.
final class Format {
    private static final int MAX_WIDTH = 1_000_000;
    private static final String FLAGS = "+-# 0";

    private final String format;
    private final List<@Nullable Object> values;
    private final Meter meter;
    private final StringBuilder out = new StringBuilder();
    private int at;
    private int next;
    private boolean reordered;

    private Format(String format, List<@Nullable Object> values, Meter meter) {
        this.format = format;
        this.values = values;
        this.meter = meter;
    }

    static String format(String format, List<@Nullable Object> values, Meter meter) {
        return new Format(format, values, meter).run();
    }

    private String run() {
        while (at < format.length()) {
            int percent = format.indexOf('%', at);
            out.append(format, at, percent < 0 ? format.length() : percent);
            if (percent < 0) {
                break;
            }
            at = percent + 1;
            verb();
            meter.claim(out.length());
        }
        if (!reordered && next < values.size()) {
            extra();
        }
        return out.toString();
    }

    private void extra() {
        out.append("%!(EXTRA ");
        for (int i = next; i < values.size(); i++) {
            out.append(i > next ? ", " : "");
            var value = values.get(i);
            if (value == null) {
                out.append("<nil>");
            } else {
                out.append(Values.type(value)).append('=');
                Print.append(value, meter, out);
            }
        }
        out.append(')');
    }

    /// How one value is to be written.
    private record Style(String flags, int width, int precision) {
        boolean has(char flag) {
            return flags.indexOf(flag) >= 0;
        }

        boolean hasPrecision() {
            return precision >= 0;
        }
    }

    private void verb() {
        int flagsStart = at;
        while (at < format.length() && FLAGS.indexOf(format.charAt(at)) >= 0) {
            at++;
        }
        var flags = format.substring(flagsStart, at);
        boolean good = index();
        int width = number();
        if (width < -1) {
            flags += "-";
            width = -width;
        }
        int precision = -1;
        if (at < format.length() && format.charAt(at) == '.') {
            at++;
            good &= index();
            precision = Math.max(0, number());
        }
        good &= index();
        if (at >= format.length()) {
            out.append("%!(NOVERB)");
            return;
        }
        int verb = format.codePointAt(at);
        at += Character.charCount(verb);
        var style = new Style(flags, Math.max(0, width), precision);
        if (verb == '%') {
            out.append('%');
        } else if (!good) {
            out.append("%!").appendCodePoint(verb).append("(BADINDEX)");
        } else if (next >= values.size()) {
            out.append("%!").appendCodePoint(verb).append("(MISSING)");
        } else {
            write(values.get(next++), verb, style);
        }
    }

    // Reads `[2]`, which says which operand comes next.
    private boolean index() {
        if (at >= format.length() || format.charAt(at) != '[') {
            return true;
        }
        reordered = true;
        int end = format.indexOf(']', at);
        if (end < 0) {
            at++;
            return false;
        }
        var digits = format.substring(at + 1, end);
        at = end + 1;
        if (!digits.matches("[0-9]{1,6}") || Integer.parseInt(digits) < 1 || Integer.parseInt(digits) > values.size()) {
            return false;
        }
        next = Integer.parseInt(digits) - 1;
        return true;
    }

    // A width or precision, in digits or as `*`; -1 where there is none.
    private int number() {
        if (at < format.length() && format.charAt(at) == '*') {
            at++;
            if (next < values.size() && values.get(next) instanceof Long number && Math.abs(number) <= MAX_WIDTH) {
                next++;
                return number.intValue() == -1 ? -2 : number.intValue();
            }
            next++;
            out.append("%!(BADWIDTH)");
            return -1;
        }
        int start = at;
        long number = 0;
        while (at < format.length() && format.charAt(at) >= '0' && format.charAt(at) <= '9') {
            number = Math.min(number * 10 + format.charAt(at++) - '0', MAX_WIDTH + 1L);
        }
        if (number > MAX_WIDTH) {
            throw new FunctionError("width or precision " + format.substring(start, at) + " in format is too large");
        }
        return at == start ? -1 : (int) number;
    }

    private void write(@Nullable Object boxed, int verb, Style style) {
        var value = Boxed.open(boxed);
        meter.step();
        if (verb == 'v' && style.has('+')) {
            write(value, verb, new Style(style.flags().replace("+", ""), style.width(), style.precision()));
            return;
        }
        if (verb == 'T') {
            pad(Values.type(value), style);
            return;
        }
        if (value == null) {
            if (verb == 'v') {
                pad("<nil>", style);
            } else {
                out.append("%!").appendCodePoint(verb).append("(<nil>)");
            }
            return;
        }
        if (verb == 'v' && style.has('#')) {
            syntax(value, style);
            return;
        }
        switch (value) {
            case Boolean bool when verb == 't' || verb == 'v' -> pad(bool.toString(), style);
            case Long number -> integer(number, false, value, verb, style);
            case SizedInteger number
            when (verb == 'v' || verb == 's' || verb == 'q') && hasText(number) ->
                string(Print.integer(number), value, verb, style);
            case SizedInteger number -> integer(number.value(), number.size().isUnsigned(), value, verb, style);
            case Double number -> real(number, verb, style);
            case String text -> string(text, value, verb, style);
            case byte[] bytes when verb != 'v' && verb != 'd' -> string(GoText.of(bytes), value, verb, style);
            case Map<?, ?> map -> map(map, verb, style);
            case List<?> list -> list(list, verb, style);
            case GoObject object
            when verb == 'v' || verb == 's' || verb == 'q' -> string(object.text(), value, verb, style);
            case byte[] bytes -> pad(Print.value(bytes, meter), style);
            default -> bad(verb, value);
        }
    }

    private static boolean hasText(SizedInteger number) {
        return switch (number.size()) {
            case DURATION, MONTH, WEEKDAY -> true;
            case INT64, INT32, UINT, UINT8, UINT32, UINT64 -> false;
        };
    }

    private void bad(int verb, Object value) {
        out.append("%!")
                .appendCodePoint(verb)
                .append('(')
                .append(Values.type(value))
                .append('=');
        Print.append(value, meter, out);
        out.append(')');
    }

    private void map(Map<?, ?> map, int verb, Style style) {
        meter.enter();
        out.append("map[");
        var separator = "";
        for (var entry : map.entrySet()) {
            out.append(separator);
            write(entry.getKey(), verb, style);
            out.append(':');
            write(entry.getValue(), verb, style);
            separator = " ";
        }
        out.append(']');
        meter.leave();
    }

    private void list(List<?> list, int verb, Style style) {
        meter.enter();
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
            out.append(i > 0 ? " " : "");
            write(list.get(i), verb, style);
        }
        out.append(']');
        meter.leave();
    }

    // `%#v`: a value as Go source.
    private void syntax(Object value, Style style) {
        switch (value) {
            case String text -> pad(GoText.quote(text), style);
            case Map<?, ?> map -> {
                out.append(Values.type(map)).append('{');
                var separator = "";
                for (var entry : map.entrySet()) {
                    out.append(separator)
                            .append(GoText.quote(String.valueOf(entry.getKey())))
                            .append(':');
                    syntaxOrNil(entry.getValue(), style);
                    separator = ", ";
                }
                out.append('}');
            }
            case List<?> list -> {
                out.append(Values.type(list)).append('{');
                for (int i = 0; i < list.size(); i++) {
                    out.append(i > 0 ? ", " : "");
                    syntaxOrNil(list.get(i), style);
                }
                out.append('}');
            }
            default -> pad(Print.value(value, meter), style);
        }
    }

    private void syntaxOrNil(@Nullable Object value, Style style) {
        meter.step();
        if (value == null) {
            out.append("interface {}(nil)");
        } else {
            meter.enter();
            syntax(value, style);
            meter.leave();
        }
    }

    private void string(String text, Object value, int verb, Style style) {
        switch (verb) {
            case 'v', 's' -> pad(truncated(text, style), style);
            case 'q' -> {
                var cut = truncated(text, style);
                boolean raw =
                        style.has('#') && cut.indexOf('`') < 0 && cut.chars().allMatch(c -> c >= ' ' || c == '\t');
                pad(raw ? "`" + cut + "`" : GoText.quote(cut, '"', style.has('+')), style);
            }
            case 'x', 'X' -> pad(hexadecimal(text, verb == 'X', style), style);
            default -> bad(verb, value);
        }
    }

    private static String truncated(String text, Style style) {
        if (!style.hasPrecision() || text.codePointCount(0, text.length()) <= style.precision()) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, style.precision()));
    }

    private static String hexadecimal(String text, boolean upper, Style style) {
        var bytes = GoText.bytes(text);
        int length = style.hasPrecision() ? Math.min(style.precision(), bytes.length) : bytes.length;
        var out = new StringBuilder();
        for (int i = 0; i < length; i++) {
            out.append(i > 0 && style.has(' ') ? " " : "");
            out.append(style.has('#') && (i == 0 || style.has(' ')) ? "0x" : "");
            out.append(GoText.hex(bytes[i] & 0xFF, 2));
        }
        return upper ? out.toString().toUpperCase(Locale.ROOT) : out.toString();
    }

    private void integer(long number, boolean unsigned, Object value, int verb, Style style) {
        switch (verb) {
            case 'v', 'd' -> digits(number, unsigned, 10, "", style, false);
            case 'b' -> digits(number, unsigned, 2, style.has('#') ? "0b" : "", style, false);
            case 'o' -> digits(number, unsigned, 8, style.has('#') ? "0" : "", style, false);
            case 'O' -> digits(number, unsigned, 8, "0o", style, false);
            case 'x' -> digits(number, unsigned, 16, style.has('#') ? "0x" : "", style, false);
            case 'X' -> digits(number, unsigned, 16, style.has('#') ? "0X" : "", style, true);
            case 'c' -> pad(character(number), style);
            case 'q' -> pad(GoText.quote(character(number), '\'', style.has('+')), style);
            case 'U' -> pad("U+" + GoText.hex((int) number, 4).toUpperCase(Locale.ROOT), style);
            default -> bad(verb, value);
        }
    }

    private static String character(long number) {
        return number >= 0 && number <= Character.MAX_CODE_POINT ? Character.toString((int) number) : "\uFFFD";
    }

    private void digits(long number, boolean unsigned, int radix, String prefix, Style style, boolean upper) {
        boolean negative = !unsigned && number < 0;
        var digits = unsigned
                ? Long.toUnsignedString(number, radix)
                : Long.toString(number, radix).replace("-", "");
        digits = upper ? digits.toUpperCase(Locale.ROOT) : digits;
        var sign = negative ? "-" : style.has('+') ? "+" : style.has(' ') ? " " : "";
        if (style.hasPrecision()) {
            digits = style.precision() == 0 && number == 0 ? "" : zeros(style.precision() - digits.length()) + digits;
        } else if (style.has('0') && !style.has('-')) {
            digits = zeros(style.width() - sign.length() - digits.length()) + digits;
        }
        padWithSpaces(sign + prefix + digits, style);
    }

    private static String zeros(int count) {
        return "0".repeat(Math.max(0, count));
    }

    private void real(double number, int verb, Style style) {
        var text = switch (verb) {
            case 'v' -> style.hasPrecision() ? general(number, style.precision()) : Print.real(number);
            case 'g', 'G' -> style.hasPrecision() ? general(number, style.precision()) : Print.real(number);
            case 'f', 'F' ->
                isFinite(number)
                        ? new BigDecimal(number)
                                .setScale(style.hasPrecision() ? style.precision() : 6, RoundingMode.HALF_EVEN)
                                .toPlainString()
                        : Print.real(number);
            case 'e', 'E' ->
                isFinite(number)
                        ? scientific(number, style.hasPrecision() ? style.precision() : 6)
                        : Print.real(number);
            default -> null;
        };
        if (text == null) {
            bad(verb, number);
            return;
        }
        text = verb == 'E' || verb == 'G' ? text.toUpperCase(Locale.ROOT) : text;
        var sign = text.startsWith("-") ? "-" : style.has('+') ? "+" : style.has(' ') ? " " : "";
        var digits = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        if (style.has('0') && !style.has('-') && isFinite(number)) {
            digits = zeros(style.width() - sign.length() - digits.length()) + digits;
        }
        padWithSpaces(sign + digits, style);
    }

    private static boolean isFinite(double number) {
        return !Double.isNaN(number) && !Double.isInfinite(number);
    }

    private static String scientific(double number, int precision) {
        if (number == 0) {
            return "0" + (precision > 0 ? "." + zeros(precision) : "") + "e+00";
        }
        var rounded = new BigDecimal(number).round(new MathContext(precision + 1, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        var digits = rounded.unscaledValue().abs().toString();
        digits += zeros(precision + 1 - digits.length());
        var power = Integer.toString(Math.abs(exponent));
        return (number < 0 ? "-" : "") + digits.charAt(0)
                + (precision > 0 ? "." + digits.substring(1, precision + 1) : "") + "e" + (exponent < 0 ? "-" : "+")
                + (power.length() < 2 ? "0" : "") + power;
    }

    private static String general(double number, int precision) {
        if (!isFinite(number) || number == 0) {
            return Print.real(number);
        }
        int significant = Math.max(1, precision);
        var rounded = new BigDecimal(number).round(new MathContext(significant, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -4 && exponent < significant) {
            return rounded.stripTrailingZeros().toPlainString();
        }
        var plain = rounded.stripTrailingZeros();
        return scientific(number, plain.precision() - 1);
    }

    private void pad(String text, Style style) {
        int missing = style.width() - text.codePointCount(0, text.length());
        if (missing <= 0) {
            out.append(text);
        } else if (style.has('-')) {
            out.append(text).repeat(' ', missing);
        } else {
            out.repeat(style.has('0') ? '0' : ' ', missing).append(text);
        }
    }

    private void padWithSpaces(String text, Style style) {
        pad(text, new Style(style.flags().replace("0", ""), style.width(), -1));
    }
}
