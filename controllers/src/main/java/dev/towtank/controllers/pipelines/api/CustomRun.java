package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// tekton.dev/v1beta1 CustomRun: work for another controller.
public record CustomRun(String apiVersion, String kind, Metadata metadata, Spec spec, Status status) {

    public static final String CANCELLED = "RunCancelled";

    public record Spec(
            Optional<Ref> customRef,
            Optional<EmbeddedSpec> customSpec,
            List<Param> params,
            String status,
            String statusMessage,
            int retries,
            String serviceAccountName,
            Optional<String> timeout,
            List<WorkspaceBinding> workspaces) {

        public Optional<Duration> timeLimit() {
            return timeout.map(Durations::parse);
        }
    }

    public record EmbeddedSpec(String apiVersion, String kind, TaskMetadata metadata, Json.Obj spec) {}

    public record Status(
            long observedGeneration,
            List<Condition> conditions,
            Map<String, String> annotations,
            Optional<Instant> startTime,
            Optional<Instant> completionTime,
            List<CustomResult> results,
            List<Json.Obj> retriesStatus,
            Json extraFields) {

        public Optional<Condition> succeeded() {
            return conditions.stream()
                    .filter(condition -> condition.type().equals(Condition.SUCCEEDED))
                    .findFirst();
        }
    }

    public record CustomResult(String name, String value) {}

    public boolean isDone() {
        return status.succeeded().filter(condition -> !condition.isUnknown()).isPresent();
    }

    public boolean isCancelled() {
        return spec.status().equals(CANCELLED);
    }
}
