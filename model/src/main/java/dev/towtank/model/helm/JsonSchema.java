package dev.towtank.model.helm;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// The part of JSON Schema that charts use for their values. References stay inside of the schema.
final class JsonSchema {
    private static final int MAX_DEPTH = 200;
    private static final int MAX_STEPS = 2_000_000;

    private final Json.Obj root;
    private int depth;
    private int steps;

    private JsonSchema(Json.Obj root) {
        this.root = root;
    }

    /// What is wrong with a value, such as `at '/replicas': got string, want integer`.
    static List<String> validate(Json.Obj schema, Json value) {
        var errors = new ArrayList<String>();
        new JsonSchema(schema).check(schema, value, "", errors);
        return errors;
    }

    private boolean fits(Json schema, Json value) {
        var errors = new ArrayList<String>();
        check(schema, value, "", errors);
        return errors.isEmpty();
    }

    private void check(Json any, Json value, String path, List<String> errors) {
        if (any instanceof Json.Bool(var allowed)) {
            if (!allowed) {
                errors.add("at '" + path + "': false schema");
            }
            return;
        }
        if (!(any instanceof Json.Obj schema)) {
            return;
        }
        if (++steps > MAX_STEPS) {
            throw new HelmError("values.schema.json takes more than " + MAX_STEPS + " steps for these values");
        }
        if (++depth > MAX_DEPTH) {
            throw new HelmError(
                    "values.schema.json refers to itself without end, or is more than " + MAX_DEPTH + " deep");
        }
        if (schema.has("$ref")) {
            check(referred(schema.string("$ref")), value, path, errors);
        }
        if (checkType(schema, value, path, errors)) {
            checkChoices(schema, value, path, errors);
            switch (value) {
                case Json.Obj object -> checkObject(schema, object, path, errors);
                case Json.Arr list -> checkList(schema, list, path, errors);
                case Json.Str(var text) -> checkText(schema, text, path, errors);
                case Json.Int(var number) -> checkNumber(schema, (double) number, path, errors);
                case Json.Real(var number) -> checkNumber(schema, number, path, errors);
                case Json.Bool _, Json.Null _ -> {}
            }
        }
        depth--;
    }

    private Json referred(String reference) {
        if (!reference.startsWith("#")) {
            throw new HelmError("values.schema.json refers to " + reference
                    + ", which is outside of the chart; put it into the schema");
        }
        Json here = root;
        for (var part : reference.substring(1).split("/", -1)) {
            if (part.isEmpty()) {
                continue;
            }
            var next = here instanceof Json.Obj object
                    ? object.get(part.replace("~1", "/").replace("~0", "~"))
                    : null;
            if (next == null) {
                throw new HelmError("values.schema.json refers to " + reference + ", which there is not");
            }
            here = next;
        }
        return here;
    }

    private static boolean checkType(Json.Obj schema, Json value, String path, List<String> errors) {
        var types = schema.get("type") instanceof Json.Str(var one)
                ? List.of(one)
                : schema.array("type").strings();
        var got = type(value);
        boolean fits = types.isEmpty()
                || types.contains(got)
                || (got.equals("number") && types.contains("integer") && isWhole(value))
                || (got.equals("integer") && types.contains("number"));
        if (!fits) {
            errors.add("at '" + path + "': got " + (got.equals("integer") ? "number" : got) + ", want "
                    + String.join(" or ", types));
        }
        return fits;
    }

    private static boolean isWhole(Json value) {
        return value instanceof Json.Real(var number) && number == Math.rint(number);
    }

    private static String type(Json value) {
        return switch (value) {
            case Json.Obj _ -> "object";
            case Json.Arr _ -> "array";
            case Json.Str _ -> "string";
            case Json.Bool _ -> "boolean";
            case Json.Int _ -> "integer";
            case Json.Real _ -> "number";
            case Json.Null _ -> "null";
        };
    }

    private void checkChoices(Json.Obj schema, Json value, String path, List<String> errors) {
        if (schema.has("enum") && !schema.array("enum").items().contains(value)) {
            var allowed = schema.array("enum").items().stream()
                    .map(JsonSchema::quoted)
                    .toList();
            errors.add("at '" + path + "': value must be one of " + String.join(", ", allowed));
        }
        var only = schema.get("const");
        if (only != null && !only.equals(value)) {
            errors.add("at '" + path + "': value must be " + quoted(only));
        }
        schema.array("allOf").forEach(each -> check(each, value, path, errors));
        var anyOf = schema.array("anyOf");
        if (anyOf.size() > 0 && anyOf.items().stream().noneMatch(each -> fits(each, value))) {
            errors.add("at '" + path + "': 'anyOf' failed");
        }
        long matching = schema.array("oneOf").items().stream()
                .filter(each -> fits(each, value))
                .count();
        if (schema.has("oneOf") && matching != 1) {
            errors.add("at '" + path + "': 'oneOf' failed, " + (matching == 0 ? "none matched" : "several matched"));
        }
        var not = schema.get("not");
        if (not != null && fits(not, value)) {
            errors.add("at '" + path + "': 'not' failed");
        }
        var condition = schema.get("if");
        if (condition != null) {
            var consequence = schema.get(fits(condition, value) ? "then" : "else");
            if (consequence != null) {
                check(consequence, value, path, errors);
            }
        }
    }

