package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// A task written inside a pipeline: that of a Task, or with `apiVersion` and `kind` that of a custom task.
public record EmbeddedTask(
        String apiVersion,
        String kind,
        Json.Obj spec,
        TaskMetadata metadata,
        List<ParamSpec> params,
        String displayName,
        String description,
        List<Step> steps,
        List<Json.Obj> volumes,
        Optional<StepTemplate> stepTemplate,
        List<Sidecar> sidecars,
        List<WorkspaceDeclaration> workspaces,
        List<ResultSpec> results) {

    public boolean isCustom() {
        return !apiVersion.isEmpty() && !kind.isEmpty();
    }

    public TaskSpec taskSpec() {
        return new TaskSpec(
                params, displayName, description, steps, volumes, stepTemplate, sidecars, workspaces, results);
    }
}
