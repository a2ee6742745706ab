package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import dev.towtank.model.Records;
import java.util.List;

/// A param that is given.
public record Param(String name, @Records.Field("value") Json raw) {

    public static Param of(String name, ParamValue value) {
        return new Param(name, value.json());
    }

    public static Param of(String name, String text) {
        return new Param(name, Json.of(text));
    }

    public ParamValue value() {
        return ParamValue.read(raw);
    }

    public static Json.Arr json(List<Param> params) {
        return new Json.Arr(params.stream()
                .<Json>map(param -> Json.Obj.of(
                        "name", Json.of(param.name()), "value", param.value().json()))
                .toList());
    }
}
