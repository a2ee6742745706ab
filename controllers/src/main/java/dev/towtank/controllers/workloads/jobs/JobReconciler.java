package dev.towtank.controllers.workloads.jobs;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Claim;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Pods;
import java.time.Instant;
import java.util.List;

/// Runs the pods of a Job until it is complete or has failed.
public final class JobReconciler implements Reconciler<Json.Obj, Claim.Candidates> {

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Claim.Candidates candidates, Instant now) {
        var spec = new JobSpec(primary.object());
        if (!spec.isOurs()) {
            return Plan.none();
        }
        var selector = Claim.selector(primary.object());
        var claim = Claim.of(Pods.KIND, primary.object(), selector, candidates, JobSpec.FINALIZER);
        if (isFinished(primary.object())) {
            return leftovers(primary.object(), Pod.all(candidates.owned()));
        }
        return claim.plan()
                .then(new JobSync(
                                spec,
                                Pod.all(claim.members()),
                                candidates.taken(),
                                primary.problem().isPresent(),
                                now)
                        .run());
    }

    public static boolean isFinished(Resource job) {
        var conditions = StatusConditions.of(job.status());
        return conditions.isTrue("Complete") || conditions.isTrue("Failed");
    }

    /// What an old cache hid when the Job finished: the status stays as it is.
    private static Plan leftovers(Resource job, List<Pod> pods) {
        var plan = new Plan.Builder();
        for (var pod : pods) {
            if (JobSpec.isTracked(pod)) {
                plan.patch(Pods.KIND, pod.object(), JobSync.released(pod));
            }
            if (pod.isActive()) {
                plan.delete(Pods.KIND, pod.object());
                plan.add(Change.Event.normal(job, "SuccessfulDelete", "Deleted pod: " + pod.name()));
            }
        }
        return plan.build();
    }
}
