package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What is to run, and with what.
public record TaskRunSpec(
        Optional<Debug> debug,
        List<Param> params,
        String serviceAccountName,
        Optional<Ref> taskRef,
        Optional<TaskSpec> taskSpec,
        String status,
        String statusMessage,
        int retries,
        Optional<String> timeout,
        Optional<Json.Obj> podTemplate,
        List<WorkspaceBinding> workspaces,
        List<ContainerResources> stepSpecs,
        List<ContainerResources> sidecarSpecs,
        Optional<Json.Obj> computeResources,
        Optional<String> managedBy) {

    public static final String CANCELLED = "TaskRunCancelled";
    public static final String PENDING = "TaskRunPending";

    public record Debug(Optional<Breakpoints> breakpoints) {}

    public record Breakpoints(String onFailure, List<String> beforeSteps) {}

    /// Resources of one step or sidecar, by name.
    public record ContainerResources(String name, Json.Obj computeResources) {}

    public Optional<Duration> timeLimit() {
        return timeout.map(Durations::parse);
    }
}
