package dev.towtank.model.crd.schema;

import dev.towtank.model.Json;
import java.math.BigDecimal;
import java.util.HashSet;

/// The checks of single values: lengths, bounds, patterns, formats and enumerations.
final class ScalarChecks {

    private ScalarChecks() {}

    static int text(String text, StructuralSchema schema, Location at, SchemaProblems problems) {
        var asked = schema.constraints();
        lengthsAndPattern(text, asked, at, problems);
        if (asked.format().isNone()) {
            return 1;
        }
        if (!schema.type().equals("integer")
                && !schema.type().equals("number")
                && !asked.format().texts().test(text)) {
            problems.wrongType(at, asked.format().name(), text);
        }
        return 2;
    }

    private static void lengthsAndPattern(String text, Constraints asked, Location at, SchemaProblems problems) {
        if (asked.maxLength().isPresent() || asked.minLength().isPresent()) {
            int length = text.codePointCount(0, text.length());
            if (length > asked.maxLength().orElse(Long.MAX_VALUE)) {
                problems.tooLong(at, asked.maxLength().getAsLong());
                return;
            }
            if (length < asked.minLength().orElse(0)) {
                problems.invalid(
                        at,
                        Json.of(text),
                        "should be at least " + asked.minLength().getAsLong() + " chars long");
                return;
            }
        }
        var matcher = asked.matcher();
        if (matcher != null && !matcher.matcher(text).find()) {
            problems.invalid(at, Json.of(text), "should match '" + asked.pattern() + "'");
        }
    }

    static int number(Json value, StructuralSchema schema, Location at, SchemaProblems problems) {
        var asked = schema.constraints();
        range(value, schema, at, problems);
        asked.multipleOf().ifPresent(factor -> multiple(value, factor, at, problems));
        asked.minimum().ifPresent(limit -> {
            int order = compare(value, limit);
            if (order < 0 || (order == 0 && asked.exclusiveMinimum())) {
                var words =
                        asked.exclusiveMinimum() ? "should be greater than " : "should be greater than or equal to ";
                problems.invalid(at, value, words + bound(value, limit));
            }
        });
        asked.maximum().ifPresent(limit -> {
            int order = compare(value, limit);
            if (order > 0 || (order == 0 && asked.exclusiveMaximum())) {
                var words = asked.exclusiveMaximum() ? "should be less than " : "should be less than or equal to ";
                problems.invalid(at, value, words + bound(value, limit));
            }
        });
        return 2;
    }

    private static void range(Json value, StructuralSchema schema, Location at, SchemaProblems problems) {
        var format = schema.constraints().format().name();
        // A number of a format that is too narrow for it is accepted: Kubernetes knows no formats of integers.
        boolean fits = switch (schema.type()) {
            case "integer" ->
                value instanceof Json.Int || (value instanceof Json.Real(var real) && real == Math.rint(real));
            case "number" -> !format.equals("float") || Math.abs(real(value)) <= Float.MAX_VALUE;
            default -> true;
        };
        if (!fits) {
            problems.general("Checked value must be of type " + schema.type()
                    + (format.isEmpty() ? " (default format)" : " with format " + format) + " in " + at.dotted());
        }
    }

    private static void multiple(Json value, double factor, Location at, SchemaProblems problems) {
        if (factor <= 0) {
            problems.invalid(at, value, "should be a multiple of " + goText(factor));
        } else if (value instanceof Json.Int(var number) && (long) factor > 0 && number % (long) factor != 0) {
            problems.invalid(at, value, "should be a multiple of " + (long) factor);
        } else if (value instanceof Json.Real(var number)
                && !TypeCheck.isWhole(factor < 1 ? 1 / factor * number : number / factor)) {
            problems.invalid(at, value, "should be a multiple of " + goText(factor));
        }
    }

    private static double real(Json value) {
        return value instanceof Json.Int(var number) ? number : value instanceof Json.Real(var number) ? number : 0;
    }

    // Whole numbers are compared with whole bounds, as Go does.
    private static int compare(Json value, double limit) {
        return value instanceof Json.Int(var number)
                ? Long.compare(number, (long) limit)
                : Double.compare(real(value), limit);
    }

    private static String bound(Json value, double limit) {
        return value instanceof Json.Int ? Long.toString((long) limit) : goText(limit);
    }

    /// As Go's `%v` writes floating point: `0.5`, `1e+06`.
    static String goText(double number) {
        if (number == 0) {
            return "0";
        }
        var decimal = BigDecimal.valueOf(number).stripTrailingZeros();
        int exponent = decimal.precision() - decimal.scale() - 1;
        return exponent >= -4 && exponent < 6 ? decimal.toPlainString() : scientific(decimal, exponent);
    }

    private static String scientific(BigDecimal decimal, int exponent) {
        var digits = decimal.unscaledValue().abs().toString();
        return (decimal.signum() < 0 ? "-" : "")
                + digits.charAt(0)
                + (digits.length() > 1 ? "." + digits.substring(1) : "")
                + (exponent < 0 ? "e-" : "e+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }

    static void items(Json.Arr array, StructuralSchema schema, Location at, SchemaProblems problems) {
        var asked = schema.constraints();
        if (array.size() < asked.minItems().orElse(0)) {
            problems.invalid(
                    at,
                    Json.of(array.size()),
                    "should have at least " + asked.minItems().getAsLong() + " items");
        }
        if (array.size() > asked.maxItems().orElse(Long.MAX_VALUE)) {
            problems.tooMany(at, array.size(), asked.maxItems().getAsLong());
        }
        if (asked.uniqueItems() && new HashSet<>(array.items()).size() < array.size()) {
            problems.invalid(at, Json.of(""), "shouldn't contain duplicates");
        }
    }

    static void properties(Json.Obj object, StructuralSchema schema, Location at, SchemaProblems problems) {
        var asked = schema.constraints();
        if (object.size() < asked.minProperties().orElse(0)) {
            problems.invalid(
                    at,
                    Json.of(object.size()),
                    "should have at least " + asked.minProperties().getAsLong() + " properties");
        }
        if (object.size() > asked.maxProperties().orElse(Long.MAX_VALUE)) {
            problems.tooMany(at, object.size(), asked.maxProperties().getAsLong());
        }
    }

    static void enumeration(Json value, StructuralSchema schema, Location at, SchemaProblems problems) {
        var allowed = schema.constraints().enumeration();
        if (!allowed.isEmpty()
                && !allowed.contains(value)
                && allowed.stream().noneMatch(each -> sameNumber(each, value))) {
            problems.notSupported(at, value, allowed);
        }
    }

    private static boolean sameNumber(Json one, Json other) {
        return (one instanceof Json.Int || one instanceof Json.Real)
                && (other instanceof Json.Int || other instanceof Json.Real)
                && real(one) == real(other);
    }
}
