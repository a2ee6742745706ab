package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.List;

/// Types and values in messages, and values of the type that is wanted.
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

    /// The beginning of a value, without going through all of one that may be huge.
    static String shortened(Json json) {
        var text = new StringBuilder();
        begin(text, json);
        return text.length() <= SHORT ? text.toString() : text.substring(0, SHORT) + "...";
    }

    private static void begin(StringBuilder text, Json json) {
        switch (json) {
            case Json.Arr items -> {
                text.append('[');
                for (int i = 0; i < items.size() && text.length() <= SHORT; i++) {
                    text.append(i == 0 ? "" : ",");
                    begin(text, items.get(i));
                }
                text.append(']');
            }
            case Json.Obj object -> {
                text.append('{');
                for (int i = 0; i < object.size() && text.length() <= SHORT; i++) {
                    text.append(i == 0 ? "" : ",")
                            .append(Json.of(object.key(i)))
                            .append(':');
                    begin(text, object.value(i));
                }
                text.append('}');
            }
            case Json.Str(var value)
            when value.length() > SHORT -> text.append('"').append(value, 0, SHORT + 1);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> text.append(json);
        }
    }

    static boolean isTrue(Json json) {
        return !(json instanceof Json.Null) && !json.equals(Json.Bool.FALSE);
    }

    static boolean isNumber(Json json) {
        return json instanceof Json.Int || json instanceof Json.Real;
    }

    static JqError wrong(Json json, String why) {
        return new JqError(type(json) + " (" + shortened(json) + ") " + why);
    }

    static String text(Json json) {
        if (json instanceof Json.Str(var text)) {
            return text;
        }
        throw wrong(json, "is not a string");
    }

    static List<Json> array(Json json) {
        if (json instanceof Json.Arr(var items)) {
            return items;
        }
        throw wrong(json, "is not an array");
    }

    /// What `tostring` gives.
    static String display(Run run, Json json) {
        return run.whole(json).display();
    }
}
