package dev.towtank.model.openapi;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.ObjectBuilder;
import dev.towtank.model.Schema;
import dev.towtank.model.Schemas;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// Collects the definitions of types that are referred to, and all that these refer to.
final class Definitions {

    static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    static final String PATCH = META + "Patch";

    private static final String ANY = "io.k8s.apimachinery.pkg.runtime.RawExtension";

    private final Dialect dialect;
    private final Schemas schemas;
    private final Function<Kind<?>, Optional<Json.Obj>> customSchemas;
    private final Map<String, Json.Obj> found = new TreeMap<>();
    private final Deque<Schema.Type> waiting = new ArrayDeque<>();
    private final Set<String> queued = new HashSet<>();

    Definitions(Dialect dialect, Schemas schemas, Function<Kind<?>, Optional<Json.Obj>> customSchemas) {
        this.dialect = dialect;
        this.schemas = schemas;
        this.customSchemas = customSchemas;
    }

    /// The definitions of the kinds, of their lists, and of everything that was referred to.
    Json.Obj all(List<Kind<?>> kinds) {
        for (var kind : kinds) {
            var type = schemas.find(kind);
            type.ifPresent(this::want);
            if (type.isEmpty()) {
                found.put(name(kind), custom(kind));
            }
            if (!KindPaths.isReview(kind)) {
                found.put(name(kind) + "List", list(kind));
            }
        }
        found.put(PATCH, Json.Obj.of("type", Json.of("object")));
        List.of("DeleteOptions", "Status", "ListMeta", "ObjectMeta").forEach(each -> reference(META + each));
        while (!waiting.isEmpty()) {
            var type = waiting.remove();
            found.put(type.name(), define(type));
        }
        return Json.Obj.copyOf(found);
    }

    /// The name of the definition of a kind; custom resources are named after their group, turned round.
    String name(Kind<?> kind) {
        return schemas.find(kind).map(Schema.Type::name).orElseGet(() -> {
            var parts = new ArrayList<>(List.of(kind.group().split("\\.", -1)));
            Collections.reverse(parts);
            return String.join(".", parts) + "." + kind.version() + "." + kind.kind();
        });
    }

    Json.Obj reference(String name) {
        schemas.type(name).ifPresent(this::want);
        return dialect.reference(name);
    }

    private void want(Schema.Type type) {
        if (queued.add(type.name())) {
            waiting.add(type);
        }
    }

    private Json.Obj define(Schema.Type type) {
        if (type.form() != Schema.Form.OBJECT) {
            return Json.Obj.of("description", Json.of("A schema or something simpler in its place."));
        }
        var properties = new TreeMap<String, Json.Obj>();
        var required = new ArrayList<String>();
        for (var field : type.jsonFields()) {
            properties.put(field.name(), property(field));
            if (field.required()) {
                required.add(field.name());
            }
        }
        var builder = Json.Obj.builder().put("type", "object");
        if (!properties.isEmpty()) {
            builder.put("properties", Json.Obj.copyOf(properties));
        }
        builder.putNonEmpty("required", Json.Arr.ofStrings(required));
        if (type.isAtomic()) {
            builder.put("x-kubernetes-map-type", "atomic");
        }
        if (type.isKind()) {
            var group = type.apiVersion().contains("/")
                    ? type.apiVersion().substring(0, type.apiVersion().indexOf('/'))
                    : "";
            var version = type.apiVersion().substring(type.apiVersion().indexOf('/') + 1);
            builder.put("x-kubernetes-group-version-kind", Json.Arr.of(identity(group, version, type.simpleName())));
        }
        return Descriptions.describe(type.name(), builder.build());
    }

    static Json.Obj identity(String group, String version, String kind) {
        return Json.Obj.of("group", Json.of(group), "kind", Json.of(kind), "version", Json.of(version));
    }

    private Json.Obj property(Schema.Field field) {
        var builder = value(field.value(), true).toBuilder();
        field.fallback().ifPresent(text -> builder.put("default", fallback(field.value(), text)));
        field.listType().ifPresent(list -> {
            if (!field.keys().isEmpty()) {
                builder.put("x-kubernetes-list-map-keys", Json.Arr.ofStrings(field.keys()));
            }
            builder.put(
                    "x-kubernetes-list-type",
                    switch (list) {
                        case ATOMIC -> "atomic";
                        case SET -> "set";
                        case MAP -> "map";
                    });
        });
        boolean byType = field.value() instanceof Schema.Value.ObjectOf(var type) && type.isAtomic();
        if (field.listType().isEmpty() && field.atomic() != byType) {
            builder.put("x-kubernetes-map-type", field.atomic() ? "atomic" : "granular");
        }
        return withStrategy(builder, field.patch());
    }

