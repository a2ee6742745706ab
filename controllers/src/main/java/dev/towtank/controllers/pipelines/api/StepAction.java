package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// tekton.dev/v1beta1 StepAction: a step to be used by name.
public record StepAction(String apiVersion, String kind, Metadata metadata, Spec spec) {

    public record Spec(
            String description,
            String image,
            List<String> command,
            List<String> args,
            List<Json.Obj> env,
            String script,
            String workingDir,
            List<ParamSpec> params,
            List<ResultSpec> results,
            Optional<Json.Obj> securityContext,
            List<Json.Obj> volumeMounts) {}
}
