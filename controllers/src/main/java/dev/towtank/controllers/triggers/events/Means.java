package dev.towtank.controllers.triggers.events;

import java.time.Instant;

/// What interceptors work with.
public record Means(
        Secrets secrets, GitHub gitHub, Deviations deviations, Instant now, CompiledExpressions expressions) {

    public Means(Secrets secrets, GitHub gitHub, Deviations deviations, Instant now) {
        this(secrets, gitHub, deviations, now, new CompiledExpressions());
    }
}
