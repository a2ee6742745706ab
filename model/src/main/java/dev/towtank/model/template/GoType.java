package dev.towtank.model.template;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The type of a function's parameter: what it takes, and how messages call it.
public record GoType(String name, boolean takesNil, Predicate<Object> accepts) {
    /// Anything; nil arrives as null.
    public static final GoType ANY = new GoType("interface {}", true, _ -> true);
    /// Anything, as it is held: a nil inside of an interface is told apart from no value at all.
    public static final GoType VALUE = new GoType("reflect.Value", true, _ -> true);
    public static final GoType STRING = new GoType("string", false, String.class::isInstance);
    public static final GoType INT = new GoType("int", false, Long.class::isInstance);
    public static final GoType INT64 = sized(SizedInteger.Size.INT64);
    public static final GoType UINT32 = sized(SizedInteger.Size.UINT32);
    public static final GoType FLOAT64 = new GoType("float64", false, Double.class::isInstance);
    public static final GoType BOOL = new GoType("bool", false, Boolean.class::isInstance);
    public static final GoType MAP = new GoType(
            "map[string]interface {}",
            true,
            value -> value instanceof TypedMap typed ? typed.isOfAnything() : value instanceof Map);
    public static final GoType LIST =
            new GoType("[]interface {}", true, value -> value instanceof List && !(value instanceof TypedList));
    public static final GoType STRINGS = new GoType(
            "[]string",
            true,
            value -> value instanceof TypedList list && list.element().equals("string"));
    public static final GoType BYTES = new GoType("[]uint8", true, byte[].class::isInstance);

    private static GoType sized(SizedInteger.Size size) {
        return new GoType(size.type(), false, value -> value instanceof SizedInteger number && number.size() == size);
    }

    /// The type of objects of one class.
    public static GoType of(Class<?> type, String name) {
        return new GoType(name, false, type::isInstance);
    }

    boolean isInteger() {
        return equals(INT) || equals(INT64) || equals(UINT32);
    }

    @Nullable
    Object integer(long value) {
        if (equals(INT)) {
            return value;
        }
        return new SizedInteger(equals(INT64) ? SizedInteger.Size.INT64 : SizedInteger.Size.UINT32, value);
    }
}
