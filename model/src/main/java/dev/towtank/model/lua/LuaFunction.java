package dev.towtank.model.lua;

import org.jspecify.annotations.Nullable;

/// What a script can call.
sealed interface LuaFunction {

    Object[] NONE = {};

    Object[] call(Run run, Object[] arguments);

    static Object first(Object[] values) {
        return values.length == 0 ? Nil.NIL : values[0];
    }

    /// A function of a library.
    record Builtin(String name, Body body) implements LuaFunction {
        interface Body {
            Object[] call(LuaArguments arguments);
        }

        @Override
        public Object[] call(Run run, Object[] arguments) {
            run.step();
            return body.call(new LuaArguments(run, name, arguments));
        }

        // Every run has libraries of its own, so two of them are one only if they are the same.
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    /// A function of the script, with the variables of the functions around it.
    final class Closure implements LuaFunction {
        private final FunctionBody body;
        private final Cell[] captured;

        Closure(FunctionBody body, Cell[] captured) {
            this.body = body;
            this.captured = captured;
        }

        @Override
        public Object[] call(Run run, Object[] arguments) {
            run.enter();
            var outcome = body.run(run, captured, arguments);
            while (outcome instanceof StatementEnd.Tail tail) {
                run.step();
                run.at(body.chunk, tail.line);
                if (tail.function instanceof Closure closure) {
                    outcome = closure.body.run(run, closure.captured, tail.arguments);
                } else {
                    var result = Operations.call(run, tail.function, tail.arguments);
                    run.leave();
                    return result;
                }
            }
            run.leave();
            return outcome instanceof StatementEnd.Return returned ? returned.values : NONE;
        }
    }

    /// A variable that outlives its block, because a function inside uses it.
    final class Cell {
        Object value;

        Cell(Object value) {
            this.value = value;
        }
    }
}
