package dev.towtank.model.lua;

/// What operators do with values, metatables included. The nodes of the tree do the plain cases themselves.
final class Operations {

    private static final int METATABLE_CHAIN = 100;

    private Operations() {}

    static Object metamethod(Run run, Object value, String event) {
        var metatable = switch (value) {
            case LuaTable table -> table.metatable;
            case String _ -> run.stringMethods;
            default -> Nil.NIL;
        };
        return metatable instanceof LuaTable table ? table.get(event) : Nil.NIL;
    }

    static Object index(Run run, Object object, Object key) {
        if (key instanceof String text) {
            run.touch(text);
        }
        var current = object;
        for (int i = 0; i < METATABLE_CHAIN; i++) {
            Object handler;
            if (current instanceof LuaTable table) {
                var found = table.get(key);
                if (found != Nil.NIL || table.metatable == Nil.NIL) {
                    return found;
                }
                handler = metamethod(run, table, "__index");
                if (handler == Nil.NIL) {
                    return Nil.NIL;
                }
            } else {
                handler = metamethod(run, current, "__index");
                if (handler == Nil.NIL) {
                    throw notATable(run, current, key);
                }
            }
            if (handler instanceof LuaFunction function) {
                return LuaFunction.first(function.call(run, new Object[] {current, key}));
            }
            current = handler;
        }
        throw run.error("too many recursions in gettable");
    }

    static void setIndex(Run run, Object object, Object key, Object value) {
        if (key instanceof String text) {
            run.touch(text);
        }
        var current = object;
        for (int i = 0; i < METATABLE_CHAIN; i++) {
            var handler = metamethod(run, current, "__newindex");
            if (current instanceof LuaTable table) {
                if (handler == Nil.NIL || table.get(key) != Nil.NIL) {
                    setRaw(run, table, key, value);
                    return;
                }
            } else if (handler == Nil.NIL) {
                throw notATable(run, current, key);
            }
            if (handler instanceof LuaFunction function) {
                function.call(run, new Object[] {current, key, value});
                return;
            }
            current = handler;
        }
        throw run.error("too many recursions in settable");
    }

    static void setRaw(Run run, LuaTable table, Object key, Object value) {
        if (key == Nil.NIL) {
            throw run.error("table index is nil");
        }
        if (key instanceof Double number && Double.isNaN(number)) {
            throw run.error("table index is NaN");
        }
        table.set(key, value);
    }

    private static LuaError notATable(Run run, Object object, Object key) {
        return run.error("attempt to index a non-table object(" + Values.type(object) + ") with key '"
                + Values.display(key) + "'");
    }

    static Object[] call(Run run, Object callee, Object[] arguments) {
        run.step();
        if (callee instanceof LuaFunction function) {
            return function.call(run, arguments);
        }
        if (metamethod(run, callee, "__call") instanceof LuaFunction function) {
            var all = new Object[arguments.length + 1];
            all[0] = callee;
            System.arraycopy(arguments, 0, all, 1, arguments.length);
            return function.call(run, all);
        }
        throw run.error("attempt to call a non-function object");
    }

    static Object arithmetic(Run run, Arithmetic operator, Object left, Object right) {
        if (binary(run, operator.event(), left, right) instanceof LuaFunction function) {
            return LuaFunction.first(function.call(run, new Object[] {left, right}));
        }
        var first = number(left);
        var second = number(right);
        if (first instanceof Double a && second instanceof Double b) {
            return operator.of(a, b);
        }
        throw run.error("cannot perform " + operator.event().substring(2) + " operation between " + Values.type(first)
                + " and " + Values.type(second));
    }

    private static Object binary(Run run, String event, Object left, Object right) {
        var handler = metamethod(run, left, event);
        return handler == Nil.NIL ? metamethod(run, right, event) : handler;
    }

    private static Object number(Object value) {
        if (value instanceof String text) {
            var parsed = Numbers.parse(text);
            if (parsed.isPresent()) {
                return parsed.getAsDouble();
            }
        }
        return value;
    }

