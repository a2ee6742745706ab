package dev.towtank.model.crd;

import dev.towtank.model.Json;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.cel.Shape;
import dev.towtank.model.crd.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Compiles the expressions of schemas, each only once where several places or versions have the same: large schemas
/// repeat themselves, and compiling is what takes the time.
final class RuleCompiler {

    private final Map<Place, List<CompiledRule>> known = new HashMap<>();

    private record Place(Json.Obj schema, boolean resource) {}

    /// Empty where the schema has no expressions at all.
    Optional<RuleTree> compile(StructuralSchema schema, boolean resource) {
        return hasRules(schema)
                ? Optional.ofNullable(
                        node(schema, resource, SchemaShapes.of(schema, resource).orElse(null)))
                : Optional.empty();
    }

    private static boolean isResource(@Nullable StructuralSchema schema) {
        return schema != null && schema.extensions().embeddedResource();
    }

    private static boolean hasRules(@Nullable StructuralSchema schema) {
        return schema != null
                && (!schema.rules().isEmpty()
                        || hasRules(schema.items())
                        || hasRules(schema.additional().schema())
                        || schema.properties().values().stream().anyMatch(RuleCompiler::hasRules));
    }

    private @Nullable RuleTree node(@Nullable StructuralSchema schema, boolean resource, @Nullable Shape shape) {
        if (schema == null || !hasRules(schema)) {
            return null;
        }
        var properties = new LinkedHashMap<String, RuleTree>();
        schema.properties().forEach((name, property) -> {
            var inner = node(property, isResource(property), field(shape, name, property));
            if (inner != null) {
                properties.put(name, inner);
            }
        });
        return new RuleTree(
                schema,
                rules(schema, resource, shape),
                properties,
                node(
                        schema.additional().schema(),
                        isResource(schema.additional().schema()),
                        element(shape)),
                node(schema.items(), isResource(schema.items()), element(shape)));
    }

    private static @Nullable Shape element(@Nullable Shape shape) {
        return switch (shape) {
            case Shape.ListOf(var element) -> element;
            case Shape.MapOf(var value) -> value;
            case null, default -> null;
        };
    }

    private static @Nullable Shape field(@Nullable Shape shape, String name, StructuralSchema property) {
        var escaped = Shape.escape(name);
        if (escaped.isEmpty() || !(shape instanceof Shape.ObjectOf(var _, var fields))) {
            return SchemaShapes.of(property, property.extensions().embeddedResource())
                    .orElse(null);
        }
        var field = fields.get(escaped.get());
        return field == null ? null : field.shape();
    }

    private List<CompiledRule> rules(StructuralSchema schema, boolean resource, @Nullable Shape shape) {
        return schema.rules().isEmpty()
                ? List.of()
                : known.computeIfAbsent(new Place(schema.source(), resource), _ -> make(schema, shape));
    }

    private static List<CompiledRule> make(StructuralSchema schema, @Nullable Shape shape) {
        var rules = new ArrayList<CompiledRule>();
        if (shape == null) {
            for (var rule : schema.rules()) {
                rules.add(CompiledRule.broken(rule, "failed to convert to declType for CEL validation rules"));
            }
            return rules;
        }
        var scope = Expressions.kubernetes().scope(Map.of("self", shape, "oldSelf", shape));
        Expressions.Scope optional = null;
        for (var rule : schema.rules()) {
            if (rule.optionalOldSelf() && optional == null) {
                optional =
                        Expressions.kubernetes().scope(Map.of("self", shape, "oldSelf", new Shape.OptionalOf(shape)));
            }
            rules.add(
                    CompiledRule.compile(rule, schema, rule.optionalOldSelf() && optional != null ? optional : scope));
        }
        return List.copyOf(rules);
    }
}
