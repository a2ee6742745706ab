package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import dev.towtank.model.Records;

/// A result that a pipeline declares, made of results of its tasks.
public record PipelineResult(
        String name,
        String type,
        String description,
        @Records.Field("value") Json raw) {

    public ParamValue value() {
        return ParamValue.read(raw);
    }
}
