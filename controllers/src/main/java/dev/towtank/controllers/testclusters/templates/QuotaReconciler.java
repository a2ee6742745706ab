package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.model.Json;
import java.time.Instant;

/// Gives back what instances took that are gone. What new ones take is written with them.
final class QuotaReconciler implements Reconciler<Json.Obj, QuotaCount> {

    @Override
    public Plan reconcile(Observed<Json.Obj> quota, QuotaCount used, Instant now) {
        return Plan.none().setStatus(ClusterKinds.QUOTA, quota.object(), used.status());
    }
}
