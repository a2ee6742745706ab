package dev.towtank.controllers.planted;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import java.time.Instant;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
final class WritesItsFacts implements Reconciler<Json.Obj, WritesItsFacts.Facts> {

    record Facts(Memory memory) {}

    static final class Memory {
        private int looks;

        int look() {
            return ++looks;
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        return facts.memory().look() > 1 ? Plan.NONE : Plan.lookAgainAt(now);
    }
}
