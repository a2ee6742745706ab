package dev.towtank.model.template;

import dev.towtank.model.template.Values.Comparison;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The functions that every template has. `and` and `or` are run by the [Executor], which leaves out what they need
/// not
/// know.
final class Builtins {
    static final Functions ALL = Functions.builder()
            .addVariadic("and", _ -> null, GoType.VALUE, GoType.VALUE)
            .addVariadic("or", _ -> null, GoType.VALUE, GoType.VALUE)
            .add("not", call -> !Values.isTrue(call.any(0)), GoType.VALUE)
            .addVariadic("eq", Builtins::equal, GoType.VALUE, GoType.VALUE)
            .add("ne", call -> !equal(call), GoType.VALUE, GoType.VALUE)
            .add("lt", call -> isLess(call), GoType.VALUE, GoType.VALUE)
            .add("le", call -> isLess(call) || equal(call), GoType.VALUE, GoType.VALUE)
            .add("gt", call -> !isLess(call) && !equal(call), GoType.VALUE, GoType.VALUE)
            .add("ge", call -> !isLess(call), GoType.VALUE, GoType.VALUE)
            .add("len", Builtins::length, GoType.VALUE)
            .addVariadic("index", Builtins::index, GoType.VALUE, GoType.VALUE)
            .addVariadic("slice", Builtins::slice, GoType.VALUE, GoType.VALUE)
            .addVariadic("print", call -> Print.line(call.from(0), call.render().meter()), GoType.ANY)
            .addVariadic(
                    "println", call -> Print.spaced(call.from(0), call.render().meter()) + "\n", GoType.ANY)
            .addVariadic(
                    "printf",
                    call -> Format.format(
                            call.string(0), call.from(1), call.render().meter()),
                    GoType.STRING,
                    GoType.ANY)
            .addVariadic("html", call -> Escapes.html(printed(call)), GoType.ANY)
            .addVariadic("js", call -> Escapes.javascript(printed(call)), GoType.ANY)
            .addVariadic("urlquery", call -> Escapes.query(printed(call)), GoType.ANY)
            .addVariadic("call", Builtins::call, GoType.VALUE, GoType.VALUE)
            .build();

    private Builtins() {}

    private static String printed(Arguments call) {
        return Print.line(call.from(0), call.render().meter());
    }

    private static Object call(Arguments call) {
        var function = call.any(0);
        throw new FunctionError(
                function == null
                        ? "call of nil"
                        : "non-function " + Print.value(function) + " of type " + Values.type(function));
    }

