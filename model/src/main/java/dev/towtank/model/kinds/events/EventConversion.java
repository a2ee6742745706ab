package dev.towtank.model.kinds.events;

import dev.towtank.model.Json;
import java.util.Map;
import java.util.stream.Collectors;

/// The two forms of one event: `v1` and `events.k8s.io/v1` differ only in the names of their fields.
public final class EventConversion {

    private static final String CORE_VERSION = "v1";
    private static final String EVENTS_VERSION = "events.k8s.io/v1";

    private static final Map<String, String> TO_CORE = Map.of(
            "note", "message",
            "regarding", "involvedObject",
            "deprecatedSource", "source",
            "deprecatedCount", "count",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp",
            "reportingController", "reportingComponent");

    private static final Map<String, String> FROM_CORE =
            TO_CORE.entrySet().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    private EventConversion() {}

    public static Json.Obj toCore(Json.Obj event) {
        return renamed(event, TO_CORE, CORE_VERSION);
    }

    public static Json.Obj fromCore(Json.Obj event) {
        return renamed(event, FROM_CORE, EVENTS_VERSION);
    }

    private static Json.Obj renamed(Json.Obj event, Map<String, String> names, String apiVersion) {
        var builder = Json.Obj.builder();
        event.forEach((key, value) -> builder.put(names.getOrDefault(key, key), value));
        return builder.put("apiVersion", Json.of(apiVersion)).build();
    }
}
