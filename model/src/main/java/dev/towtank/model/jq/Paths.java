package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Members of values: reading, changing and taking away.
final class Paths {

    private Paths() {}

    /// Each member of an array or object.
    static final Filter EACH = (run, _, input, output) -> {
        switch (input.json()) {
            case Json.Arr items -> {
                for (int i = 0; i < items.size(); i++) {
                    run.step();
                    output.accept(input.member(Json.of(i), items.get(i)));
                }
            }
            case Json.Obj object -> {
                for (var key : object.keys()) {
                    run.step();
                    output.accept(input.member(Json.of(key), orNull(object.get(key))));
                }
            }
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ ->
                throw new JqError("Cannot iterate over " + Texts.type(input.json())
                        + (input.json() instanceof Json.Null ? "" : " (" + Texts.shortened(input.json()) + ")"));
        }
    };

    /// The members of what the first filter gives, by the keys that the second gives for the input of both.
    static Filter member(Filter of, Filter key) {
        return (run, env, input, output) -> of.apply(
                run,
                env,
                input,
                whole -> key.apply(run, env, input, name -> {
                    run.step();
                    output.accept(whole.member(name.json(), read(run, whole.json(), name.json())));
                }));
    }

    /// `getpath`: nothing is missing so much that it could not be read.
    static Value at(Run run, Value input, List<Json> path) {
        var here = input;
        for (var key : path) {
            run.step();
            here = here.member(key, here.json() instanceof Json.Null ? Json.Null.NULL : read(run, here.json(), key));
        }
        return here;
    }

    static Json read(Run run, Json of, Json key) {
        return switch (of) {
            case Json.Null _ when key instanceof Json.Str || Texts.isNumber(key) || Slice.is(key) -> Json.Null.NULL;
            case Json.Obj object when key instanceof Json.Str(var name) -> orNull(object.get(name));
            case Json.Arr items
            when Texts.isNumber(key) -> {
                long place = position(key, items.size());
                yield place < 0 || place >= items.size() ? Json.Null.NULL : items.get((int) place);
            }
            case Json.Arr items when key instanceof Json.Arr part -> Lists.indices(run, items, part);
            case Json.Arr items
            when Slice.is(key) -> Slice.of(key, items.size()).read(run, items);
            case Json.Str(var text) when Slice.is(key) -> Slice.read(run, text, key);
            default ->
                throw new JqError("Cannot index " + Texts.type(of) + " with "
                        + (key instanceof Json.Str(var name) ? "\"" + name + "\"" : Texts.type(key)));
        };
    }

    private static long position(Json key, int size) {
        long index = (long) Math.floor(ValueOrder.number(key));
        return index < 0 ? size + index : index;
    }

    static Json orNull(@Nullable Json json) {
        return json == null ? Json.Null.NULL : json;
    }

    static List<List<Json>> places(Run run, Env env, Filter filter, Json input) {
        var places = new ArrayList<List<Json>>();
        filter.apply(run, env, Value.root(input), value -> {
            run.step();
            places.add(value.place());
        });
        return places;
    }

    static Json update(Run run, Json json, List<Json> path, UnaryOperator<Json> change) {
        if (path.isEmpty()) {
            return change.apply(json);
        }
        var key = path.getFirst();
        var changed = update(run, read(run, json, key), path.subList(1, path.size()), change);
        if (key instanceof Json.Str(var name)) {
            var object = json instanceof Json.Obj known ? known : Json.Obj.EMPTY;
            run.copy(object.size());
            return object.with(name, changed);
        }
        var items = json instanceof Json.Arr array ? array : Json.Arr.EMPTY;
        run.copy(items.size());
        return Texts.isNumber(key)
                ? put(run, items, key, changed)
                : Slice.of(key, items.size()).put(items, changed);
    }

    private static Json put(Run run, Json.Arr array, Json key, Json changed) {
        long place = position(key, array.size());
        if (place < 0) {
            throw new JqError("Out of bounds negative array index");
        }
        run.copy(place);
        var items = new ArrayList<>(array.items());
        while (items.size() <= place) {
            items.add(Json.Null.NULL);
        }
        items.set((int) place, changed);
        return new Json.Arr(items);
    }

    /// What is further in goes first, so that nothing has moved yet; then all members of one value at once.
    static Json delete(Run run, Json json, List<List<Json>> places) {
        var inner = new LinkedHashMap<Json, List<List<Json>>>();
        var members = new ArrayList<Json>();
        for (var place : places) {
            run.step();
            if (place.isEmpty()) {
                return Json.Null.NULL;
            }
            if (place.size() == 1) {
                members.add(place.getFirst());
            } else {
                inner.computeIfAbsent(place.getFirst(), _ -> new ArrayList<>()).add(place.subList(1, place.size()));
            }
        }
        var result = json;
        for (var each : inner.entrySet()) {
            if (!(read(run, result, each.getKey()) instanceof Json.Null)) {
                result = update(run, result, List.of(each.getKey()), value -> delete(run, value, each.getValue()));
            }
        }
        return without(run, result, members);
    }

    private static Json without(Run run, Json json, List<Json> members) {
        return switch (json) {
            case Json.Obj object -> without(run, object, members);
            case Json.Arr items -> without(run, items, members);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> {
                if (!members.isEmpty() && !(json instanceof Json.Null)) {
                    throw new JqError("Cannot delete fields of " + Texts.type(json));
                }
                yield json;
            }
        };
    }

    private static Json without(Run run, Json.Obj object, List<Json> members) {
        var left = object;
        for (var member : members) {
            if (!(member instanceof Json.Str(var name))) {
                throw new JqError("Cannot delete " + Texts.type(member) + " field of object");
            }
            run.copy(left.size());
            left = left.without(name);
        }
        return left;
    }

    private static Json without(Run run, Json.Arr items, List<Json> members) {
        var gone = new BitSet();
        for (var member : members) {
            if (Texts.isNumber(member)) {
                long place = position(member, items.size());
                if (place >= 0 && place < items.size()) {
                    gone.set((int) place);
                }
            } else if (Slice.is(member)) {
                var slice = Slice.of(member, items.size());
                gone.set((int) slice.start(), (int) slice.end());
            } else {
                throw new JqError("Cannot delete " + Texts.type(member) + " element of array");
            }
        }
        run.copy(items.size());
        var left = new ArrayList<Json>();
        for (int i = 0; i < items.size(); i++) {
            if (!gone.get(i)) {
                left.add(items.get(i));
            }
        }
        return new Json.Arr(left);
    }
}
