package dev.towtank.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Brings an object of a built-in type into the form that it has after a trip through Kubernetes' own types:
/// unknown fields, nulls and empty optional values are gone, quantities and times are canonical.
public final class Pruning {

    private Pruning() {}

    /// A value of the wrong type; the message is the one of Go's decoder.
    public static final class Mismatch extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String path;

        Mismatch(String message) {
            this(message, "");
        }

        Mismatch(String message, String path) {
            super(message, null, false, false);
            this.path = path;
        }

        /// Where the value stands: `spec.containers[0].name`.
        public String path() {
            return path;
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }

    /// The pruned object; the very same one where nothing had to change.
    ///
    /// @param unknownField is told the path of each field that the type does not have: `spec.containers[0].foo`
    public static Json.Obj prune(Json.Obj object, Schema.Type type, Consumer<String> unknownField) {
        return new Walk(unknownField).fields(object, type);
    }

    /// Likewise for the body of a request: a value of the wrong type is a bad request in Kubernetes' words.
    public static Json.Obj decode(Json.Obj object, Schema.Type type, Consumer<String> unknownField) {
        try {
            return prune(object, type, unknownField);
        } catch (Mismatch e) {
            var apiVersion = object.string("apiVersion").isEmpty() ? type.apiVersion() : object.string("apiVersion");
            throw StatusError.badRequest(type.simpleName() + " in version \""
                    + apiVersion.substring(apiVersion.indexOf('/') + 1) + "\" cannot be handled as a "
                    + type.simpleName() + ": " + e.text());
        }
    }

    /// What a kind has of an object's fields: by the schema of a built-in type, or by the rules of a custom
    /// one.
    public static Json.Obj known(Json.Obj object, Kind<?> kind, Consumer<String> unknownField) {
        var type = Schemas.builtin().find(kind.apiVersion(), kind.kind());
        return type.isEmpty() ? kind.rules().prune(object, unknownField) : decode(object, type.get(), unknownField);
    }

    /// One walk over one object; where it stands is kept in arrays, so that a clean object costs no garbage.
    private static final class Walk {
        private static final int FIELD = -1;
        private static final int MAP_KEY = -2;

        private final Consumer<String> unknownField;
        private @Nullable String[] keys = new String[32];
        private int[] indexes = new int[32];
        private int depth;
        private int forgiving;

        Walk(Consumer<String> unknownField) {
            this.unknownField = unknownField;
        }

        Json.Obj fields(Json.Obj object, Schema.Type type) {
            @Nullable ObjectBuilder changed = null;
            for (int i = 0; i < object.size(); i++) {
                var key = object.key(i);
                var value = object.value(i);
                var pruned = field(key, value, type);
                if (changed == null && !isSame(pruned, value)) {
                    changed = head(object, i);
                }
                if (changed != null && pruned != null) {
                    changed.put(key, pruned);
                }
            }
            return changed == null ? object : changed.build();
        }

        // Null where the field has to go.
        private @Nullable Json field(String key, Json value, Schema.Type type) {
            var field = type.field(key);
            push(key, FIELD);
            Json pruned = null;
            if (field == null) {
                if (forgiving == 0) {
                    unknownField.accept(path());
                }
            } else if (!(value instanceof Json.Null)) {
                var known = value(value, field.value(), type);
                pruned = field.off() || leavesOut(field, known) ? null : known;
            }
            depth--;
            return pruned;
        }

        private static boolean leavesOut(Schema.Field field, Json value) {
            // An empty list of owners is a request: to forget them.
            boolean meant = field.pointer() || field.name().equals("managedFields");
            if (meant || !field.omitsEmpty() || !value.isEmpty()) {
                return false;
            }
            return switch (field.value()) {
                case Schema.Value.ObjectOf _ -> false;
                case Schema.Value.ListOf _, Schema.Value.MapOf _ -> true;
                case Schema.Value.ScalarOf(var scalar, var _) ->
                    switch (scalar) {
                        case STRING, BOOL, INT32, INT64, DOUBLE, BYTES -> true;
                        case QUANTITY, INT_OR_STRING, TIME, MICRO_TIME, DURATION, ANY -> false;
                    };
            };
        }

        private Json value(Json json, Schema.Value expected, Schema.Type holder) {
            return switch (expected) {
                case Schema.Value.ObjectOf(var type) -> object(json, type, holder);
                case Schema.Value.ListOf list ->
                    json instanceof Json.Arr items ? items(items, list, holder) : mismatch(json, list, holder);
                case Schema.Value.MapOf map ->
                    json instanceof Json.Obj entries ? entries(entries, map, holder) : mismatch(json, map, holder);
                case Schema.Value.ScalarOf scalar -> scalar(json, scalar, holder);
            };
        }

        private Json scalar(Json json, Schema.Value.ScalarOf expected, Schema.Type holder) {
            try {
                var canonical = ScalarForm.canonical(json, expected.scalar());
                return canonical == null ? mismatch(json, expected, holder) : canonical;
            } catch (Mismatch e) {
                throw e.path().isEmpty() ? new Mismatch(e.text(), path()) : e;
            }
        }

