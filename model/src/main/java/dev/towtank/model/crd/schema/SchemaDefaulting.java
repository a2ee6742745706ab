package dev.towtank.model.crd.schema;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Fills in the defaults of a schema, those inside of defaults as well.
///
/// A null where null is not allowed counts as absent: it is replaced by the default, or taken away.
public final class SchemaDefaulting {

    private SchemaDefaulting() {}

    public static Json defaults(Json value, @Nullable StructuralSchema schema) {
        if (schema == null) {
            return value;
        }
        return switch (value) {
            case Json.Obj object -> object(object, schema);
            case Json.Arr array -> array(array, schema);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> value;
        };
    }

    private static boolean isUnwantedNull(@Nullable Json value, @Nullable StructuralSchema schema) {
        return value instanceof Json.Null && schema != null && !schema.nullable();
    }

    @SuppressWarnings("ReferenceEquality") // Identity tells whether anything was filled in.
    private static Json.Obj object(Json.Obj object, StructuralSchema schema) {
        Json.Obj filled = object;
        for (int i = 0; i < object.size(); i++) {
            var key = object.key(i);
            var value = object.value(i);
            var inner = schema.property(key).orElse(null);
            if (isUnwantedNull(value, inner)) {
                var fallback = inner == null ? null : inner.defaultValue();
                filled = filled.withOrWithout(key, fallback == null ? null : defaults(fallback, inner));
            } else {
                var deeper = defaults(value, inner);
                filled = deeper == value ? filled : filled.with(key, deeper);
            }
        }
        for (var property : schema.properties().entrySet()) {
            var fallback = property.getValue().defaultValue();
            if (fallback != null && !object.has(property.getKey())) {
                filled = filled.with(property.getKey(), defaults(fallback, property.getValue()));
            }
        }
        return filled;
    }

    @SuppressWarnings("ReferenceEquality") // Identity tells whether anything was filled in.
    private static Json.Arr array(Json.Arr array, StructuralSchema schema) {
        var items = schema.items();
        List<Json> changed = null;
        for (int i = 0; i < array.size(); i++) {
            var old = array.get(i);
            var fallback = isUnwantedNull(old, items) && items != null ? items.defaultValue() : null;
            var filled = defaults(fallback == null ? old : fallback, items);
            if (changed == null && filled != old) {
                changed = new ArrayList<>(array.items().subList(0, i));
            }
            if (changed != null) {
                changed.add(filled);
            }
        }
        return changed == null ? array : new Json.Arr(changed);
    }
}
