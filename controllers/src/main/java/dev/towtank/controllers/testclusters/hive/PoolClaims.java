package dev.towtank.controllers.testclusters.hive;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Who gets which cluster of a pool.
final class PoolClaims {

    static final Comparator<Resource> OLDEST_FIRST = Comparator.comparing(
                    (Resource claim) -> claim.creationTimestamp().orElse(Instant.EPOCH))
            .thenComparing(Resource::name);

    private final List<Resource> claims;
    private final Map<String, Deployment> byName = new HashMap<>();
    /// Who has a cluster, by its name: what the cluster says goes before what claims say.
    private final Map<String, String> holders = new HashMap<>();

    PoolClaims(Resource pool, List<Resource> claims, List<Resource> deployments) {
        this.claims = claims.stream()
                .filter(claim -> claim.spec().string("clusterPoolName").equals(pool.name())
                        && claim.namespace().equals(pool.namespace()))
                .sorted(OLDEST_FIRST)
                .toList();
        deployments.forEach(each -> byName.put(each.name(), new Deployment(each)));
        byName.values().stream()
                .filter(Deployment::isClaimed)
                .forEach(each -> holders.put(each.object().name(), each.claim()));
        for (var claim : this.claims) {
            var namespace = claim.spec().string("namespace");
            if (byName.containsKey(namespace)) {
                holders.putIfAbsent(namespace, claim.name());
            }
        }
    }

    record Match(Resource claim, Deployment deployment) {

        /// The claim first: a cluster that nobody names may be given away, one that is named twice may not.
        Plan plan(Instant now) {
            return Plan.none()
                    .patch(
                            ClusterKinds.CLAIM,
                            claim,
                            Json.Obj.of(
                                    "spec",
                                    Json.Obj.of(
                                            "namespace",
                                            Json.of(deployment.object().name()))))
                    .then(held(deployment, claim, now));
        }
    }

    private static Plan held(Deployment deployment, Resource claim, Instant now) {
        var reference =
                Json.Obj.of("claimName", Json.of(claim.name()), "claimedTimestamp", Json.of(Timestamps.seconds(now)));
        return Plan.none()
                .patch(
                        ClusterKinds.DEPLOYMENT,
                        deployment.object(),
                        Json.Obj.of("spec", Json.Obj.of("clusterPoolRef", reference)));
    }

    /// Those without a cluster, and those whose cluster is somebody else's.
    List<Resource> waiting() {
        return claims.stream()
                .filter(claim ->
                        !claim.isDeleting() && (claim.spec().string("namespace").isEmpty() || isRobbed(claim)))
                .toList();
    }

    private boolean isRobbed(Resource claim) {
        var holder = holders.get(claim.spec().string("namespace"));
        return holder != null && !holder.equals(claim.name());
    }

    List<Match> assigned(List<Deployment> assignable, Instant now) {
        var free = new ArrayList<>(assignable);
        free.removeIf(each -> holders.containsKey(each.object().name()));
        var matches = new ArrayList<Match>();
        for (var claim : waiting()) {
            if (!free.isEmpty() && !isRobbed(claim)) {
                matches.add(new Match(claim, free.removeFirst()));
            }
        }
        return matches;
    }

    /// What was written half is written whole; what two claims name is left to one.
    Plan settled(Instant now) {
        var changes = new Plan.Builder();
        for (var claim : claims) {
            var deployment = byName.get(claim.spec().string("namespace"));
            if (deployment == null || claim.isDeleting()) {
                continue;
            }
            if (isRobbed(claim)) {
                var conditions = Conditions.of(claim.status(), now)
                        .set(
                                "Pending",
                                true,
                                "AssignmentConflict",
                                "Assigned cluster was claimed by a different ClusterClaim");
                changes.patch(ClusterKinds.CLAIM, claim, Json.Obj.of("spec", Json.Obj.of("namespace", Json.of(""))));
                changes.setStatus(ClusterKinds.CLAIM, claim, claim.status().with("conditions", conditions.json()));
            } else if (!deployment.isClaimed()) {
                changes.add(held(deployment, claim, now));
            }
        }
        return changes.build();
    }
}
