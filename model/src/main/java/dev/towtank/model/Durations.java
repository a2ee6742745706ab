package dev.towtank.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;

/// Durations as Go writes them (`1h30m`, `1.5s`, `100ms`), which is how Kubernetes objects hold them.
public final class Durations {

    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private static final int LONGEST_TEXT = 200;

    private Durations() {}

    /// The text is no duration; the message is the one of Go.
    public static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Malformed(String message) {
            super(message, null, false, false);
        }
    }

    public static Duration parse(String text) {
        if (text.length() > LONGEST_TEXT) {
            throw new Malformed("time: invalid duration: longer than " + LONGEST_TEXT + " characters");
        }
        boolean negative = text.startsWith("-");
        var rest = negative || text.startsWith("+") ? text.substring(1) : text;
        if (rest.equals("0")) {
            return Duration.ZERO;
        }
        if (rest.isEmpty()) {
            throw invalid(text);
        }
        var total = BigInteger.ZERO;
        while (!rest.isEmpty()) {
            int numberEnd = end(rest, 0, true);
            var number = rest.substring(0, numberEnd);
            if (number.isEmpty() || number.equals(".") || number.indexOf('.') != number.lastIndexOf('.')) {
                throw invalid(text);
            }
            int unitEnd = end(rest, numberEnd, false);
            total = total.add(nanos(number, rest.substring(numberEnd, unitEnd), text));
            rest = rest.substring(unitEnd);
        }
        var signed = negative ? total.negate() : total;
        if (signed.bitLength() >= Long.SIZE) {
            throw invalid(text);
        }
        return Duration.ofNanos(signed.longValue());
    }

    private static int end(String text, int start, boolean digits) {
        int end = start;
        while (end < text.length() && digits == isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isDigit(char c) {
        return (c >= '0' && c <= '9') || c == '.';
    }

    private static BigInteger nanos(String number, String unit, String text) {
        if (unit.isEmpty()) {
            throw new Malformed("time: missing unit in duration " + Json.of(text));
        }
        var nanos = NANOS.get(unit);
        if (nanos == null) {
            throw new Malformed("time: unknown unit " + Json.of(unit) + " in duration " + Json.of(text));
        }
        return new BigDecimal(number)
                .multiply(BigDecimal.valueOf(nanos))
                .setScale(0, RoundingMode.DOWN)
                .toBigInteger();
    }

    private static Malformed invalid(String text) {
        return new Malformed("time: invalid duration " + Json.of(text));
    }

    /// `1h30m0s`, `1.5s`, `0s`: as Go prints it.
    public static String format(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        var sign = duration.isNegative() ? "-" : "";
        var size = duration.abs();
        if (size.compareTo(Duration.ofSeconds(1)) < 0) {
            return sign + subSecond(size.toNanos());
        }
        var seconds = BigDecimal.valueOf(size.toSecondsPart())
                .add(BigDecimal.valueOf(size.toNanosPart(), 9))
                .stripTrailingZeros()
                .toPlainString();
        if (size.toHours() > 0) {
            return sign + size.toHours() + "h" + size.toMinutesPart() + "m" + seconds + "s";
        }
        return size.toMinutes() > 0 ? sign + size.toMinutes() + "m" + seconds + "s" : sign + seconds + "s";
    }

    private static String subSecond(long nanos) {
        if (nanos < 1_000) {
            return nanos + "ns";
        }
        return nanos < 1_000_000 ? decimal(nanos, 3) + "µs" : decimal(nanos, 6) + "ms";
    }

    private static String decimal(long value, int scale) {
        return BigDecimal.valueOf(value, scale).stripTrailingZeros().toPlainString();
    }
}
