package dev.towtank.model.patch;

import dev.towtank.model.Json;

/// RFC 7386: objects merge, null takes a field away, everything else replaces.
public final class MergePatch {

    private MergePatch() {}

    public static Json apply(Json target, Json patch) {
        if (!(patch instanceof Json.Obj changes)) {
            return patch;
        }
        var merged = target instanceof Json.Obj object ? object : Json.Obj.EMPTY;
        return apply(merged, changes);
    }

    public static Json.Obj apply(Json.Obj target, Json.Obj patch) {
        if (patch.size() == 0) {
            return target;
        }
        var merged = target.toBuilder();
        var removed = false;
        for (int i = 0; i < patch.size(); i++) {
            var key = patch.key(i);
            var change = patch.value(i);
            removed |= change instanceof Json.Null;
            var present = target.get(key);
            merged.put(key, apply(present == null ? Json.Null.NULL : present, change));
        }
        return removed ? withoutRemoved(merged.build(), patch) : merged.build();
    }

    private static Json.Obj withoutRemoved(Json.Obj merged, Json.Obj patch) {
        var kept = Json.Obj.builder();
        merged.forEach((key, value) -> {
            if (!(patch.get(key) instanceof Json.Null)) {
                kept.put(key, value);
            }
        });
        return kept.build();
    }

    /// The smallest patch that makes `to` of `from`; empty when they are equal.
    ///
    /// A field that is null in `to` cannot be said in a merge patch; it is taken away.
    public static Json.Obj diff(Json.Obj from, Json.Obj to) {
        var patch = Json.Obj.builder();
        from.forEach((key, value) -> {
            var wanted = to.get(key);
            if (wanted == null || (wanted instanceof Json.Null && !(value instanceof Json.Null))) {
                patch.put(key, Json.Null.NULL);
            } else if (value instanceof Json.Obj before && wanted instanceof Json.Obj after) {
                var inner = diff(before, after);
                if (inner.size() > 0) {
                    patch.put(key, inner);
                }
            } else if (!value.equals(wanted)) {
                patch.put(key, wanted);
            }
        });
        to.forEach((key, value) -> {
            if (!from.has(key) && !(value instanceof Json.Null)) {
                patch.put(key, value);
            }
        });
        return patch.build();
    }
}
