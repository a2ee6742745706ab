package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import dev.towtank.model.Records;
import java.util.Map;
import java.util.Optional;

/// A result that a task, a step or a step action declares.
public record ResultSpec(
        String name,
        String type,
        Map<String, PropertySpec> properties,
        String description,
        @Records.Field("value") Optional<Json> rawValue) {

    public Optional<ParamValue> value() {
        return rawValue.map(ParamValue::read);
    }

    public String effectiveType() {
        if (!type.isEmpty()) {
            return type;
        }
        return properties.isEmpty() ? ParamValue.STRING : ParamValue.OBJECT;
    }
}
