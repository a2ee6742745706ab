package dev.towtank.model.lua;

import static dev.towtank.model.lua.LuaArguments.one;

import java.util.Arrays;
import java.util.OptionalDouble;

/// The functions without a prefix. What reads files, loads bytecode or changes environments does not exist.
final class GlobalFunctions {

    private GlobalFunctions() {}

    static void open(Library library, LuaTable modules) {
        library.with("assert", GlobalFunctions::check)
                .with("collectgarbage", _ -> one(0.0))
                .with("error", GlobalFunctions::raise)
                .with("getmetatable", GlobalFunctions::metatable)
                .with("ipairs", GlobalFunctions::items)
                .with("load", GlobalFunctions::load)
                .with("loadstring", a -> compile(a, a.text(1), a.text(2, "<string>")))
                .with("next", GlobalFunctions::next)
                .with("pairs", a -> new Object[] {a.run().globals.get("next"), a.table(1), Nil.NIL})
                .with("pcall", GlobalFunctions::protect)
                // There is nobody to read it.
                .with("print", _ -> LuaFunction.NONE)
                .with("rawequal", a -> one(Operations.isSame(a.any(1), a.any(2))))
                .with("rawget", a -> one(a.table(1).get(a.any(2))))
                .with("rawset", GlobalFunctions::setRaw)
                .with("require", a -> require(a, modules))
                .with("select", GlobalFunctions::select)
                .with("setmetatable", GlobalFunctions::setMetatable)
                .with("tonumber", GlobalFunctions::toNumber)
                .with("tostring", a -> one(Operations.display(a.run(), a.any(1))))
                .with("type", a -> one(Values.type(a.any(1))))
                .with("unpack", GlobalFunctions::unpack)
                .with("xpcall", GlobalFunctions::protectWithHandler);
    }

    private static Object[] check(LuaArguments a) {
        if (!Values.isTrue(a.any(1))) {
            throw a.run().error(a.text(2, "assertion failed!"));
        }
        return a.values();
    }

    private static Object[] raise(LuaArguments a) {
        int level = a.integer(2, 1);
        throw a.any(1) instanceof String message
                ? LuaError.of(a.run().place(level) + message)
                : LuaError.thrown(a.any(1));
    }

    private static Object[] metatable(LuaArguments a) {
        var metatable = switch (a.any(1)) {
            case LuaTable table -> table.metatable;
            case String _ -> a.run().stringMethods;
            default -> Nil.NIL;
        };
        if (metatable instanceof LuaTable table && table.get("__metatable") != Nil.NIL) {
            return one(table.get("__metatable"));
        }
        return one(metatable);
    }

    private static Object[] setMetatable(LuaArguments a) {
        var table = a.table(1);
        if (a.has(2)) {
            a.table(2);
        }
        if (table.metatable instanceof LuaTable old && old.get("__metatable") != Nil.NIL) {
            throw a.run().error("cannot change a protected metatable");
        }
        table.metatable = a.value(2);
        return one(table);
    }

    private static Object[] items(LuaArguments a) {
        var table = a.table(1);
        var step = new LuaFunction.Builtin("ipairs", b -> {
            int index = b.integer(2) + 1;
            var item = b.table(1).get(index);
            return item == Nil.NIL ? one(Nil.NIL) : new Object[] {(double) index, item};
        });
        return new Object[] {step, table, 0.0};
    }

    private static Object[] next(LuaArguments a) {
        var table = a.table(1);
        var key = table.next(a.value(2));
        return key == Nil.NIL ? one(Nil.NIL) : new Object[] {key, table.get(key)};
    }

    private static Object[] setRaw(LuaArguments a) {
        Operations.setRaw(a.run(), a.table(1), a.any(2), a.any(3));
        return one(a.table(1));
    }

    private static Object[] load(LuaArguments a) {
        var reader = a.function(1);
        var text = new StringBuilder();
        while (LuaFunction.first(reader.call(a.run(), LuaFunction.NONE)) instanceof String piece && !piece.isEmpty()) {
            a.run().allocate(piece.length());
            text.append(piece);
        }
        return compile(a, text.toString(), a.text(2, "?"));
    }

    private static Object[] compile(LuaArguments a, String text, String name) {
        a.run().steps(text.length());
        a.run().allocate(64L * text.length());
        try {
            return one(LuaParser.parse(name, text).main());
        } catch (LuaError error) {
            return new Object[] {Nil.NIL, error.value()};
        }
    }

    private static Object[] protect(LuaArguments a) {
        var function = a.any(1);
        if (!(function instanceof LuaFunction) && Operations.metamethod(a.run(), function, "__call") == Nil.NIL) {
            return new Object[] {false, "attempt to call a " + Values.type(function) + " value"};
        }
        int depth = a.run().depth();
        try {
            var rest = Arrays.copyOfRange(a.values(), 1, a.count());
            return prepend(true, Operations.call(a.run(), function, rest));
        } catch (LuaError error) {
            return new Object[] {false, caught(a.run(), depth, error)};
        }
    }

    private static Object[] protectWithHandler(LuaArguments a) {
        var function = a.function(1);
        var handler = a.function(2);
        int depth = a.run().depth();
        try {
            return prepend(true, function.call(a.run(), LuaFunction.NONE));
        } catch (LuaError error) {
            var value = caught(a.run(), depth, error);
            return prepend(false, handler.call(a.run(), one(value)));
        }
    }

    private static Object caught(Run run, int depth, LuaError error) {
        if (error.isFinal()) {
            throw error;
        }
        run.unwind(depth);
        return error.value();
    }

    private static Object[] prepend(Object first, Object[] rest) {
        var all = new Object[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    private static Object[] require(LuaArguments a, LuaTable modules) {
        var name = a.text(1);
        var module = modules.get(name);
        if (module == Nil.NIL) {
            throw a.run().error("module " + name + " not found:\n\tno field package.preload['" + name + "'], ");
        }
        return one(module);
    }

    private static Object[] select(LuaArguments a) {
        if (a.value(1) instanceof String text && text.equals("#")) {
            return one((double) (a.count() - 1));
        }
        int from = a.integer(1);
        int start = from < 0 ? a.count() + from : Math.min(from, a.count());
        if (start < 1) {
            throw a.wrong(1, "index out of range");
        }
        a.run().steps(a.count() / 8);
        return Arrays.copyOfRange(a.values(), start, a.count());
    }

    private static Object[] toNumber(LuaArguments a) {
        return switch (a.any(1)) {
            case Double number -> one(number);
            case String text -> {
                a.run().touch(text);
                var parsed = a.has(2) ? inRadix(a, text) : Numbers.parse(text);
                yield one(parsed.isPresent() ? (Object) parsed.getAsDouble() : Nil.NIL);
            }
            default -> one(Nil.NIL);
        };
    }

    private static OptionalDouble inRadix(LuaArguments a, String text) {
        int radix = a.integer(2);
        if (radix < 2 || radix > 36) {
            throw a.wrong(2, "base out of range");
        }
        return radix == 10 ? Numbers.parse(text) : Numbers.parse(text, radix);
    }

    private static Object[] unpack(LuaArguments a) {
        var table = a.table(1);
        int from = a.integer(2, 1);
        int to = a.integer(3, table.length());
        if (to < from) {
            return LuaFunction.NONE;
        }
        long count = (long) to - from + 1;
        a.run().steps(count);
        a.run().allocate(8 * count);
        var values = new Object[(int) count];
        for (int i = 0; i < count; i++) {
            values[i] = table.get(from + i);
        }
        return values;
    }
}
