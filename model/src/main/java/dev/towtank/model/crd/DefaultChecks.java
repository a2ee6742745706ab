package dev.towtank.model.crd;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.crd.schema.Location;
import dev.towtank.model.crd.schema.SchemaPruning;
import dev.towtank.model.crd.schema.StructuralSchema;
import dev.towtank.model.crd.schema.ValueValidation;

/// The defaults of a schema must be what the schema itself would accept.
final class DefaultChecks {

    private final RuleCompiler compiler;
    private final FieldError.Collector errors;

    DefaultChecks(RuleCompiler compiler, FieldError.Collector errors) {
        this.compiler = compiler;
        this.errors = errors;
    }

    void check(StructuralSchema schema, Path path) {
        var value = schema.defaultValue();
        if (value != null) {
            one(value, schema, path.child("default"));
        }
        var items = schema.items();
        if (items != null) {
            check(items, path.child("items"));
        }
        schema.properties()
                .forEach((name, property) ->
                        check(property, path.child("properties").key(name)));
    }

    private void one(Json value, StructuralSchema schema, Path path) {
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
            compiler.compile(schema, embedded)
                    .ifPresent(tree -> new RuleValidation(errors, path.text()).validate(tree, value, null));
        }
    }
}
