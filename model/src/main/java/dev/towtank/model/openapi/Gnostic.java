package dev.towtank.model.openapi;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// Version 2 documents in the protobuf encoding of the gnostic project, which older kubectl asks for.
///
/// Field numbers are those of `openapiv2/OpenAPIv2.proto`. Maps are lists of name and value there; vendor extensions
/// hold their value as YAML text, of which JSON is a part.
final class Gnostic {

    private static final List<String> METHODS = List.of("get", "put", "post", "delete", "options", "head", "patch");

    private static final SortedMap<String, Integer> SCHEMA_STRINGS =
            new TreeMap<>(Map.of("$ref", 1, "format", 2, "title", 3, "description", 4, "pattern", 13));
    private static final SortedMap<String, Integer> SCHEMA_INTEGERS = new TreeMap<>(Map.of(
            "maxLength",
            11,
            "minLength",
            12,
            "maxItems",
            14,
            "minItems",
            15,
            "maxProperties",
            17,
            "minProperties",
            18));
    private static final SortedMap<String, Integer> SCHEMA_REALS =
            new TreeMap<>(Map.of("multipleOf", 6, "maximum", 7, "minimum", 9));
    private static final SortedMap<String, Integer> SCHEMA_FLAGS =
            new TreeMap<>(Map.of("exclusiveMaximum", 8, "exclusiveMinimum", 10, "uniqueItems", 16, "readOnly", 27));

    private Gnostic() {}

    static byte[] document(Json.Obj document) {
        return ProtobufWriter.message(out -> {
            out.string(1, document.string("swagger"));
            out.message(2, info -> {
                info.string(1, document.string("info", "title"));
                info.string(2, document.string("info", "version"));
            });
            out.message(8, paths -> named(paths, 2, document.object("paths"), Gnostic::pathItem));
            out.message(9, definitions -> named(definitions, 1, document.object("definitions"), Gnostic::schema));
        });
    }

    private static void named(
            ProtobufWriter out, int number, Json.Obj map, BiConsumer<ProtobufWriter, Json.Obj> value) {
        for (int i = 0; i < map.size(); i++) {
            var name = map.key(i);
            if (map.value(i) instanceof Json.Obj object) {
                out.message(number, entry -> {
                    entry.string(1, name);
                    entry.message(2, inner -> value.accept(inner, object));
                });
            }
        }
    }

    private static void pathItem(ProtobufWriter out, Json.Obj item) {
        for (int i = 0; i < METHODS.size(); i++) {
            if (item.get(METHODS.get(i)) instanceof Json.Obj operation) {
                out.message(i + 2, inner -> operation(inner, operation));
            }
        }
        parameters(out, 9, item);
    }

    private static void operation(ProtobufWriter out, Json.Obj operation) {
        out.strings(1, operation.array("tags").strings());
        out.string(3, operation.string("description"));
        out.string(5, operation.string("operationId"));
        out.strings(6, operation.array("produces").strings());
        out.strings(7, operation.array("consumes").strings());
        parameters(out, 8, operation);
        out.message(9, responses -> named(responses, 1, operation.object("responses"), Gnostic::response));
        extensions(out, 13, operation);
    }

    private static void response(ProtobufWriter out, Json.Obj response) {
        out.message(1, plain -> {
            plain.string(1, response.string("description"));
            if (response.get("schema") instanceof Json.Obj schema) {
                plain.message(2, item -> item.message(1, inner -> schema(inner, schema)));
            }
        });
    }

    private static void parameters(ProtobufWriter out, int number, Json.Obj holder) {
        for (var parameter : holder.objects("parameters")) {
            out.message(number, item -> item.message(1, inner -> parameter(inner, parameter)));
        }
    }

    private static void parameter(ProtobufWriter out, Json.Obj parameter) {
        switch (parameter.string("in")) {
            case "body" ->
                out.message(1, body -> {
                    body.string(2, parameter.string("name"));
                    body.string(3, "body");
                    body.flag(4, parameter.flag("required"));
                    body.message(5, schema -> schema(schema, parameter.object("schema")));
                });
            case "query" ->
                out.message(
                        2,
                        plain -> plain.message(3, query -> {
                            common(query, parameter);
                            query.string(6, parameter.string("type"));
                            query.flag(20, parameter.flag("uniqueItems"));
                        }));
            case "path" ->
                out.message(
                        2,
                        plain -> plain.message(4, path -> {
                            common(path, parameter);
                            path.string(5, parameter.string("type"));
                            path.flag(19, parameter.flag("uniqueItems"));
                        }));
            default -> throw new IllegalArgumentException("no parameter stands in " + parameter.string("in"));
        }
    }

    private static void common(ProtobufWriter out, Json.Obj parameter) {
        out.flag(1, parameter.flag("required"));
        out.string(2, parameter.string("in"));
        out.string(3, parameter.string("description"));
        out.string(4, parameter.string("name"));
    }

    private static void schema(ProtobufWriter out, Json.Obj schema) {
        SCHEMA_STRINGS.forEach((name, number) -> out.string(number, schema.string(name)));
        SCHEMA_INTEGERS.forEach((name, number) -> out.integer(number, schema.integer(name)));
        SCHEMA_FLAGS.forEach((name, number) -> out.flag(number, schema.flag(name)));
        SCHEMA_REALS.forEach((name, number) -> {
            if (schema.get(name) instanceof Json.Real(var value)) {
                out.real(number, value);
            } else {
                out.real(number, (double) schema.integer(name));
            }
        });
        var fallback = schema.get("default");
        if (fallback != null) {
            out.message(5, any -> any.string(2, yaml(fallback)));
        }
        out.strings(19, schema.array("required").strings());
        schema.array("enum").forEach(value -> out.message(20, any -> any.string(2, yaml(value))));
        if (schema.get("additionalProperties") instanceof Json.Obj inner) {
            out.message(21, item -> item.message(1, each -> schema(each, inner)));
        } else if (schema.flag("additionalProperties")) {
            out.message(21, item -> item.flag(2, true));
        }
        if (schema.get("type") instanceof Json.Str(var type)) {
            out.message(22, item -> item.string(1, type));
        }
        if (schema.get("items") instanceof Json.Obj inner) {
            out.message(23, item -> item.message(1, each -> schema(each, inner)));
        }
        if (schema.get("properties") instanceof Json.Obj properties) {
            out.message(25, inner -> named(inner, 1, properties, Gnostic::schema));
        }
        extensions(out, 31, schema);
    }

    private static void extensions(ProtobufWriter out, int number, Json.Obj holder) {
        holder.forEach((name, value) -> {
            if (name.startsWith("x-")) {
                out.message(number, entry -> {
                    entry.string(1, name);
                    entry.message(2, any -> any.string(2, yaml(value)));
                });
            }
        });
    }

    private static String yaml(Json value) {
        return value + "\n";
    }
}
