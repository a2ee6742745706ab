package dev.towtank.model.helm;

import dev.towtank.model.Json;
import java.util.List;

/// What a chart comes to: objects in the order in which they are to be installed, and apart from them those of `crds/`
/// and the hooks.
///
/// @param notes what NOTES.txt of the chart says, empty where there is none
public record Rendered(List<Entry> crds, List<Entry> objects, List<Entry> hooks, String notes) {
    public Rendered {
        crds = List.copyOf(crds);
        objects = List.copyOf(objects);
        hooks = List.copyOf(hooks);
    }

    /// @param source the template or file that it is from, such as `mychart/templates/service.yaml`
    public record Entry(String source, Json.Obj object) {}

    /// All of them: definitions first, hooks last.
    public List<Json.Obj> all() {
        return java.util.stream.Stream.of(crds, objects, hooks)
                .flatMap(List::stream)
                .map(Entry::object)
                .toList();
    }
}
