package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A step of a task.
public record Step(
        String name,
        String displayName,
        String image,
        List<String> command,
        List<String> args,
        String workingDir,
        List<Json.Obj> envFrom,
        List<Json.Obj> env,
        Json.Obj computeResources,
        List<Json.Obj> volumeMounts,
        List<Json.Obj> volumeDevices,
        String imagePullPolicy,
        Optional<Json.Obj> securityContext,
        String script,
        Optional<String> timeout,
        List<WorkspaceUsage> workspaces,
        String onError,
        Optional<OutputConfig> stdoutConfig,
        Optional<OutputConfig> stderrConfig,
        Optional<Ref> ref,
        List<Param> params,
        List<ResultSpec> results,
        List<When> when) {

    public static final String CONTINUE = "continue";
    public static final String STOP_AND_FAIL = "stopAndFail";

    /// A file that the output is copied to.
    public record OutputConfig(String path) {}

    public Optional<Duration> timeLimit() {
        return timeout.map(Durations::parse);
    }
}
