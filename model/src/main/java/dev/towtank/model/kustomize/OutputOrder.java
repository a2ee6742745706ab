package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.Comparator;
import java.util.List;

/// The order in which objects come out.
final class OutputOrder {

    private static final List<String> FIRST = List.of(
            "Namespace",
            "ResourceQuota",
            "StorageClass",
            "CustomResourceDefinition",
            "ServiceAccount",
            "PodSecurityPolicy",
            "Role",
            "ClusterRole",
            "RoleBinding",
            "ClusterRoleBinding",
            "ConfigMap",
            "Secret",
            "Endpoints",
            "Service",
            "LimitRange",
            "PriorityClass",
            "PersistentVolume",
            "PersistentVolumeClaim",
            "Deployment",
            "StatefulSet",
            "CronJob",
            "PodDisruptionBudget");
    private static final List<String> LAST = List.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration");

    private OutputOrder() {}

    /// What others need comes first, which is what `kustomize build` does unless it is told otherwise.
    static List<Item> sort(List<Item> items, Json.Obj options) {
        var order = options.string("order");
        if (options.has("legacySortOptions") && !order.equals("legacy")) {
            throw new KustomizeError("the field 'sortOptions.legacySortOptions' is set but the selected sort order is '"
                    + order + "', not 'legacy'");
        }
        if (order.equals("fifo")) {
            return items;
        }
        if (!order.isEmpty() && !order.equals("legacy")) {
            throw new KustomizeError("sortOptions.order must be one of: fifo, legacy; not '" + order + "'");
        }
        var first = names(options, "orderFirst", FIRST);
        var last = names(options, "orderLast", LAST);
        return items.stream()
                .sorted(Comparator.comparingInt((Item item) -> rank(item.id().kind(), first, last))
                        .thenComparing(item -> item.id().group())
                        .thenComparing(item -> item.id().version())
                        .thenComparing(item -> item.id().kind())
                        .thenComparing(item -> item.id().namespace())
                        .thenComparing(item -> item.id().name()))
                .toList();
    }

    private static List<String> names(Json.Obj options, String field, List<String> fallback) {
        return options.object("legacySortOptions").has(field)
                ? options.object("legacySortOptions").array(field).strings()
                : fallback;
    }

    private static int rank(String kind, List<String> first, List<String> last) {
        if (first.contains(kind)) {
            return first.indexOf(kind) - first.size();
        }
        return last.contains(kind) ? 1 + last.indexOf(kind) : 0;
    }
}
