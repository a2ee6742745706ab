package dev.towtank.controllers.pipelines.runs;

import dev.towtank.cluster.Change;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
        return Json.of(moment.truncatedTo(ChronoUnit.SECONDS).toString());
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
        return json.get(field) instanceof Json.Str(var text) ? Optional.of(Instant.parse(text)) : Optional.empty();
    }

    /// What people are told about a change of the condition.
    public static List<Change> events(Resource run, Optional<Outcome> before, Outcome after) {
        if (before.filter(after::equals).isPresent()) {
            return List.of();
        }
        return List.of(
                switch (after.status()) {
                    case "True" -> Change.Event.normal(run, "Succeeded", after.message());
                    case "False" -> Change.Event.warning(run, "Failed", after.message());
                    default ->
                        before.isEmpty()
                                ? Change.Event.normal(run, "Started", "")
                                : Change.Event.normal(run, after.reason(), after.message());
                });
    }
}
