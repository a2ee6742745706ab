package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Gives any number of values for one.
@FunctionalInterface
interface Filter {

    void apply(Run run, Value input, Consumer<Value> output);

    default Filter then(Filter next) {
        return (run, input, output) -> apply(run, input, value -> next.apply(run, value, output));
    }

    default Filter and(Filter other) {
        return (run, input, output) -> {
            apply(run, input, output);
            other.apply(run, input, output);
        };
    }

    default List<Json> all(Run run, Value input) {
        var all = new ArrayList<Json>();
        apply(run, input, value -> {
            run.step();
            all.add(value.json());
        });
        return all;
    }

    static Filter constant(Json json) {
        return (run, _, output) -> {
            run.step();
            output.accept(Value.computed(json));
        };
    }

    /// One computed value for each.
    interface Computation {
        Json of(Run run, Json input);
    }

    static Filter computed(Computation computation) {
        return (run, input, output) -> {
            run.step();
            output.accept(Value.computed(computation.of(run, input.json())));
        };
    }

    interface Operation {
        Json of(Run run, Json left, Json right);
    }

    static Filter operator(Filter left, Filter right, Operation operation) {
        return (run, input, output) -> right.apply(
                run,
                input,
                second -> left.apply(run, input, first -> {
                    run.step();
                    output.accept(Value.computed(operation.of(run, first.json(), second.json())));
                }));
    }
}
