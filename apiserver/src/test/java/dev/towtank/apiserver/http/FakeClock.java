package dev.towtank.apiserver.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that stands still until it is moved.
final class FakeClock implements InstantSource {

    private volatile Instant now = Instant.parse("2026-01-01T00:10:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    synchronized void advance(Duration duration) {
        now = now.plus(duration);
    }
}
