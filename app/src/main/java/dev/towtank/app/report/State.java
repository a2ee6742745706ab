package dev.towtank.app.report;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Locale;

/// How far something has come.
enum State {
    SUCCEEDED("M3 8.5l3.5 3.5L13 4.5", "✅", "succeeded"),
    FAILED("M4 4l8 8M12 4l-8 8", "❌", "failed"),
    TIMED_OUT("M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 4.5V8l2.5 2", "⏰", "timed out"),
    /// Failed, and whoever wrote the pipeline wanted to go on all the same.
    IGNORED("M8 2.5v7M8 12.5v1", "⚠️", "ignored"),
    IGNORED_TIMEOUT(TIMED_OUT.path, "⚠️", "timed out and ignored"),
    CANCELLED("M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M4 12l8-8", "🚫", "cancelled"),
    RUNNING("M5 3l8 5l-8 5z", "▶️", "running"),
    SKIPPED("M3 4l4 4l-4 4M9 4l4 4l-4 4", "⏭️", "skipped"),
    WAITING("M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10", "⏸️", "not started");

    private final String path;
    private final String emoji;
    private final String word;

    State(String path, String emoji, String word) {
        this.path = path;
        this.emoji = emoji;
        this.word = word;
    }

    /// Its sign as lines in a square of sixteen: letters of fonts are missing here and there.
    String path() {
        return path;
    }

    /// Its sign where others show our text.
    String emoji() {
        return emoji;
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
        for (var state : List.of(FAILED, TIMED_OUT, CANCELLED, RUNNING, IGNORED_TIMEOUT, IGNORED)) {
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
            default -> {
                var ended = step.integer("terminated", "exitCode") == 0 ? SUCCEEDED : FAILED;
                yield step.string("terminationReason").equals("Continued") ? ended.ignored() : ended;
            }
        };
    }

    boolean isBad() {
        return this == FAILED || this == TIMED_OUT;
    }

    boolean isIgnored() {
        return this == IGNORED || this == IGNORED_TIMEOUT;
    }

    /// As it counts where failing does no harm.
    State ignored() {
        return switch (this) {
            case FAILED -> IGNORED;
            case TIMED_OUT -> IGNORED_TIMEOUT;
            case SUCCEEDED, IGNORED, IGNORED_TIMEOUT, CANCELLED, RUNNING, SKIPPED, WAITING -> this;
        };
    }
}
