package dev.towtank.node.scheduling;

import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// Which pods a pod wants, or does not want, beside it. With one node, every pod is in every topology that the node
/// has a label for.
record PodAffinity(Resource pod, Resource node, Usage usage) {

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

    Optional<String> problem() {
        if (spreadLabelMissing()) {
            return Optional.of("node(s) didn't match pod topology spread constraints (missing required label)");
        }
        if (!terms(pod, "podAffinity").stream().allMatch(this::isMet)) {
            return Optional.of("node(s) didn't match pod affinity rules");
        }
        if (terms(pod, "podAntiAffinity").stream().anyMatch(this::meetsAny)) {
            return Optional.of("node(s) didn't match pod anti-affinity rules");
        }
        for (var other : usage.pods()) {
            if (terms(other, "podAntiAffinity").stream()
                    .anyMatch(term -> hasTopology(term) && selects(term, other, pod))) {
                return Optional.of("node(s) didn't satisfy existing pods anti-affinity rules");
            }
        }
        return Optional.empty();
    }

    private static List<Json.Obj> terms(Resource of, String kind) {
        return of.spec().objects("affinity", kind, REQUIRED);
    }

    private boolean hasTopology(Json.Obj term) {
        return node.labels().containsKey(term.string("topologyKey"));
    }

    private boolean spreadLabelMissing() {
        return pod.spec().objects("topologySpreadConstraints").stream()
                .filter(constraint -> constraint.string("whenUnsatisfiable").equals("DoNotSchedule"))
                .anyMatch(constraint -> !hasTopology(constraint));
    }

    // The first pod of a group that wants to be together has nobody to be with but itself.
    private boolean isMet(Json.Obj term) {
        return hasTopology(term) && (meetsAny(term) || selects(term, pod, pod));
    }

    private boolean meetsAny(Json.Obj term) {
        if (!hasTopology(term)) {
            return false;
        }
        for (var other : usage.pods()) {
            if (selects(term, pod, other)) {
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
