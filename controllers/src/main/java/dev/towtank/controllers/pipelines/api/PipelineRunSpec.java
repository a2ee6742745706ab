package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What is to run, and with what.
public record PipelineRunSpec(
        Optional<Ref> pipelineRef,
        Optional<PipelineSpec> pipelineSpec,
        List<Param> params,
        String status,
        Optional<Timeouts> timeouts,
        TaskRunTemplate taskRunTemplate,
        List<WorkspaceBinding> workspaces,
        List<TaskOverride> taskRunSpecs,
        Optional<String> managedBy) {

    public static final String CANCELLED = "Cancelled";
    public static final String CANCELLED_RUN_FINALLY = "CancelledRunFinally";
    public static final String STOPPED_RUN_FINALLY = "StoppedRunFinally";
    public static final String PENDING = "PipelineRunPending";

    public record Timeouts(
            Optional<String> pipeline,
            Optional<String> tasks,
            @Records.Field("finally") Optional<String> finals) {

        public Optional<Duration> pipelineLimit() {
            return pipeline.map(Durations::parse);
        }

        public Optional<Duration> tasksLimit() {
            return tasks.map(Durations::parse);
        }

        public Optional<Duration> finallyLimit() {
            return finals.map(Durations::parse);
        }
    }

    public record TaskRunTemplate(Optional<Json.Obj> podTemplate, String serviceAccountName) {}

    /// What is special about the runs of one task of the pipeline.
    public record TaskOverride(
            String pipelineTaskName,
            String serviceAccountName,
            Optional<Json.Obj> podTemplate,
            List<TaskRunSpec.ContainerResources> stepSpecs,
            List<TaskRunSpec.ContainerResources> sidecarSpecs,
            Optional<TaskMetadata> metadata,
            Optional<Json.Obj> computeResources,
            Optional<String> timeout) {

        public Optional<Duration> timeLimit() {
            return timeout.map(Durations::parse);
        }
    }
}
