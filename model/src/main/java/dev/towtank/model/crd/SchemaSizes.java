package dev.towtank.model.crd;

import dev.towtank.model.Json;
import dev.towtank.model.cel.Shape;
import dev.towtank.model.cel.Sizes;
import dev.towtank.model.crd.schema.StructuralSchema;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/// How large values may get: by what their schema says, or else by what fits into one request.
final class SchemaSizes {

    private static final long MAX_REQUEST = 3L * 1024 * 1024;
    private static final int MIN_TEXT = 2;
    private static final int LONGEST_TIME = 32;
    private static final int DATE = 12;

    private static final Sized TEXT = new Sized(Sizes.of(MAX_REQUEST - 2), MIN_TEXT);
    private static final long LONGEST_NAME = 253;

    private final IdentityHashMap<StructuralSchema, Optional<Sized>> known = new IdentityHashMap<>();

    /// @param least bytes that a value takes as JSON
    record Sized(Sizes sizes, long least) {
        /// How many of it one request can hold.
        long mostInRequest() {
            return MAX_REQUEST / (least + 1);
        }
    }

    /// Empty where expressions do not see such a value.
    Optional<Sized> of(StructuralSchema schema, boolean resource) {
        var found = known.get(schema);
        if (found == null) {
            found = make(schema, resource);
            known.put(schema, found);
        }
        return found;
    }

    private Optional<Sized> inner(StructuralSchema schema) {
        return of(schema, schema.extensions().embeddedResource());
    }

    private Optional<Sized> make(StructuralSchema schema, boolean resource) {
        var source = schema.source();
        if (schema.extensions().intOrString()) {
            return Optional.of(new Sized(Sizes.of(length(source).orElse(MAX_REQUEST - 2)), 1));
        }
        return switch (schema.type()) {
            case "array" -> list(schema);
            case "object" -> {
                var values = schema.additional().schema();
                yield values == null ? Optional.of(object(schema, resource)) : map(source, values);
            }
            case "string" -> Optional.of(text(source));
            case "boolean" -> Optional.of(new Sized(Sizes.of(0), 4));
            case "number", "integer" -> Optional.of(new Sized(Sizes.of(0), 1));
            default -> Optional.empty();
        };
    }

    private Optional<Sized> list(StructuralSchema schema) {
        var items = schema.items();
        return items == null
                ? Optional.empty()
                : inner(items).map(item -> {
                    long most = limit(schema.source(), "maxItems").orElse((MAX_REQUEST - 2) / (item.least + 1));
                    return new Sized(new Sizes(most, Map.of(), item.sizes, null), 2);
                });
    }

    private Optional<Sized> map(Json.Obj source, StructuralSchema values) {
        return inner(values).map(value -> {
            // A key, its quotes, a colon and a comma.
            long most = limit(source, "maxProperties").orElse((MAX_REQUEST - 2) / (value.least + 6));
            return new Sized(new Sizes(most, Map.of(), value.sizes, Sizes.of(0)), 2);
        });
    }

    private Sized object(StructuralSchema schema, boolean resource) {
        var fields = new HashMap<String, Sizes>();
        var required = schema.source().array("required").strings();
        long least = 2;
        for (var entry : schema.properties().entrySet()) {
            var name = entry.getKey();
            var field = inner(entry.getValue());
            if (field.isPresent()) {
                Shape.escape(name).ifPresent(escaped -> fields.put(escaped, field.get().sizes));
                if (required.contains(name) && entry.getValue().defaultValue() == null) {
                    least += name.getBytes(StandardCharsets.UTF_8).length + field.get().least + 4;
                }
            }
        }
        if (resource) {
            identity(schema, fields);
        }
        return new Sized(new Sizes(0, fields, null, null), least);
    }

    // Known without being specified, and no longer than any name.
    private static void identity(StructuralSchema schema, Map<String, Sizes> fields) {
        var metadata = schema.source().object("properties", "metadata", "properties");
        fields.put("kind", TEXT.sizes);
        fields.put("apiVersion", TEXT.sizes);
        fields.put(
                "metadata",
                new Sizes(
                        0,
                        Map.of(
                                "name", name(metadata.object("name"), LONGEST_NAME),
                                "generateName", name(metadata.object("generateName"), LONGEST_NAME - 1)),
                        null,
                        null));
    }

    private static Sizes name(Json.Obj source, long longest) {
        return Sizes.of(4 * Math.min(longest, limit(source, "maxLength").orElse(longest)));
    }

    private static Sized text(Json.Obj source) {
        return switch (source.string("format")) {
            case "byte" -> new Sized(Sizes.of(limit(source, "maxLength").orElse(MAX_REQUEST - 2)), MIN_TEXT);
            case "duration" -> new Sized(Sizes.of(LONGEST_TIME), 3);
            case "date" -> new Sized(Sizes.of(DATE), DATE);
            case "date-time" -> new Sized(Sizes.of(LONGEST_TIME), 21);
            default -> new Sized(Sizes.of(length(source).orElseGet(() -> longestValue(source))), MIN_TEXT);
        };
    }

    // A character takes up to four bytes.
    private static Optional<Long> length(Json.Obj source) {
        return limit(source, "maxLength").map(length -> length > Long.MAX_VALUE / 4 ? Long.MAX_VALUE : length * 4);
    }

    private static long longestValue(Json.Obj source) {
        var values = source.array("enum");
        long longest = 0;
        for (var value : values) {
            if (value instanceof Json.Str(var text)) {
                longest = Math.max(longest, text.getBytes(StandardCharsets.UTF_8).length);
            }
        }
        return values.size() == 0 ? MAX_REQUEST - 2 : longest;
    }

    static Optional<Long> limit(Json.Obj source, String field) {
        return source.get(field) instanceof Json.Int(var number) ? Optional.of(Math.max(0, number)) : Optional.empty();
    }
}
