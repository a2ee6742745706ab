package dev.towtank.model.crd;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;

/// The defaults of a schema must be what the schema itself would accept.
final class DefaultChecks {

    private DefaultChecks() {}

    static void check(StructuralSchema schema, Path path, FieldError.Collector errors) {
        var value = schema.defaultValue();
        if (value != null) {
            one(value, schema, path.child("default"), errors);
        }
        var items = schema.items();
        if (items != null) {
            check(items, path.child("items"), errors);
        }
        schema.properties()
                .forEach((name, property) ->
                        check(property, path.child("properties").key(name), errors));
    }

    private static void one(Json value, StructuralSchema schema, Path path, FieldError.Collector errors) {
        boolean embedded = schema.extensions().embeddedResource();
        if (!SchemaPruning.prune(value, schema, embedded, _ -> {}).equals(value)) {
            errors.invalid(path, value, "must not have unknown fields");
        }
        var problems = ValueValidation.validate(value, schema, Location.ROOT);
        for (var problem : problems) {
            var at = problem.path().isEmpty() ? path.text() : path.text() + "." + problem.path();
            errors.add(new FieldError(problem.type(), at, problem.value(), problem.detail()));
        }
        if (problems.isEmpty()) {
            RuleTree.compile(schema, embedded)
                    .ifPresent(tree -> new RuleValidation(errors, path.text()).validate(tree, value, null));
        }
    }
}
