package dev.towtank.model.lua;

/// A local variable. Whether a function inside captures it, is known when the parser is done.
final class Variable {
    final String name;
    final int slot;
    boolean isCaptured;

    Variable(String name, int slot) {
        this.name = name;
        this.slot = slot;
    }

    void declare(Frame frame, Object value) {
        frame.slots()[slot] = isCaptured ? new LuaFunction.Cell(value) : value;
    }

    Object value(Frame frame) {
        var value = frame.slots()[slot];
        return isCaptured ? ((LuaFunction.Cell) value).value : value;
    }

    void assign(Frame frame, Object value) {
        if (isCaptured) {
            ((LuaFunction.Cell) frame.slots()[slot]).value = value;
        } else {
            frame.slots()[slot] = value;
        }
    }
}
