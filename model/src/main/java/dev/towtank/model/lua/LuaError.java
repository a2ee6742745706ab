package dev.towtank.model.lua;

/// A script that cannot be compiled, failed, or went over a bound. The message is for whoever wrote the script.
public final class LuaError extends RuntimeException {

    private static final long serialVersionUID = 1;

    // A script's own values are not Serializable; nobody serialises exceptions here.
    private final transient Object value;
    private final boolean isFinal;

    private LuaError(Object value, String message, boolean isFinal) {
        super(message, null, false, false);
        this.value = value;
        this.isFinal = isFinal;
    }

    static LuaError of(String message) {
        return new LuaError(message, Bytes.text(message), false);
    }

    /// What a script gave to `error`.
    static LuaError thrown(Object value) {
        return new LuaError(value, Bytes.text(Values.display(value)), false);
    }

    /// A bound was reached. `pcall` does not catch this: the script is over.
    static LuaError limit(String message) {
        return new LuaError(message, message, true);
    }

    Object value() {
        return value;
    }

    boolean isFinal() {
        return isFinal;
    }
}
