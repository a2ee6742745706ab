package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Gives any number of values for one.
@FunctionalInterface
interface Filter {

    void apply(Run run, Env env, Value input, Consumer<Value> output);

    Filter SAME = (run, _, input, output) -> {
        run.step();
        output.accept(input);
    };

    Filter NOTHING = (run, _, _, _) -> run.step();

    default Filter then(Filter next) {
        return (run, env, input, output) -> apply(run, env, input, value -> next.apply(run, env, value, output));
    }

    default Filter and(Filter other) {
        return (run, env, input, output) -> {
            apply(run, env, input, output);
            other.apply(run, env, input, output);
        };
    }

    default List<Json> all(Run run, Env env, Json input) {
        var all = new ArrayList<Json>();
        apply(run, env, Value.root(input), value -> {
            run.step();
            all.add(value.json());
        });
        return all;
    }

    static Filter constant(Json json) {
        return (run, _, _, output) -> {
            run.step();
            output.accept(Value.computed(json));
        };
    }

    /// One computed value for each.
    interface Computation {
        Json of(Run run, Json input);
    }

    static Filter computed(Computation computation) {
        return (run, _, input, output) -> {
            run.step();
            output.accept(Value.computed(computation.of(run, input.json())));
        };
    }

    interface Operation {
        Json of(Run run, Json left, Json right);
    }

    /// The right side varies slowest, as in jq.
    static Filter operator(Filter left, Filter right, Operation operation) {
        return (run, env, input, output) -> right.apply(
                run,
                env,
                input,
                second -> left.apply(run, env, input, first -> {
                    run.step();
                    output.accept(Value.computed(operation.of(run, first.json(), second.json())));
                }));
    }
}
