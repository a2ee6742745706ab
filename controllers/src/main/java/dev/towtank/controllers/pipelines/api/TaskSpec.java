package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// What a task does.
public record TaskSpec(
        List<ParamSpec> params,
        String displayName,
        String description,
        List<Step> steps,
        List<Json.Obj> volumes,
        Optional<StepTemplate> stepTemplate,
        List<Sidecar> sidecars,
        List<WorkspaceDeclaration> workspaces,
        List<ResultSpec> results) {}
