package dev.towtank.model.crd.schema;

import dev.towtank.model.Json;

/// Whether a value has the type that its schema asks for.
final class TypeCheck {

    private static final double MAX_SAFE_INTEGER = 9007199254740991.0;

    private TypeCheck() {}

    static boolean check(Json value, StructuralSchema schema, Location at, SchemaProblems problems) {
        if (value instanceof Json.Null) {
            if (schema.isTyped() && !schema.nullable()) {
                problems.wrongType(at, schema.typeNames(), "null");
                return false;
            }
            return true;
        }
        var actual = jsonType(value);
        var format = schema.constraints().format();
        boolean numeric = schema.allows("number") || schema.allows("integer");
        boolean fits = schema.allows(actual)
                || (actual.equals("integer") && schema.allows("number"))
                || (value instanceof Json.Real(var real) && isWhole(real) && schema.allows("integer"));
        if (!format.isNone()) {
            boolean textual = value instanceof Json.Str || value instanceof Json.Arr;
            if (textual && !numeric) {
                return true;
            }
            if (!textual && !fits) {
                problems.wrongType(at, format.name(), formatOf(value));
                return false;
            }
        }
        if (!fits) {
            problems.wrongType(at, schema.typeNames(), actual);
        }
        return fits;
    }

    static boolean isWhole(double number) {
        return Math.abs(number) <= MAX_SAFE_INTEGER && number == Math.rint(number);
    }

    static String jsonType(Json value) {
        return switch (value) {
            case Json.Null _ -> "null";
            case Json.Bool _ -> "boolean";
            case Json.Int _ -> "integer";
            case Json.Real _ -> "number";
            case Json.Str _ -> "string";
            case Json.Arr _ -> "array";
            case Json.Obj _ -> "object";
        };
    }

    private static String formatOf(Json value) {
        return value instanceof Json.Int ? "int64" : value instanceof Json.Real ? "float64" : "";
    }
}
