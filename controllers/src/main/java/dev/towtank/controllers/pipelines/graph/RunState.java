package dev.towtank.controllers.pipelines.graph;

/// What has become of the runs of a pipeline task, all its combinations and retries taken together.
public enum RunState {
    /// Nothing was created for it.
    NONE,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELLED,
    /// Cancelled because a timeout of the pipeline run was reached; it counts as failed.
    TIMED_OUT;

    public boolean isOver() {
        return switch (this) {
            case NONE, RUNNING -> false;
            case SUCCEEDED, FAILED, CANCELLED, TIMED_OUT -> true;
        };
    }

    public boolean isFailure() {
        return isOver() && this != SUCCEEDED;
    }
}
