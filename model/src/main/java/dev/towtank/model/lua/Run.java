package dev.towtank.model.lua;

import java.time.Instant;

/// One run of a script: its globals, what it has used up, and where it is.
final class Run {

    private static final int LONG_TEXT = 256;
    private static final int COMPARED_IN_A_STEP = 64;

    final LuaTable globals;
    final Instant now;
    private final Limits limits;
    // By depth, the line that called.
    private final int[] callers;
    private long steps;
    private long bytes;
    private int depth;
    private String chunk = "";
    private int line;
    // Where methods of strings are found, once the string library is open.
    Object stringMethods = Nil.NIL;

    Run(Limits limits, Instant now) {
        this.limits = limits;
        this.now = now;
        this.callers = new int[limits.depth() + 1];
        this.globals = new LuaTable(this);
    }

    /// Remembers the place for the message of an error that may follow.
    void at(String chunk, int line) {
        this.chunk = chunk;
        this.line = line;
    }

    void step() {
        if (++steps > limits.steps()) {
            throw LuaError.limit(place(1) + "the script was stopped after " + limits.steps() + " steps");
        }
    }

    void steps(long count) {
        steps += count;
        if (steps > limits.steps()) {
            throw LuaError.limit(place(1) + "the script was stopped after " + limits.steps() + " steps");
        }
    }

    void allocate(long count) {
        bytes += count;
        if (bytes > limits.bytes()) {
            throw LuaError.limit(place(1) + "the script was stopped: it made strings and tables of more than "
                    + limits.bytes() + " bytes");
        }
    }

    String text(String made) {
        allocate(40 + made.length());
        return made;
    }

    /// Before something looks at all of a text.
    void touch(String text) {
        if (text.length() > LONG_TEXT) {
            steps(text.length() / COMPARED_IN_A_STEP);
        }
    }

    void enter() {
        if (depth >= limits.depth()) {
            throw error("stack overflow");
        }
        callers[++depth] = line;
    }

    void leave() {
        depth--;
    }

    int depth() {
        return depth;
    }

    /// After an error that was caught.
    void unwind(int to) {
        depth = to;
    }

    LuaError error(String message) {
        return LuaError.of(place(1) + message);
    }

    /// The place of a level as `error` counts them: 1 is where it was called, 2 where the function around it was.
    String place(int level) {
        if (level <= 0) {
            return "";
        }
        int caller = depth - level + 2;
        if (level == 1 || caller < 1) {
            return chunk + ":" + line + ": ";
        }
        return chunk + ":" + callers[caller] + ": ";
    }
}
