package dev.towtank.model.openapi;

import dev.towtank.model.Json;
import java.util.Set;

/// Brings the schema of a custom resource, which is of OpenAPI version 3, into what version 2 can say.
///
/// Where version 2 would refuse what the server takes, it says nothing: clients check with it before they send.
final class CustomSchema {

    private static final Set<String> UNKNOWN_TO_V2 = Set.of("oneOf", "anyOf", "allOf", "not", "nullable", "default");
    private static final Set<String> SHAPE = Set.of("type", "format", "items", "properties", "additionalProperties");

    private CustomSchema() {}

    static Json.Obj forV2(Json.Obj schema) {
        var simple = simplify(schema);
        return simple.has("type") ? simple : simple.with("type", Json.of("object"));
    }

    private static Json.Obj simplify(Json.Obj schema) {
        boolean open = schema.flag("x-kubernetes-preserve-unknown-fields")
                || schema.flag("x-kubernetes-int-or-string")
                || schema.flag("x-kubernetes-embedded-resource")
                || schema.flag("nullable");
        var kept = Json.Obj.builder();
        schema.forEach((key, value) -> {
            if (!UNKNOWN_TO_V2.contains(key) && !(open && (SHAPE.contains(key) || key.equals("required")))) {
                kept.put(key, inner(key, value));
            }
        });
        return kept.build();
    }

    private static Json inner(String key, Json value) {
        if (!(value instanceof Json.Obj object)) {
            return value;
        }
        return switch (key) {
            case "items", "additionalProperties" -> simplify(object);
            case "properties" -> {
                var properties = Json.Obj.builder();
                object.forEach((name, property) ->
                        properties.put(name, property instanceof Json.Obj each ? simplify(each) : property));
                yield properties.build();
            }
            default -> value;
        };
    }
}
