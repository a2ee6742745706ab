package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What of an object's metadata the engine reads.
public record Metadata(
        String name,
        String generateName,
        String namespace,
        String uid,
        String resourceVersion,
        long generation,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<String> finalizers,
        Json.Arr ownerReferences,
        Optional<Instant> creationTimestamp,
        Optional<Instant> deletionTimestamp) {}
