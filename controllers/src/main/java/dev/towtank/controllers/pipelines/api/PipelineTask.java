package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// One task of a pipeline.
public record PipelineTask(
        String name,
        String displayName,
        String description,
        Optional<Ref> taskRef,
        Optional<EmbeddedTask> taskSpec,
        Optional<Ref> pipelineRef,
        Optional<PipelineSpec> pipelineSpec,
        List<When> when,
        int retries,
        List<String> runAfter,
        List<Param> params,
        Optional<Matrix> matrix,
        List<PipelineTaskWorkspace> workspaces,
        Optional<String> timeout,
        String onError) {

    public boolean isMatrixed() {
        return matrix.isPresent() && !matrix.get().isEmpty();
    }

    public boolean isCustom() {
        return taskRef.filter(Ref::isCustom).isPresent()
                || taskSpec.filter(EmbeddedTask::isCustom).isPresent();
    }

    public boolean isChildPipeline() {
        return pipelineRef.isPresent() || pipelineSpec.isPresent();
    }

    public boolean continuesOnError() {
        return onError.equals(Step.CONTINUE);
    }

    public Optional<Duration> timeLimit() {
        return timeout.map(Durations::parse);
    }
}
