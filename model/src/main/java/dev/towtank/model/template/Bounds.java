package dev.towtank.model.template;

/// What one render may cost. Steps stand for time: a loop's turn is one, and so are some dozen characters that a
/// function
/// makes.
public record Bounds(long steps, long outputBytes, int depth) {
    /// Enough for the largest charts that people publish, and over in seconds.
    public static final Bounds DEFAULT = new Bounds(20_000_000, 32L << 20, 400);

    public Bounds {
        if (steps <= 0 || outputBytes <= 0 || depth <= 0) {
            throw new IllegalArgumentException("bounds must be positive");
        }
    }
}
