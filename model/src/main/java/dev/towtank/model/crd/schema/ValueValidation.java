package dev.towtank.model.crd.schema;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks a value against a schema, but for expressions. Unchanged values of an update are let through.
///
/// Every method answers with the number of checks that were made: of several alternatives that all fail, Kubernetes
/// reports the one that came furthest.
public final class ValueValidation {

    private ValueValidation() {}

    public static List<FieldError> validate(Json value, StructuralSchema schema, Location at) {
        return validateUpdate(value, null, schema, at);
    }

    /// @param old what was there before, or null where nothing corresponds
    public static List<FieldError> validateUpdate(
            Json value, @Nullable Json old, StructuralSchema schema, Location at) {
        if (value.equals(old)) {
            return List.of();
        }
        var problems = new SchemaProblems();
        node(value, old, schema, at, problems);
        return problems.errors();
    }

    private static int node(
            Json value, @Nullable Json old, StructuralSchema schema, Location at, SchemaProblems problems) {
        if (value instanceof Json.Null) {
            int made = TypeCheck.check(value, schema, at, problems) ? 1 : 0;
            ScalarChecks.enumeration(value, schema, at, problems);
            return made;
        }
        int made = 1;
        if (schema.isTyped() || !schema.constraints().format().isNone()) {
            made += TypeCheck.check(value, schema, at, problems) ? 2 : 1;
        }
        made += 2 + junctors(value, old, schema, at, problems);
        made += switch (value) {
            case Json.Str(var text) -> ScalarChecks.text(text, schema, at, problems);
            case Json.Int _, Json.Real _ -> ScalarChecks.number(value, schema, at, problems);
            case Json.Arr array -> array(array, old, schema, at, problems);
            case Json.Obj object -> object(object, old, schema, at, problems);
            case Json.Bool _, Json.Null _ -> 0;
        };
        ScalarChecks.enumeration(value, schema, at, problems);
        return made + 1;
    }

    private static int array(
            Json.Arr array, @Nullable Json old, StructuralSchema schema, Location at, SchemaProblems problems) {
        int made = 2;
        var items = schema.items();
        if (items != null) {
            var olds = OldItems.of(schema, old);
            for (int i = 0; i < array.size(); i++) {
                made += member(array.get(i), olds.matching(array.get(i)), items, at.index(i), problems);
            }
        }
        ScalarChecks.items(array, schema, at, problems);
        return made;
    }

    private static int object(
            Json.Obj object, @Nullable Json old, StructuralSchema schema, Location at, SchemaProblems problems) {
        int made = 1;
        ScalarChecks.properties(object, schema, at, problems);
        var olds = old instanceof Json.Obj previous ? previous : Json.Obj.EMPTY;
        for (int i = 0; i < object.size(); i++) {
            var key = object.key(i);
            var property = schema.properties().get(key);
            var inner = property == null ? schema.additional().schema() : property;
            if (inner != null) {
                // The version of an object is not its own: both are converted to the same one.
                boolean fixed = at.isRoot() && (key.equals("apiVersion") || key.equals("kind"));
                var before = fixed ? null : olds.get(key);
                made += member(object.value(i), before, inner, at.child(key), problems);
            } else if (property == null && !schema.additional().allowed()) {
                problems.forbidden(at, key);
            }
        }
        for (var name : schema.constraints().required()) {
            if (!object.has(name)) {
                problems.required(at.child(name));
            }
        }
        return made;
    }

    private static int member(
            Json value, @Nullable Json old, StructuralSchema schema, Location at, SchemaProblems problems) {
        return value.equals(old) ? 1 : node(value, old, schema, at, problems);
    }

    private static int junctors(
            Json value, @Nullable Json old, StructuralSchema schema, Location at, SchemaProblems problems) {
        var junctors = schema.junctors();
        if (junctors.isEmpty()) {
            return 0;
        }
        int made = 0;
        if (!junctors.anyOf().isEmpty()) {
            made += anyOf(value, old, junctors.anyOf(), at, problems);
        }
        if (!junctors.oneOf().isEmpty()) {
            made += oneOf(value, old, junctors.oneOf(), at, problems);
        }
        if (!junctors.allOf().isEmpty()) {
            made += allOf(value, old, junctors.allOf(), at, problems);
        }
        var not = junctors.not();
        if (not != null && attempt(value, old, not, at).problems.isEmpty()) {
            problems.general("\"" + at.dotted() + "\" must not validate the schema (not)");
        }
        return made;
    }

    private record Attempt(SchemaProblems problems, int made) {}

    private static Attempt attempt(Json value, @Nullable Json old, StructuralSchema schema, Location at) {
        var problems = new SchemaProblems();
        int made = node(value, old, schema, at, problems);
        return new Attempt(problems, made);
    }

    private static int anyOf(
            Json value, @Nullable Json old, List<StructuralSchema> schemas, Location at, SchemaProblems problems) {
        Attempt best = null;
        for (var schema : schemas) {
            var attempt = attempt(value, old, schema, at);
            if (attempt.problems.isEmpty()) {
                return attempt.made;
            }
            best = best == null || attempt.made > best.made ? attempt : best;
        }
        problems.general("\"" + at.dotted() + "\" must validate at least one schema (anyOf)");
        if (best != null) {
            problems.addAll(best.problems);
        }
        return best == null ? 0 : best.made;
    }

    private static int oneOf(
            Json value, @Nullable Json old, List<StructuralSchema> schemas, Location at, SchemaProblems problems) {
        var valid = new ArrayList<Attempt>();
        Attempt best = null;
        for (var schema : schemas) {
            var attempt = attempt(value, old, schema, at);
            if (attempt.problems.isEmpty()) {
                valid.add(attempt);
            } else if (best == null || attempt.made > best.made) {
                best = attempt;
            }
        }
        if (valid.size() == 1) {
            return valid.getFirst().made;
        }
        problems.general("\"" + at.dotted() + "\" must validate one and only one schema (oneOf). "
                + (valid.isEmpty() ? "Found none valid" : "Found " + valid.size() + " valid alternatives"));
        if (valid.isEmpty() && best != null) {
            problems.addAll(best.problems);
            return best.made;
        }
        return 0;
    }

    private static int allOf(
            Json value, @Nullable Json old, List<StructuralSchema> schemas, Location at, SchemaProblems problems) {
        int made = 0;
        int valid = 0;
        for (var schema : schemas) {
            var attempt = attempt(value, old, schema, at);
            valid += attempt.problems.isEmpty() ? 1 : 0;
            made += attempt.made;
            problems.addAll(attempt.problems);
        }
        if (valid != schemas.size()) {
            problems.general("\"" + at.dotted() + "\" must validate all the schemas (allOf)"
                    + (valid == 0 ? ". None validated" : ""));
        }
        return made;
    }
}
