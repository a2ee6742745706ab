package dev.towtank.controllers.pipelines.api;

/// Which workspace of the pipeline a task's workspace is.
public record PipelineTaskWorkspace(String name, String workspace, String subPath) {

    /// The pipeline's workspace; where it is not named, it has the name of the task's.
    public String source() {
        return workspace.isEmpty() ? name : workspace;
    }
}
