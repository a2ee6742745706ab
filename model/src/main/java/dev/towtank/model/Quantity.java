package dev.towtank.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/// An amount of a resource, such as `100m`, `1.5Gi` or `2e3`.
///
/// Amounts smaller than a billionth are rounded up: who asks for something gets something. Two quantities are equal
/// when they are written alike; amounts compare with [#compareTo].
///
/// @param text the canonical form, in which Kubernetes stores and shows it
public record Quantity(BigDecimal amount, Format format, String text) implements Comparable<Quantity> {

    /// How an amount is written: `12M`, `12Mi` or `12e6`.
    public enum Format {
        DECIMAL,
        BINARY,
        EXPONENT
    }

    /// The text is no quantity; the message is the one of Kubernetes.
    public static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Malformed(String message) {
            super(message, null, false, false);
        }
    }

    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Format.DECIMAL, "0");

    private static final String DECIMAL_SUFFIXES = "num kMGTPE";
    private static final String BINARY_SUFFIXES = "KMGTPE";
    private static final int SMALLEST_SCALE = 9;
    /// Nobody has more digits; without a bound a short text could ask for gigabytes of zeros.
    private static final int LARGEST_EXPONENT = 1000;
    private static final int LONGEST_TEXT = 1000;
    private static final Pattern SHAPE = Pattern.compile("([+-]?)([0-9]*)(?:\\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)");
    private static final BigDecimal LARGEST_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    public static Quantity of(long amount) {
        return of(BigDecimal.valueOf(amount), Format.DECIMAL);
    }

    public static Quantity ofMilli(long thousandths) {
        return of(BigDecimal.valueOf(thousandths, 3), Format.DECIMAL);
    }

    public static Quantity of(BigDecimal amount, Format format) {
        return new Quantity(amount, format, canonical(amount, format));
    }

    /// Whether the text is a quantity.
    public static boolean isValid(String text) {
        try {
            parse(text);
            return true;
        } catch (Malformed e) {
            return false;
        }
    }

    public static Quantity parse(String text) {
        var shape = SHAPE.matcher(text);
        if (text.isEmpty() || text.length() > LONGEST_TEXT || !shape.matches()) {
            throw new Malformed(
                    "quantities must match the regular expression" + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        }
        var fraction = shape.group(3) == null ? "" : shape.group(3);
        if (shape.group(2).isEmpty() && fraction.isEmpty()) {
            throw new Malformed(
                    shape.group(4).isEmpty() || shape.group(3) != null
                            ? "unable to parse numeric part of quantity"
                            : "quantities must match the regular expression"
                                    + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        }
        var suffix = Suffix.parse(shape.group(4));
        var digits = new BigDecimal(new BigInteger("0" + shape.group(2) + fraction), fraction.length());
        var amount = round(suffix.scale(digits));
        var capped = suffix.format == Format.BINARY ? amount.min(LARGEST_BINARY) : amount;
        var signed = shape.group(1).equals("-") ? capped.negate() : capped;
        return new Quantity(
                signed,
                suffix.format,
                staysAsWritten(suffix, shape.group(2), fraction) ? text : canonical(signed, suffix.format));
    }

    // Kubernetes keeps the text where a quick look tells it canonical, although it is not always (`1.100`).
    private static boolean staysAsWritten(Suffix suffix, String whole, String fraction) {
        var stripped = whole.replaceFirst("^0+", "");
        var digits = (stripped.isEmpty() ? "0" : stripped) + fraction;
        if (digits.length() > 15) {
            return false;
        }
        if (suffix.format == Format.BINARY) {
            return fraction.isEmpty()
                    && (Long.parseLong(digits) & 7) != 0
                    && digits.length() + suffix.exponent * 3 / 10 < 15;
        }
        int scale = suffix.exponent - fraction.length();
        return scale >= -SMALLEST_SCALE && scale % 3 == 0 && !digits.endsWith("000") && digits.charAt(0) != '0';
    }

    private static BigDecimal round(BigDecimal amount) {
        return amount.scale() > SMALLEST_SCALE ? amount.setScale(SMALLEST_SCALE, RoundingMode.UP) : amount;
    }

    private record Suffix(Format format, int exponent) {

        static Suffix parse(String text) {
            if (text.isEmpty()) {
                return new Suffix(Format.DECIMAL, 0);
            }
            int decimal = DECIMAL_SUFFIXES.indexOf(text);
            if (text.length() == 1 && decimal >= 0) {
                return new Suffix(Format.DECIMAL, (decimal - 3) * 3);
            }
            if (text.length() == 2 && text.charAt(1) == 'i' && BINARY_SUFFIXES.indexOf(text.charAt(0)) >= 0) {
                return new Suffix(Format.BINARY, (BINARY_SUFFIXES.indexOf(text.charAt(0)) + 1) * 10);
            }
            if (text.matches("[eE][-+]?[0-9]{1,9}")
                    && Math.abs(Integer.parseInt(text.substring(1))) <= LARGEST_EXPONENT) {
                return new Suffix(Format.EXPONENT, Integer.parseInt(text.substring(1)));
            }
            throw new Malformed("unable to parse quantity's suffix");
        }

        BigDecimal scale(BigDecimal digits) {
            return format == Format.BINARY
                    ? digits.multiply(new BigDecimal(BigInteger.TWO.pow(exponent)))
                    : digits.scaleByPowerOfTen(exponent);
        }
    }

    private static String canonical(BigDecimal amount, Format format) {
        if (amount.signum() == 0) {
            return "0";
        }
        var stripped = amount.stripTrailingZeros();
        if (format == Format.BINARY && amount.abs().compareTo(KIBI) >= 0 && stripped.scale() <= 0) {
            return binary(stripped.toBigInteger());
        }
        int exponent = Math.floorDiv(-stripped.scale(), 3) * 3;
        var digits = stripped.scaleByPowerOfTen(-exponent).toBigInteger().toString();
        if (exponent == 0) {
            return digits;
        }
        boolean hasSuffix = exponent >= -9 && exponent <= 18;
        return format == Format.EXPONENT || !hasSuffix
                ? digits + "e" + exponent
                : digits + DECIMAL_SUFFIXES.charAt(exponent / 3 + 3);
    }

    private static String binary(BigInteger amount) {
        int power = Math.min(amount.getLowestSetBit() / 10, BINARY_SUFFIXES.length());
        var digits = amount.shiftRight(power * 10).toString();
        return power == 0 ? digits : digits + BINARY_SUFFIXES.charAt(power - 1) + "i";
    }

    /// Zero takes the format of what is added to it.
    public Quantity plus(Quantity other) {
        return of(amount.add(other.amount), isZero() ? other.format : format);
    }

    public Quantity minus(Quantity other) {
        return of(amount.subtract(other.amount), isZero() ? other.format : format);
    }

    public Quantity times(long factor) {
        return of(amount.multiply(BigDecimal.valueOf(factor)), format);
    }

    public boolean isZero() {
        return amount.signum() == 0;
    }

    public int signum() {
        return amount.signum();
    }

    /// In whole units, rounded away from zero; what does not fit 64 bits becomes the largest that does.
    public long value() {
        return saturated(amount);
    }

    public long milliValue() {
        return saturated(amount.scaleByPowerOfTen(3));
    }

    private static long saturated(BigDecimal amount) {
        var rounded = amount.setScale(0, RoundingMode.UP).toBigInteger();
        if (rounded.bitLength() < Long.SIZE) {
            return rounded.longValue();
        }
        return rounded.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    @Override
    public int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }

    @Override
    public String toString() {
        return text;
    }
}
