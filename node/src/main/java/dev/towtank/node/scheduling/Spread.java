package dev.towtank.node.scheduling;

import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// How evenly pods are to be spread over places.
record Spread(Resource pod, Topology topology, Usage usage) {

    private static final String PROBLEM = "node(s) didn't match pod topology spread constraints";

    Optional<String> problem() {
        var constraints = pod.spec().objects("topologySpreadConstraints").stream()
                .filter(constraint -> constraint.string("whenUnsatisfiable").equals("DoNotSchedule"))
                .toList();
        if (constraints.stream().anyMatch(each -> !topology.has(each.string("topologyKey")))) {
            return Optional.of(PROBLEM + " (missing required label)");
        }
        return constraints.stream().anyMatch(this::isTooUneven) ? Optional.of(PROBLEM) : Optional.empty();
    }

    private boolean isTooUneven(Json.Obj constraint) {
        var key = constraint.string("topologyKey");
        var places = places(key);
        var counts = new HashMap<String, Integer>();
        for (var other : usage.pods()) {
            var place = places.get(other.node());
            if (place != null && counts(constraint, other.pod())) {
                counts.merge(place, 1, Integer::sum);
            }
        }
        var all = places.values().stream().distinct().toList();
        int fewest = all.size() < constraint.integer("minDomains") ? 0 : fewest(all, counts);
        int here = counts.getOrDefault(topology.node().labels().get(key), 0);
        int own = counts(constraint, pod) ? 1 : 0;
        return here + own - fewest > constraint.integer("maxSkew");
    }

    private static int fewest(List<String> places, Map<String, Integer> counts) {
        return places.stream()
                .mapToInt(place -> counts.getOrDefault(place, 0))
                .min()
                .orElse(0);
    }

    /// The places of the nodes that the pod may be on at all.
    private Map<String, String> places(String key) {
        return topology.nodes().stream()
                .filter(node -> node.labels().containsKey(key) && NodeAffinity.matches(pod.spec(), node))
                .collect(Collectors.toMap(Resource::name, node -> node.labels().get(key)));
    }

    private boolean counts(Json.Obj constraint, Resource other) {
        return !other.isDeleting()
                && other.cluster().equals(pod.cluster())
                && other.namespace().equals(pod.namespace())
                && constraint.get("labelSelector") instanceof Json.Obj selector
                && LabelSelector.of(selector).matches(other.json())
                && constraint.array("matchLabelKeys").strings().stream()
                        .allMatch(key -> pod.labels().get(key) == null
                                || pod.labels().get(key).equals(other.labels().get(key)));
    }
}
