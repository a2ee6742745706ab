package dev.towtank.controllers.workloads.sets;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Whether a node is what a pod asks for, and whether the pod bears what the node asks of it.
final class NodeTerms {

    private NodeTerms() {}

    static boolean matches(Json.Obj term, Resource node) {
        var expressions = term.objects("matchExpressions");
        var fields = term.objects("matchFields");
        return !(expressions.isEmpty() && fields.isEmpty())
                && allMatch(expressions, node.labels())
                && allMatch(fields, Map.of("metadata.name", node.name()));
    }

    private static boolean allMatch(List<Json.Obj> requirements, Map<String, String> values) {
        return requirements.stream()
                .allMatch(requirement -> matches(
                        requirement.string("operator"),
                        values.get(requirement.string("key")),
                        requirement.array("values").strings()));
    }

    private static boolean matches(String operator, @Nullable String value, List<String> values) {
        return switch (operator) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> compare(value, values) > 0;
            case "Lt" -> compare(value, values) < 0;
            default -> false;
        };
    }

    private static int compare(@Nullable String value, List<String> values) {
        return value != null
                        && value.matches("-?[0-9]{1,18}")
                        && !values.isEmpty()
                        && values.getFirst().matches("-?[0-9]{1,18}")
                ? Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()))
                : 0;
    }

    static boolean tolerates(Json.Obj toleration, Json.Obj taint) {
        var effect = toleration.string("effect");
        var key = toleration.string("key");
        if ((!effect.isEmpty() && !effect.equals(taint.string("effect")))
                || (!key.isEmpty() && !key.equals(taint.string("key")))) {
            return false;
        }
        return toleration.string("operator").equals("Exists")
                || (!key.isEmpty() && toleration.string("value").equals(taint.string("value")));
    }
}
