package dev.towtank.model.lua;

/// The variables of one call.
final class Frame {
    private final Run run;
    private final String chunk;
    private final Object[] slots;
    private final LuaFunction.Cell[] captured;
    private final Object[] rest;

    Frame(Run run, String chunk, Object[] slots, LuaFunction.Cell[] captured, Object[] rest) {
        this.run = run;
        this.chunk = chunk;
        this.slots = slots;
        this.captured = captured;
        this.rest = rest;
    }

    Run run() {
        return run;
    }

    Object[] slots() {
        return slots;
    }

    LuaFunction.Cell[] captured() {
        return captured;
    }

    Object[] rest() {
        return rest;
    }

    Run at(int line) {
        run.at(chunk, line);
        return run;
    }
}
