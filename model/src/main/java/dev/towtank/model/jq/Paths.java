package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Members of values: reading, changing and taking away.
final class Paths {

    private Paths() {}

    static Filter member(Filter key) {
        return (run, input, output) -> key.apply(run, input, name -> {
            run.step();
            output.accept(input.member(name.json(), read(input.json(), name.json())));
        });
    }

    static Json read(Json of, Json key) {
        return switch (of) {
            case Json.Null _ when key instanceof Json.Str || key instanceof Json.Int -> Json.Null.NULL;
            case Json.Obj object when key instanceof Json.Str(var name) -> orNull(object.get(name));
            case Json.Arr items
            when key instanceof Json.Int(var index) -> {
                long place = index < 0 ? items.size() + index : index;
                yield place < 0 || place >= items.size() ? Json.Null.NULL : items.get((int) place);
            }
            default ->
                throw new JqError("Cannot index " + Texts.type(of) + " with "
                        + (key instanceof Json.Str(var name) ? "\"" + name + "\"" : Texts.type(key)));
        };
    }

    static Json orNull(@Nullable Json json) {
        return json == null ? Json.Null.NULL : json;
    }

    static void each(Run run, Value input, Consumer<Value> output) {
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
                throw new JqError("Cannot iterate over " + Texts.type(input.json()));
        }
    }

    /// The value, and all that is in it.
    static void everything(Run run, Value input, Consumer<Value> output) {
        run.step();
        output.accept(input);
        if (input.json() instanceof Json.Arr || input.json() instanceof Json.Obj) {
            each(run, input, value -> everything(run, value, output));
        }
    }

    static List<List<Json>> places(Run run, Filter filter, Json input) {
        var places = new ArrayList<List<Json>>();
        filter.apply(run, Value.root(input), value -> {
            run.step();
            places.add(value.place());
        });
        return places;
    }

    static Json update(Json json, List<Json> path, UnaryOperator<Json> change) {
        if (path.isEmpty()) {
            return change.apply(json);
        }
        var key = path.getFirst();
        var changed = update(read(json, key), path.subList(1, path.size()), change);
        if (key instanceof Json.Str(var name)) {
            return (json instanceof Json.Obj object ? object : Json.Obj.EMPTY).with(name, changed);
        }
        var items = new ArrayList<>(json instanceof Json.Arr array ? array.items() : List.<Json>of());
        long index = key instanceof Json.Int(var number) ? number : 0;
        long place = index < 0 ? items.size() + index : index;
        if (place < 0 || place > items.size()) {
            throw new JqError("Out of bounds array index " + index);
        }
        if (place == items.size()) {
            items.add(changed);
        } else {
            items.set((int) place, changed);
        }
        return new Json.Arr(items);
    }

    /// The last ones first, so that the places of the others stay.
    static Json delete(Run run, Json json, List<List<Json>> places) {
        var sorted = new ArrayList<>(places);
        sorted.sort(Order::compareAll);
        var result = json;
        List<Json> before = List.of(Json.Null.NULL);
        for (var place : sorted.reversed()) {
            run.step();
            if (!place.equals(before)) {
                result = without(result, place);
            }
            before = place;
        }
        return result;
    }

    private static Json without(Json json, List<Json> path) {
        if (path.isEmpty()) {
            return Json.Null.NULL;
        }
        var key = path.getFirst();
        if (path.size() > 1) {
            var inner = read(json, key);
            return inner instanceof Json.Null
                    ? json
                    : update(json, List.of(key), value -> without(value, path.subList(1, path.size())));
        }
        if (json instanceof Json.Obj object && key instanceof Json.Str(var name)) {
            return object.without(name);
        }
        if (json instanceof Json.Arr array && key instanceof Json.Int(var index)) {
            long place = index < 0 ? array.size() + index : index;
            var items = new ArrayList<>(array.items());
            if (place >= 0 && place < items.size()) {
                items.remove((int) place);
            }
            return new Json.Arr(items);
        }
        return json;
    }
}
