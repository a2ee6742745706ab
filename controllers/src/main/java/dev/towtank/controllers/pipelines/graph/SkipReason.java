package dev.towtank.controllers.pipelines.graph;

/// Why a task will not run, in the words of `status.skippedTasks`.
public enum SkipReason {
    STOPPING("PipelineRun was stopping"),
    GRACEFULLY_CANCELLED("PipelineRun was gracefully cancelled"),
    GRACEFULLY_STOPPED("PipelineRun was gracefully stopped"),
    WHEN_FALSE("When Expressions evaluated to false"),
    PARENT_SKIPPED("Parent Tasks were skipped"),
    RESULTS_MISSING("Results were missing"),
    PIPELINE_TIMEOUT("PipelineRun timeout has been reached"),
    TASKS_TIMEOUT("PipelineRun Tasks timeout has been reached"),
    FINALLY_TIMEOUT("PipelineRun Finally timeout has been reached"),
    EMPTY_MATRIX("Matrix Parameters have an empty array");

    private final String text;

    SkipReason(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    public boolean isTimeout() {
        return this == PIPELINE_TIMEOUT || this == TASKS_TIMEOUT || this == FINALLY_TIMEOUT;
    }
}
