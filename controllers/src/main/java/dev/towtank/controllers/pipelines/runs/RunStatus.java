package dev.towtank.controllers.pipelines.runs;

import dev.towtank.cluster.Change;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The status of a run as it is being made: immutable, every change is a new one.
public record RunStatus(Json.Obj json) {

    public static final String SUCCEEDED = "Succeeded";
    public static final String USER_ERROR = "[User error] ";

    /// @param status `True`, `False` or `Unknown`
    public record Outcome(String status, String reason, String message) {
        public static Outcome running(String reason, String message) {
            return new Outcome("Unknown", reason, message);
        }

        public static Outcome failed(String reason, String message) {
            return new Outcome("False", reason, message);
        }

        public static Outcome succeeded(String reason, String message) {
            return new Outcome("True", reason, message);
        }

        public boolean isFalse() {
            return status.equals("False");
        }

        public boolean isOver() {
            return !status.equals("Unknown");
        }
    }

    public static RunStatus of(Resource run) {
        return new RunStatus(run.status());
    }

    public static Json time(Instant moment) {
        return Json.of(Timestamps.seconds(moment));
    }

    public Optional<Outcome> outcome() {
        return json.objects("conditions").stream()
                .filter(condition -> condition.string("type").equals(SUCCEEDED))
                .map(condition -> new Outcome(
                        condition.string("status"), condition.string("reason"), condition.string("message")))
                .findFirst();
    }

    public boolean isOver() {
        return outcome().filter(Outcome::isOver).isPresent();
    }

    /// The condition `Succeeded`, which stays the first: clients look there.
    public RunStatus with(Outcome outcome, Instant now) {
        if (outcome().filter(outcome::equals).isPresent()) {
            return this;
        }
        var conditions = new ArrayList<Json>();
        conditions.add(Json.Obj.builder()
                .put("lastTransitionTime", time(now))
                .put("message", outcome.message())
                .put("reason", outcome.reason())
                .put("status", outcome.status())
                .put("type", SUCCEEDED)
                .build());
        json.objects("conditions").stream()
                .filter(condition -> !condition.string("type").equals(SUCCEEDED))
                .forEach(conditions::add);
        return with("conditions", new Json.Arr(conditions));
    }

    public RunStatus with(String field, Json value) {
        return new RunStatus(json.with(field, value));
    }

    /// Leaves the field out where there is nothing in it.
    public RunStatus withNonEmpty(String field, Json value) {
        return value.isEmpty() ? without(field) : with(field, value);
    }

    public RunStatus without(String... fields) {
        var rest = json;
        for (var field : fields) {
            rest = rest.without(field);
        }
        return new RunStatus(rest);
    }

    /// A time is written once.
    public RunStatus stamped(String field, Instant now) {
        return json.has(field) ? this : with(field, time(now));
    }

    public Optional<Instant> moment(String field) {
        return json.get(field) instanceof Json.Str(var text) ? Optional.of(Timestamps.parse(text)) : Optional.empty();
    }

    /// When a time is over that began with this moment. Moments are written in whole seconds, so it may have begun
    /// almost a second later than it says, and nothing is to end early.
    public Optional<Instant> end(String field, Duration limit) {
        return moment(field).map(written -> written.plusSeconds(1).plus(limit));
    }

    /// What people are told about a change of the condition. Of a run that starts they are told first that it does, and
    /// then what it has come to already.
    public static List<Change> events(Resource run, RunStatus before, RunStatus after) {
        var outcome = after.outcome().orElseThrow();
        var events = new ArrayList<Change>();
        var starts = !before.json.has("startTime") && after.json.has("startTime");
        if (before.outcome().isEmpty() || starts) {
            events.add(Change.Event.normal(run, "Started", ""));
        }
        var isKnown = before.outcome().filter(outcome::equals).isPresent() && !starts;
        if (!isKnown && !isTellingNothing(run, outcome)) {
            events.add(
                    switch (outcome.status()) {
                        case "True" -> Change.Event.normal(run, "Succeeded", outcome.message());
                        case "False" -> Change.Event.warning(run, "Failed", outcome.message());
                        default -> Change.Event.normal(run, outcome.reason(), outcome.message());
                    });
        }
        return events;
    }

    /// A run that was told to wait has not come to anything, and that a definition is fetched is told of pipelines
    /// only.
    private static boolean isTellingNothing(Resource run, Outcome outcome) {
        return switch (outcome.reason()) {
            case "Started", "PipelineRunPending", "TaskRunPending" -> true;
            case "ResolvingTaskRef", "ResolvingStepActionRef" -> run.kind().equals("TaskRun");
            default -> false;
        };
    }
}