    private static boolean equal(Arguments call) {
        if (call.size() < 2) {
            throw new FunctionError("missing argument for comparison");
        }
        for (int i = 1; i < call.size(); i++) {
            if (equal(call.any(0), call.any(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean equal(@Nullable Object one, @Nullable Object other) {
        var kind = Values.comparable(one);
        var otherKind = Values.comparable(other);
        if (kind != otherKind) {
            if (isInteger(kind) && isInteger(otherKind) && one != null && other != null) {
                return compareIntegers(one, other) == 0;
            }
            if (one != null && other != null) {
                throw incompatible(one, other);
            }
            return false;
        }
        if (kind != Comparison.NONE && one != null && other != null) {
            return isInteger(kind) ? Values.integer(one) == Values.integer(other) : one.equals(other);
        }
        if (one == null || other == null) {
            return one == null && other == null;
        }
        if (!Values.kind(one).equals(Values.kind(other))) {
            throw new FunctionError("non-comparable types " + Print.value(one) + ": " + Values.type(one) + ", "
                    + Values.type(other) + ": " + Print.value(other));
        }
        if (!(one instanceof GoObject)) {
            throw new FunctionError("non-comparable type " + Print.value(other) + ": " + Values.type(other));
        }
        return one.equals(other);
    }

    private static boolean isLess(Arguments call) {
        var one = call.any(0);
        var other = call.any(1);
        var kind = Values.comparable(one);
        var otherKind = Values.comparable(other);
        if (one == null || other == null || kind == Comparison.NONE || otherKind == Comparison.NONE) {
            throw new FunctionError("invalid type for comparison");
        }
        if (isInteger(kind) && isInteger(otherKind)) {
            return compareIntegers(one, other) < 0;
        }
        if (kind != otherKind) {
            throw incompatible(one, other);
        }
        return switch (kind) {
            case FLOAT -> (Double) one < (Double) other;
            case STRING -> ((String) one).compareTo((String) other) < 0;
            case NONE, BOOL, INT, UINT -> throw new FunctionError("invalid type for comparison");
        };
    }

    private static boolean isInteger(Comparison kind) {
        return kind == Comparison.INT || kind == Comparison.UINT;
    }

    private static int compareIntegers(Object one, Object other) {
        long left = Values.integer(one);
        long right = Values.integer(other);
        boolean leftUnsigned = Values.comparable(one) == Comparison.UINT;
        boolean rightUnsigned = Values.comparable(other) == Comparison.UINT;
        if (leftUnsigned != rightUnsigned && (leftUnsigned ? right : left) < 0) {
            return leftUnsigned ? 1 : -1;
        }
        return leftUnsigned || rightUnsigned ? Long.compareUnsigned(left, right) : Long.compare(left, right);
    }

    private static FunctionError incompatible(Object one, Object other) {
        return new FunctionError(
                "incompatible types for comparison: " + Values.type(one) + " and " + Values.type(other));
    }

    private static Object length(Arguments call) {
        var raw = call.raw(0);
        if (raw == null) {
            throw new FunctionError("reflect: call of reflect.Value.Type on zero Value");
        }
        return (long)
                switch (elements(call.any(0))) {
                    case null -> throw new FunctionError("len of nil pointer");
                    case String text -> GoText.length(text);
                    case Map<?, ?> map -> map.size();
                    case List<?> list -> list.size();
                    case byte[] bytes -> bytes.length;
                    case Object other -> throw new FunctionError("len of type " + Values.type(other));
                };
    }

    private static @Nullable Object elements(@Nullable Object value) {
        return value instanceof GoObject object ? object.elements().orElse(object) : value;
    }

    private static @Nullable Object index(Arguments call) {
        var item = call.any(0);
        if (item == null) {
            throw new FunctionError("index of untyped nil");
        }
        for (int i = 1; i < call.size(); i++) {
            var key = call.any(i);
            item = switch (elements(item)) {
                case null -> throw new FunctionError("index of nil pointer");
                case String text -> SizedInteger.uint8(GoText.bytes(text)[place(key, GoText.length(text))] & 0xFF);
                case List<?> list -> list.get(place(key, list.size()));
                case byte[] bytes -> SizedInteger.uint8(bytes[place(key, bytes.length)] & 0xFF);
                case Map<?, ?> map -> entry(map, key);
                case Object other -> throw new FunctionError("can't index item of type " + Values.type(other));
            };
        }
        // What an element of a list or map is held in stays with it.
        return item == null ? Boxed.NIL : item;
    }

    private static @Nullable Object entry(Map<?, ?> map, @Nullable Object key) {
        if (key == null) {
            throw new FunctionError("value is nil; should be of type string");
        }
        if (!(key instanceof String)) {
            throw new FunctionError("value has type " + Values.type(key) + "; should be string");
        }
        var found = map.get(key);
        return found == null && map instanceof TypedMap typed ? typed.zero() : found;
    }

    private static int place(@Nullable Object index, int length) {
        int place = bound(index, length);
        if (place >= length) {
            throw new FunctionError("reflect: slice index out of range");
        }
        return place;
    }

    private static int bound(@Nullable Object index, int capacity) {
        if (index == null) {
            throw new FunctionError("cannot index slice/array with nil");
        }
        if (!isInteger(Values.comparable(index))) {
            throw new FunctionError("cannot index slice/array with type " + Values.type(index));
        }
        long place = Values.integer(index);
        if (place < 0 || place > capacity) {
            throw new FunctionError("index out of range: " + place);
        }
        return (int) place;
    }

    private static Object slice(Arguments call) {
        var item = elements(call.any(0));
        if (item == null) {
            throw new FunctionError("slice of untyped nil");
        }
        int count = call.size() - 1;
        if (count > 3) {
            throw new FunctionError("too many slice indexes: " + count);
        }
        int length = switch (item) {
            case String text -> GoText.length(text);
            case List<?> list -> list.size();
            default -> throw new FunctionError("can't slice item of type " + Values.type(item));
        };
        if (item instanceof String && count == 3) {
            throw new FunctionError("cannot 3-index slice a string");
        }
        int from = count > 0 ? bound(call.any(1), length) : 0;
        int to = count > 1 ? bound(call.any(2), length) : length;
        int limit = count > 2 ? bound(call.any(3), length) : length;
        if (from > to) {
            throw new FunctionError("invalid slice index: " + from + " > " + to);
        }
        if (to > limit) {
            throw new FunctionError("invalid slice index: " + to + " > " + limit);
        }
        return item instanceof String text ? GoText.slice(text, from, to) : ((List<?>) item).subList(from, to);
    }
}
