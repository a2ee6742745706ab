package dev.towtank.model.crd;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Pruning;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.schema.EmbeddedMetadata;
import dev.towtank.model.crd.schema.ListTypes;
import dev.towtank.model.crd.schema.Location;
import dev.towtank.model.crd.schema.SchemaDefaulting;
import dev.towtank.model.crd.schema.SchemaPruning;
import dev.towtank.model.crd.schema.StructuralSchema;
import dev.towtank.model.crd.schema.ValueValidation;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a schema does to objects: prune, default and validate them. Shared by all threads and logical clusters.
///
/// Expressions are compiled when they are first needed: most kinds of a cluster are never written to.
public final class CompiledSchema {

    /// No schema at all: every field stays.
    static final CompiledSchema OPEN = new CompiledSchema(StructuralSchema.parse(
            Json.Obj.of("type", Json.of("object"), "x-kubernetes-preserve-unknown-fields", Json.of(true))));

    private final StructuralSchema schema;
    private volatile @Nullable Compiled compiled;

    /// @param tree null where the schema has no expressions
    private record Compiled(@Nullable RuleTree tree) {}

    private CompiledSchema(StructuralSchema schema) {
        this.schema = schema;
    }

    /// @throws StructuralSchema.Unsupported where it is no schema that a server can keep
    public static CompiledSchema of(Json.Obj openApiSchema) {
        return new CompiledSchema(StructuralSchema.parse(openApiSchema));
    }

    public StructuralSchema schema() {
        return schema;
    }

    // Two threads may compile at once; both results are right, and either may stay.
    Optional<RuleTree> rules() {
        var known = compiled;
        if (known == null) {
            known = new Compiled(RuleTree.compile(schema, true).orElse(null));
            compiled = known;
        }
        return Optional.ofNullable(known.tree);
    }

    /// The object without what the schema does not know; the very same one where nothing had to go.
    ///
    /// @param unknownField is told the path of each field that goes
    public Json.Obj prune(Json.Obj object, Consumer<String> unknownField) {
        try {
            var coerced = EmbeddedMetadata.coerce(object, schema, unknownField);
            return (Json.Obj) SchemaPruning.prune(coerced, schema, true, unknownField);
        } catch (Pruning.Mismatch e) {
            throw StatusError.badRequest(object.string("kind") + " in version \"" + version(object)
                    + "\" cannot be handled as a " + object.string("kind") + ": " + e.text());
        }
    }

    private static String version(Json.Obj object) {
        var apiVersion = object.string("apiVersion");
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    /// The object with the defaults filled in; the very same one where nothing was missing.
    public Json.Obj defaults(Json.Obj object) {
        return (Json.Obj) SchemaDefaulting.defaults(object, schema);
    }

    public void validate(Json.Obj object, FieldError.Collector errors) {
        ValueValidation.validate(object, schema, Location.ROOT).forEach(errors::add);
        EmbeddedMetadata.validate(object, schema, Location.ROOT, errors);
        ListTypes.validate(object, schema, Location.ROOT, errors);
        rules().ifPresent(tree -> checkRules(tree, object, null, "", errors));
    }

    /// What is wrong with a change. What was wrong before and is unchanged is let through.
    public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
        ValueValidation.validateUpdate(object, old, schema, Location.ROOT).forEach(errors::add);
        EmbeddedMetadata.validate(object, schema, Location.ROOT, errors);
        validateLists(object, old, schema, Location.ROOT, errors);
        rules().ifPresent(tree -> checkRules(tree, object, old, "", errors));
    }

    /// Likewise for a change of the status alone.
    public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
        var status = object.get("status");
        var statusSchema = schema.properties().get("status");
        if (status == null || statusSchema == null) {
            return;
        }
        for (var error : ValueValidation.validateUpdate(status, old.get("status"), statusSchema, Location.ROOT)) {
            var path = error.path().isEmpty() ? "status" : "status." + error.path();
            errors.add(new FieldError(error.type(), path, error.value(), error.detail()));
        }
        EmbeddedMetadata.validate(status, statusSchema, Location.ROOT.child("status"), errors);
        var before = old.get("status");
        validateLists(
                status, before == null ? Json.Null.NULL : before, statusSchema, Location.ROOT.child("status"), errors);
        rules().ifPresent(tree -> checkRules(tree, object, old, "", errors));
    }

    private static void validateLists(
            Json value, Json old, StructuralSchema schema, Location at, FieldError.Collector errors) {
        var before = new FieldError.Collector();
        ListTypes.validate(old, schema, at, before);
        if (before.isEmpty()) {
            ListTypes.validate(value, schema, at, errors);
        }
    }

    // Expressions trust the types of what they see.
    private static void checkRules(
            RuleTree tree, Json.Obj object, Json.@Nullable Obj old, String prefix, FieldError.Collector errors) {
        boolean blocked = errors.errors().stream().anyMatch(error -> switch (error.type()) {
            case NOT_SUPPORTED, REQUIRED, TOO_LONG, TOO_MANY, TYPE_INVALID -> true;
            case INVALID, DUPLICATE, FORBIDDEN, NOT_FOUND, INTERNAL -> false;
        });
        if (blocked) {
            errors.add(new FieldError(
                    FieldError.Type.INVALID,
                    "",
                    Json.Null.NULL,
                    "some validation rules were not checked because the object was invalid; correct the existing errors to"
                            + " complete validation"));
        } else {
            new RuleValidation(errors, prefix).validate(tree, object, old);
        }
    }
}
