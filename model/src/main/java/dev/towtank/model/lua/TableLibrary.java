package dev.towtank.model.lua;

import static dev.towtank.model.lua.LuaArguments.one;

import java.util.Arrays;
import java.util.Comparator;

/// Lists.
final class TableLibrary {

    private TableLibrary() {}

    static LuaTable table(Run run) {
        return new Library(new LuaTable(run))
                .with("concat", TableLibrary::concat)
                .with("getn", a -> one((double) a.table(1).length()))
                .with("insert", TableLibrary::insert)
                .with("maxn", a -> one(a.table(1).largestIndex()))
                .with("remove", TableLibrary::remove)
                .with("sort", TableLibrary::sort)
                .table();
    }

    private static Object[] concat(LuaArguments a) {
        var table = a.table(1);
        var separator = a.text(2, "");
        int from = Math.max(1, a.integer(3, 1));
        int to = Math.min(table.length(), a.integer(4, table.length()));
        var joined = new StringBuilder();
        for (int i = from; i <= to; i++) {
            var item = table.get(i);
            if (!Values.isText(item)) {
                throw a.run().error("invalid value (" + Values.type(item) + ") at index " + i + " in table for concat");
            }
            var text = Values.display(item);
            a.run().allocate(text.length() + separator.length());
            a.run().step();
            joined.append(i == from ? "" : separator).append(text);
        }
        return one(a.run().text(joined.toString()));
    }

    private static Object[] insert(LuaArguments a) {
        var table = a.table(1);
        switch (a.count()) {
            case 1 -> throw a.run().error("wrong number of arguments");
            case 2 -> table.append(a.value(2));
            default -> table.insert(a.integer(2), a.value(3));
        }
        return LuaFunction.NONE;
    }

    private static Object[] remove(LuaArguments a) {
        var table = a.table(1);
        return one(table.remove(a.integer(2, table.length())));
    }

    private static Object[] sort(LuaArguments a) {
        var table = a.table(1);
        var run = a.run();
        Comparator<Object> order = (left, right) -> isBefore(a, left, right) ? -1 : isBefore(a, right, left) ? 1 : 0;
        var items = table.list();
        run.allocate(16L * items.length);
        try {
            Arrays.sort(items, order);
        } catch (IllegalArgumentException _) {
            // What Java says of a comparison that contradicts itself.
            throw run.error("invalid order function for sorting");
        }
        table.replace(items);
        return LuaFunction.NONE;
    }

    private static boolean isBefore(LuaArguments a, Object left, Object right) {
        a.run().step();
        return a.has(2)
                ? Values.isTrue(LuaFunction.first(a.function(2).call(a.run(), new Object[] {left, right})))
                : Operations.isLess(a.run(), left, right);
    }
}
