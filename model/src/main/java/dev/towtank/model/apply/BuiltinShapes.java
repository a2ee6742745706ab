package dev.towtank.model.apply;

import dev.towtank.model.Json;
import dev.towtank.model.Schema;
import dev.towtank.model.Schema.ListType;
import dev.towtank.model.Schema.Scalar;
import dev.towtank.model.Schema.Value;
import dev.towtank.model.Zeros;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The shapes of built-in types.
public final class BuiltinShapes {

    private BuiltinShapes() {}

    /// Keep what this returns: it remembers the shapes of the fields that were asked for.
    public static Shape of(Schema.Type type) {
        return type.isAtomic() ? new Shape.Atomic(struct(type)) : struct(type);
    }

    private static Shape struct(Schema.Type type) {
        return type.form() == Schema.Form.OBJECT ? new Struct(type) : Shape.Unknown.UNKNOWN;
    }

    private static Shape of(Schema.Field field) {
        return field.atomic() ? atomic(field.value()) : divided(field);
    }

    private static Shape atomic(Value value) {
        return switch (value) {
            case Value.ListOf(var element, var _, var _) -> new Shape.Atomic(of(element));
            case Value.ObjectOf(var type) -> new Shape.Atomic(struct(type));
            case Value.MapOf map -> new Shape.Atomic(of(map));
            case Value.ScalarOf _ -> Shape.Leaf.LEAF;
        };
    }

    private static Shape divided(Schema.Field field) {
        return switch (field.value()) {
            case Value.ListOf(var element, var _, var _) -> list(field, element);
            // Whether a field of an atomic type is atomic is said by the field.
            case Value.ObjectOf(var type) -> struct(type);
            case Value.MapOf map -> of(map);
            case Value.ScalarOf scalar -> of(scalar);
        };
    }

    private static Shape of(Value value) {
        return switch (value) {
            case Value.ScalarOf(var scalar, var _) -> Shape.Leaf.LEAF;
            case Value.ListOf list -> atomic(list);
            case Value.MapOf(var element, var _) -> new Shape.Entries(of(element));
            case Value.ObjectOf(var type) -> of(type);
        };
    }

    private static Shape list(Schema.Field field, Value element) {
        return switch (field.listType().orElse(ListType.ATOMIC)) {
            case ATOMIC -> new Shape.Atomic(of(element));
            case SET -> Shape.SetList.SET;
            case MAP -> new Shape.MapList(field.keys(), defaults(field.keys(), element), of(element));
        };
    }

    private static Map<String, Json> defaults(List<String> keys, Value element) {
        var defaults = new HashMap<String, Json>();
        if (element instanceof Value.ObjectOf(var type)) {
            for (var key : keys) {
                var field = type.field(key);
                if (field != null) {
                    field.fallback().ifPresent(text -> defaults.put(key, fallback(field, text)));
                }
            }
        }
        return defaults;
    }

    private static Json fallback(Schema.Field field, String text) {
        boolean number = field.value() instanceof Value.ScalarOf(var scalar, var _)
                && (scalar == Scalar.INT32 || scalar == Scalar.INT64);
        return number ? Json.of(Long.parseLong(text)) : Json.of(text);
    }

    private static final class Struct implements Shape.Granular {
        private final Schema.Type type;
        private final Map<String, Shape> entries = new ConcurrentHashMap<>();
        // Two threads may work these out at once; both results are right, and either may stay.
        private volatile @Nullable Map<String, Json> zeros;

        Struct(Schema.Type type) {
            this.type = type;
        }

        @Override
        public Shape entry(String key) {
            var known = entries.get(key);
            if (known != null) {
                return known;
            }
            var field = type.field(key);
            // Only declared fields are remembered: what else there is has no bound.
            return field == null ? Shape.Unknown.UNKNOWN : entries.computeIfAbsent(key, _ -> of(field));
        }

        @Override
        public boolean isField(String key) {
            return type.field(key) != null;
        }

        @Override
        public boolean allows(String key) {
            return isField(key);
        }

        @Override
        public Map<String, Json> zeros() {
            var known = zeros;
            if (known == null) {
                var found = new LinkedHashMap<String, Json>();
                type.jsonFields().forEach(field -> {
                    var zero = Zeros.of(field);
                    if (zero != null) {
                        found.put(field.name(), zero);
                    }
                });
                known = Map.copyOf(found);
                zeros = known;
            }
            return known;
        }

        @Override
        public String toString() {
            return type.name();
        }
    }
}
