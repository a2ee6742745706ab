package dev.towtank.model.crd.schema;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.Pruning;
import dev.towtank.model.Schema;
import dev.towtank.model.Schemas;
import dev.towtank.model.kinds.ObjectMetas;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The `apiVersion`, `kind` and `metadata` of whole objects, be it the custom resource or one embedded in it.
public final class EmbeddedMetadata {

    private EmbeddedMetadata() {}

    private static Schema.Type objectMeta() {
        return ((Schema.Value.ObjectOf) Holder.FIELD.value()).type();
    }

    private static final class Holder {
        static final Schema.Field FIELD = Schemas.builtin()
                .find("v1", "Pod")
                .flatMap(pod -> Optional.ofNullable(pod.field("metadata")))
                .orElseThrow();
    }

    /// Brings all metadata into the form that Kubernetes' own type has; unknown fields are reported and dropped.
    ///
    /// @throws Pruning.Mismatch where a field has the wrong type
    public static Json.Obj coerce(Json.Obj object, StructuralSchema schema, Consumer<String> unknownField) {
        return (Json.Obj) coerce(object, schema, true, Location.ROOT, unknownField);
    }

    private static Json coerce(
            Json value,
            @Nullable StructuralSchema schema,
            boolean resource,
            Location at,
            Consumer<String> unknownField) {
        if (schema == null) {
            return value;
        }
        return switch (value) {
            case Json.Obj object -> fields(object, schema, resource, at, unknownField);
            case Json.Arr array -> items(array, schema, at, unknownField);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> value;
        };
    }

    @SuppressWarnings("ReferenceEquality") // Identity tells whether anything changed.
    private static Json.Obj fields(
            Json.Obj object, StructuralSchema schema, boolean resource, Location at, Consumer<String> unknownField) {
        var changed = object;
        for (int i = 0; i < object.size(); i++) {
            var key = object.key(i);
            var old = object.value(i);
            if (old instanceof Json.Obj || old instanceof Json.Arr) {
                var coerced = resource && key.equals("metadata") && old instanceof Json.Obj metadata
                        ? metadata(metadata, at, unknownField)
                        : inner(schema, key, old, at, unknownField);
                changed = coerced == old ? changed : changed.with(key, coerced);
            }
        }
        return changed;
    }

    private static Json inner(
            StructuralSchema schema, String key, Json value, Location at, Consumer<String> unknownField) {
        var property = schema.property(key).orElse(null);
        return coerce(
                value,
                property,
                property != null && property.extensions().embeddedResource(),
                at.child(key),
                unknownField);
    }

    private static Json.Obj metadata(Json.Obj metadata, Location at, Consumer<String> unknownField) {
        var prefix = at.child("metadata").dotted();
        return Pruning.prune(metadata, objectMeta(), path -> unknownField.accept(prefix + "." + path));
    }

    @SuppressWarnings("ReferenceEquality") // Identity tells whether anything changed.
    private static Json items(Json.Arr array, StructuralSchema schema, Location at, Consumer<String> unknownField) {
        var items = schema.items();
        if (items == null) {
            return array;
        }
        List<Json> changed = null;
        for (int i = 0; i < array.size(); i++) {
            var old = array.get(i);
            var coerced = coerce(old, items, items.extensions().embeddedResource(), at.index(i), unknownField);
            if (coerced != old) {
                changed = changed == null ? new ArrayList<>(array.items()) : changed;
                changed.set(i, coerced);
            }
        }
        return changed == null ? array : new Json.Arr(changed);
    }

    /// Checks embedded objects; the outermost is the server's business.
    public static void validate(Json value, StructuralSchema schema, Location at, FieldError.Collector errors) {
        switch (value) {
            case Json.Obj object -> {
                if (schema.extensions().embeddedResource()) {
                    resource(object, at, errors);
                }
                for (int i = 0; i < object.size(); i++) {
                    var key = object.key(i);
                    var named = schema.properties().get(key);
                    var property = named == null ? schema.additional().schema() : named;
                    if (property != null) {
                        validate(object.value(i), property, named == null ? at.key(key) : at.child(key), errors);
                    }
                }
            }
            case Json.Arr array -> {
                var items = schema.items();
                for (int i = 0; items != null && i < array.size(); i++) {
                    validate(array.get(i), items, at.index(i), errors);
                }
            }
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> {}
        }
    }

    private static void resource(Json.Obj object, Location at, FieldError.Collector errors) {
        apiVersion(object.get("apiVersion"), new Path(at.child("apiVersion").text()), errors);
        kind(object.get("kind"), new Path(at.child("kind").text()), errors);
        if (object.get("metadata") instanceof Json.Obj metadata) {
            var named = metadata.string("name").isEmpty() ? metadata.with("name", Json.of("fakename")) : metadata;
            var found = new FieldError.Collector();
            ObjectMetas.validate(
                    Names.Rule.PATH_SEGMENT,
                    named,
                    !metadata.string("namespace").isEmpty(),
                    found);
            var prefix = at.text();
            for (var error : found.errors()) {
                errors.add(new FieldError(
                        error.type(),
                        prefix + (prefix.isEmpty() ? "" : ".") + error.path(),
                        error.value(),
                        error.detail()));
            }
        }
    }

    private static void apiVersion(@Nullable Json value, Path path, FieldError.Collector errors) {
        switch (value) {
            case null -> errors.required(path, "");
            case Json.Str(var text) -> {
                if (text.isEmpty()) {
                    errors.invalid(path, value, "must not be empty");
                } else if (text.chars().filter(c -> c == '/').count() > 1) {
                    errors.invalid(path, value, "unexpected GroupVersion string: " + text);
                }
            }
            default -> errors.invalid(path, value, "must be a string");
        }
    }

    private static void kind(@Nullable Json value, Path path, FieldError.Collector errors) {
        switch (value) {
            case null -> errors.required(path, "");
            case Json.Str(var text) -> {
                var problems = Names.dns1035Label(text.toLowerCase(Locale.ROOT));
                if (text.isEmpty()) {
                    errors.invalid(path, value, "must not be empty");
                } else if (!problems.isEmpty()) {
                    errors.invalid(
                            path,
                            value,
                            "may have mixed case, but should otherwise match: " + String.join(",", problems));
                }
            }
            default -> errors.invalid(path, value, "must be a string");
        }
    }
}
