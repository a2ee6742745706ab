package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import dev.towtank.model.Records;

/// A result that a run has, in its status.
public record Result(
        String name, String type, @Records.Field("value") Json raw) {

    public static Result of(String name, ParamValue value) {
        return new Result(name, value.type(), value.json());
    }

    public ParamValue value() {
        return ParamValue.read(raw);
    }
}
