package dev.towtank.controllers.workloads.jobs;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Pods;
import java.time.Instant;
import java.util.Optional;

/// Frees pods whose Job is gone: nobody will count them any more, and their finalizer would keep them for ever.
public final class JobPodReconciler implements Reconciler<Json.Obj, Optional<Resource>> {

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Optional<Resource> job, Instant now) {
        var pod = new Pod(primary.object());
        return JobSpec.isTracked(pod) && job.isEmpty()
                ? Plan.none().patch(Pods.KIND, pod.object(), JobSync.released(pod))
                : Plan.none();
    }

    public static boolean isTracked(Resource pod) {
        return JobSpec.isTracked(new Pod(pod));
    }
}
