package dev.towtank.controllers.testclusters.api;

import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// The conditions of a status, on their way to the next one: a time moves only when its condition's status does.
public final class Conditions {

    private final Map<String, Json.Obj> byType = new LinkedHashMap<>();
    private final Instant now;

    private Conditions(Instant now) {
        this.now = now;
    }

    public static Conditions of(Json.Obj status, Instant now) {
        var conditions = new Conditions(now);
        status.objects("conditions").forEach(each -> conditions.byType.put(each.string("type"), each));
        return conditions;
    }

    public static boolean isTrue(Json.Obj status, String type) {
        return status.objects("conditions").stream()
                .anyMatch(each -> each.string("type").equals(type)
                        && each.string("status").equals("True"));
    }

    public boolean isTrue(String type) {
        var known = byType.get(type);
        return known != null && known.string("status").equals("True");
    }

    public boolean has(String type) {
        return byType.containsKey(type);
    }

    public String reason(String type) {
        return byType.getOrDefault(type, Json.Obj.EMPTY).string("reason");
    }

    /// When a condition last changed its status; the epoch where it is not there.
    public Instant since(String type) {
        var known = byType.get(type);
        return known == null ? Instant.EPOCH : Timestamps.parse(known.string("lastTransitionTime"));
    }

    public Conditions set(String type, boolean isTrue, String reason, String message) {
        return put(type, isTrue ? "True" : "False", reason, message);
    }

    /// It may still become one or the other.
    public Conditions unknown(String type, String reason, String message) {
        return put(type, "Unknown", reason, message);
    }

    private Conditions put(String type, String status, String reason, String message) {
        var before = byType.getOrDefault(type, Json.Obj.EMPTY);
        var time =
                before.string("status").equals(status) ? before.string("lastTransitionTime") : Timestamps.seconds(now);
        byType.put(
                type,
                Json.Obj.builder()
                        .put("type", type)
                        .put("status", status)
                        .put("reason", reason)
                        .put("message", message)
                        .put("lastTransitionTime", time)
                        .build());
        return this;
    }

    public Json.Arr json() {
        return Json.Arr.of(byType.values().toArray(Json[]::new));
    }
}
