package dev.towtank.model.lua;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.Map;

/// A compiled script. It may be run as often as one likes, by many threads at once: runs share nothing.
public final class LuaScript {

    // Far above any script that a person writes, and small enough to compile at once.
    private static final int MAX_TEXT = 1 << 20;

    private final FunctionBody main;

    private LuaScript(FunctionBody main) {
        this.main = main;
    }

    /// @param name of the script in messages; Argo CD shows `<string>`
    /// @throws LuaError if it is not Lua, with the line
    public static LuaScript compile(String name, String text) {
        if (text.length() > MAX_TEXT) {
            throw LuaError.of(name + ": a script may have " + MAX_TEXT + " characters, this one has " + text.length());
        }
        return new LuaScript(LuaParser.parse(Bytes.of(name), Bytes.of(text)));
    }

    /// Runs the script with these global variables.
    ///
    /// @param now what `os.time` and `os.date` tell
    /// @return the last value that it returned, which is the one that Argo CD reads; null for nil and for nothing
    /// @throws LuaError if it failed, ran into a limit, or returned what JSON cannot hold
    public Json call(Map<String, Json> globals, Libraries libraries, Limits limits, Instant now) {
        var run = new Run(limits, now);
        try {
            Library.open(run, libraries);
            globals.forEach((name, value) -> run.globals.set((Object) Bytes.of(name), JsonValues.read(run, value)));
            var returned = main.main().call(run, LuaFunction.NONE);
            return JsonValues.write(run, returned.length == 0 ? Nil.NIL : returned[returned.length - 1]);
        } catch (StackOverflowError _) {
            throw LuaError.limit(run.place(1) + "stack overflow");
        }
    }

    public Json call(Map<String, Json> globals, Instant now) {
        return call(globals, Libraries.OPEN, Limits.DEFAULT, now);
    }
}
