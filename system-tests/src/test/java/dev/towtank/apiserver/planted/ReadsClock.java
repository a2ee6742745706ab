package dev.towtank.apiserver.planted;

import java.time.Instant;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
final class ReadsClock {
    private final Instant read = Instant.now();

    Instant read() {
        return read;
    }
}
