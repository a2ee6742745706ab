package dev.towtank.controllers.gitops.sets;

import dev.towtank.model.Json;

/// The merge patch that makes one object of another.
final class MergeDiff {

    private MergeDiff() {}

    static Json.Obj of(Json.Obj from, Json.Obj to) {
        var patch = Json.Obj.builder();
        for (var key : from.keys()) {
            if (!to.has(key)) {
                patch.put(key, Json.Null.NULL);
            }
        }
        to.forEach((key, value) -> {
            var old = from.get(key);
            if (old instanceof Json.Obj before && value instanceof Json.Obj after) {
                var inner = of(before, after);
                if (inner.size() > 0) {
                    patch.put(key, inner);
                }
            } else if (!value.equals(old)) {
                patch.put(key, value);
            }
        });
        return patch.build();
    }
}
