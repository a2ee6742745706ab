package dev.towtank.model.lua;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/// JSON in, JSON out, as Argo CD converts it: null is nothing, numbers are floating point, and an empty table is an
/// empty array, because Lua cannot tell it from an empty object.
final class JsonValues {

    private static final int MAX_DEPTH = 500;

    private final Run run;
    // Also keeps a table that is used twice from being written twice, and so from growing without end.
    private final Set<LuaTable> written = Collections.newSetFromMap(new IdentityHashMap<>());

    private JsonValues(Run run) {
        this.run = run;
    }

    static Object read(Run run, Json json) {
        return switch (json) {
            case Json.Null _ -> Nil.NIL;
            case Json.Bool(var value) -> value;
            case Json.Int(var value) -> (double) value;
            case Json.Real(var value) -> value;
            case Json.Str(var value) -> run.text(Bytes.of(value));
            case Json.Arr items -> {
                var table = new LuaTable(run);
                items.forEach(item -> table.append(read(run, item)));
                yield table;
            }
            case Json.Obj fields -> {
                var table = new LuaTable(run);
                fields.forEach((key, value) -> table.set((Object) Bytes.of(key), read(run, value)));
                yield table;
            }
        };
    }

    static Json write(Run run, Object value) {
        return new JsonValues(run).json(value, 0);
    }

    private Json json(Object value, int depth) {
        run.step();
        return switch (value) {
            case Nil _ -> Json.Null.NULL;
            case Boolean flag -> Json.of((boolean) flag);
            case Double number -> number(number);
            case String text -> Json.of(Bytes.text(text));
            case LuaTable table -> table(table, depth);
            default -> throw LuaError.of("cannot encode " + Values.type(value) + " to JSON");
        };
    }

    private static Json number(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw LuaError.of("json: unsupported value: " + Numbers.display(number));
        }
        boolean isWhole = number == Math.rint(number) && Math.abs(number) < 0x1p63;
        return isWhole ? Json.of((long) number) : new Json.Real(number);
    }

    private Json table(LuaTable table, int depth) {
        if (!written.add(table)) {
            throw LuaError.of("cannot encode recursively nested tables to JSON");
        }
        if (depth > MAX_DEPTH) {
            throw LuaError.of("cannot encode tables nested deeper than " + MAX_DEPTH + " to JSON");
        }
        return switch (table.next(Nil.NIL)) {
            case Nil _ -> Json.Arr.EMPTY;
            case Double _ -> array(table, depth);
            case String _ -> object(table, depth);
            default -> throw LuaError.of("cannot encode mixed or invalid key types");
        };
    }

    private Json array(LuaTable table, int depth) {
        var items = new ArrayList<Json>();
        for (var key = table.next(Nil.NIL); key != Nil.NIL; key = table.next(key)) {
            if (!(key instanceof Double index)) {
                throw LuaError.of("cannot encode mixed or invalid key types");
            }
            if (index != items.size() + 1) {
                throw LuaError.of("cannot encode sparse array");
            }
            items.add(json(table.get(key), depth + 1));
        }
        return new Json.Arr(items);
    }

    private Json object(LuaTable table, int depth) {
        var fields = Json.Obj.builder();
        for (var key = table.next(Nil.NIL); key != Nil.NIL; key = table.next(key)) {
            if (!(key instanceof String name)) {
                throw LuaError.of("cannot encode mixed or invalid key types");
            }
            fields.put(Bytes.text(name), json(table.get(key), depth + 1));
        }
        return fields.build();
    }
}
