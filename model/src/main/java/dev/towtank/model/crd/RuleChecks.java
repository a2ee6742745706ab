package dev.towtank.model.crd;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.cel.Expression;
import dev.towtank.model.crd.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The expressions of a schema that is otherwise fine: that they compile, and that they may not cost too much.
final class RuleChecks {

    private static final long EXPRESSION_LIMIT = 10_000_000;
    private static final long SCHEMA_LIMIT = 100_000_000;
    private static final int NAMED = 4;

    private final FieldError.Collector errors;
    private final SchemaSizes sizes = new SchemaSizes();
    private final List<Costly> costly = new ArrayList<>();
    private long total;

    private record Costly(Path path, long cost) {}

    /// A place in the schema.
    ///
    /// @param uncorrelated the list around it whose elements have no old values, or empty
    /// @param repeated how often there may be such a value, or empty where nothing bounds it
    private record Place(Path path, String uncorrelated, Optional<Long> repeated) {
        Place child(Path inner, StructuralSchema schema, String lost) {
            var factor = factor(schema);
            return new Place(inner, lost, repeated.flatMap(times -> factor.map(more -> product(times, more))));
        }

        private static Optional<Long> factor(StructuralSchema schema) {
            return switch (schema.type()) {
                case "object" ->
                    schema.additional().present()
                            ? SchemaSizes.limit(schema.source(), "maxProperties")
                            : Optional.of(1L);
                case "array" -> SchemaSizes.limit(schema.source(), "maxItems");
                default -> Optional.of(1L);
            };
        }
    }

    private RuleChecks(FieldError.Collector errors) {
        this.errors = errors;
    }

    static void check(RuleTree tree, Path path, FieldError.Collector errors) {
        var checks = new RuleChecks(errors);
        checks.node(tree, new Place(path, "", Optional.of(1L)), true);
        if (checks.total > SCHEMA_LIMIT) {
            checks.costly.forEach(each -> errors.forbidden(
                    each.path,
                    "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"));
            errors.forbidden(
                    path,
                    exceeds(
                            "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
                            checks.total,
                            SCHEMA_LIMIT));
        }
    }

    private void node(RuleTree tree, Place place, boolean root) {
        var schema = tree.schema();
        for (int i = 0; i < tree.rules().size(); i++) {
            rule(tree.rules().get(i), schema, place, i, root);
        }
        var path = place.path;
        tree.properties()
                .forEach((name, inner) -> node(
                        inner, place.child(path.child("properties").key(name), schema, place.uncorrelated), false));
        var additional = tree.additional();
        if (additional != null) {
            node(additional, place.child(path.child("additionalProperties"), schema, place.uncorrelated), false);
        }
        var items = tree.items();
        if (items != null) {
            boolean correlates = schema.isList("map") || !place.uncorrelated.isEmpty();
            var lost = correlates ? place.uncorrelated : path.text();
            node(items, place.child(path.child("items"), schema, lost), false);
        }
    }

    private void rule(CompiledRule rule, StructuralSchema schema, Place place, int index, boolean root) {
        var path = place.path.child("x-kubernetes-validations").index(index);
        var source = rule.rule().source();
        cost(rule.program(), schema, place, root, path.child("rule"), "estimated rule cost");
        if (!rule.problem().isEmpty()) {
            errors.invalid(path.child("rule"), source, rule.problem());
        }
        if (!rule.messageProblem().isEmpty()) {
            errors.invalid(path.child("messageExpression"), source, rule.messageProblem());
        }
        // A message is made once, for whatever value fails.
        var once = new Place(place.path, place.uncorrelated, Optional.of(1L));
        cost(rule.message(), schema, once, root, path.child("messageExpression"), "estimated messageExpression cost");
        if (rule.usesOldSelf() && !place.uncorrelated.isEmpty()) {
            errors.invalid(
                    path.child("rule"),
                    rule.rule().rule(),
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within " + place.uncorrelated);
        } else if (rule.program() != null && !rule.usesOldSelf() && source.has("optionalOldSelf")) {
            errors.invalid(
                    path.child("optionalOldSelf"),
                    Json.of(rule.rule().optionalOldSelf()),
                    "may not be set if oldSelf is not used in rule");
        }
    }

    private void cost(
            @Nullable Expression expression,
            StructuralSchema schema,
            Place place,
            boolean root,
            Path path,
            String what) {
        var sized = sizes.of(schema, root || schema.extensions().embeddedResource());
        if (expression == null || sized.isEmpty()) {
            return;
        }
        long once = expression.mostCost(sized.get().sizes());
        long cost = product(once, place.repeated.orElse(sized.get().mostInRequest()));
        if (cost > EXPRESSION_LIMIT) {
            errors.forbidden(path, exceeds(what, cost, EXPRESSION_LIMIT));
        }
        total = cost > Long.MAX_VALUE - total ? Long.MAX_VALUE : total + cost;
        if (cost >= SCHEMA_LIMIT / 100) {
            costly.add(new Costly(path, cost));
            costly.sort(Comparator.comparingLong(Costly::cost).reversed());
            if (costly.size() > NAMED) {
                costly.removeLast();
            }
        }
    }

    private static long product(long one, long other) {
        return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
    }

    private static String exceeds(String what, long cost, long limit) {
        double factor = (double) cost / limit;
        var shown =
                factor > 100 ? "more than 100x" : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
        return what + " exceeds budget by factor of " + shown
                + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and"
                + " strings are declared)";
    }
}
