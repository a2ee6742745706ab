package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What decides whether, how often and with what others run.
final class Control {

    private Control() {}

    static Filter condition(Filter condition, Filter then, Filter otherwise) {
        return (run, env, input, output) -> condition.apply(
                run,
                env,
                input,
                value -> (Texts.isTrue(value.json()) ? then : otherwise).apply(run, env, input, output));
    }

    static Filter select(Filter condition) {
        return condition(condition, Filter.SAME, Filter.NOTHING);
    }

    /// The right side is only looked at if the left one does not decide.
    static Filter logic(Filter left, Filter right, boolean decides) {
        return (run, env, input, output) -> left.apply(run, env, input, first -> {
            run.step();
            if (Texts.isTrue(first.json()) == decides) {
                output.accept(Value.computed(Json.of(decides)));
            } else {
                right.apply(
                        run, env, input, second -> output.accept(Value.computed(Json.of(Texts.isTrue(second.json())))));
            }
        });
    }

    /// @param handler gets what was thrown
    static Filter attempt(Filter body, Filter handler) {
        return (run, env, input, output) -> {
            var failed = attempt(run, env, body, input, output);
            if (failed != null) {
                handler.apply(run, env, Value.computed(failed), output);
            }
        };
    }

    /// Errors of the body end it; those of whoever gets its values go on.
    private static @Nullable Json attempt(Run run, Env env, Filter body, Value input, Consumer<Value> output) {
        var attempt = new Object();
        try {
            body.apply(run, env, input, value -> {
                try {
                    output.accept(value);
                } catch (JqError e) {
                    throw new Signal.Later(attempt, e);
                }
            });
        } catch (Signal.Later later) {
            throw later.attempt.equals(attempt) ? later.error : later;
        } catch (JqError e) {
            if (e.value() == null) {
                throw e;
            }
            run.step();
            return e.value();
        }
        return null;
    }

    /// What is neither null nor false on the left, otherwise the right.
    static Filter alternative(Filter left, Filter right) {
        return (run, env, input, output) -> {
            var found = new boolean[1];
            attempt(run, env, Control.truths(left), input, value -> {
                found[0] = true;
                output.accept(value);
            });
            if (!found[0]) {
                right.apply(run, env, input, output);
            }
        };
    }

    private static Filter truths(Filter filter) {
        return filter.then(select(Filter.SAME));
    }

    static Filter label(Filter body) {
        return (run, env, input, output) -> {
            var label = new Env.Meaning.Label();
            until(label, () -> body.apply(run, env.with(label), input, output));
        };
    }

    private static void until(Object label, Runnable body) {
        try {
            body.run();
        } catch (Signal.Break e) {
            if (!e.label.equals(label)) {
                throw e;
            }
        }
    }

    /// The first so many values.
    static void limit(Run run, Env env, Filter filter, long count, Value input, Consumer<Value> output) {
        if (count <= 0) {
            return;
        }
        var label = new Object();
        var last = new ArrayList<Value>(1);
        var seen = new long[1];
        until(
                label,
                () -> filter.apply(run, env, input, value -> {
                    run.step();
                    if (++seen[0] < count) {
                        output.accept(value);
                    } else {
                        last.add(value);
                        throw new Signal.Break(label);
                    }
                }));
        last.forEach(output);
    }

    static Filter reduce(Filter source, Pattern pattern, Filter start, Filter update) {
        return (run, env, input, output) -> start.apply(run, env, input, first -> {
            var state = new Value[] {first};
            source.apply(
                    run,
                    env,
                    input,
                    value -> pattern.bind(run, env, value.json(), inner -> {
                        var next = new Value[] {Value.computed(Json.Null.NULL)};
                        update.apply(run, inner, state[0], each -> next[0] = each);
                        run.step();
                        state[0] = next[0];
                    }));
            output.accept(state[0]);
        });
    }

    static Filter foreach(Filter source, Pattern pattern, Filter start, Filter update, Filter extract) {
        return (run, env, input, output) -> start.apply(run, env, input, first -> {
            var state = new Value[] {first};
            source.apply(
                    run,
                    env,
                    input,
                    value -> pattern.bind(
                            run,
                            env,
                            value.json(),
                            inner -> update.apply(run, inner, state[0], each -> {
                                run.step();
                                state[0] = each;
                                extract.apply(run, inner, each, output);
                            })));
        });
    }

    /// The value, what the filter makes of it, what it makes of that, and so on: without a stack that grows.
    static Filter recurse(Filter next) {
        return (run, env, input, output) -> {
            var waiting = new ArrayDeque<Iterator<Value>>();
            waiting.push(List.of(input).iterator());
            while (!waiting.isEmpty()) {
                var values = waiting.peek();
                if (!values.hasNext()) {
                    waiting.pop();
                    continue;
                }
                var value = values.next();
                run.step();
                output.accept(value);
                var found = new ArrayList<Value>();
                next.apply(run, env, value, each -> {
                    run.step();
                    found.add(each);
                });
                waiting.push(found.iterator());
            }
        };
    }

    static Filter range(Filter from, Filter to, Filter by) {
        return (run, env, input, output) -> from.apply(
                run,
                env,
                input,
                first -> to.apply(
                        run,
                        env,
                        input,
                        last -> by.apply(run, env, input, step -> {
                            double end = ValueOrder.number(last.json());
                            double stride = ValueOrder.number(step.json());
                            for (double at = ValueOrder.number(first.json());
                                    stride > 0 ? at < end : stride < 0 && at > end;
                                    at += stride) {
                                run.step();
                                output.accept(Value.computed(Operators.of(at)));
                            }
                        })));
    }
}
