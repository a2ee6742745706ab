package dev.towtank.node.scheduling;

import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// Which pods a pod wants, or does not want, beside it.
record PodAffinity(Resource pod, Topology topology, Usage usage) {

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

    Optional<String> problem() {
        if (!terms(pod, "podAffinity").stream().allMatch(this::isMet)) {
            return Optional.of("node(s) didn't match pod affinity rules");
        }
        if (terms(pod, "podAntiAffinity").stream().anyMatch(this::meetsAny)) {
            return Optional.of("node(s) didn't match pod anti-affinity rules");
        }
        for (var other : usage.pods()) {
            if (terms(other.pod(), "podAntiAffinity").stream()
                    .anyMatch(term -> topology.isShared(key(term), other.node()) && selects(term, other.pod(), pod))) {
                return Optional.of("node(s) didn't satisfy existing pods anti-affinity rules");
            }
        }
        return Optional.empty();
    }

    private static List<Json.Obj> terms(Resource of, String kind) {
        return of.spec().objects("affinity", kind, REQUIRED);
    }

    private static String key(Json.Obj term) {
        return term.string("topologyKey");
    }

    // The first pod of a group that wants to be together has nobody to be with but itself.
    private boolean isMet(Json.Obj term) {
        return topology.has(key(term)) && (meetsAny(term) || (selects(term, pod, pod) && !isAnywhere(term)));
    }

    private boolean meetsAny(Json.Obj term) {
        if (!topology.has(key(term))) {
            return false;
        }
        for (var other : usage.pods()) {
            if (topology.isShared(key(term), other.node()) && selects(term, pod, other.pod())) {
                return true;
            }
        }
        return false;
    }

    private boolean isAnywhere(Json.Obj term) {
        for (var other : usage.pods()) {
            if (selects(term, pod, other.pod())) {
                return true;
            }
        }
        return false;
    }

    private static boolean selects(Json.Obj term, Resource owner, Resource other) {
        if (!owner.cluster().equals(other.cluster())) {
            return false;
        }
        var namespaces = term.array("namespaces").strings();
        boolean everywhere = term.get("namespaceSelector") instanceof Json.Obj;
        boolean inScope = everywhere
                || (namespaces.isEmpty()
                        ? owner.namespace().equals(other.namespace())
                        : namespaces.contains(other.namespace()));
        return inScope
                && term.get("labelSelector") instanceof Json.Obj selector
                && LabelSelector.of(selector).matches(other.json());
    }
}
