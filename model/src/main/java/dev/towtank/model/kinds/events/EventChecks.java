package dev.towtank.model.kinds.events;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import java.util.List;

/// The rules for an event in its core form that comes in through `events.k8s.io/v1`, which is the stricter way.
final class EventChecks {

    private static final Rules CORE = dev.towtank.model.kinds.core.Events.KIND.rules();

    private EventChecks() {}

    /// The rules that hold for events of both versions.
    static void validate(Json.Obj event, FieldError.Collector errors) {
        var found = new FieldError.Collector();
        CORE.validate(event, found);
        for (var error : found.errors()) {
            errors.add(
                    error.path().equals("reportingComponent")
                            ? new FieldError(error.type(), "reportingController", error.value(), error.detail())
                            : error);
        }
    }

    private static void withoutShowing(Field field, String detail) {
        field.errors().invalid(field.path(), "", detail);
    }

    static void validateCreate(Json.Obj event, FieldError.Collector errors) {
        var root = Field.root(event, errors);
        validateSeries(root.at("series"));
        root.at("eventTime").required("");
        var type = root.at("type");
        if (!List.of("Normal", "Warning").contains(type.text())) {
            withoutShowing(type, "has invalid value: " + type.text());
        }
        for (var old : List.of("firstTimestamp", "lastTimestamp", "count")) {
            if (!root.at(old).isEmpty()) {
                withoutShowing(root.at(old), "needs to be unset");
            }
        }
        if (!root.at("source", "component").isEmpty()
                || !root.at("source", "host").isEmpty()) {
            withoutShowing(root.at("source"), "needs to be unset");
        }
    }

    private static void validateSeries(Field series) {
        if (series.isPresent()) {
            if (series.at("count").number() < 2) {
                withoutShowing(series.at("count"), "should be at least 2");
            }
            series.at("lastObservedTime").required("");
        }
    }

    static void validateUpdate(Json.Obj event, Json.Obj old, FieldError.Collector errors) {
        var root = Field.root(event, errors);
        if (!Field.same(root.at("series").value(), old.get("series"))) {
            validateSeries(root.at("series"));
        }
        for (var fixed : List.of(
                "involvedObject",
                "reason",
                "message",
                "source",
                "firstTimestamp",
                "lastTimestamp",
                "count",
                "type",
                "eventTime",
                "action",
                "related")) {
            root.at(fixed).immutable(old.get(fixed));
        }
        root.at("reportingComponent")
                .reportedAt(Path.of("reportingController"))
                .immutable(old.get("reportingComponent"));
        root.at("reportingInstance").immutable(old.get("reportingInstance"));
    }
}
