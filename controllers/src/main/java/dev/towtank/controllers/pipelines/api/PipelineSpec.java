package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Records;
import java.util.List;

/// What a pipeline does.
public record PipelineSpec(
        String displayName,
        String description,
        List<PipelineTask> tasks,
        List<ParamSpec> params,
        List<WorkspaceDeclaration> workspaces,
        List<PipelineResult> results,
        @Records.Field("finally") List<PipelineTask> finals) {}
