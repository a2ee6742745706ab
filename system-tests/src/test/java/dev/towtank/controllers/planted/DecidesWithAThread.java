package dev.towtank.controllers.planted;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import java.time.Instant;

/// Breaks a rule by what it decides with, so that `WallsTest` sees the rule fail.
final class DecidesWithAThread implements Reconciler<Json.Obj, String> {

    private static final class Asks {
        boolean isVirtual() {
            return Thread.currentThread().isVirtual();
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, String facts, Instant now) {
        return new Asks().isVirtual() ? Plan.NONE : Plan.lookAgainAt(now);
    }
}
