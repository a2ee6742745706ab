package dev.towtank.model.lua;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// Something to do.
sealed interface Statement {

    StatementEnd execute(Frame frame);

    /// Statements in a row, with the places inside that a `goto` may name.
    record Block(List<Statement> statements) implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            int size = statements.size();
            for (int i = 0; i < size; i++) {
                frame.run().step();
                var outcome = statements.get(i).execute(frame);
                if (outcome != StatementEnd.NEXT) {
                    if (outcome instanceof StatementEnd.Jump(var label)) {
                        int target = position(label);
                        if (target >= 0) {
                            i = target;
                            continue;
                        }
                    }
                    return outcome;
                }
            }
            return StatementEnd.NEXT;
        }

        private int position(StatementEnd.Label label) {
            for (int i = 0; i < statements.size(); i++) {
                if (statements.get(i) instanceof Mark(var mark) && mark == label) {
                    return i;
                }
            }
            return -1;
        }
    }

    record Mark(StatementEnd.Label label) implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            return StatementEnd.NEXT;
        }
    }

    /// Its label may come later in the text, so the parser tells it afterwards.
    final class Goto implements Statement {
        final String name;
        final int line;
        private StatementEnd outcome = StatementEnd.NEXT;

        Goto(String name, int line) {
            this.name = name;
            this.line = line;
        }

        void target(StatementEnd.Label label) {
            outcome = new StatementEnd.Jump(label);
        }

        @Override
        public StatementEnd execute(Frame frame) {
            return outcome;
        }
    }

    record Break() implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            return StatementEnd.BREAK;
        }
    }

    record Return(List<Expression> values) implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            return values.size() == 1 && values.getFirst() instanceof Expression.Call call
                    ? call.tail(frame)
                    : new StatementEnd.Return(Expression.all(values, frame));
        }
    }

    record Do(Expression call) implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            call.values(frame);
            return StatementEnd.NEXT;
        }
    }

    record Local(List<Variable> variables, List<Expression> values) implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            if (variables.size() == 1 && values.size() == 1) {
                variables.getFirst().declare(frame, values.getFirst().value(frame));
                return StatementEnd.NEXT;
            }
            var given = Expression.all(values, frame);
            for (int i = 0; i < variables.size(); i++) {
                variables.get(i).declare(frame, i < given.length ? given[i] : Nil.NIL);
            }
            return StatementEnd.NEXT;
        }
    }

    /// Declared first, so that it can call itself.
    record LocalFunction(Variable variable, Expression.Function function) implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            variable.declare(frame, Nil.NIL);
            variable.assign(frame, function.value(frame));
            return StatementEnd.NEXT;
        }
    }

    record Assign(List<Expression> targets, List<Expression> values) implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            if (targets.size() == 1 && values.size() == 1) {
                var place = place(targets.getFirst(), frame);
                place.assign(values.getFirst().value(frame));
                return StatementEnd.NEXT;
            }
            var places = new ArrayList<Place>();
            for (var target : targets) {
                places.add(place(target, frame));
            }
            var given = Expression.all(values, frame);
            for (int i = places.size() - 1; i >= 0; i--) {
                places.get(i).assign(i < given.length ? given[i] : Nil.NIL);
            }
            return StatementEnd.NEXT;
        }

        /// Where to, found before any value is computed.
        private interface Place {
            void assign(Object value);
        }

        private static Place place(Expression target, Frame frame) {
            return switch (target) {
                case Expression.Local(var variable) -> value -> variable.assign(frame, value);
                case Expression.Captured(var index) -> value -> frame.captured()[index].value = value;
                case Expression.Global(var name, var line) ->
                    value -> Operations.setIndex(frame.at(line), frame.run().globals, name, value);
                case Expression.Index(var object, var key, var line) -> {
                    var of = object.value(frame);
                    var by = key.value(frame);
                    yield value -> Operations.setIndex(frame.at(line), of, by, value);
                }
                default -> throw new IllegalStateException("the parser let an assignment to " + target + " pass");
            };
        }
    }

    record If(List<Branch> branches, Block otherwise) implements Statement {
        record Branch(Expression condition, Block block) {}

        @Override
        public StatementEnd execute(Frame frame) {
            for (var branch : branches) {
                if (Values.isTrue(branch.condition.value(frame))) {
                    return branch.block.execute(frame);
                }
            }
            return otherwise.execute(frame);
        }
    }

    record While(Expression condition, Block block) implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            while (Values.isTrue(condition.value(frame))) {
                frame.run().step();
                var outcome = block.execute(frame);
                if (outcome == StatementEnd.BREAK) {
                    break;
                }
                if (outcome != StatementEnd.NEXT) {
                    return outcome;
                }
            }
            return StatementEnd.NEXT;
        }
    }

    /// The condition sees the variables of the block.
    record Repeat(Block block, Expression condition) implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            do {
                frame.run().step();
                var outcome = block.execute(frame);
                if (outcome == StatementEnd.BREAK) {
                    break;
                }
                if (outcome != StatementEnd.NEXT) {
                    return outcome;
                }
            } while (!Values.isTrue(condition.value(frame)));
            return StatementEnd.NEXT;
        }
    }

    record Count(Variable variable, Expression from, Expression to, Expression by, Block block, int line)
            implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            double first = number(from.value(frame), "init", frame);
            double last = number(to.value(frame), "limit", frame);
            double step = number(by.value(frame), "step", frame);
            for (double i = first; step > 0 ? i <= last : i >= last; i += step) {
                frame.run().step();
                variable.declare(frame, i);
                var outcome = block.execute(frame);
                if (outcome == StatementEnd.BREAK) {
                    break;
                }
                if (outcome != StatementEnd.NEXT) {
                    return outcome;
                }
            }
            return StatementEnd.NEXT;
        }

        private double number(Object value, String role, Frame frame) {
            if (value instanceof Double number) {
                return number;
            }
            var parsed = value instanceof String text ? Numbers.parse(text) : OptionalDouble.empty();
            return parsed.orElseThrow(() -> frame.at(line).error("for statement " + role + " must be a number"));
        }
    }

    record Each(List<Variable> variables, List<Expression> iterator, Block block, int line) implements Statement {
        @Override
        public StatementEnd execute(Frame frame) {
            var parts = Expression.all(iterator, frame);
            var function = parts.length > 0 ? parts[0] : Nil.NIL;
            var state = parts.length > 1 ? parts[1] : Nil.NIL;
            var control = parts.length > 2 ? parts[2] : Nil.NIL;
            while (true) {
                var values = Operations.call(frame.at(line), function, new Object[] {state, control});
                control = LuaFunction.first(values);
                if (control == Nil.NIL) {
                    return StatementEnd.NEXT;
                }
                for (int i = 0; i < variables.size(); i++) {
                    variables.get(i).declare(frame, i < values.length ? values[i] : Nil.NIL);
                }
                var outcome = block.execute(frame);
                if (outcome == StatementEnd.BREAK) {
                    return StatementEnd.NEXT;
                }
                if (outcome != StatementEnd.NEXT) {
                    return outcome;
                }
            }
        }
    }
}
