package dev.towtank.app.applications;

import dev.towtank.model.Json;
import java.util.List;

/// What lives around an Application's objects and tells why they are as they are.
///
/// @param pods in the namespace of its destination
/// @param events likewise, the oldest first
public record Surrounding(List<Json.Obj> pods, List<Json.Obj> events) {

    public static final Surrounding NOTHING = new Surrounding(List.of(), List.of());

    public Surrounding {
        pods = List.copyOf(pods);
        events = List.copyOf(events);
    }
}