        private Json object(Json json, Schema.Type type, Schema.Type holder) {
            if (type.form() != Schema.Form.OBJECT) {
                return alternative(json, type, holder);
            }
            return json instanceof Json.Obj object
                    ? fields(object, type)
                    : mismatch(json, new Schema.Value.ObjectOf(type), holder);
        }

        // Either a schema, or the other thing that the form allows. Kubernetes reads these by functions of their own,
        // which drop what they do not know without a word.
        private Json alternative(Json json, Schema.Type type, Schema.Type holder) {
            for (var field : type.declaredFields()) {
                boolean fits = switch (field.value()) {
                    case Schema.Value.ObjectOf _ -> json instanceof Json.Obj;
                    case Schema.Value.ListOf _ -> json instanceof Json.Arr;
                    case Schema.Value.ScalarOf _ -> json instanceof Json.Bool;
                    case Schema.Value.MapOf _ -> false;
                };
                if (fits) {
                    forgiving++;
                    var pruned = value(json, field.value(), holder);
                    forgiving--;
                    return pruned;
                }
            }
            throw new Mismatch(
                    type.form() == Schema.Form.SCHEMA_OR_BOOL
                            ? "boolean or JSON schema expected"
                            : "array or JSON schema expected",
                    path());
        }

        private Json items(Json.Arr list, Schema.Value.ListOf expected, Schema.Type holder) {
            List<Json> changed = null;
            for (int i = 0; i < list.size(); i++) {
                var item = list.get(i);
                push(null, i);
                var pruned =
                        item instanceof Json.Null ? zero(expected.element()) : value(item, expected.element(), holder);
                depth--;
                if (changed == null && !isSame(pruned, item)) {
                    changed = new ArrayList<>(list.items().subList(0, i));
                }
                if (changed != null) {
                    changed.add(pruned);
                }
            }
            return changed == null ? list : new Json.Arr(changed);
        }

        private Json entries(Json.Obj map, Schema.Value.MapOf expected, Schema.Type holder) {
            @Nullable ObjectBuilder changed = null;
            for (int i = 0; i < map.size(); i++) {
                var value = map.value(i);
                push(map.key(i), MAP_KEY);
                var pruned = value instanceof Json.Null
                        ? zero(expected.element())
                        : value(value, expected.element(), holder);
                depth--;
                if (changed == null && !isSame(pruned, value)) {
                    changed = head(map, i);
                }
                if (changed != null) {
                    changed.put(map.key(i), pruned);
                }
            }
            return changed == null ? map : changed.build();
        }

        // Identity is the point: what was left alone is not compared again.
        @SuppressWarnings("ReferenceEquality")
        private static boolean isSame(@Nullable Json pruned, Json original) {
            return pruned == original;
        }

        private static ObjectBuilder head(Json.Obj object, int size) {
            var builder = Json.Obj.builder();
            for (int i = 0; i < size; i++) {
                builder.put(object.key(i), object.value(i));
            }
            return builder;
        }

        // What Go makes of a null that stands where only a value can.
        private static Json zero(Schema.Value expected) {
            return switch (expected) {
                case Schema.Value.ObjectOf _ -> Json.Obj.EMPTY;
                case Schema.Value.ScalarOf(var scalar, var _) ->
                    switch (scalar) {
                        case STRING, BYTES -> Json.of("");
                        case BOOL -> Json.Bool.FALSE;
                        case INT32, INT64, DOUBLE, INT_OR_STRING -> Json.of(0);
                        case QUANTITY -> Json.of("0");
                        case DURATION -> Json.of("0s");
                        case TIME, MICRO_TIME, ANY -> Json.Null.NULL;
                    };
                case Schema.Value.ListOf _, Schema.Value.MapOf _ -> Json.Null.NULL;
            };
        }

        private Json mismatch(Json json, Schema.Value expected, Schema.Type holder) {
            throw new Mismatch(
                    "json: cannot unmarshal " + ScalarForm.describe(json, expected) + " into Go struct field "
                            + holder.simpleName() + "." + fieldPath() + " of type " + expected.goName(),
                    path());
        }

        private void push(@Nullable String key, int index) {
            if (depth == indexes.length) {
                keys = Arrays.copyOf(keys, depth * 2);
                indexes = Arrays.copyOf(indexes, depth * 2);
            }
            keys[depth] = key;
            indexes[depth] = index;
            depth++;
        }

        private String path() {
            var path = new StringBuilder();
            for (int i = 0; i < depth; i++) {
                if (keys[i] == null) {
                    path.append('[').append(indexes[i]).append(']');
                } else {
                    path.append(path.isEmpty() ? "" : ".").append(keys[i]);
                }
            }
            return path.toString();
        }

        private String fieldPath() {
            var path = new StringBuilder();
            for (int i = 0; i < depth; i++) {
                if (indexes[i] == FIELD) {
                    path.append(path.isEmpty() ? "" : ".").append(keys[i]);
                }
            }
            return path.toString();
        }
    }
}
