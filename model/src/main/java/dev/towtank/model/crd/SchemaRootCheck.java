package dev.towtank.model.crd;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.crd.schema.StructuralSchema;
import dev.towtank.model.kinds.Field;
import java.util.List;
import java.util.Set;

/// All checks of the schema of a version, in Kubernetes' order.
final class SchemaRootCheck {

    private static final Set<String> ALLOWED_WITH_STATUS = Set.of(
            "description",
            "type",
            "format",
            "title",
            "maximum",
            "exclusiveMaximum",
            "minimum",
            "exclusiveMinimum",
            "maxLength",
            "minLength",
            "pattern",
            "maxItems",
            "minItems",
            "uniqueItems",
            "multipleOf",
            "required",
            "items",
            "properties",
            "externalDocs",
            "example",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-validations");

    private static final String ALLOWED_NAMES = "[Description Type Format Title Maximum ExclusiveMaximum Minimum"
            + " ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items"
            + " Properties ExternalDocs Example XPreserveUnknownFields XValidations]";

    private SchemaRootCheck() {}

    /// @param validation what holds the `openAPIV3Schema`
    static void check(Field validation, boolean hasStatus, RuleCompiler compiler) {
        var root = validation.at("openAPIV3Schema");
        if (!(root.value() instanceof Json.Obj source)) {
            return;
        }
        var errors = new FieldError.Collector();
        var schema = root.reportedTo(errors);
        if (hasStatus) {
            withStatus(schema, source);
        }
        if (source.flag("nullable")) {
            schema.at("nullable").forbidden("nullable cannot be true at the root");
        }
        var unsupported = "";
        StructuralSchema sound = null;
        try {
            var parsed = StructuralSchema.parse(source);
            structure(parsed, schema, compiler).forEach(errors::add);
            sound = errors.isEmpty() ? parsed : null;
        } catch (StructuralSchema.Unsupported e) {
            unsupported = e.text();
        }
        SchemaChecks.check(schema);
        if (errors.isEmpty() && !unsupported.isEmpty()) {
            errors.invalid(root.path(), "", unsupported);
        }
        if (errors.isEmpty() && sound != null) {
            compiler.compile(sound, true).ifPresent(tree -> RuleChecks.check(tree, root.path(), errors));
        }
        errors.errors().forEach(validation.errors()::add);
    }

    private static List<FieldError> structure(StructuralSchema parsed, Field schema, RuleCompiler compiler) {
        var problems = StructureChecks.check(parsed, schema.path());
        if (!problems.isEmpty()) {
            return problems;
        }
        var defaults = new FieldError.Collector();
        new DefaultChecks(compiler, defaults).check(parsed, schema.path());
        return defaults.errors();
    }

    private static void withStatus(Field schema, Json.Obj source) {
        for (var entry : source) {
            if (entry.getValue().isEmpty()) {
                continue;
            }
            if (entry.getKey().equals("type")) {
                if (!source.string("type").equals("object")) {
                    schema.at("type")
                            .invalid("only \"object\" is allowed as the type at the root of the schema if the status"
                                    + " subresource is enabled");
                    return;
                }
            } else if (!ALLOWED_WITH_STATUS.contains(entry.getKey())) {
                schema.invalid("only " + ALLOWED_NAMES
                        + " fields are allowed at the root of the schema if the status subresource is enabled");
                return;
            }
        }
    }
}
