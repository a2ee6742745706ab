package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A value on its way, and where it stands in the input if it is a part of that.
///
/// @param path names, positions and slices; null if the value was computed
record Value(Json json, @Nullable List<Json> path) {

    static Value root(Json json) {
        return new Value(json, List.of());
    }

    static Value computed(Json json) {
        return new Value(json, null);
    }

    Value member(Json key, Json value) {
        if (path == null) {
            return computed(value);
        }
        var longer = new ArrayList<>(path);
        longer.add(key);
        return new Value(value, List.copyOf(longer));
    }

    List<Json> place() {
        if (path == null) {
            throw new JqError("Invalid path expression with result " + Texts.shortened(json));
        }
        return path;
    }
}
