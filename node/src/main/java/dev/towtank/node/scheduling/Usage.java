package dev.towtank.node.scheduling;

import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.PodResources;
import java.util.HashMap;
import java.util.Map;

/// What the pods of this machine ask for together, whichever of its nodes they are on, kept up to date pod by pod. The
/// scheduler's thread alone uses it.
final class Usage {

    /// A pod on the node that it is bound to, or is being bound to.
    record Placed(Resource pod, String node) {}

    private final Map<String, Placed> pods = new HashMap<>();
    private final Map<String, Quantity> totals = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    void add(Resource pod, String node) {
        var before = pods.put(pod.uid(), new Placed(pod, node));
        if (before == null) {
            PodResources.requests(pod.spec()).forEach((name, amount) -> totals.merge(name, amount, Quantity::plus));
        } else {
            counts.merge(before.node, -1, Integer::sum);
        }
        counts.merge(node, 1, Integer::sum);
    }

    void remove(String uid) {
        var placed = pods.remove(uid);
        if (placed != null) {
            counts.merge(placed.node, -1, Integer::sum);
            PodResources.requests(placed.pod.spec())
                    .forEach((name, amount) -> totals.computeIfPresent(name, (_, total) -> total.minus(amount)));
        }
    }

    int count() {
        return pods.size();
    }

    int count(String node) {
        return counts.getOrDefault(node, 0);
    }

    Quantity used(String resource) {
        return totals.getOrDefault(resource, Quantity.ZERO);
    }

    Iterable<Placed> pods() {
        return pods.values();
    }

    boolean has(String uid) {
        return pods.containsKey(uid);
    }
}
