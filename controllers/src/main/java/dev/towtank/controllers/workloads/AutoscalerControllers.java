package dev.towtank.controllers.workloads;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Facts;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Remember;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Target;
import dev.towtank.controllers.workloads.autoscaling.ScalingMemory;
import dev.towtank.controllers.workloads.pods.Claim;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.source.PodUsages;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.Deployments;
import dev.towtank.model.kinds.apps.ReplicaSets;
import dev.towtank.model.kinds.apps.StatefulSets;
import dev.towtank.model.kinds.autoscaling.HorizontalPodAutoscalers;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.ReplicationControllers;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What autoscalers look at, and what they remember.
final class AutoscalerControllers {

    private static final List<Kind<?>> SCALED =
            List.of(Deployments.KIND, ReplicaSets.KIND, StatefulSets.KIND, ReplicationControllers.KIND);

    private static final int REMEMBERED = 10_000;

    private final Caches caches;
    private final PodUsages usages;

    /// By uid. It is lost with the process, as upstream's is: after that, nothing goes down for a while.
    private final Map<String, ScalingMemory> memories = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ScalingMemory> eldest) {
            return size() > REMEMBERED;
        }
    });

    AutoscalerControllers(Caches caches, PodUsages usages) {
        this.caches = caches;
        this.usages = usages;
    }

    Controller<Json.Obj, Facts> autoscalers() {
        caches.of(Pods.KIND);
        caches.of(HorizontalPodAutoscalers.KIND);
        var controller = Controller.of(
                        "horizontal-pod-autoscaler",
                        HorizontalPodAutoscalers.KIND,
                        autoscaler -> facts(autoscaler.object()),
                        new AutoscalerReconciler())
                .wokenBy(usages.waker())
                .doing(Remember.class, deed -> {
                    memories.put(deed.uid(), deed.memory());
                    return Json.Null.NULL;
                });
        for (var kind : SCALED) {
            caches.of(kind);
            controller = controller.wokenBy(Trigger.of(kind, this::scalersOf));
        }
        return controller;
    }

    private List<ObjectName> scalersOf(Resource workload) {
        return caches.of(HorizontalPodAutoscalers.KIND).in(workload.cluster(), workload.namespace()).stream()
                .filter(autoscaler -> target(autoscaler)
                        .filter(found -> isSame(found.object(), workload))
                        .isPresent())
                .map(ObjectName::of)
                .toList();
    }

    private static boolean isSame(Resource one, Resource other) {
        return one.kind().equals(other.kind()) && one.name().equals(other.name());
    }

    private Facts facts(Resource autoscaler) {
        var target = target(autoscaler);
        List<Resource> pods = target.map(this::pods).orElse(List.of());
        return new Facts(
                target,
                target.isPresent() ? "" : problem(autoscaler),
                Pod.all(pods),
                usages.of(ObjectName.of(autoscaler), pods),
                rivals(autoscaler, pods),
                memories.getOrDefault(autoscaler.uid(), ScalingMemory.NONE));
    }

    private Optional<Target> target(Resource autoscaler) {
        var reference = autoscaler.spec().object("scaleTargetRef");
        return kind(reference)
                .flatMap(kind -> caches.of(kind)
                        .get(new ObjectName(autoscaler.cluster(), autoscaler.namespace(), reference.string("name")))
                        .map(object -> new Target(kind, object)));
    }

    /// Of whatever version.
    private static Optional<Kind<?>> kind(Json.Obj reference) {
        var version = reference.string("apiVersion");
        var group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
        return SCALED.stream()
                .filter(kind -> kind.group().equals(group) && kind.kind().equals(reference.string("kind")))
                .findFirst();
    }

    private static String problem(Resource autoscaler) {
        var reference = autoscaler.spec().object("scaleTargetRef");
        return kind(reference)
                .map(kind -> kind.resource() + " \"" + reference.string("name") + "\" not found")
                .orElseGet(() -> "no matches for kind \"" + reference.string("kind") + "\" in group \""
                        + reference.string("apiVersion").replaceFirst("/?[^/]*$", "")
                        + "\" among those that can be scaled here: Deployment, ReplicaSet, StatefulSet,"
                        + " ReplicationController");
    }

    private List<Resource> pods(Target target) {
        var object = target.object();
        return caches.of(Pods.KIND).select(object.cluster(), object.namespace(), Claim.selector(object));
    }

    /// All autoscalers that mean one of these pods, where there is more than one.
    private List<String> rivals(Resource autoscaler, List<Resource> pods) {
        var all = caches.of(HorizontalPodAutoscalers.KIND).in(autoscaler.cluster(), autoscaler.namespace());
        if (all.size() < 2) {
            return List.of();
        }
        var found = all.stream()
                .filter(other -> target(other)
                        .map(its -> Claim.selector(its.object()))
                        .filter(selector -> pods.stream().anyMatch(pod -> selector.matches(pod.json())))
                        .isPresent())
                .map(other -> other.namespace() + "/" + other.name())
                .toList();
        return found.size() > 1 ? found : List.of();
    }
}
