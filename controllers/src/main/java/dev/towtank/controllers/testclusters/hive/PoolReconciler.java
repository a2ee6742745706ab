package dev.towtank.controllers.testclusters.hive;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.List;

/// Keeps clusters ready, and gives them to claims, the oldest first.
public final class PoolReconciler implements Reconciler<Json.Obj, PoolReconciler.Facts> {

    static final String FINALIZER = "hive.openshift.io/clusters";

    /// @param deployments of this pool; as they are, not as they were: who is given twice cannot be taken back
    /// @param claims on this pool, likewise
    public record Facts(List<Resource> deployments, List<Resource> claims, boolean hasImageSet) {
        public Facts {
            deployments = List.copyOf(deployments);
            claims = List.copyOf(claims);
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var pool = observed.object();
        var clusters = PoolClusters.of(pool, facts.deployments, now);
        if (pool.isDeleting()) {
            return emptied(pool, clusters, now);
        }
        var begun = pool.finalizers().contains(FINALIZER)
                ? Plan.none()
                : Plan.none().patch(ClusterKinds.POOL, pool, Objects.withFinalizer(pool, FINALIZER));
        var claims = new PoolClaims(pool, facts.claims, facts.deployments);
        var assigned = claims.assigned(clusters.assignable(), now);
        int waiting = claims.waiting().size() - assigned.size();
        var left = clusters.giving(
                assigned.stream().map(PoolClaims.Match::deployment).toList());
        var changes = new Plan.Builder();
        changes.add(begun);
        changes.add(claims.settled(now));
        assigned.forEach(match -> changes.add(match.plan(now)));
        if (facts.hasImageSet) {
            changes.add(left.scaled(waiting, now));
        }
        changes.add(left.powered(waiting));
        changes.setStatus(ClusterKinds.POOL, pool, status(pool, left, facts, waiting, now));
        return changes.build(left.nextBreak(now));
    }

    private static Json.Obj status(Resource pool, PoolClusters clusters, Facts facts, int waiting, Instant now) {
        var imageSet = pool.spec().string("imageSetRef", "name");
        boolean isFull = clusters.isFull() && clusters.missing(waiting) > 0;
        var conditions = Conditions.of(pool.status(), now)
                .set(
                        "MissingDependencies",
                        !facts.hasImageSet,
                        facts.hasImageSet ? "Verified" : "Missing",
                        facts.hasImageSet
                                ? "Dependencies verified"
                                : "cluster image set: clusterimagesets.hive.openshift.io \"" + imageSet
                                        + "\" not found")
                .set(
                        "CapacityAvailable",
                        !isFull,
                        isFull ? "MaxCapacity" : "Available",
                        isFull
                                ? "Pool is at maximum capacity of "
                                        + pool.spec().integer("maxSize") + " clusters, " + waiting + " claims wait."
                                : "There is capacity to add more clusters to the pool.")
                .set(
                        "AllClustersCurrent",
                        clusters.stale().isEmpty(),
                        clusters.stale().isEmpty() ? "ClusterDeploymentsCurrent" : "SomeClusterDeploymentsStale",
                        clusters.stale().isEmpty()
                                ? "All unassigned ClusterDeployments match the pool"
                                : "These unassigned clusters do not match the pool: " + names(clusters.stale()))
                .set("DeletionPossible", true, "DeletionPossible", "No ClusterDeployments pending cleanup");
        return pool.status()
                .with("size", Json.of(clusters.unclaimed().size()))
                .with("ready", Json.of(clusters.assignable().size()))
                .with("standby", Json.of(clusters.standby().size()))
                .with("conditions", conditions.json());
    }

    private static String names(List<Deployment> deployments) {
        return String.join(
                ", ",
                deployments.stream().map(each -> each.object().name()).sorted().toList());
    }

    /// Those that nobody has go; those that somebody has are waited for.
    private static Plan emptied(Resource pool, PoolClusters clusters, Instant now) {
        if (!pool.finalizers().contains(FINALIZER)) {
            return Plan.none();
        }
        if (clusters.all().isEmpty()) {
            return Plan.none().patch(ClusterKinds.POOL, pool, Objects.withoutFinalizer(pool, FINALIZER));
        }
        var changes = new Plan.Builder();
        clusters.unclaimed().forEach(each -> changes.delete(ClusterKinds.DEPLOYMENT, each.object()));
        var conditions = Conditions.of(pool.status(), now)
                .set(
                        "DeletionPossible",
                        false,
                        "ClusterDeploymentsPendingCleanup",
                        "The following ClusterDeployments are pending cleanup: " + names(clusters.all()));
        changes.setStatus(ClusterKinds.POOL, pool, pool.status().with("conditions", conditions.json()));
        return changes.build();
    }
}
