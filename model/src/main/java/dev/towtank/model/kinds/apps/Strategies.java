package dev.towtank.model.kinds.apps;

import dev.towtank.model.Json;
import dev.towtank.model.kinds.Field;

/// How messages show an update strategy of an unknown type: with the names of Go's fields.
final class Strategies {

    private Strategies() {}

    static Json shown(Field strategy) {
        var rolling = strategy.at("rollingUpdate").value();
        return Json.Obj.of(
                "Type",
                Json.of(strategy.at("type").text()),
                "RollingUpdate",
                rolling == null ? Json.Null.NULL : rolling);
    }
}
