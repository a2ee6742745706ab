package dev.towtank.model.crd.schema;

import dev.towtank.model.Json;
import dev.towtank.model.ObjectBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Takes away the fields that a schema does not have. What needs no change is returned as it is.
public final class SchemaPruning {

    public static final Set<String> META_FIELDS = Set.of("apiVersion", "kind", "metadata");

    private final Consumer<String> unknownField;

    private SchemaPruning(Consumer<String> unknownField) {
        this.unknownField = unknownField;
    }

    /// @param resource whether the value is a whole object, whose metadata is not the schema's business
    public static Json prune(Json value, StructuralSchema schema, boolean resource, Consumer<String> unknownField) {
        var pruning = new SchemaPruning(unknownField);
        return value instanceof Json.Obj object
                ? pruning.object(object, schema, resource, true, Location.ROOT)
                : pruning.value(value, schema, true, Location.ROOT);
    }

    /// @param strict false below a node that keeps unknown fields, until a node says otherwise
    private Json value(Json value, @Nullable StructuralSchema schema, boolean strict, Location at) {
        return switch (value) {
            case Json.Obj object -> {
                if (schema == null) {
                    yield strict ? drop(object, at) : object;
                }
                yield object(object, schema, schema.extensions().embeddedResource(), strict, at);
            }
            case Json.Arr array -> array(array, schema, strict, at);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> value;
        };
    }

    private Json drop(Json.Obj object, Location at) {
        object.forEach((key, _) -> unknownField.accept(at.child(key).dotted()));
        return Json.Obj.EMPTY;
    }

    @SuppressWarnings("ReferenceEquality") // Identity tells whether anything was pruned.
    private Json.Obj object(Json.Obj object, StructuralSchema schema, boolean resource, boolean strict, Location at) {
        boolean keeps = !strict || schema.extensions().preserveUnknownFields();
        @Nullable ObjectBuilder changed = null;
        for (int i = 0; i < object.size(); i++) {
            var key = object.key(i);
            var old = object.value(i);
            var pruned = resource && META_FIELDS.contains(key) ? old : field(key, old, schema, keeps, at);
            if (changed == null && pruned != old) {
                changed = Json.Obj.builder();
                for (int j = 0; j < i; j++) {
                    changed.put(object.key(j), object.value(j));
                }
            }
            if (changed != null && pruned != null) {
                changed.put(key, pruned);
            }
        }
        return changed == null ? object : changed.build();
    }

    // Null where the field has to go.
    private @Nullable Json field(String key, Json value, StructuralSchema schema, boolean keeps, Location at) {
        var property = schema.properties().get(key);
        if (property != null || schema.additional().present()) {
            var inner = property != null ? property : schema.additional().schema();
            return isScalar(value) ? value : value(value, inner, true, at.child(key));
        }
        if (keeps) {
            return value;
        }
        if (!at.isRoot() || !META_FIELDS.contains(key)) {
            unknownField.accept(at.child(key).dotted());
        }
        return null;
    }

    private static boolean isScalar(Json value) {
        return !(value instanceof Json.Obj) && !(value instanceof Json.Arr);
    }

    @SuppressWarnings("ReferenceEquality") // Identity tells whether anything was pruned.
    private Json.Arr array(Json.Arr array, @Nullable StructuralSchema schema, boolean strict, Location at) {
        var items = schema == null ? null : schema.items();
        boolean prunes = strict && (schema == null || !schema.extensions().preserveUnknownFields());
        List<Json> changed = null;
        for (int i = 0; i < array.size(); i++) {
            var old = array.get(i);
            var pruned = isScalar(old) ? old : value(old, items, prunes, at.index(i));
            if (changed == null && pruned != old) {
                changed = new ArrayList<>(array.items().subList(0, i));
            }
            if (changed != null) {
                changed.add(pruned);
            }
        }
        return changed == null ? array : new Json.Arr(changed);
    }
}
