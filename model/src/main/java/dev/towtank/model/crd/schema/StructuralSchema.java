package dev.towtank.model.crd.schema;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One node of an `openAPIV3Schema`: the shape of a value, and what else is asked of it.
///
/// @param source the JSON it was read from
/// @param type empty where any type goes
public record StructuralSchema(
        Json.Obj source,
        String type,
        boolean nullable,
        @Nullable Json defaultValue,
        Map<String, StructuralSchema> properties,
        @Nullable StructuralSchema items,
        Additional additional,
        Extensions extensions,
        Constraints constraints,
        Junctors junctors,
        List<ValidationRule> rules) {

    /// `additionalProperties`: a schema, a boolean, or nothing.
    ///
    /// @param present whether it was there at all
    public record Additional(
            boolean present, boolean allowed, @Nullable StructuralSchema schema) {
        static final Additional NONE = new Additional(false, true, null);
    }

    /// The `x-kubernetes-…` fields that change the structure.
    public record Extensions(
            boolean preserveUnknownFields,
            boolean embeddedResource,
            boolean intOrString,
            String listType,
            List<String> listMapKeys,
            String mapType) {}

    public record Junctors(
            List<StructuralSchema> allOf,
            List<StructuralSchema> anyOf,
            List<StructuralSchema> oneOf,
            @Nullable StructuralSchema not) {
        static final Junctors NONE = new Junctors(List.of(), List.of(), List.of(), null);

        boolean isEmpty() {
            return allOf.isEmpty() && anyOf.isEmpty() && oneOf.isEmpty() && not == null;
        }
    }

    private static final int MAX_NODES = 200_000;
    private static final int MAX_DEPTH = 150;

    public StructuralSchema {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        rules = List.copyOf(rules);
    }

    /// A schema that cannot be one: references, tuples, or more of it than any server should keep.
    public static final class Unsupported extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unsupported(String message) {
            super(message, null, false, false);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }

    /// @throws Unsupported with Kubernetes' words
    public static StructuralSchema parse(Json.Obj schema) {
        return new Reader().read(schema, 0);
    }

    /// The schema of a property, be it named or one of many.
    public Optional<StructuralSchema> property(String name) {
        var named = properties.get(name);
        return Optional.ofNullable(named != null ? named : additional.schema);
    }

    public boolean isList(String listType) {
        return extensions.listType.equals(listType);
    }

    /// Both at once, for the type name in messages.
    boolean allows(String jsonType) {
        return extensions.intOrString ? jsonType.equals("integer") || jsonType.equals("string") : type.equals(jsonType);
    }

    boolean isTyped() {
        return extensions.intOrString || !type.isEmpty();
    }

    String typeNames() {
        return extensions.intOrString ? "integer,string" : type;
    }

    private static final class Reader {
        private int nodes;

        StructuralSchema read(Json.Obj schema, int depth) {
            if (++nodes > MAX_NODES) {
                throw new Unsupported("schema is too large: more than " + MAX_NODES + " nodes");
            }
            if (depth > MAX_DEPTH) {
                throw new Unsupported("schema is nested too deeply: more than " + MAX_DEPTH + " levels");
            }
            refuseUnsupported(schema);
            return new StructuralSchema(
                    schema,
                    schema.string("type"),
                    schema.flag("nullable"),
                    nonNull(schema.get("default")),
                    properties(schema, depth),
                    items(schema, depth),
                    additional(schema, depth),
                    extensions(schema),
                    Constraints.read(schema),
                    junctors(schema, depth),
                    schema.objects("x-kubernetes-validations").stream()
                            .map(ValidationRule::read)
                            .toList());
        }

        private static void refuseUnsupported(Json.Obj schema) {
            for (var field : List.of(
                    "id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions")) {
                var value = schema.get(field);
                if (value != null && !value.isEmpty()) {
                    throw new Unsupported(
                            "OpenAPIV3Schema '" + field.replace("$schema", "schema") + "' is not supported");
                }
            }
            if (schema.get("x-kubernetes-preserve-unknown-fields") instanceof Json.Bool(var keep) && !keep) {
                throw new Unsupported(
                        "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined");
            }
            if (schema.get("items") instanceof Json.Arr tuple && tuple.size() > 0) {
                throw new Unsupported("OpenAPIV3Schema 'items' must be a schema, but is an array");
            }
        }

        private static @Nullable Json nonNull(@Nullable Json value) {
            return value instanceof Json.Null ? null : value;
        }

        private Map<String, StructuralSchema> properties(Json.Obj schema, int depth) {
            var properties = new LinkedHashMap<String, StructuralSchema>();
            for (var entry : schema.object("properties")) {
                if (entry.getValue() instanceof Json.Obj property) {
                    properties.put(entry.getKey(), read(property, depth + 1));
                }
            }
            return properties;
        }

        private @Nullable StructuralSchema items(Json.Obj schema, int depth) {
            return schema.get("items") instanceof Json.Obj items ? read(items, depth + 1) : null;
        }

        private Additional additional(Json.Obj schema, int depth) {
            return switch (schema.get("additionalProperties")) {
                case Json.Obj inner -> new Additional(true, true, read(inner, depth + 1));
                case Json.Bool(var allowed) -> new Additional(true, allowed, null);
                case null, default -> Additional.NONE;
            };
        }

        private static Extensions extensions(Json.Obj schema) {
            return new Extensions(
                    schema.flag("x-kubernetes-preserve-unknown-fields"),
                    schema.flag("x-kubernetes-embedded-resource"),
                    schema.flag("x-kubernetes-int-or-string"),
                    schema.string("x-kubernetes-list-type"),
                    schema.array("x-kubernetes-list-map-keys").strings(),
                    schema.string("x-kubernetes-map-type"));
        }

        private Junctors junctors(Json.Obj schema, int depth) {
            var not = schema.get("not") instanceof Json.Obj inner ? read(inner, depth + 1) : null;
            var junctors = new Junctors(
                    all(schema, "allOf", depth), all(schema, "anyOf", depth), all(schema, "oneOf", depth), not);
            return junctors.isEmpty() ? Junctors.NONE : junctors;
        }

        private List<StructuralSchema> all(Json.Obj schema, String field, int depth) {
            var found = new ArrayList<StructuralSchema>();
            for (var inner : schema.objects(field)) {
                found.add(read(inner, depth + 1));
            }
            return List.copyOf(found);
        }
    }
}
