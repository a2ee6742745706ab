package dev.towtank.controllers.testclusters.hive;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.rbac.RoleBindings;
import dev.towtank.model.kinds.rbac.Roles;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Tells a claim of its cluster, lets its subjects in, and ends both when their time is over.
public final class ClusterClaimReconciler implements Reconciler<Json.Obj, ClusterClaimReconciler.Facts> {

    static final String FINALIZER = "hive.openshift.io/claim";

    private static final String ROLE = "hive-claim-owner";
    private static final String GROUP = "rbac.authorization.k8s.io";

    /// @param deployment the one that the claim names
    /// @param before how many older claims on the same pool wait
    public record Facts(
            Optional<Resource> pool,
            Optional<Resource> deployment,
            Optional<Resource> role,
            Optional<Resource> binding,
            int before) {}

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var claim = observed.object();
        var mine = facts.deployment
                .map(Deployment::new)
                .filter(each -> each.claim().equals(claim.name()));
        if (claim.isDeleting()) {
            return claim.finalizers().contains(FINALIZER) ? released(claim, mine) : Plan.none();
        }
        var begun = claim.finalizers().contains(FINALIZER)
                ? Plan.none()
                : Plan.none().patch(ClusterKinds.CLAIM, claim, Objects.withFinalizer(claim, FINALIZER));
        if (claim.spec().string("namespace").isEmpty()) {
            return begun.setStatus(ClusterKinds.CLAIM, claim, waiting(claim, facts, now));
        }
        var status = mine.map(each -> claimed(claim, each, facts, now)).orElseGet(() -> lost(claim, facts, now));
        var ends = ends(status, now);
        if (ends.filter(moment -> !now.isBefore(moment)).isPresent()) {
            return begun.delete(ClusterKinds.CLAIM, claim);
        }
        return begun.then(mine.map(each -> letIn(claim, each, facts)).orElse(Plan.none()))
                .setStatus(ClusterKinds.CLAIM, claim, status)
                .then(ends.map(Plan::lookAgainAt).orElse(Plan.none()));
    }

    private static Json.Obj waiting(Resource claim, Facts facts, Instant now) {
        var conditions = Conditions.of(claim.status(), now);
        var pool = claim.spec().string("clusterPoolName");
        var why = facts.pool.isEmpty()
                ? "ClusterPool " + pool + " does not exist"
                : "Waiting for a running cluster of " + pool + " with " + facts.before + " claims before this one";
        if (!conditions.reason("Pending").equals("AssignmentConflict")) {
            conditions.set("Pending", true, "Waiting", why);
        }
        return claim.status().with("conditions", conditions.json());
    }

    private static Json.Obj claimed(Resource claim, Deployment deployment, Facts facts, Instant now) {
        var conditions = Conditions.of(claim.status(), now).set("Pending", false, "ClusterClaimed", "Cluster claimed");
        if (deployment.object().isDeleting()) {
            conditions.set("ClusterRunning", false, "ClusterDeleting", "Assigned cluster has been marked for deletion");
        } else if (deployment.isRunning()) {
            conditions.set("ClusterRunning", true, "Running", "Cluster is running");
        } else {
            conditions.set("ClusterRunning", false, "Resuming", "Waiting for cluster to be running");
        }
        return lifetime(claim, facts)
                .map(life -> claim.status().with("lifetime", Json.of(Durations.format(life))))
                .orElse(claim.status())
                .with("conditions", conditions.json());
    }

    private static Json.Obj lost(Resource claim, Facts facts, Instant now) {
        if (facts.deployment.isPresent() || !Conditions.of(claim.status(), now).has("ClusterRunning")) {
            return claim.status(); // the pool is about to write the other half, or to take this one back
        }
        var conditions = Conditions.of(claim.status(), now)
                .set("ClusterRunning", false, "ClusterDeleted", "Assigned cluster has been deleted");
        return claim.status().with("conditions", conditions.json());
    }

    private static Optional<Duration> lifetime(Resource claim, Facts facts) {
        var limits = facts.pool.map(pool -> pool.spec().object("claimLifetime")).orElse(Json.Obj.EMPTY);
        var wanted = Deployment.duration(claim.spec(), "lifetime").or(() -> Deployment.duration(limits, "default"));
        var most = Deployment.duration(limits, "maximum");
        return most.isPresent()
                        && wanted.filter(each -> each.compareTo(most.get()) <= 0)
                                .isEmpty()
                ? most
                : wanted;
    }

    /// The clock starts when the cluster is given.
    private static Optional<Instant> ends(Json.Obj status, Instant now) {
        var conditions = Conditions.of(status, now);
        return conditions.has("Pending") && !conditions.isTrue("Pending")
                ? Deployment.duration(status, "lifetime").map(conditions.since("Pending")::plus)
                : Optional.empty();
    }

    /// Exactly the keys, and a look at the cluster with its power: what Hive gives beyond that lets a claimer leak it.
    private static Plan letIn(Resource claim, Deployment deployment, Facts facts) {
        var subjects = claim.spec().array("subjects");
        if (subjects.size() == 0 || (facts.role.isPresent() && facts.binding.isPresent())) {
            return Plan.none();
        }
        var keys = deployment.object().spec().object("clusterMetadata");
        var secrets = new ArrayList<String>();
        for (var field : List.of("adminKubeconfigSecretRef", "adminPasswordSecretRef")) {
            secrets.add(keys.string(field, "name"));
        }
        var rules = Json.Arr.of(
                rule("hive.openshift.io", List.of("clusterdeployments"), List.of(), List.of("get", "list", "watch")),
                rule("", List.of("secrets"), secrets, List.of("get")));
        var metadata = Objects.named(deployment.object().namespace(), ROLE);
        var role = Objects.of(Roles.KIND, LogicalCluster.DEFAULT, metadata, "rules", rules);
        var reference = Json.Obj.of("apiGroup", Json.of(GROUP), "kind", Json.of("Role"), "name", Json.of(ROLE));
        var binding = Objects.of(RoleBindings.KIND, LogicalCluster.DEFAULT, metadata, "roleRef", reference);
        return Plan.none()
                .create(Roles.KIND, role)
                .create(RoleBindings.KIND, binding.with(binding.json().with("subjects", subjects)));
    }

    private static Json.Obj rule(String group, List<String> resources, List<String> names, List<String> verbs) {
        return Json.Obj.builder()
                .put("apiGroups", Json.Arr.of(Json.of(group)))
                .put("resources", Json.Arr.ofStrings(resources))
                .putNonEmpty("resourceNames", Json.Arr.ofStrings(names))
                .put("verbs", Json.Arr.ofStrings(verbs))
                .build();
    }

    private static Plan released(Resource claim, Optional<Deployment> mine) {
        return mine.isPresent()
                ? Plan.none().delete(ClusterKinds.DEPLOYMENT, mine.get().object())
                : Plan.none().patch(ClusterKinds.CLAIM, claim, Objects.withoutFinalizer(claim, FINALIZER));
    }
}
