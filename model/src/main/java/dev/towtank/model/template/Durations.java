package dev.towtank.model.template;

/// Go's durations as Go writes them.
final class Durations {
    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private Durations() {}

    /// Such as `1h2m3.5s`.
    static String text(long nanoseconds) {
        if (nanoseconds == 0) {
            return "0s";
        }
        var sign = nanoseconds < 0 ? "-" : "";
        long rest = Math.abs(nanoseconds);
        if (rest < MICROSECOND) {
            return sign + rest + "ns";
        }
        if (rest < SECOND) {
            boolean micro = rest < MILLISECOND;
            return sign + decimal(rest, micro ? MICROSECOND : MILLISECOND) + (micro ? "µs" : "ms");
        }
        long minutes = rest / (60 * SECOND);
        var seconds = decimal(rest % (60 * SECOND), SECOND) + "s";
        if (minutes == 0) {
            return sign + seconds;
        }
        return sign + (minutes >= 60 ? minutes / 60 + "h" : "") + minutes % 60 + "m" + seconds;
    }

    private static String decimal(long value, long unit) {
        return new java.math.BigDecimal(value)
                .divide(new java.math.BigDecimal(unit))
                .stripTrailingZeros()
                .toPlainString();
    }
}
