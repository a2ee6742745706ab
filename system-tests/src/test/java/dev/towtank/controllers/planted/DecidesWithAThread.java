package dev.towtank.controllers.planted;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import java.time.Instant;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
final class DecidesWithAThread implements Reconciler<Json.Obj, String> {
    @Override
    public Plan reconcile(Observed<Json.Obj> primary, String facts, Instant now) {
        return Thread.currentThread().isVirtual() ? Plan.NONE : Plan.lookAgainAt(now);
    }
}
