package dev.towtank.archive.watch;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/// What the status of a run says.
final class RunStatus {

    private RunStatus() {}

    private static Json.Obj condition(Resource run) {
        return run.status().objects("conditions").stream()
                .filter(condition -> condition.string("type").equals("Succeeded"))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
    }

    static boolean isDone(Resource run) {
        var status = condition(run).string("status");
        return status.equals("True") || status.equals("False");
    }

    static Optional<Instant> started(Resource run) {
        return moment(run, "startTime");
    }

    static Optional<Instant> completed(Resource run) {
        return moment(run, "completionTime");
    }

    private static Optional<Instant> moment(Resource run, String field) {
        var text = run.status().string(field);
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Timestamps.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /// As a summary counts it: 0 unknown, 1 success, 2 failure, 3 timeout, 4 cancelled.
    static int code(Resource run) {
        return switch (condition(run).string("reason")) {
            case "Succeeded", "Completed" -> 1;
            case "TaskRunTimeout", "PipelineRunTimeout", "CustomRunTimedOut" -> 3;
            case "TaskRunCancelled", "Cancelled", "CustomRunCancelled" -> 4;
            // Other reasons have no name of their own in the summary; the condition says how they ended.
            default ->
                switch (condition(run).string("status")) {
                    case "True" -> 1;
                    case "False" -> 2;
                    default -> 0;
                };
        };
    }

    /// Whether nothing more will be written to any log of a pod.
    static boolean hasEnded(Resource pod) {
        var phase = pod.status().string("phase");
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            return true;
        }
        var containers = pod.status().objects("containerStatuses");
        return !containers.isEmpty()
                && containers.stream()
                        .allMatch(container -> container.object("state").has("terminated"));
    }
}
