package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;

/// Some neighbours in an array or text, as `.[1:3]` names them; in paths, an object with `start` and `end`.
///
/// @param end behind the last
record Slice(long start, long end) {

    private static final String START = "start";
    private static final String END = "end";

    static boolean is(Json key) {
        return key instanceof Json.Obj object && object.has(START) && object.has(END);
    }

    static Json key(Json start, Json end) {
        return Json.Obj.of(START, start, END, end);
    }

    static Slice of(Json key, int size) {
        if (!(key instanceof Json.Obj object)) {
            throw new JqError("A slice of an array must be an object with start and end");
        }
        long start = (long) Math.floor(bound(object, START, 0, size));
        long end = (long) Math.ceil(bound(object, END, size, size));
        return new Slice(start, Math.max(start, end));
    }

    private static double bound(Json.Obj key, String name, int unset, int size) {
        var given = Paths.orNull(key.get(name));
        if (given instanceof Json.Null) {
            return unset;
        }
        if (!Texts.isNumber(given)) {
            throw new JqError("Start and end indices of an array slice must be numbers");
        }
        double number = ValueOrder.number(given);
        return Math.clamp(number < 0 ? number + size : number, 0, size);
    }

    Json read(Run run, Json.Arr items) {
        run.copy(end - start);
        return new Json.Arr(items.items().subList((int) start, (int) end));
    }

    static Json read(Run run, String text, Json key) {
        run.copy(text.length());
        var slice = of(key, text.codePointCount(0, text.length()));
        int from = text.offsetByCodePoints(0, (int) slice.start);
        return Json.of(text.substring(from, text.offsetByCodePoints(from, (int) (slice.end - slice.start))));
    }

    Json put(Json.Arr into, Json replacement) {
        if (!(replacement instanceof Json.Arr middle)) {
            throw new JqError("A slice of an array can only be assigned another array");
        }
        if (start < 0 || start > into.size()) {
            return into;
        }
        var items = new ArrayList<>(into.items().subList(0, (int) start));
        items.addAll(middle.items());
        items.addAll(into.items().subList((int) Math.min(end, into.size()), into.size()));
        return new Json.Arr(items);
    }
}