    private static Json.Obj withStrategy(ObjectBuilder builder, Schema.PatchStrategy patch) {
        var strategies = new ArrayList<String>();
        if (patch.merge()) {
            strategies.add("merge");
        }
        if (patch.replace()) {
            strategies.add("replace");
        }
        if (patch.retainKeys()) {
            strategies.add("retainKeys");
        }
        return builder.putNonEmpty("x-kubernetes-patch-merge-key", patch.key())
                .putNonEmpty("x-kubernetes-patch-strategy", String.join(",", strategies))
                .build();
    }

    private static Json fallback(Schema.Value value, String text) {
        if (!(value instanceof Schema.Value.ScalarOf(var scalar, var _))) {
            return Json.of(text);
        }
        return switch (scalar) {
            case BOOL -> Json.of(Boolean.parseBoolean(text));
            case INT32, INT64 -> Json.of(Long.parseLong(text));
            case STRING, DOUBLE, BYTES, QUANTITY, INT_OR_STRING, TIME, MICRO_TIME, DURATION, ANY -> Json.of(text);
        };
    }

    private Json.Obj value(Schema.Value value, boolean extensible) {
        return switch (value) {
            case Schema.Value.ObjectOf(var type) -> {
                want(type);
                yield refer(type.name(), extensible);
            }
            case Schema.Value.ListOf(var element, var _, var _) ->
                Json.Obj.of("type", Json.of("array"), "items", value(element, false));
            case Schema.Value.MapOf(var element, var _) ->
                Json.Obj.of("type", Json.of("object"), "additionalProperties", value(element, false));
            case Schema.Value.ScalarOf(var scalar, var _) -> scalar(scalar, extensible);
        };
    }

    private Json.Obj refer(String name, boolean extensible) {
        return extensible ? dialect.extensibleReference(name) : dialect.reference(name);
    }

    private Json.Obj scalar(Schema.Scalar scalar, boolean extensible) {
        return switch (scalar) {
            case STRING -> typed("string", "");
            case BOOL -> typed("boolean", "");
            case INT32 -> typed("integer", "int32");
            case INT64 -> typed("integer", "int64");
            case DOUBLE -> typed("number", "double");
            case BYTES -> typed("string", "byte");
            case QUANTITY ->
                shared("io.k8s.apimachinery.pkg.api.resource.Quantity", either("", "string", "number"), extensible);
            case INT_OR_STRING ->
                shared(
                        "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
                        either("int-or-string", "integer", "string"),
                        extensible);
            case TIME -> shared(META + "Time", typed("string", "date-time"), extensible);
            case MICRO_TIME -> shared(META + "MicroTime", typed("string", "date-time"), extensible);
            case DURATION -> shared(META + "Duration", typed("string", ""), extensible);
            case ANY -> shared(ANY, Json.Obj.of("description", Json.of("Any JSON value.")), extensible);
        };
    }

    private Json.Obj shared(String name, Json.Obj definition, boolean extensible) {
        found.put(name, definition);
        return refer(name, extensible);
    }

    private static Json.Obj typed(String type, String format) {
        return Json.Obj.builder()
                .put("type", type)
                .putNonEmpty("format", format)
                .build();
    }

    // Version 2 cannot say "either"; its readers take numbers for strings.
    private Json.Obj either(String format, String one, String other) {
        return switch (dialect) {
            case V2 -> typed("string", format);
            case V3 ->
                Json.Obj.builder()
                        .putNonEmpty("format", format)
                        .put("oneOf", Json.Arr.of(typed(one, ""), typed(other, "")))
                        .build();
        };
    }

    private Json.Obj custom(Kind<?> kind) {
        var given = customSchemas
                .apply(kind)
                .map(schema -> dialect == Dialect.V2 ? CustomSchema.forV2(schema) : schema)
                .orElse(Json.Obj.of("type", Json.of("object")));
        var properties = given.object("properties");
        if (given.has("properties")) {
            given = given.with(
                    "properties",
                    properties
                            .with("apiVersion", typed("string", ""))
                            .with("kind", typed("string", ""))
                            .with("metadata", refer(META + "ObjectMeta", true)));
        }
        return Descriptions.describe(name(kind), given)
                .with(
                        "x-kubernetes-group-version-kind",
                        Json.Arr.of(identity(kind.group(), kind.version(), kind.kind())));
    }

    private Json.Obj list(Kind<?> kind) {
        var properties = Json.Obj.builder()
                .put("apiVersion", typed("string", ""))
                .put("items", Json.Obj.of("type", Json.of("array"), "items", dialect.reference(name(kind))))
                .put("kind", typed("string", ""))
                .put("metadata", refer(META + "ListMeta", true))
                .build();
        return Json.Obj.builder()
                .put("type", "object")
                .put("properties", properties)
                .put("required", Json.Arr.ofStrings(List.of("items")))
                .put(
                        "x-kubernetes-group-version-kind",
                        Json.Arr.of(identity(kind.group(), kind.version(), kind.kind() + "List")))
                .build();
    }
}