    private static String quoted(Json json) {
        return json instanceof Json.Str(var text) ? "'" + text + "'" : json.toString();
    }

    private void checkObject(Json.Obj schema, Json.Obj object, String path, List<String> errors) {
        var missing = schema.array("required").strings().stream()
                .filter(key -> !object.has(key))
                .map(key -> "'" + key + "'")
                .toList();
        if (!missing.isEmpty()) {
            errors.add("at '" + path + "': missing propert" + (missing.size() == 1 ? "y " : "ies ")
                    + String.join(", ", missing));
        }
        var properties = schema.object("properties");
        var patterns = schema.object("patternProperties");
        var unknown = new ArrayList<String>();
        object.forEach((key, value) -> {
            boolean known = properties.has(key);
            if (known) {
                check(java.util.Objects.requireNonNull(properties.get(key)), value, path + "/" + key, errors);
            }
            for (int i = 0; i < patterns.size(); i++) {
                if (pattern(patterns.key(i)).matcher(key).find()) {
                    known = true;
                    check(patterns.value(i), value, path + "/" + key, errors);
                }
            }
            var additional = schema.get("additionalProperties");
            if (!known && additional != null) {
                if (additional instanceof Json.Bool(var allowed)) {
                    if (!allowed) {
                        unknown.add("'" + key + "'");
                    }
                } else {
                    check(additional, value, path + "/" + key, errors);
                }
            }
        });
        if (!unknown.isEmpty()) {
            errors.add("at '" + path + "': additional properties " + String.join(", ", unknown) + " not allowed");
        }
        bounds(schema, "Properties", object.size(), path, errors);
    }

    private void checkList(Json.Obj schema, Json.Arr list, String path, List<String> errors) {
        if (schema.get("items") instanceof Json.Arr each) {
            for (int i = 0; i < Math.min(each.size(), list.size()); i++) {
                check(each.get(i), list.get(i), path + "/" + i, errors);
            }
        } else if (schema.has("items")) {
            for (int i = 0; i < list.size(); i++) {
                check(java.util.Objects.requireNonNull(schema.get("items")), list.get(i), path + "/" + i, errors);
            }
        }
        bounds(schema, "Items", list.size(), path, errors);
        if (schema.flag("uniqueItems") && new HashSet<>(list.items()).size() < list.size()) {
            errors.add("at '" + path + "': items are not unique");
        }
    }

    private static void checkText(Json.Obj schema, String text, String path, List<String> errors) {
        bounds(schema, "Length", text.codePointCount(0, text.length()), path, errors);
        if (schema.has("pattern")
                && !pattern(schema.string("pattern")).matcher(text).find()) {
            errors.add("at '" + path + "': '" + text + "' does not match pattern '" + schema.string("pattern") + "'");
        }
    }

    private static Pattern pattern(String expression) {
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw new HelmError("values.schema.json has a pattern that cannot be read: " + expression);
        }
    }

    private static void bounds(Json.Obj schema, String what, int size, String path, List<String> errors) {
        var minimum = schema.get("min" + what);
        var maximum = schema.get("max" + what);
        if (minimum != null && size < number(minimum)) {
            errors.add("at '" + path + "': min" + what + ": got " + size + ", want " + minimum);
        }
        if (maximum != null && size > number(maximum)) {
            errors.add("at '" + path + "': max" + what + ": got " + size + ", want " + maximum);
        }
    }

    private static double number(Json json) {
        return json instanceof Json.Int(var whole) ? whole : json instanceof Json.Real(var real) ? real : 0;
    }

    private static void checkNumber(Json.Obj schema, double value, String path, List<String> errors) {
        var shown = new Json.Real(value).toString();
        var minimum = schema.get("minimum");
        if (minimum != null && value < number(minimum)) {
            errors.add("at '" + path + "': minimum: got " + shown + ", want " + minimum);
        }
        var maximum = schema.get("maximum");
        if (maximum != null && value > number(maximum)) {
            errors.add("at '" + path + "': maximum: got " + shown + ", want " + maximum);
        }
        var above = schema.get("exclusiveMinimum");
        if (above != null && !(above instanceof Json.Bool) && value <= number(above)) {
            errors.add("at '" + path + "': exclusiveMinimum: got " + shown + ", want " + above);
        }
        var below = schema.get("exclusiveMaximum");
        if (below != null && !(below instanceof Json.Bool) && value >= number(below)) {
            errors.add("at '" + path + "': exclusiveMaximum: got " + shown + ", want " + below);
        }
        var step = schema.get("multipleOf");
        if (step != null
                && number(step) > 0
                && Math.abs(value / number(step) - Math.rint(value / number(step))) > 1e-9) {
            errors.add("at '" + path + "': multipleOf: got " + shown + ", want " + step);
        }
    }
}
