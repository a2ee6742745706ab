package dev.towtank.app.runs;

import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A run, as it is where it was found.
///
/// @param id by which people name it
/// @param result the name of its Result in the archive; empty elsewhere
/// @param record what `run` remembers of it, if it does
public record FoundRun(Where where, String id, Json.Obj object, String result, Optional<RunDirectory> record) {

    public enum Where {
        LIVE,
        ARCHIVED,
        LOCAL;

        public String word() {
            return switch (this) {
                case LIVE -> "server";
                case ARCHIVED -> "archive";
                case LOCAL -> "local";
            };
        }
    }

    public enum State {
        SUCCEEDED,
        FAILED,
        TIMEOUT,
        CANCELLED,
        RUNNING
    }

    String uid() {
        return object.string("metadata", "uid");
    }

    public String namespace() {
        return object.string("metadata", "namespace");
    }

    public String kind() {
        return object.string("kind");
    }

    /// The pipeline or task that it runs; the run's own name where that has none.
    public String pipeline() {
        var labels = object.object("metadata", "labels");
        var pipeline = labels.string("tekton.dev/pipeline");
        var task = labels.string("tekton.dev/task");
        return !pipeline.isEmpty() ? pipeline : task;
    }

    boolean hasLabel(String name, String value) {
        return object.string("metadata", "labels", name).equals(value);
    }

    private Json.Obj condition() {
        return object.objects("status", "conditions").stream()
                .filter(each -> each.string("type").equals("Succeeded"))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
    }

    public String reason() {
        return condition().string("reason");
    }

    public String message() {
        return condition().string("message");
    }

    public State state() {
        return switch (condition().string("status")) {
            case "True" -> State.SUCCEEDED;
            case "False" -> ended(reason());
            default -> State.RUNNING;
        };
    }

    private static State ended(String reason) {
        if (reason.endsWith("Timeout") || reason.endsWith("TimedOut")) {
            return State.TIMEOUT;
        }
        return reason.endsWith("Cancelled") ? State.CANCELLED : State.FAILED;
    }

    public Optional<Instant> started() {
        return moment(object.string("status", "startTime"));
    }

    public Optional<Instant> completed() {
        return moment(object.string("status", "completionTime"));
    }

    /// When it began, or was made where it has not begun.
    Instant since() {
        return started()
                .or(() -> moment(object.string("metadata", "creationTimestamp")))
                .orElse(Instant.EPOCH);
    }

    public Optional<Duration> took() {
        return started().flatMap(start -> completed().map(end -> Duration.between(start, end)));
    }

    private static Optional<Instant> moment(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Timestamps.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
