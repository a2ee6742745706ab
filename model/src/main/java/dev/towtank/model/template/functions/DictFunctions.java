package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.ANY;
import static dev.towtank.model.template.GoType.MAP;
import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.Meter;
import dev.towtank.model.template.TypedList;
import dev.towtank.model.template.TypedMap;
import dev.towtank.model.template.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Sprig's functions on dictionaries. Some change what they are given, and templates count on it.
final class DictFunctions {
    static final Functions ALL = Functions.builder()
            .addVariadic("dict", DictFunctions::dict, ANY)
            .add(
                    "get",
                    call -> call.map(0).containsKey(call.string(1))
                            ? call.map(0).get(call.string(1))
                            : "",
                    MAP,
                    STRING)
            .add("set", DictFunctions::set, MAP, STRING, ANY)
            .add("unset", DictFunctions::unset, MAP, STRING)
            .add("hasKey", call -> call.map(0).containsKey(call.string(1)), MAP, STRING)
            .addVariadic("pluck", DictFunctions::pluck, STRING, MAP)
            .addVariadic("keys", DictFunctions::keys, MAP)
            .addVariadic("pick", DictFunctions::pick, MAP, STRING)
            .addVariadic("omit", DictFunctions::omit, MAP, STRING)
            .add("values", call -> new ArrayList<>(call.map(0).values()), MAP)
            .addVariadic("merge", call -> merge(call, false), MAP, MAP)
            .addVariadic("mustMerge", call -> merge(call, false), MAP, MAP)
            .addVariadic("mergeOverwrite", call -> merge(call, true), MAP, MAP)
            .addVariadic("mustMergeOverwrite", call -> merge(call, true), MAP, MAP)
            .addVariadic("dig", DictFunctions::dig, ANY)
            .add("deepCopy", call -> copy(call.any(0), call.render().meter()), ANY)
            .add("mustDeepCopy", call -> copy(call.any(0), call.render().meter()), ANY)
            .add(
                    "deepEqual",
                    call -> deepEqual(call.any(0), call.any(1), call.render().meter()),
                    ANY,
                    ANY)
            .build();

    private DictFunctions() {}

    private static Object dict(Arguments call) {
        var map = new TreeMap<String, @Nullable Object>();
        for (int i = 0; i < call.size(); i += 2) {
            map.put(Conversions.text(call.any(i)), i + 1 < call.size() ? call.any(i + 1) : "");
        }
        return map;
    }

    private static Object set(Arguments call) {
        if (call.any(0) == null) {
            throw new FunctionError("assignment to entry in nil map");
        }
        call.map(0).put(call.string(1), call.any(2));
        return call.map(0);
    }

    private static Object unset(Arguments call) {
        if (call.any(0) != null) {
            call.map(0).remove(call.string(1));
        }
        return call.map(0);
    }

    private static Object pluck(Arguments call) {
        var found = new ArrayList<@Nullable Object>();
        for (int i = 1; i < call.size(); i++) {
            if (call.map(i).containsKey(call.string(0))) {
                found.add(call.map(i).get(call.string(0)));
            }
        }
        return found;
    }

    // Go's order is any; ours is the alphabet's, so that a render says the same thing twice.
    private static Object keys(Arguments call) {
        var keys = new ArrayList<String>();
        for (int i = 0; i < call.size(); i++) {
            keys.addAll(call.map(i).keySet());
        }
        return Conversions.strings(keys);
    }

    private static Object pick(Arguments call) {
        var picked = new TreeMap<String, @Nullable Object>();
        for (int i = 1; i < call.size(); i++) {
            if (call.map(0).containsKey(call.string(i))) {
                picked.put(call.string(i), call.map(0).get(call.string(i)));
            }
        }
        return picked;
    }

    private static Object omit(Arguments call) {
        var rest = new TreeMap<String, @Nullable Object>(call.map(0));
        for (int i = 1; i < call.size(); i++) {
            rest.remove(call.string(i));
        }
        return rest;
    }

