package dev.towtank.model.lua;

import java.math.BigDecimal;
import java.util.OptionalDouble;

/// Numbers as Lua reads them and as Go, in which Argo's Lua is written, prints them.
final class Numbers {

    private static final int MAX_DIGITS = 400;

    private Numbers() {}

    static String display(double number) {
        if (number == (long) number && Math.abs(number) < 9.2e18) {
            return Long.toString((long) number);
        }
        return Double.isNaN(number)
                ? "NaN"
                : Double.isInfinite(number) ? (number > 0 ? "+Inf" : "-Inf") : shortest(number);
    }

    /// The shortest digits that read back as the same number, with an exponent below -4 and from 21 on.
    static String shortest(double number) {
        var exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        int exponent = exact.precision() - exact.scale() - 1;
        if (number == 0) {
            return "0";
        }
        if (exponent >= -4 && exponent < 21) {
            return exact.toPlainString();
        }
        var digits = exact.unscaledValue().abs().toString();
        return (number < 0 ? "-" : "")
                + digits.charAt(0)
                + (digits.length() > 1 ? "." + digits.substring(1) : "")
                + (exponent < 0 ? "e-" : "e+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }

    /// A text where a number is expected.
    static OptionalDouble parse(String text) {
        var trimmed = text.strip();
        if (trimmed.isEmpty() || trimmed.length() > MAX_DIGITS) {
            return OptionalDouble.empty();
        }
        boolean negative = trimmed.startsWith("-");
        var digits = negative || trimmed.startsWith("+") ? trimmed.substring(1) : trimmed;
        if (digits.startsWith("0x") || digits.startsWith("0X")) {
            var whole = parse(digits.substring(2), 16);
            return whole.isPresent() && negative ? OptionalDouble.of(-whole.getAsDouble()) : whole;
        }
        return isDecimal(digits) ? OptionalDouble.of(Double.parseDouble(trimmed)) : OptionalDouble.empty();
    }

    static OptionalDouble parse(String text, int radix) {
        var trimmed = text.strip();
        boolean negative = trimmed.startsWith("-");
        double value = 0;
        int start = negative ? 1 : 0;
        if (trimmed.length() == start || trimmed.length() > MAX_DIGITS) {
            return OptionalDouble.empty();
        }
        for (int i = start; i < trimmed.length(); i++) {
            int digit = Character.digit(trimmed.charAt(i), radix);
            if (digit < 0) {
                return OptionalDouble.empty();
            }
            value = value * radix + digit;
        }
        return OptionalDouble.of(negative ? -value : value);
    }

    /// Java's parser would also take `1d`, `NaN` and hexadecimal fractions.
    private static boolean isDecimal(String text) {
        int position = 0;
        int start = position;
        position = digits(text, position);
        int found = position - start;
        if (position < text.length() && text.charAt(position) == '.') {
            start = ++position;
            position = digits(text, position);
            found += position - start;
        }
        if (found == 0) {
            return false;
        }
        if (position < text.length() && (text.charAt(position) == 'e' || text.charAt(position) == 'E')) {
            position++;
            if (position < text.length() && (text.charAt(position) == '+' || text.charAt(position) == '-')) {
                position++;
            }
            start = position;
            position = digits(text, position);
            return position > start && position == text.length();
        }
        return position == text.length();
    }

    private static int digits(String text, int from) {
        int position = from;
        while (position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9') {
            position++;
        }
        return position;
    }
}
