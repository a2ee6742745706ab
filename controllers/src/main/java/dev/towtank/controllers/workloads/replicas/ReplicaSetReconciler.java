package dev.towtank.controllers.workloads.replicas;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Children;
import dev.towtank.controllers.workloads.pods.Claim;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.ReplicaSets;
import dev.towtank.model.kinds.core.Pods;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/// Keeps as many pods as a ReplicaSet asks for, or a ReplicationController.
public final class ReplicaSetReconciler implements Reconciler<Json.Obj, Claim.Candidates> {

    private final Kind<Json.Obj> kind;

    /// @param kind one of the two
    public ReplicaSetReconciler(Kind<Json.Obj> kind) {
        this.kind = kind;
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Claim.Candidates candidates, Instant now) {
        var set = primary.object();
        var claim = Claim.of(Pods.KIND, set, Claim.selector(set), candidates);
        var pods = Pod.all(claim.members());
        var active = pods.stream().filter(Pod::isActive).toList();
        var status = status(set, pods, active, primary.problem().orElse(""), now);
        var plan = claim.plan().setStatus(kind, set, status);
        if (!set.isDeleting()) {
            plan = plan.then(manage(set, candidates, active));
        }
        long minReady = set.spec().integer("minReadySeconds");
        return Pod.nextAvailable(active, minReady, now)
                .map(Plan::lookAgainAt)
                .map(plan::then)
                .orElse(plan);
    }

    private static Plan manage(Resource set, Claim.Candidates candidates, List<Pod> active) {
        long wanted = replicas(set);
        var plan = new Plan.Builder();
        if (active.size() < wanted) {
            for (var name : Children.freeNames(set, candidates.taken(), wanted - active.size())) {
                plan.create(Pods.KIND, Children.pod(set, set.spec().object("template"), name));
                plan.add(Change.Event.normal(set, "SuccessfulCreate", "Created pod: " + name));
            }
        } else {
            active.stream()
                    .sorted(Pod.LEAST_USEFUL)
                    .limit(active.size() - wanted)
                    .forEach(pod -> {
                        plan.add(new Change.Delete(Pods.KIND, pod.object()));
                        plan.add(Change.Event.normal(set, "SuccessfulDelete", "Deleted pod: " + pod.name()));
                    });
        }
        return plan.build();
    }

    static long replicas(Resource set) {
        return set.spec().integerOr(1, "replicas");
    }

    private Json.Obj status(Resource set, List<Pod> pods, List<Pod> active, String problem, Instant now) {
        var template = LabelSelector.of(set.json().stringMap("spec", "template", "metadata", "labels"));
        long minReady = set.spec().integer("minReadySeconds");
        var conditions = StatusConditions.of(set.status());
        if (problem.isEmpty() || active.size() == replicas(set)) {
            conditions = conditions.without("ReplicaFailure");
        } else if (conditions.find("ReplicaFailure").isEmpty()) {
            var reason = active.size() < replicas(set) ? "FailedCreate" : "FailedDelete";
            conditions = conditions.plus(StatusConditions.condition("ReplicaFailure", "True", reason, problem, now));
        }
        var status = Json.Obj.builder()
                .put("replicas", active.size())
                .putNonEmpty(
                        "fullyLabeledReplicas",
                        count(active, pod -> template.matches(pod.object().json())))
                .putNonEmpty("readyReplicas", count(active, Pod::isReady))
                .putNonEmpty("availableReplicas", count(active, pod -> pod.isAvailable(minReady, now)))
                .putNonEmpty("observedGeneration", Json.of(set.generation()))
                .putNonEmpty("conditions", conditions.json())
                .build();
        return kind.equals(ReplicaSets.KIND)
                ? status.with("terminatingReplicas", count(pods, Pod::isTerminating))
                : status;
    }

    private static Json count(List<Pod> pods, Predicate<Pod> what) {
        return Json.of(pods.stream().filter(what).count());
    }
}
