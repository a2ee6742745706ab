package dev.towtank.model.crd.schema;

import dev.towtank.model.Json;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The items of a list before an update, found by their keys. Only lists of the type `map` have keys.
public record OldItems(StructuralSchema schema, Map<Json.Obj, Json> byKey) {

    public static OldItems of(StructuralSchema schema, @Nullable Json old) {
        if (!schema.isList("map") || !(old instanceof Json.Arr array)) {
            return new OldItems(schema, Map.of());
        }
        var byKey = new HashMap<Json.Obj, Json>();
        for (var item : array.objects()) {
            byKey.put(key(schema, item), item);
        }
        return new OldItems(schema, byKey);
    }

    @Nullable
    public Json matching(Json item) {
        return byKey.isEmpty() || !(item instanceof Json.Obj object) ? null : byKey.get(key(schema, object));
    }

    /// The fields that tell items apart; one that is missing is told apart from one that is null.
    static Json.Obj key(StructuralSchema schema, Json.Obj item) {
        var key = Json.Obj.builder();
        for (var name : schema.extensions().listMapKeys()) {
            var value = item.get(name);
            if (value != null) {
                key.put(name, value);
            }
        }
        return key.build();
    }
}
