package dev.towtank.controllers.workloads;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.workloads.pods.Claim;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.upkeep.DisruptionReconciler;
import dev.towtank.controllers.workloads.upkeep.FinishedPodsReconciler;
import dev.towtank.controllers.workloads.upkeep.LostPodReconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.Deployments;
import dev.towtank.model.kinds.apps.ReplicaSets;
import dev.towtank.model.kinds.apps.StatefulSets;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Nodes;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.policy.PodDisruptionBudgets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The controllers that keep pods in order besides their owners.
final class UpkeepControllers {

    private static final List<Kind<?>> SCALED = List.of(ReplicaSets.KIND, StatefulSets.KIND);

    private UpkeepControllers() {}

    static Controller<Json.Obj, DisruptionReconciler.Facts> disruptionBudgets(Caches caches) {
        var pods = caches.of(Pods.KIND);
        var budgets = caches.of(PodDisruptionBudgets.KIND);
        for (var kind : SCALED) {
            caches.of(kind);
        }
        caches.of(Deployments.KIND);
        return Controller.of(
                        "disruption-controller",
                        PodDisruptionBudgets.KIND,
                        budget -> {
                            var object = budget.object();
                            var selected =
                                    pods.select(object.cluster(), object.namespace(), Claim.selector(object)).stream()
                                            .map(Pod::new)
                                            .filter(pod -> !pod.isFinished())
                                            .toList();
                            return new DisruptionReconciler.Facts(selected, scales(caches, selected));
                        },
                        new DisruptionReconciler())
                .wokenBy(Trigger.of(
                        Pods.KIND,
                        pod -> budgets.in(pod.cluster(), pod.namespace()).stream()
                                .filter(budget -> Claim.selector(budget).matches(pod.json()))
                                .map(ObjectName::of)
                                .toList()))
                .wokenBy(Trigger.of(
                        Deployments.KIND, scaled -> inNamespace(budgets.in(scaled.cluster(), scaled.namespace()))))
                .wokenBy(Trigger.of(
                        StatefulSets.KIND, scaled -> inNamespace(budgets.in(scaled.cluster(), scaled.namespace()))));
    }

    private static List<ObjectName> inNamespace(List<Resource> budgets) {
        return budgets.stream().map(ObjectName::of).toList();
    }

    /// A ReplicaSet of a Deployment stands for the whole Deployment.
    private static Map<String, Long> scales(Caches caches, List<Pod> pods) {
        var scales = new HashMap<String, Long>();
        for (var pod : pods) {
            pod.object()
                    .controller()
                    .flatMap(owner -> owner(caches, pod.object(), owner))
                    .ifPresent(owner -> scales.put(owner.uid(), scale(caches, owner, scales)));
        }
        return scales;
    }

    private static Optional<Resource> owner(Caches caches, Resource child, Resource.Owner owner) {
        return SCALED.stream()
                .filter(kind -> kind.kind().equals(owner.kind()))
                .flatMap(kind ->
                        caches.of(kind).get(new ObjectName(child.cluster(), child.namespace(), owner.name())).stream())
                .findFirst();
    }

    private static long scale(Caches caches, Resource owner, Map<String, Long> known) {
        var deployment = owner.controller()
                .filter(above -> above.kind().equals(Deployments.KIND.kind()))
                .flatMap(above -> caches.of(Deployments.KIND)
                        .get(new ObjectName(owner.cluster(), owner.namespace(), above.name())));
        if (deployment.isEmpty()) {
            return owner.spec().integerOr(1, "replicas");
        }
        // Its other ReplicaSets count nothing, so that the sum is right.
        boolean counted = known.entrySet().stream()
                .anyMatch(entry -> !entry.getKey().equals(owner.uid())
                        && entry.getValue() > 0
                        && caches.of(ReplicaSets.KIND).ownedBy(deployment.get().uid()).stream()
                                .anyMatch(sibling -> sibling.uid().equals(entry.getKey())));
        return counted ? 0 : deployment.get().spec().integerOr(1, "replicas");
    }

    static Controller<Json.Obj, Boolean> lostPods(Caches caches) {
        var nodes = caches.of(Nodes.KIND);
        var pods = caches.of(Pods.KIND);
        return Controller.of(
                        "pod-garbage-collector",
                        Pods.KIND,
                        pod -> hasNode(pod.object(), nodes),
                        new LostPodReconciler())
                .onlyFor(pod -> !hasNode(pod, nodes))
                .wokenBy(Trigger.of(
                        Nodes.KIND,
                        node -> nodes.get(ObjectName.of(node)).isPresent()
                                ? List.of()
                                : pods.list().stream()
                                        .filter(pod -> new Pod(pod).nodeName().equals(node.name()))
                                        .map(ObjectName::of)
                                        .toList()));
    }

    private static boolean hasNode(Resource pod, Cache nodes) {
        var name = new Pod(pod).nodeName();
        // Logical clusters share the machine's node.
        return !name.isEmpty()
                && nodes.list().stream().anyMatch(node -> node.name().equals(name));
    }

    static Controller<Json.Obj, List<Resource>> finishedPods(Caches caches, int most) {
        var pods = caches.of(Pods.KIND);
        return Controller.of(
                        "pod-garbage-collector-finished",
                        Namespaces.KIND,
                        namespace -> finished(pods, namespace.object(), most),
                        new FinishedPodsReconciler(most))
                .wokenBy(Trigger.of(
                        Pods.KIND,
                        pod -> new Pod(pod).isFinished()
                                ? List.of(new ObjectName(pod.cluster(), "", FinishedPodsReconciler.NAMESPACE))
                                : List.of()));
    }

    /// None where there are not too many: every pod that ends asks, and a list of thousands is made for nothing.
    private static List<Resource> finished(Cache pods, Resource namespace, int most) {
        var cluster = namespace.cluster().id();
        boolean tooMany = namespace.name().equals(FinishedPodsReconciler.NAMESPACE)
                && pods.count(FinishedPodsReconciler.FINISHED, cluster) > most;
        return tooMany ? pods.by(FinishedPodsReconciler.FINISHED, cluster) : List.of();
    }
}
