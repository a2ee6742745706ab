package dev.towtank.node.scheduling;

import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.PodResources;
import java.util.HashMap;
import java.util.Map;

/// What the pods of a node ask for together, kept up to date pod by pod. The scheduler's thread alone uses it.
final class Usage {

    private final Map<String, Resource> pods = new HashMap<>();
    private final Map<String, Quantity> totals = new HashMap<>();

    void add(Resource pod) {
        var before = pods.put(pod.uid(), pod);
        if (before == null) {
            PodResources.requests(pod.spec()).forEach((name, amount) -> totals.merge(name, amount, Quantity::plus));
        }
    }

    void remove(String uid) {
        var pod = pods.remove(uid);
        if (pod != null) {
            PodResources.requests(pod.spec())
                    .forEach((name, amount) -> totals.computeIfPresent(name, (_, total) -> total.minus(amount)));
        }
    }

    int count() {
        return pods.size();
    }

    Quantity used(String resource) {
        return totals.getOrDefault(resource, Quantity.ZERO);
    }

    Iterable<Resource> pods() {
        return pods.values();
    }

    boolean has(String uid) {
        return pods.containsKey(uid);
    }
}