    static Object negate(Run run, Object value) {
        if (metamethod(run, value, "__unm") instanceof LuaFunction function) {
            return LuaFunction.first(function.call(run, new Object[] {value, value}));
        }
        if (number(value) instanceof Double number) {
            return -number;
        }
        throw run.error("__unm undefined");
    }

    static Object length(Run run, Object value) {
        if (value instanceof String text) {
            return (double) text.length();
        }
        if (metamethod(run, value, "__len") instanceof LuaFunction function) {
            return LuaFunction.first(function.call(run, new Object[] {value}));
        }
        if (value instanceof LuaTable table) {
            return (double) table.length();
        }
        throw run.error("__len undefined");
    }

    static Object concatenate(Run run, Object left, Object right) {
        if (Values.isText(left) && Values.isText(right)) {
            var first = Values.display(left);
            var second = Values.display(right);
            // Told before it is made: this is how a script would grow without end.
            run.allocate(40L + first.length() + second.length());
            return first.concat(second);
        }
        if (binary(run, "__concat", left, right) instanceof LuaFunction function) {
            return LuaFunction.first(function.call(run, new Object[] {left, right}));
        }
        throw run.error("cannot perform concat operation between " + Values.type(left) + " and " + Values.type(right));
    }

    static boolean isSame(Object left, Object right) {
        // Not Java's equality of numbers: NaN is not itself here, and -0 is 0.
        return left instanceof Double a
                ? right instanceof Double b && a.doubleValue() == b.doubleValue()
                : left.equals(right);
    }

    static boolean isEqual(Run run, Object left, Object right) {
        if (left instanceof String text) {
            run.touch(text);
        }
        if (isSame(left, right)) {
            return true;
        }
        return left instanceof LuaTable
                && right instanceof LuaTable
                && metamethod(run, left, "__eq") instanceof LuaFunction function
                && function.equals(metamethod(run, right, "__eq"))
                && Values.isTrue(LuaFunction.first(function.call(run, new Object[] {left, right})));
    }

    static boolean isLess(Run run, Object left, Object right) {
        if (left instanceof Double a && right instanceof Double b) {
            return a < b;
        }
        if (left instanceof String a && right instanceof String b) {
            run.touch(a);
            return a.compareTo(b) < 0;
        }
        if (order(run, "__lt", left, right) instanceof LuaFunction function) {
            return Values.isTrue(LuaFunction.first(function.call(run, new Object[] {left, right})));
        }
        throw cannotCompare(run, left, right);
    }

    static boolean isLessOrEqual(Run run, Object left, Object right) {
        if (left instanceof Double a && right instanceof Double b) {
            return a <= b;
        }
        if (left instanceof String a && right instanceof String b) {
            run.touch(a);
            return a.compareTo(b) <= 0;
        }
        if (order(run, "__le", left, right) instanceof LuaFunction function) {
            return Values.isTrue(LuaFunction.first(function.call(run, new Object[] {left, right})));
        }
        if (order(run, "__lt", right, left) instanceof LuaFunction function) {
            return !Values.isTrue(LuaFunction.first(function.call(run, new Object[] {right, left})));
        }
        throw cannotCompare(run, left, right);
    }

    private static Object order(Run run, String event, Object left, Object right) {
        var handler = metamethod(run, left, event);
        return handler.equals(metamethod(run, right, event)) ? handler : Nil.NIL;
    }

    private static LuaError cannotCompare(Run run, Object left, Object right) {
        return run.error("attempt to compare " + Values.type(left) + " with " + Values.type(right));
    }

    static String display(Run run, Object value) {
        if (metamethod(run, value, "__tostring") instanceof LuaFunction function) {
            var made = LuaFunction.first(function.call(run, new Object[] {value}));
            return made instanceof String text ? text : Values.display(made);
        }
        return value instanceof String text ? text : run.text(Values.display(value));
    }
}
