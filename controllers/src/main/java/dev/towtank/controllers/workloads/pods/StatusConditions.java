package dev.towtank.controllers.workloads.pods;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The conditions of a status; one of each type.
public record StatusConditions(List<Json.Obj> all) {

    public StatusConditions {
        all = List.copyOf(all);
    }

    public static StatusConditions of(Json.Obj status) {
        return new StatusConditions(status.objects("conditions"));
    }

    public Optional<Json.Obj> find(String type) {
        return all.stream()
                .filter(condition -> condition.string("type").equals(type))
                .findFirst();
    }

    public boolean isTrue(String type) {
        return find(type)
                .filter(condition -> condition.string("status").equals("True"))
                .isPresent();
    }

    public String reason(String type) {
        return find(type).map(condition -> condition.string("reason")).orElse("");
    }

    public StatusConditions without(String type) {
        return new StatusConditions(all.stream()
                .filter(condition -> !condition.string("type").equals(type))
                .toList());
    }

    public StatusConditions plus(Json.Obj condition) {
        var more = new ArrayList<>(without(condition.string("type")).all);
        more.add(condition);
        return new StatusConditions(more);
    }

    /// In the place of the one of its type.
    public StatusConditions replacing(Json.Obj condition) {
        var type = condition.string("type");
        return find(type).isEmpty()
                ? plus(condition)
                : new StatusConditions(all.stream()
                        .map(each -> each.string("type").equals(type) ? condition : each)
                        .toList());
    }

    /// Nothing changes while status and reason stay; the time of transition is that of the status.
    public StatusConditions set(Json.Obj condition) {
        var known = find(condition.string("type"));
        if (known.isEmpty() || !known.get().string("status").equals(condition.string("status"))) {
            return plus(condition);
        }
        return known.get().string("reason").equals(condition.string("reason"))
                ? this
                : plus(condition.withOrWithout("lastTransitionTime", known.get().get("lastTransitionTime")));
    }

    public Json.Arr json() {
        return new Json.Arr(List.copyOf(all));
    }

    public static Json.Obj condition(String type, String status, String reason, String message, Instant now) {
        return Json.Obj.builder()
                .put("type", type)
                .put("status", status)
                .put("lastTransitionTime", Times.json(now))
                .put("reason", reason)
                .put("message", message)
                .build();
    }

    /// For kinds whose conditions say when they were last looked at.
    public static Json.Obj updated(String type, String status, String reason, String message, Instant now) {
        return condition(type, status, reason, message, now).with("lastUpdateTime", Times.json(now));
    }
}
