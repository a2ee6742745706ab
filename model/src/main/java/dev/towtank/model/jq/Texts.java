package dev.towtank.model.jq;

import dev.towtank.model.Json;

/// Types and values in messages.
final class Texts {

    private static final int SHORT = 40;

    private Texts() {}

    static String type(Json json) {
        return switch (json) {
            case Json.Null _ -> "null";
            case Json.Bool _ -> "boolean";
            case Json.Int _, Json.Real _ -> "number";
            case Json.Str _ -> "string";
            case Json.Arr _ -> "array";
            case Json.Obj _ -> "object";
        };
    }

    static String shortened(Json json) {
        var text = json.toString();
        return text.length() <= SHORT ? text : text.substring(0, SHORT) + "...";
    }

    static boolean isTrue(Json json) {
        return !(json instanceof Json.Null) && !json.equals(Json.Bool.FALSE);
    }
}
