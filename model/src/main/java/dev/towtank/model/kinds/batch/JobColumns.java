package dev.towtank.model.kinds.batch;

import dev.towtank.model.Column;
import dev.towtank.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/// What `kubectl get jobs` shows besides name and age.
final class JobColumns {

    static final Column STATUS =
            Column.text("Status", (object, _) -> Json.of(status(object))).describedAs("Status of the job.");
    static final Column COMPLETIONS = Column.text("Completions", (object, _) -> Json.of(completions(object)));
    static final Column DURATION = Column.text("Duration", (object, now) -> Json.of(duration(object, now)))
            .describedAs("Time required to complete the job.");

    private JobColumns() {}

    static boolean isTrue(Json.Obj object, String condition) {
        return object.objects("status", "conditions").stream()
                .anyMatch(each -> each.string("type").equals(condition)
                        && each.string("status").equals("True"));
    }

    private static String status(Json.Obj object) {
        for (var condition : List.of("Complete", "Failed")) {
            if (isTrue(object, condition)) {
                return condition;
            }
        }
        if (object.at("metadata", "deletionTimestamp") != null) {
            return "Terminating";
        }
        for (var condition : List.of("Suspended", "FailureTarget", "SuccessCriteriaMet")) {
            if (isTrue(object, condition)) {
                return condition;
            }
        }
        return "Running";
    }

    private static String completions(Json.Obj object) {
        long succeeded = object.integer("status", "succeeded");
        if (object.at("spec", "completions") instanceof Json.Int(var wanted)) {
            return succeeded + "/" + wanted;
        }
        long parallelism = object.integer("spec", "parallelism");
        return succeeded + (parallelism > 1 ? "/1 of " + parallelism : "/1");
    }

    private static String duration(Json.Obj object, Instant now) {
        var start = object.string("status", "startTime");
        var end = object.string("status", "completionTime");
        if (start.isEmpty()) {
            return "";
        }
        try {
            return Column.humanDuration(
                    Duration.between(Instant.parse(start), end.isEmpty() ? now : Instant.parse(end)));
        } catch (DateTimeParseException e) {
            return "<invalid>";
        }
    }
}
