package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import dev.towtank.model.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Kustomize's strategic merge: like that of the API server, but what a patch names in a list comes first.
///
/// Without a schema lists are replaced, which is what a JSON merge patch does.
final class Merge {

    private static final String DIRECTIVE = "$patch";

    private Merge() {}

    static Json.Obj apply(Json.Obj original, Json.Obj patch, Schema.@Nullable Value schema) {
        if (patch.string(DIRECTIVE).equals("replace")) {
            return clean(patch.without(DIRECTIVE));
        }
        var merged = original.toBuilder().build();
        for (var key : patch.keys()) {
            var change = patch.get(key);
            if (key.startsWith("$") || change == null) {
                continue;
            }
            var changed = value(original.get(key), change, field(schema, key));
            merged = changed == null ? merged.without(key) : merged.with(key, changed);
        }
        return merged;
    }

    /// What the schema says of a field.
    private record Slot(Schema.@Nullable Value value, String mergeKey) {}

    private static Slot field(Schema.@Nullable Value schema, String name) {
        return switch (schema) {
            case Schema.Value.ObjectOf(var type) -> {
                var field = type.field(name);
                yield field == null
                        ? new Slot(null, "")
                        : new Slot(
                                field.value(),
                                field.patch().merge() ? field.patch().key() : "");
            }
            case Schema.Value.MapOf(var element, var _) -> new Slot(element, "");
            case null -> new Slot(null, "");
            case Schema.Value.ListOf _, Schema.Value.ScalarOf _ -> new Slot(null, "");
        };
    }

    private static @Nullable Json value(@Nullable Json original, Json change, Slot slot) {
        return switch (change) {
            case Json.Null _ -> null;
            case Json.Obj patch -> {
                if (patch.string(DIRECTIVE).equals("delete")) {
                    yield null;
                }
                yield original instanceof Json.Obj object ? apply(object, patch, slot.value) : clean(patch);
            }
            case Json.Arr patch -> {
                boolean isKeyed = !slot.mergeKey.isEmpty() && slot.value instanceof Schema.Value.ListOf;
                yield original instanceof Json.Arr items && isKeyed ? list(items, patch, slot) : cleanList(patch);
            }
            case Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> change;
        };
    }

    private static Json list(Json.Arr original, Json.Arr patch, Slot slot) {
        var element = slot.value instanceof Schema.Value.ListOf(var inner, var _, var _) ? inner : null;
        if (patch.objects().stream().anyMatch(item -> item.string(DIRECTIVE).equals("replace"))) {
            return cleanList(new Json.Arr(patch.items().stream()
                    .filter(item -> !(item instanceof Json.Obj object && object.has(DIRECTIVE)))
                    .toList()));
        }
        var rest = new ArrayList<>(original.items());
        var merged = new ArrayList<Json>();
        for (var change : patch.objects()) {
            if (!change.has(slot.mergeKey)) {
                // To Kustomize what does not say which item it means is every item, and nothing is left of them.
                rest.removeIf(item -> item instanceof Json.Obj object && object.has(slot.mergeKey));
                continue;
            }
            int place = find(rest, change, slot.mergeKey);
            var existing = place < 0 ? null : rest.remove(place);
            if (!change.string(DIRECTIVE).equals("delete")) {
                merged.add(existing instanceof Json.Obj object ? apply(object, change, element) : clean(change));
            }
        }
        merged.addAll(rest);
        return new Json.Arr(merged);
    }

    private static int find(List<Json> items, Json.Obj change, String mergeKey) {
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof Json.Obj item && isSame(item, change, mergeKey)) {
                return i;
            }
        }
        return -1;
    }

    /// Ports are one number for each protocol.
    private static boolean isSame(Json.Obj item, Json.Obj change, String mergeKey) {
        var key = change.get(mergeKey);
        if (key == null || !key.equals(item.get(mergeKey))) {
            return false;
        }
        boolean isPort = mergeKey.equals("containerPort") || mergeKey.equals("port");
        return !isPort || protocol(item).equals(protocol(change));
    }

    private static String protocol(Json.Obj port) {
        return port.string("protocol").isEmpty() ? "TCP" : port.string("protocol");
    }

    /// A patch that becomes the value: without directives, and without what it takes away.
    private static Json.Obj clean(Json.Obj patch) {
        var fields = Json.Obj.builder();
        patch.forEach((key, value) -> {
            if (key.startsWith("$") || value instanceof Json.Null) {
                return;
            }
            fields.put(key, value instanceof Json.Obj object ? clean(object) : value);
        });
        return fields.build();
    }

    private static Json cleanList(Json.Arr list) {
        return list.map(item -> item instanceof Json.Obj object ? clean(object) : item);
    }
}
