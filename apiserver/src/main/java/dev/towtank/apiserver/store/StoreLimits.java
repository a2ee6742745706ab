package dev.towtank.apiserver.store;

import java.time.Duration;

/// How much history is kept for watches and for lists at older revisions: whichever limit is reached first.
///
/// @param bytes of the objects in the history, together
public record StoreLimits(Duration age, int changes, long bytes) {

    public static final StoreLimits DEFAULT = new StoreLimits(Duration.ofMinutes(5), 100_000, 64L << 20);

    public StoreLimits {
        if (age.isNegative() || changes < 0 || bytes < 0) {
            throw new IllegalArgumentException("the limits of the history must not be negative: " + age + ", " + changes
                    + " changes, " + bytes + " bytes");
        }
    }
}
