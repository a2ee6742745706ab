package dev.towtank.controllers.pipelines.api;

import java.util.List;
import java.util.Map;

/// What a run took in and what it made.
public record Artifacts(List<Artifact> inputs, List<Artifact> outputs) {

    public record Artifact(String name, List<Value> values, boolean buildOutput) {}

    public record Value(Map<String, String> digest, String uri) {}
}
