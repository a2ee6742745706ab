package dev.towtank.controllers.pipelines.api;

/// tekton.dev/v1 PipelineRun.
public record PipelineRun(
        String apiVersion, String kind, Metadata metadata, PipelineRunSpec spec, PipelineRunStatus status) {

    public boolean isDone() {
        return status.succeeded().filter(condition -> !condition.isUnknown()).isPresent();
    }

    public boolean hasStarted() {
        return status.startTime().isPresent();
    }

    public boolean isCancelled() {
        return spec.status().equals(PipelineRunSpec.CANCELLED);
    }

    public boolean isGracefullyCancelled() {
        return spec.status().equals(PipelineRunSpec.CANCELLED_RUN_FINALLY);
    }

    public boolean isGracefullyStopped() {
        return spec.status().equals(PipelineRunSpec.STOPPED_RUN_FINALLY);
    }

    public boolean isPending() {
        return spec.status().equals(PipelineRunSpec.PENDING);
    }
}
