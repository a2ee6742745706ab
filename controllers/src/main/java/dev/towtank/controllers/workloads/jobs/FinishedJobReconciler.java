package dev.towtank.controllers.workloads.jobs;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.controllers.workloads.pods.Times;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.batch.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Deletes a Job with its pods some time after it finished, where it says how long.
public final class FinishedJobReconciler implements Reconciler<Json.Obj, Optional<Void>> {

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Optional<Void> nothing, Instant now) {
        var job = primary.object();
        if (job.isDeleting() || !(job.spec().get("ttlSecondsAfterFinished") instanceof Json.Int(var seconds))) {
            return Plan.none();
        }
        return finished(job)
                .map(end -> end.plus(Duration.ofSeconds(seconds)))
                .map(moment -> moment.isAfter(now)
                        ? Plan.lookAgainAt(moment)
                        : Plan.of(new Change.Delete(Jobs.KIND, job, Optional.of(Cluster.Propagation.FOREGROUND))))
                .orElse(Plan.none());
    }

    private static Optional<Instant> finished(Resource job) {
        var conditions = StatusConditions.of(job.status());
        return conditions
                .find(conditions.isTrue("Complete") ? "Complete" : "Failed")
                .filter(condition -> condition.string("status").equals("True"))
                .flatMap(condition -> Times.parse(condition.get("lastTransitionTime")));
    }
}
