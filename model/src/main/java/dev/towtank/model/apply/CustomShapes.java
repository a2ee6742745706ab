package dev.towtank.model.apply;

import dev.towtank.model.Json;
import dev.towtank.model.Schemas;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// The shapes of custom resources, from their `openAPIV3Schema`.
public final class CustomShapes {

    private static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

    private CustomShapes() {}

    /// The shape of the objects of a kind.
    ///
    /// @param schema empty where the kind has none
    public static Shape of(Json.Obj schema) {
        return object(schema, true);
    }

    private static Shape shape(Json.Obj schema) {
        if (schema.flag("x-kubernetes-int-or-string")) {
            return Shape.Leaf.LEAF;
        }
        return switch (schema.string("type")) {
            case "array" -> list(schema);
            case "object" -> object(schema, schema.flag("x-kubernetes-embedded-resource"));
            case "" -> Shape.Unknown.UNKNOWN;
            default -> Shape.Leaf.LEAF;
        };
    }

    private static Shape list(Json.Obj schema) {
        var items = schema.object("items");
        return switch (schema.string("x-kubernetes-list-type")) {
            case "set" -> Shape.SetList.SET;
            case "map" -> {
                var keys = schema.array("x-kubernetes-list-map-keys").strings();
                var defaults = new HashMap<String, Json>();
                for (var key : keys) {
                    var value = items.at("properties", key, "default");
                    if (value != null) {
                        defaults.put(key, value);
                    }
                }
                yield new Shape.MapList(keys, defaults, shape(items));
            }
            default -> new Shape.Atomic(shape(items));
        };
    }

    private static Shape object(Json.Obj schema, boolean resource) {
        var divided = divided(schema, resource);
        return schema.string("x-kubernetes-map-type").equals("atomic") ? new Shape.Atomic(divided) : divided;
    }

    private static Shape divided(Json.Obj schema, boolean resource) {
        var fields = new LinkedHashMap<String, Shape>();
        schema.object("properties").forEach((name, property) -> {
            if (property instanceof Json.Obj inner) {
                fields.put(name, shape(inner));
            }
        });
        if (resource) {
            fields.put("apiVersion", Shape.Leaf.LEAF);
            fields.put("kind", Shape.Leaf.LEAF);
            fields.put("metadata", metadata());
        }
        if (schema.get("additionalProperties") instanceof Json.Obj element) {
            return fields.isEmpty() ? new Shape.Entries(shape(element)) : new Fields(fields, shape(element), true);
        }
        boolean open = schema.flag("x-kubernetes-preserve-unknown-fields")
                || schema.object("properties").size() == 0;
        return fields.isEmpty() ? Shape.Unknown.UNKNOWN : new Fields(fields, Shape.Unknown.UNKNOWN, open);
    }

    private static Shape metadata() {
        return Schemas.builtin().type(OBJECT_META).map(BuiltinShapes::of).orElse(Shape.Unknown.UNKNOWN);
    }

    /// @param others the shape of what has no field of its own
    /// @param open whether there may be such
    private record Fields(Map<String, Shape> fields, Shape others, boolean open) implements Shape.Granular {
        @Override
        public Shape entry(String key) {
            return fields.getOrDefault(key, others);
        }

        @Override
        public boolean isField(String key) {
            return fields.containsKey(key);
        }

        @Override
        public boolean allows(String key) {
            return open || isField(key);
        }
    }
}
