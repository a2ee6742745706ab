package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Path;
import java.util.List;

/// Advice on pods that are accepted and will not do what was meant.
public final class PodWarnings {

    private PodWarnings() {}

    static List<String> of(Path path, Json.Obj template) {
        return List.of();
    }
}
