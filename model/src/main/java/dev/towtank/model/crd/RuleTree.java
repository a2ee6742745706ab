package dev.towtank.model.crd;

import dev.towtank.model.Json;
import dev.towtank.model.crd.schema.StructuralSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The expressions of a schema, compiled, in a tree of only those nodes that have any or lead to some.
///
/// @param rules of this node
/// @param schema of this node
record RuleTree(
        StructuralSchema schema,
        List<CompiledRule> rules,
        Map<String, RuleTree> properties,
        @Nullable RuleTree additional,
        @Nullable RuleTree items) {

    /// Empty where the schema has no expressions at all.
    static Optional<RuleTree> compile(StructuralSchema schema, boolean resource) {
        return new RuleCompiler().compile(schema, resource);
    }

    /// The rules of a value's parts find their old values by this.
    static @Nullable Json oldField(@Nullable Json old, String name) {
        return old instanceof Json.Obj object ? object.get(name) : null;
    }
}
