package dev.towtank.model.lua;

/// What is true of a single value.
final class Values {

    private Values() {}

    static boolean isTrue(Object value) {
        return value != Nil.NIL && !value.equals(false);
    }

    static String type(Object value) {
        return switch (value) {
            case Nil _ -> "nil";
            case Boolean _ -> "boolean";
            case Double _ -> "number";
            case String _ -> "string";
            case LuaTable _ -> "table";
            case LuaFunction _ -> "function";
            default -> throw new IllegalStateException("not a value of Lua: " + value.getClass());
        };
    }

    /// As `tostring` shows it where no metatable says otherwise.
    static String display(Object value) {
        return switch (value) {
            case Nil _ -> "nil";
            case Boolean flag -> flag.toString();
            case Double number -> Numbers.display(number);
            case String text -> text;
            default -> type(value) + ": 0x" + Integer.toHexString(System.identityHashCode(value));
        };
    }

    static boolean isText(Object value) {
        return value instanceof String || value instanceof Double;
    }
}
