package dev.towtank.controllers.pipelines.api;

import java.util.Map;

/// Labels and annotations for the run of a task.
public record TaskMetadata(Map<String, String> labels, Map<String, String> annotations) {}
