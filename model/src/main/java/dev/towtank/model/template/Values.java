package dev.towtank.model.template;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What Go's reflection would say of the values that templates work on.
public final class Values {

    /// Groups of types that may be compared with each other.
    enum Comparison {
        NONE,
        BOOL,
        INT,
        UINT,
        FLOAT,
        STRING
    }

    private Values() {}

    /// A value that a template can change as Go's could: every number is a float64, as whatever Go reads from JSON.
    public static @Nullable Object of(@Nullable Json json) {
        return switch (json) {
            case null -> null;
            case Json.Null _ -> null;
            case Json.Bool(var value) -> value;
            case Json.Int(var value) -> (double) value;
            case Json.Real(var value) -> value;
            case Json.Str(var value) -> value;
            case Json.Arr(var items) -> {
                var list = new ArrayList<@Nullable Object>(items.size());
                items.forEach(item -> list.add(of(item)));
                yield list;
            }
            case Json.Obj object -> mapOf(object);
        };
    }

    public static Map<String, @Nullable Object> mapOf(Json.Obj object) {
        var map = new TreeMap<String, @Nullable Object>();
        object.forEach((key, value) -> map.put(key, of(value)));
        return map;
    }

    /// The name of a value's type, such as `map[string]interface {}`; nil has none and says `<nil>`.
    public static String type(@Nullable Object value) {
        return switch (value) {
            case null -> "<nil>";
            case Boxed _ -> "interface {}";
            case Boolean _ -> "bool";
            case Long _ -> "int";
            case Double _ -> "float64";
            case String _ -> "string";
            case SizedInteger number -> number.size().type();
            case TypedMap map -> map.type();
            case Map<?, ?> _ -> "map[string]interface {}";
            case TypedList list -> "[]" + list.element();
            case List<?> _ -> "[]interface {}";
            case byte[] _ -> "[]uint8";
            case GoObject object -> object.type();
            default -> throw strange(value);
        };
    }

    /// What Go calls the kind of a value, such as `map`; nil has none and says `invalid`.
    public static String kind(@Nullable Object value) {
        return switch (value) {
            case null -> "invalid";
            case Boxed _ -> "interface";
            case SizedInteger number -> number.size().kind();
            case Map<?, ?> _ -> "map";
            case List<?> _ -> "slice";
            case byte[] _ -> "slice";
            case GoObject object -> object.kind();
            default -> type(value);
        };
    }

    /// Whether a condition holds: whatever is not false, zero, nil or empty.
    public static boolean isTrue(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Boxed(var inside) -> isTrue(inside);
            case Boolean bool -> bool;
            case Long number -> number != 0;
            case Double number -> number != 0;
            case SizedInteger number -> number.value() != 0;
            case String text -> !text.isEmpty();
            case Map<?, ?> map -> !map.isEmpty();
            case List<?> list -> !list.isEmpty();
            case byte[] bytes -> bytes.length > 0;
            case GoObject object -> object.elements().map(Values::isTrue).orElse(true);
            default -> throw strange(value);
        };
    }

    static Comparison comparable(@Nullable Object value) {
        return switch (value) {
            case Boolean _ -> Comparison.BOOL;
            case Long _ -> Comparison.INT;
            case Double _ -> Comparison.FLOAT;
            case String _ -> Comparison.STRING;
            case SizedInteger number -> number.size().isUnsigned() ? Comparison.UINT : Comparison.INT;
            case null, default -> Comparison.NONE;
        };
    }

    static long integer(Object value) {
        return value instanceof SizedInteger number ? number.value() : (Long) value;
    }

    static RuntimeException strange(Object value) {
        return new IllegalArgumentException(
                "no template value: " + value.getClass().getName());
    }
}
