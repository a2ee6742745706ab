package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a run of a pipeline is doing.
public record PipelineRunStatus(
        long observedGeneration,
        List<Condition> conditions,
        Map<String, String> annotations,
        Optional<Instant> startTime,
        Optional<Instant> completionTime,
        List<Result> results,
        Optional<Json.Obj> pipelineSpec,
        List<SkippedTask> skippedTasks,
        List<ChildReference> childReferences,
        Optional<Instant> finallyStartTime,
        Optional<Provenance> provenance,
        Map<String, String> spanContext) {

    public Optional<Condition> succeeded() {
        return conditions.stream()
                .filter(condition -> condition.type().equals(Condition.SUCCEEDED))
                .findFirst();
    }

    public record SkippedTask(String name, String reason, List<When> whenExpressions) {}

    public record ChildReference(
            String apiVersion,
            String kind,
            String name,
            String displayName,
            String pipelineTaskName,
            List<When> whenExpressions) {}
}
