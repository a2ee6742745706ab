package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Changes values at paths such as `spec/template/spec/containers/image`; a list on the way means each of its members.
final class FieldPaths {

    private FieldPaths() {}

    /// @param create whether objects that are missing on the way are made
    static Json.Obj change(Json.Obj object, List<String> path, boolean create, Change change) {
        return (Json.Obj) at(object, path, create, change);
    }

    /// Gets the value, or null where there is none; gives the new one, or null to leave it out.
    @FunctionalInterface
    interface Change {
        @Nullable
        Json apply(@Nullable Json value);
    }

    private static Json at(Json json, List<String> path, boolean create, Change change) {
        return switch (json) {
            case Json.Arr items -> items.map(item -> at(item, path, create, change));
            case Json.Obj object -> field(object, path, create, change);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> json;
        };
    }

    private static Json field(Json.Obj object, List<String> path, boolean create, Change change) {
        var name = path.getFirst();
        var value = object.get(name);
        if (path.size() == 1) {
            if (value == null && !create) {
                return object;
            }
            var changed = change.apply(value);
            return changed == null ? object.without(name) : changed.equals(value) ? object : object.with(name, changed);
        }
        var rest = path.subList(1, path.size());
        if (value == null || value instanceof Json.Null) {
            return create ? object.with(name, at(Json.Obj.EMPTY, rest, true, change)) : object;
        }
        return object.with(name, at(value, rest, create, change));
    }

    static Json orNull(@Nullable Json value) {
        return value == null ? Json.Null.NULL : value;
    }

    /// A path with slashes, where `\/` is a slash inside of a name.
    static List<String> split(String path) {
        var parts = new ArrayList<String>();
        for (var part : path.split("(?<!\\\\)/", -1)) {
            if (!part.isEmpty()) {
                parts.add(part.replace("\\/", "/"));
            }
        }
        return parts;
    }

    /// Adds entries to the mapping at a path.
    static Json.Obj merge(Json.Obj object, String path, boolean create, Json.Obj entries) {
        return change(object, split(path), create, value -> {
            var merged = value instanceof Json.Obj existing ? existing : Json.Obj.EMPTY;
            return merged.toBuilder().putAll(entries).build();
        });
    }

    static Json.Obj set(Json.Obj object, String path, Json value) {
        return change(object, split(path), true, _ -> value);
    }

    /// Changes every mapping, the inner ones first.
    static Json everywhere(Json json, UnaryOperator<Json.Obj> change) {
        return switch (json) {
            case Json.Arr items -> items.map(item -> everywhere(item, change));
            case Json.Obj object -> {
                var fields = Json.Obj.builder();
                object.forEach((key, value) -> fields.put(key, everywhere(value, change)));
                yield change.apply(fields.build());
            }
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> json;
        };
    }
}
