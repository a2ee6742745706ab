package dev.towtank.controllers.testclusters.logical;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.model.Json;
import java.time.Instant;
import java.util.List;

/// Says of a template what its clusters cannot keep from each other.
public final class IsolationReconciler implements Reconciler<Json.Obj, Boolean> {

    private static final String PROVIDER = "towtank.dev/provider";
    private static final String SHARED =
            "Clusters that this server makes share its machine: kernel, processors, memory and"
                    + " disk. A pod on the machine's network reaches what listens on the loopback address, and NetworkPolicies hold"
                    + " for pods with networks of their own. Objects, tokens, files and processes are each cluster's own.";

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Boolean none, Instant now) {
        var template = observed.object();
        // Others make machines of their own.
        if (!List.of("", "logical").contains(template.annotations().getOrDefault(PROVIDER, ""))) {
            return Plan.none();
        }
        var conditions = Conditions.of(template.status(), now).set("MachineIsolated", false, "SharedMachine", SHARED);
        return Plan.none()
                .setStatus(ClusterKinds.TEMPLATE, template, template.status().with("conditions", conditions.json()));
    }
}
