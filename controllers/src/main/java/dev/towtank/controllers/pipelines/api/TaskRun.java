package dev.towtank.controllers.pipelines.api;

/// tekton.dev/v1 TaskRun.
public record TaskRun(String apiVersion, String kind, Metadata metadata, TaskRunSpec spec, TaskRunStatus status) {

    public boolean isDone() {
        return status.succeeded().filter(condition -> !condition.isUnknown()).isPresent();
    }

    public boolean isCancelled() {
        return spec.status().equals(TaskRunSpec.CANCELLED);
    }

    public boolean isPending() {
        return spec.status().equals(TaskRunSpec.PENDING);
    }
}
