package dev.towtank.model.template;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values as Go's `fmt.Print` writes them.
public final class Print {
    private Print() {}

    /// As `%v`; for messages, and for what is known to be small.
    public static String value(@Nullable Object value) {
        return value(value, new Meter(Bounds.DEFAULT));
    }

    public static String value(@Nullable Object value, Meter meter) {
        return switch (value) {
            case String text -> text;
            case Long number -> number.toString();
            case Boolean bool -> bool.toString();
            case null, default -> {
                var out = new StringBuilder();
                append(value, meter, out);
                yield out.toString();
            }
        };
    }

    /// As `fmt.Sprint`: a space between two operands where neither is a string.
    static String line(List<@Nullable Object> values, Meter meter) {
        var out = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            if (i > 0 && !(values.get(i) instanceof String) && !(values.get(i - 1) instanceof String)) {
                out.append(' ');
            }
            append(values.get(i), meter, out);
        }
        return out.toString();
    }

    /// As `fmt.Sprintln`, without the end of the line.
    static String spaced(List<@Nullable Object> values, Meter meter) {
        var out = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            out.append(i > 0 ? " " : "");
            append(values.get(i), meter, out);
        }
        return out.toString();
    }

    static void append(@Nullable Object value, Meter meter, StringBuilder out) {
        meter.step();
        switch (value) {
            case null -> out.append("<nil>");
            case Boxed(var inside) -> append(inside, meter, out);
            case Double number -> out.append(real(number));
            case SizedInteger number -> out.append(integer(number));
            case Map<?, ?> map -> appendMap(map, meter, out);
            case List<?> list -> appendList(list, meter, out);
            case byte[] bytes -> {
                meter.claim(bytes.length * 4L);
                out.append('[');
                for (int i = 0; i < bytes.length; i++) {
                    out.append(i > 0 ? " " : "").append(bytes[i] & 0xFF);
                }
                out.append(']');
            }
            case GoObject object -> out.append(object.text());
            case Object other -> {
                out.append(other);
                meter.claim(out.length());
            }
        }
    }

    private static void appendMap(Map<?, ?> map, Meter meter, StringBuilder out) {
        meter.enter();
        out.append("map[");
        var separator = "";
        for (var entry : map.entrySet()) {
            out.append(separator).append(entry.getKey()).append(':');
            append(entry.getValue(), meter, out);
            separator = " ";
        }
        out.append(']');
        meter.leave();
    }

    private static void appendList(List<?> list, Meter meter, StringBuilder out) {
        meter.enter();
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
            out.append(i > 0 ? " " : "");
            append(list.get(i), meter, out);
        }
        out.append(']');
        meter.leave();
    }

    static String integer(SizedInteger number) {
        return switch (number.size()) {
            case UINT64, UINT -> Long.toUnsignedString(number.value());
            case DURATION -> Durations.text(number.value());
            case MONTH -> titled(java.time.Month.of((int) number.value()).name());
            case WEEKDAY ->
                titled(java.time.DayOfWeek.of(number.value() == 0 ? 7 : (int) number.value())
                        .name());
            case INT64, INT32, UINT8, UINT32 -> Long.toString(number.value());
        };
    }

    private static String titled(String name) {
        return name.charAt(0) + name.substring(1).toLowerCase(java.util.Locale.ROOT);
    }

    /// A float64 in as few digits as tell it apart from all others; with an exponent where it is very large or small.
    public static String real(double number) {
        return real(number, 6);
    }

    static String real(double number, int largestPlain) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "+Inf" : "-Inf";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0" : "0";
        }
        var decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        int exponent = decimal.precision() - decimal.scale() - 1;
        if (exponent >= -4 && exponent < largestPlain) {
            return decimal.toPlainString();
        }
        var digits = decimal.unscaledValue().abs().toString();
        var fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        var power = Integer.toString(Math.abs(exponent));
        return (decimal.signum() < 0 ? "-" : "") + digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+")
                + (power.length() < 2 ? "0" + power : power);
    }
}
