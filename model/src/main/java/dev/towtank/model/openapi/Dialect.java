package dev.towtank.model.openapi;

import dev.towtank.model.Json;

/// What differs between the two versions of OpenAPI.
enum Dialect {
    V2("#/definitions/"),
    V3("#/components/schemas/");

    private final String prefix;

    Dialect(String prefix) {
        this.prefix = prefix;
    }

    Json.Obj reference(String name) {
        return Json.Obj.of("$ref", Json.of(prefix + name));
    }

    /// A reference that more may be said about: version 3 allows nothing beside `$ref`.
    Json.Obj extensibleReference(String name) {
        return switch (this) {
            case V2 -> reference(name);
            case V3 -> Json.Obj.of("allOf", Json.Arr.of(reference(name)));
        };
    }
}
