package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.ANY;
import static dev.towtank.model.template.GoType.INT;

import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.Function;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.TypedList;
import dev.towtank.model.template.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Sprig's functions on lists. None changes the list it is given.
final class ListFunctions {
    static final Functions ALL = build();

    private ListFunctions() {}

    private static Functions build() {
        var all = Functions.builder()
                .addVariadic("list", call -> new ArrayList<>(call.from(0)), ANY)
                .addVariadic("tuple", call -> new ArrayList<>(call.from(0)), ANY)
                .addVariadic("concat", ListFunctions::concatenate, ANY)
                .add("push", ListFunctions::append, ANY, ANY)
                .add("mustPush", ListFunctions::append, ANY, ANY)
                .add("sortAlpha", ListFunctions::sort, ANY)
                .addVariadic("without", ListFunctions::without, ANY, ANY)
                .addVariadic("mustWithout", ListFunctions::without, ANY, ANY)
                .addVariadic("slice", ListFunctions::slice, ANY, ANY)
                .addVariadic("mustSlice", ListFunctions::slice, ANY, ANY)
                .add("has", ListFunctions::has, ANY, ANY)
                .add("mustHas", ListFunctions::has, ANY, ANY)
                .add("chunk", ListFunctions::chunk, INT, ANY)
                .add("mustChunk", ListFunctions::chunk, INT, ANY);
        both(all, "append", ListFunctions::append, 2);
        both(all, "prepend", ListFunctions::prepend, 2);
        both(all, "first", call -> end(call, "Cannot find first on type", true), 1);
        both(all, "last", call -> end(call, "Cannot find last on type", false), 1);
        both(all, "rest", call -> part(call, "Cannot find rest on type", 1, 0), 1);
        both(all, "initial", call -> part(call, "Cannot find initial on type", 0, 1), 1);
        both(all, "reverse", ListFunctions::reverse, 1);
        both(all, "compact", ListFunctions::compact, 1);
        both(all, "uniq", ListFunctions::unique, 1);
        return all.build();
    }

    // Each has a twin that returns an error where this one panics, which is the same to a template.
    private static void both(Functions.Builder all, String name, Function.Body body, int parameters) {
        var types = parameters == 1
                ? new dev.towtank.model.template.GoType[] {ANY}
                : new dev.towtank.model.template.GoType[] {ANY, ANY};
        all.add(name, body, types);
        all.add("must" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1), body, types);
    }

    private static Object concatenate(Arguments call) {
        var all = new ArrayList<@Nullable Object>();
        for (var each : call.from(0)) {
            var list = Conversions.list(each);
            if (list == null) {
                throw new FunctionError(
                        each == null
                                ? "runtime error: invalid memory address or nil pointer dereference"
                                : "Cannot concat type " + Values.kind(each) + " as list");
            }
            call.render().meter().claim(all.size() + (long) list.size());
            all.addAll(list);
        }
        return all;
    }

    private static Object append(Arguments call) {
        var list = Conversions.list(call.any(0), "Cannot push on type");
        call.render().meter().claim(list.size());
        list.add(call.any(1));
        return list;
    }

    private static Object prepend(Arguments call) {
        var list = Conversions.list(call.any(0), "Cannot prepend on type");
        call.render().meter().claim(list.size());
        list.add(0, call.any(1));
        return list;
    }

    private static @Nullable Object end(Arguments call, String complaint, boolean first) {
        var list = Conversions.list(call.any(0), complaint);
        return list.isEmpty() ? null : first ? list.getFirst() : list.getLast();
    }

    private static Object part(Arguments call, String complaint, int fromStart, int fromEnd) {
        var list = Conversions.list(call.any(0), complaint);
        return list.isEmpty() ? list : new ArrayList<>(list.subList(fromStart, list.size() - fromEnd));
    }

    private static Object reverse(Arguments call) {
        var list = Conversions.list(call.any(0), "Cannot find reverse on type");
        Collections.reverse(list);
        return list;
    }

    private static Object compact(Arguments call) {
        var list = Conversions.list(call.any(0), "Cannot compact on type");
        list.removeIf(Conversions::isEmpty);
        return list;
    }

    private static Object unique(Arguments call) {
        var found = new ArrayList<@Nullable Object>();
        for (var item : Conversions.list(call.any(0), "Cannot find uniq on type")) {
            call.render().meter().step(found.size());
            if (!contains(found, item, call)) {
                found.add(item);
            }
        }
        return found;
    }

    private static Object without(Arguments call) {
        var list = Conversions.list(call.any(0), "Cannot find without on type");
        var omitted = call.from(1);
        list.removeIf(item -> contains(omitted, item, call));
        return list;
    }

    private static Object has(Arguments call) {
        if (call.any(1) == null) {
            return false;
        }
        return contains(Conversions.list(call.any(1), "Cannot find has on type"), call.any(0), call);
    }

    private static boolean contains(List<@Nullable Object> list, @Nullable Object wanted, Arguments call) {
        for (var item : list) {
            if (DictFunctions.deepEqual(item, wanted, call.render().meter())) {
                return true;
            }
        }
        return false;
    }

    private static Object sort(Arguments call) {
        var texts = new ArrayList<>(Conversions.texts(call.any(0)));
        Collections.sort(texts);
        return Conversions.strings(texts);
    }

    private static @Nullable Object slice(Arguments call) {
        var value = call.any(0);
        var list = Conversions.list(value, "list should be type of slice or array but");
        if (list.isEmpty()) {
            return null;
        }
        long from = call.size() > 1 ? Conversions.integer(call.any(1)) : 0;
        long to = call.size() > 2 ? Conversions.integer(call.any(2)) : list.size();
        if (from < 0 || to > list.size() || from > to) {
            throw new FunctionError("reflect.Value.Slice: slice index out of bounds");
        }
        var part = list.subList((int) from, (int) to);
        return value instanceof TypedList typed ? new TypedList(typed.element(), part) : new ArrayList<>(part);
    }

    private static Object chunk(Arguments call) {
        var list = Conversions.list(call.any(1), "Cannot chunk type");
        int size = (int) Math.min(call.integer(0), Integer.MAX_VALUE);
        if (size <= 0) {
            throw new FunctionError("runtime error: makeslice: len out of range");
        }
        var chunks = new ArrayList<@Nullable Object>();
        for (int i = 0; i < list.size(); i += size) {
            chunks.add(new ArrayList<>(list.subList(i, (int) Math.min((long) i + size, list.size()))));
        }
        return new TypedList("[]interface {}", chunks);
    }
}
