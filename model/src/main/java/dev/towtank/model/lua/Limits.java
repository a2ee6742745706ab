package dev.towtank.model.lua;

/// How much a run may use. Both counts only grow, so that the same script on the same object always ends the same way.
///
/// @param steps statements, calls, rounds of loops, and work inside of the libraries
/// @param bytes of all strings and tables that are made, those included that are forgotten again
/// @param depth of calls
public record Limits(long steps, long bytes, int depth) {

    /// Far above what any health check needs; reached in a fraction of a second.
    public static final Limits DEFAULT = new Limits(10_000_000, 128L << 20, 200);
}
