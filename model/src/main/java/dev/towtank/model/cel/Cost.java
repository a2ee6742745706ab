package dev.towtank.model.cel;

/// The least and the most that something may cost, or how short and how long it may be. Sums and products that leave
/// the range of numbers stay at its end, which stands for "without bound".
record Cost(long min, long max) {

    static final Cost ZERO = of(0);
    static final Cost ONE = of(1);
    static final Cost UNKNOWN = new Cost(0, Long.MAX_VALUE);
    /// The union of nothing.
    static final Cost NONE = new Cost(Long.MAX_VALUE, 0);

    static Cost of(long both) {
        return new Cost(both, both);
    }

    Cost plus(Cost other) {
        return new Cost(sum(min, other.min), sum(max, other.max));
    }

    Cost times(Cost other) {
        return new Cost(product(min, other.min), product(max, other.max));
    }

    /// Rounded up.
    Cost times(double factor) {
        return new Cost(product(min, factor), product(max, factor));
    }

    Cost union(Cost other) {
        return new Cost(Math.min(min, other.min), Math.max(max, other.max));
    }

    static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    static long product(long one, long other) {
        return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
    }

    // A double that is too large becomes the largest long by itself.
    private static long product(long number, double factor) {
        return number == Long.MAX_VALUE && factor > 0 ? Long.MAX_VALUE : (long) Math.ceil(number * factor);
    }
}
