package dev.towtank.model.lua;

import java.util.List;

/// Something with a value. Each knows how to compute itself; a call and `...` may also give several values.
sealed interface Expression {

    Object value(Frame frame);

    default Object[] values(Frame frame) {
        return new Object[] {value(frame)};
    }

    default boolean isOpen() {
        return false;
    }

    /// All values of a list: only its last member may give more than one.
    static Object[] all(List<Expression> expressions, Frame frame) {
        int count = expressions.size();
        if (count == 0) {
            return LuaFunction.NONE;
        }
        var last = expressions.get(count - 1);
        if (!last.isOpen()) {
            var values = new Object[count];
            for (int i = 0; i < count; i++) {
                values[i] = expressions.get(i).value(frame);
            }
            return values;
        }
        if (count == 1) {
            return last.values(frame);
        }
        var first = new Object[count - 1];
        for (int i = 0; i < count - 1; i++) {
            first[i] = expressions.get(i).value(frame);
        }
        var more = last.values(frame);
        var values = new Object[first.length + more.length];
        System.arraycopy(first, 0, values, 0, first.length);
        System.arraycopy(more, 0, values, first.length, more.length);
        frame.run().steps(more.length / 8);
        return values;
    }

    record Constant(Object constant) implements Expression {
        @Override
        public Object value(Frame frame) {
            return constant;
        }
    }

    record Local(Variable variable) implements Expression {
        @Override
        public Object value(Frame frame) {
            return variable.value(frame);
        }
    }

    record Captured(int index) implements Expression {
        @Override
        public Object value(Frame frame) {
            return frame.captured()[index].value;
        }
    }

    record Global(String name, int line) implements Expression {
        @Override
        public Object value(Frame frame) {
            var globals = frame.run().globals;
            return globals.metatable == Nil.NIL ? globals.get(name) : Operations.index(frame.at(line), globals, name);
        }
    }

    record Index(Expression object, Expression key, int line) implements Expression {
        @Override
        public Object value(Frame frame) {
            var of = object.value(frame);
            var by = key.value(frame);
            return Operations.index(frame.at(line), of, by);
        }
    }

    record Call(Expression callee, List<Expression> arguments, int line) implements Expression {
        @Override
        public Object value(Frame frame) {
            return LuaFunction.first(values(frame));
        }

        @Override
        public Object[] values(Frame frame) {
            var function = callee.value(frame);
            var given = all(arguments, frame);
            return Operations.call(frame.at(line), function, given);
        }

        StatementEnd tail(Frame frame) {
            var function = callee.value(frame);
            return new StatementEnd.Tail(function, all(arguments, frame), line);
        }

        @Override
        public boolean isOpen() {
            return true;
        }
    }

    record MethodCall(Expression object, String name, List<Expression> arguments, int line) implements Expression {
        @Override
        public Object value(Frame frame) {
            return LuaFunction.first(values(frame));
        }

        @Override
        public Object[] values(Frame frame) {
            var self = object.value(frame);
            var function = Operations.index(frame.at(line), self, name);
            var given = all(arguments, frame);
            var withSelf = new Object[given.length + 1];
            withSelf[0] = self;
            System.arraycopy(given, 0, withSelf, 1, given.length);
            return Operations.call(frame.at(line), function, withSelf);
        }

        @Override
        public boolean isOpen() {
            return true;
        }
    }

    /// Parentheses: one value only.
    record Single(Expression inner) implements Expression {
        @Override
        public Object value(Frame frame) {
            return inner.value(frame);
        }
    }

    record Rest() implements Expression {
        @Override
        public Object value(Frame frame) {
            return LuaFunction.first(frame.rest());
        }

        @Override
        public Object[] values(Frame frame) {
            frame.run().steps(frame.rest().length / 8);
            return frame.rest().clone();
        }

        @Override
        public boolean isOpen() {
            return true;
        }
    }

    record Function(FunctionBody body) implements Expression {
        @Override
        public Object value(Frame frame) {
            return body.close(frame);
        }
    }

    record Table(List<Expression> items, List<Entry> entries, int line) implements Expression {
        record Entry(Expression key, Expression value) {}

        @Override
        public Object value(Frame frame) {
            var table = new LuaTable(frame.run());
            for (var entry : entries) {
                var key = entry.key.value(frame);
                Operations.setRaw(frame.at(line), table, key, entry.value.value(frame));
            }
            var values = all(items, frame);
            for (int i = 0; i < values.length; i++) {
                table.set(i + 1, values[i]);
            }
            return table;
        }
    }

    record And(Expression left, Expression right) implements Expression {
        @Override
        public Object value(Frame frame) {
            var first = left.value(frame);
            return Values.isTrue(first) ? right.value(frame) : first;
        }
    }

    record Or(Expression left, Expression right) implements Expression {
        @Override
        public Object value(Frame frame) {
            var first = left.value(frame);
            return Values.isTrue(first) ? first : right.value(frame);
        }
    }

    record Not(Expression inner) implements Expression {
        @Override
        public Object value(Frame frame) {
            return !Values.isTrue(inner.value(frame));
        }
    }

    record Negate(Expression inner, int line) implements Expression {
        @Override
        public Object value(Frame frame) {
            var value = inner.value(frame);
            return value instanceof Double number ? (Object) (-number) : Operations.negate(frame.at(line), value);
        }
    }

    record Length(Expression inner, int line) implements Expression {
        @Override
        public Object value(Frame frame) {
            var value = inner.value(frame);
            return Operations.length(frame.at(line), value);
        }
    }

    record Compute(Arithmetic operator, Expression left, Expression right, int line) implements Expression {
        @Override
        public Object value(Frame frame) {
            var first = left.value(frame);
            var second = right.value(frame);
            return first instanceof Double a && second instanceof Double b
                    ? (Object) operator.of(a, b)
                    : Operations.arithmetic(frame.at(line), operator, first, second);
        }
    }

    /// A chain, joined from its end: the operator binds to the right, and each text of a chain is copied once.
    record Concatenate(List<Expression> parts, int line) implements Expression {
        @Override
        public Object value(Frame frame) {
            var values = new Object[parts.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = parts.get(i).value(frame);
            }
            var run = frame.at(line);
            for (var value : values) {
                if (!Values.isText(value)) {
                    return pairwise(run, values);
                }
            }
            var joined = new StringBuilder();
            for (var value : values) {
                var text = Values.display(value);
                run.allocate(text.length());
                joined.append(text);
            }
            return run.text(joined.toString());
        }

        private static Object pairwise(Run run, Object[] values) {
            var right = values[values.length - 1];
            for (int i = values.length - 2; i >= 0; i--) {
                right = Operations.concatenate(run, values[i], right);
            }
            return right;
        }
    }

    enum Comparison {
        EQUAL,
        DIFFERENT,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL
    }

    record Compare(Comparison operator, Expression left, Expression right, int line) implements Expression {
        @Override
        public Object value(Frame frame) {
            var first = left.value(frame);
            var second = right.value(frame);
            var run = frame.at(line);
            return switch (operator) {
                case EQUAL -> Operations.isEqual(run, first, second);
                case DIFFERENT -> !Operations.isEqual(run, first, second);
                case LESS -> Operations.isLess(run, first, second);
                case LESS_OR_EQUAL -> Operations.isLessOrEqual(run, first, second);
                case GREATER -> Operations.isLess(run, second, first);
                case GREATER_OR_EQUAL -> Operations.isLessOrEqual(run, second, first);
            };
        }
    }
}
