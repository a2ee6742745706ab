package dev.towtank.app.report;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Locale;

/// How far something has come.
enum State {
    SUCCEEDED("✓", "succeeded"),
    FAILED("✗", "failed"),
    TIMED_OUT("⧗", "timed out"),
    CANCELLED("⊘", "cancelled"),
    RUNNING("▶", "running"),
    SKIPPED("↷", "skipped"),
    WAITING("○", "not started");

    private final String symbol;
    private final String word;

    State(String symbol, String word) {
        this.symbol = symbol;
        this.word = word;
    }

    String symbol() {
        return symbol;
    }

    String word() {
        return word;
    }

    /// The name of its class in the style sheet.
    String style() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The state of a whole with these parts: what needs attention first.
    static State of(List<State> parts) {
        for (var state : List.of(FAILED, TIMED_OUT, CANCELLED, RUNNING)) {
            if (parts.contains(state)) {
                return state;
            }
        }
        return parts.isEmpty() || parts.contains(WAITING) ? WAITING : parts.getFirst();
    }

    /// What the condition of a run says.
    static State ofRun(Json.Obj condition) {
        var reason = condition.string("reason");
        return switch (condition.string("status")) {
            case "True" -> SUCCEEDED;
            case "False" -> {
                if (reason.contains("Timeout") || reason.contains("TimedOut")) {
                    yield TIMED_OUT;
                }
                yield reason.contains("Cancel") || reason.contains("Stopped") ? CANCELLED : FAILED;
            }
            case "" -> WAITING;
            default -> RUNNING;
        };
    }

    static State ofStep(Json.Obj step) {
        if (step.has("running")) {
            return RUNNING;
        }
        if (!step.has("terminated")) {
            return WAITING;
        }
        return switch (step.string("terminationReason")) {
            case "Skipped" -> SKIPPED;
            case "TimeoutExceeded" -> TIMED_OUT;
            case "Cancelled" -> CANCELLED;
            default -> step.integer("terminated", "exitCode") == 0 ? SUCCEEDED : FAILED;
        };
    }
}
