package dev.towtank.controllers.pipelines.api;

import java.time.Instant;
import java.util.Optional;

/// An entry of `status.conditions`.
public record Condition(
        String type,
        String status,
        String severity,
        Optional<Instant> lastTransitionTime,
        String reason,
        String message) {

    public static final String SUCCEEDED = "Succeeded";

    public boolean isTrue() {
        return status.equals("True");
    }

    public boolean isFalse() {
        return status.equals("False");
    }

    public boolean isUnknown() {
        return status.equals("Unknown");
    }
}
