package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.util.Map;
import java.util.Optional;

/// Where the definition of a run came from, and under which flags it ran.
public record Provenance(Optional<RefSource> refSource, Optional<Json.Obj> featureFlags) {

    public record RefSource(String uri, Map<String, String> digest, String entryPoint) {}
}
