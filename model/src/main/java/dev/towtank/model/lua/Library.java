package dev.towtank.model.lua;

/// Collects functions in a table.
record Library(LuaTable table) {

    Library with(String name, LuaFunction.Builtin.Body body) {
        table.set(name, new LuaFunction.Builtin(name, body));
        return this;
    }

    /// Opens what a script may see. `require` knows these names and no other: there is nothing to load.
    static void open(Run run, Libraries libraries) {
        var globals = run.globals;
        globals.set("_G", globals);
        globals.set("_VERSION", "Lua 5.1");
        var modules = new LuaTable(run);
        modules.set("_G", globals);
        modules.set("table", TableLibrary.table(run));
        modules.set("os", OsLibrary.table(run));
        if (libraries == Libraries.OPEN) {
            var strings = StringLibrary.table(run);
            modules.set("string", strings);
            modules.set("math", MathLibrary.table(run));
            var methods = new LuaTable(run);
            methods.set("__index", strings);
            run.stringMethods = methods;
        }
        for (var name : new String[] {"table", "os", "string", "math"}) {
            globals.set(name, modules.get(name));
        }
        GlobalFunctions.open(new Library(globals), modules);
    }
}
