package dev.towtank.model.lua;

/// What a function of a library was called with, counted from 1. A wrong argument becomes Lua's message about it.
final class LuaArguments {
    private final Run run;
    private final String function;
    private final Object[] values;

    LuaArguments(Run run, String function, Object[] values) {
        this.run = run;
        this.function = function;
        this.values = values;
    }

    Run run() {
        return run;
    }

    Object[] values() {
        return values;
    }

    int count() {
        return values.length;
    }

    Object value(int place) {
        return place <= values.length ? values[place - 1] : Nil.NIL;
    }

    boolean has(int place) {
        return value(place) != Nil.NIL;
    }

    Object any(int place) {
        if (place > values.length) {
            throw wrong(place, "value expected");
        }
        return values[place - 1];
    }

    LuaTable table(int place) {
        if (value(place) instanceof LuaTable table) {
            return table;
        }
        throw expected(place, "table");
    }

    LuaFunction function(int place) {
        if (value(place) instanceof LuaFunction found) {
            return found;
        }
        throw expected(place, "function");
    }

    String text(int place) {
        return switch (value(place)) {
            case String text -> text;
            case Double number -> Numbers.display(number);
            default -> throw expected(place, "string");
        };
    }

    String text(int place, String fallback) {
        return has(place) ? text(place) : fallback;
    }

    double number(int place) {
        return switch (value(place)) {
            case Double number -> number;
            case String text -> {
                run.touch(text);
                yield Numbers.parse(text).orElseThrow(() -> expected(place, "number"));
            }
            default -> throw expected(place, "number");
        };
    }

    int integer(int place) {
        return (int) number(place);
    }

    int integer(int place, int fallback) {
        return has(place) ? integer(place) : fallback;
    }

    LuaError wrong(int place, String why) {
        return run.error("bad argument #" + place + " to " + function + " (" + why + ")");
    }

    LuaError expected(int place, String type) {
        return wrong(place, type + " expected, got " + Values.type(value(place)));
    }

    static Object[] one(Object value) {
        return new Object[] {value};
    }
}
