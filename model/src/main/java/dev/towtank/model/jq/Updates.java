package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;

/// What makes a changed copy of its input.
final class Updates {

    private Updates() {}

    /// `places |= change`: what gives nothing is taken away.
    static Filter update(Filter places, Filter change) {
        return (run, env, input, output) -> {
            run.step();
            output.accept(Value.computed(updated(run, env, places, change, input.json())));
        };
    }

    private static Json updated(Run run, Env env, Filter places, Filter change, Json input) {
        var result = input;
        var gone = new ArrayList<List<Json>>();
        for (var place : Paths.places(run, env, places, input)) {
            result = Paths.update(run, result, place, old -> {
                var changed = new ArrayList<Json>(1);
                Control.limit(run, env, change, 1, Value.root(old), value -> changed.add(value.json()));
                if (changed.isEmpty()) {
                    gone.add(place);
                    return old;
                }
                return changed.getFirst();
            });
        }
        return gone.isEmpty() ? result : Paths.delete(run, result, gone);
    }

    /// `places = value`, once for each value.
    static Filter assign(Filter places, Filter values) {
        return (run, env, input, output) -> values.apply(
                run,
                env,
                input,
                value -> update(places, Filter.constant(value.json())).apply(run, env, input, output));
    }

    /// `places += value` and its like: the value is computed once, from the whole input.
    static Filter operate(Filter places, Filter values, Filter.Operation operation) {
        return (run, env, input, output) -> values.apply(
                run,
                env,
                input,
                value -> update(places, Filter.computed((inner, old) -> operation.of(inner, old, value.json())))
                        .apply(run, env, input, output));
    }

    static Filter delete(Filter places) {
        return (run, env, input, output) -> {
            run.step();
            var found = Paths.places(run, env, places, input.json());
            output.accept(Value.computed(Paths.delete(run, input.json(), found)));
        };
    }

    /// The input with nothing but these places.
    static Filter pick(Filter places) {
        return (run, env, input, output) -> {
            Json picked = Json.Null.NULL;
            for (var place : Paths.places(run, env, places, input.json())) {
                var value = Paths.at(run, Value.root(input.json()), place).json();
                picked = Paths.update(run, picked, place, _ -> value);
            }
            output.accept(Value.computed(picked));
        };
    }
}
