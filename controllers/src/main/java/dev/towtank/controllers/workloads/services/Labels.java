package dev.towtank.controllers.workloads.services;

import dev.towtank.model.Json;

/// Labels in a merge patch.
final class Labels {

    private Labels() {}

    /// The patch that makes the known labels the wanted ones.
    static Json.Obj replacing(Json.Obj known, Json.Obj wanted) {
        var patch = Json.Obj.builder();
        known.forEach((key, _) -> {
            if (!wanted.has(key)) {
                patch.put(key, Json.Null.NULL);
            }
        });
        return patch.putAll(wanted).build();
    }
}