    private static Object merge(Arguments call, boolean overwrites) {
        var target = call.any(0) == null ? new TreeMap<String, @Nullable Object>() : call.map(0);
        for (int i = 1; i < call.size(); i++) {
            merge(target, call.map(i), overwrites, call.render().meter());
        }
        return target;
    }

    // What is empty is always overwritten.
    private static void merge(
            Map<String, @Nullable Object> target,
            Map<String, @Nullable Object> source,
            boolean overwrites,
            Meter meter) {
        meter.enter();
        for (var entry :
                List.copyOf(source.entrySet().stream().map(Map.Entry::getKey).toList())) {
            meter.step();
            var value = source.get(entry);
            var known = target.get(entry);
            if (value == null) {
                // Nothing takes the place of something only where it is told to.
                if (overwrites) {
                    target.put(entry, null);
                }
            } else if (known instanceof Map && value instanceof Map) {
                merge(asMap(known), asMap(value), overwrites, meter);
            } else if (known == null && !target.containsKey(entry)) {
                target.put(entry, value);
            } else if (overwrites || Conversions.isEmpty(known)) {
                target.put(entry, value);
            }
        }
        meter.leave();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> asMap(Object value) {
        return (Map<String, @Nullable Object>) value;
    }

    private static @Nullable Object dig(Arguments call) {
        if (call.size() < 3) {
            throw new FunctionError("dig needs at least three arguments");
        }
        var here = call.any(call.size() - 1);
        for (int i = 0; i < call.size() - 2; i++) {
            if (!(here instanceof Map)) {
                throw new FunctionError("interface conversion: interface {} is "
                        + (here == null ? "nil" : Values.type(here)) + ", not map[string]interface {}");
            }
            if (!(call.any(i) instanceof String key)) {
                throw new FunctionError(
                        "interface conversion: interface {} is " + Values.type(call.any(i)) + ", not string");
            }
            if (!asMap(here).containsKey(key)) {
                return call.any(call.size() - 2);
            }
            here = asMap(here).get(key);
        }
        return here;
    }

    /// A value that shares nothing with another.
    static @Nullable Object copy(@Nullable Object value, Meter meter) {
        meter.step();
        return switch (value) {
            case Map<?, ?> map -> {
                meter.enter();
                var copied = new TreeMap<String, @Nullable Object>();
                map.forEach((key, each) -> copied.put((String) key, copy(each, meter)));
                meter.leave();
                yield map instanceof TypedMap typed && !typed.isOfAnything()
                        ? new TypedMap(typed.type(), "", copied)
                        : copied;
            }
            case TypedList list -> list;
            case List<?> list -> {
                meter.enter();
                var copied = new ArrayList<@Nullable Object>(list.size());
                list.forEach(each -> copied.add(copy(each, meter)));
                meter.leave();
                yield copied;
            }
            case null, default -> value;
        };
    }

    /// Equal in type and value, all the way down.
    static boolean deepEqual(@Nullable Object one, @Nullable Object other, Meter meter) {
        meter.step();
        if (one == null || other == null) {
            return one == null && other == null;
        }
        if (!Values.type(one).equals(Values.type(other))) {
            return false;
        }
        if (one instanceof List<?> left && other instanceof List<?> right) {
            if (left.size() != right.size()) {
                return false;
            }
            for (int i = 0; i < left.size(); i++) {
                if (!deepEqual(left.get(i), right.get(i), meter)) {
                    return false;
                }
            }
            return true;
        }
        if (one instanceof Map<?, ?> left && other instanceof Map<?, ?> right) {
            return left.keySet().equals(right.keySet())
                    && left.entrySet().stream()
                            .allMatch(each -> deepEqual(each.getValue(), right.get(each.getKey()), meter));
        }
        if (one instanceof byte[] left && other instanceof byte[] right) {
            return java.util.Arrays.equals(left, right);
        }
        if (one instanceof String text) {
            meter.claim(text.length());
        }
        return one.equals(other);
    }
}
