package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a run of a task is doing.
public record TaskRunStatus(
        long observedGeneration,
        List<Condition> conditions,
        Map<String, String> annotations,
        String podName,
        Optional<Instant> startTime,
        Optional<Instant> completionTime,
        List<StepState> steps,
        List<TaskRunStatus> retriesStatus,
        List<Result> results,
        Optional<Artifacts> artifacts,
        List<SidecarState> sidecars,
        Optional<Json.Obj> taskSpec,
        Optional<Provenance> provenance,
        Map<String, String> spanContext) {

    public Optional<Condition> succeeded() {
        return conditions.stream()
                .filter(condition -> condition.type().equals(Condition.SUCCEEDED))
                .findFirst();
    }

    /// @param waiting, running, terminated exactly one of them, as in the status of a container
    public record StepState(
            Optional<Json.Obj> waiting,
            Optional<Json.Obj> running,
            Optional<Json.Obj> terminated,
            String name,
            String container,
            String imageID,
            List<Result> results,
            Optional<Provenance> provenance,
            String terminationReason,
            List<Artifacts.Artifact> inputs,
            List<Artifacts.Artifact> outputs) {}

    public record SidecarState(
            Optional<Json.Obj> waiting,
            Optional<Json.Obj> running,
            Optional<Json.Obj> terminated,
            String name,
            String container,
            String imageID) {}
}
