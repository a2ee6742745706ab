package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import dev.towtank.model.Records;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A declared param.
public record ParamSpec(
        String name,
        String type,
        String description,
        Map<String, PropertySpec> properties,
        @Records.Field("default") Optional<Json> rawDefault,
        @Records.Field("enum") List<String> allowed) {

    public Optional<ParamValue> defaultValue() {
        return rawDefault.map(ParamValue::read);
    }

    /// The declared type; where there is none, what properties or the default say.
    public String effectiveType() {
        if (!type.isEmpty()) {
            return type;
        }
        if (!properties.isEmpty()) {
            return ParamValue.OBJECT;
        }
        return defaultValue().map(ParamValue::type).orElse(ParamValue.STRING);
    }
}
