package dev.towtank.controllers.workloads.upkeep;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Pods;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Deletes the oldest finished pods of a cluster when there are too many. It looks at the namespace `kube-system`,
/// which every cluster has once.
public final class FinishedPodsReconciler implements Reconciler<Json.Obj, List<Resource>> {

    public static final String NAMESPACE = "kube-system";
    public static final int MOST = 12_500;

    /// The finished pods by their logical cluster.
    public static final Cache.Index FINISHED = new Cache.Index(
            "finished",
            pod -> new Pod(pod).isFinished() && !pod.isDeleting()
                    ? List.of(pod.cluster().id())
                    : List.of());

    private final int most;

    public FinishedPodsReconciler(int most) {
        this.most = most;
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, List<Resource> finished, Instant now) {
        if (!primary.object().name().equals(NAMESPACE) || finished.size() <= most) {
            return Plan.none();
        }
        var plan = new Plan.Builder();
        finished.stream()
                .map(Pod::new)
                .sorted(Comparator.comparing(Pod::created).thenComparing(Pod::name))
                .limit(finished.size() - (long) most)
                .forEach(
                        pod -> plan.add(new Change.Delete(Pods.KIND, pod.object(), Optional.empty(), Optional.of(0L))));
        return plan.build();
    }
}
