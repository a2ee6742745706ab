package dev.towtank.node.scheduling;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// Which nodes a pod wants, by labels.
final class NodeAffinity {

    private NodeAffinity() {}

    static boolean matches(Json.Obj spec, Resource node) {
        var labels = node.labels();
        boolean selected = spec.stringMap("nodeSelector").entrySet().stream()
                .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
        if (!selected) {
            return false;
        }
        return !(spec.at("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
                        instanceof Json.Obj required)
                || matchesAny(required.objects("nodeSelectorTerms"), node);
    }

    /// How much a pod would like to be on a node.
    static long preference(Json.Obj spec, Resource node) {
        return spec.objects("affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution").stream()
                .filter(term -> matchesAny(List.of(term.object("preference")), node))
                .mapToLong(term -> term.integer("weight"))
                .sum();
    }

    /// One of the terms must be true as a whole; an empty term is true for nothing.
    static boolean matchesAny(List<Json.Obj> terms, Resource node) {
        return terms.stream().anyMatch(term -> {
            var expressions = term.objects("matchExpressions");
            var fields = term.objects("matchFields");
            return (!expressions.isEmpty() || !fields.isEmpty())
                    && expressions.stream().allMatch(expression -> matches(expression, node.labels()))
                    && fields.stream()
                            .allMatch(expression -> matches(expression, Map.of("metadata.name", node.name())));
        });
    }

    private static boolean matches(Json.Obj expression, Map<String, String> labels) {
        var value = labels.get(expression.string("key"));
        var values = expression.array("values").strings();
        return switch (expression.string("operator")) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> value != null && compare(value, values) > 0;
            case "Lt" -> value != null && compare(value, values) < 0;
            default -> false;
        };
    }

    private static int compare(String value, List<String> values) {
        var left = number(value);
        var right = values.isEmpty() ? OptionalLong.empty() : number(values.getFirst());
        return left.isPresent() && right.isPresent() ? Long.compare(left.getAsLong(), right.getAsLong()) : 0;
    }

    private static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
