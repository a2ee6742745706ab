package dev.towtank.controllers.workloads;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Facts;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Remember;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Scale;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Target;
import dev.towtank.controllers.workloads.autoscaling.ScalingMemory;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.source.CustomScales;
import dev.towtank.controllers.workloads.source.PodUsages;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.Deployments;
import dev.towtank.model.kinds.apps.ReplicaSets;
import dev.towtank.model.kinds.apps.StatefulSets;
import dev.towtank.model.kinds.autoscaling.HorizontalPodAutoscalers;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.ReplicationControllers;
import java.util.Collections;
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
    private final CustomScales customs;

    /// By uid. It is lost with the process, as upstream's is: after that, nothing goes down for a while.
    private final Map<String, ScalingMemory> memories = Collections.synchronizedMap(BoundedMap.byAge(REMEMBERED));

    AutoscalerControllers(Caches caches, PodUsages usages, CustomScales customs) {
        this.caches = caches;
        this.usages = usages;
        this.customs = customs;
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
                .wokenBy(customs.waker())
                .doing(Scale.class, deed -> customs.scale(deed.name(), deed.kind(), deed.replicas()))
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
                .filter(autoscaler -> builtIn(autoscaler)
                        .flatMap(Target::object)
                        .filter(found -> isSame(found, workload))
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
        return builtIn(autoscaler)
                .or(() -> custom(autoscaler)
                        .flatMap(CustomScales.Scaled::target)
                        .map(found -> new Target(
                                found.kind(), named(autoscaler), found.scale().json(), Optional.empty())));
    }

    private Optional<Target> builtIn(Resource autoscaler) {
        return kind(autoscaler.spec().object("scaleTargetRef"))
                .flatMap(kind -> caches.of(kind).get(named(autoscaler)).map(object -> Target.of(kind, object)));
    }

    private Optional<CustomScales.Scaled> custom(Resource autoscaler) {
        var reference = autoscaler.spec().object("scaleTargetRef");
        return kind(reference).isPresent()
                ? Optional.empty()
                : customs.of(
                        ObjectName.of(autoscaler),
                        named(autoscaler),
                        reference.string("apiVersion"),
                        reference.string("kind"));
    }

    private static ObjectName named(Resource autoscaler) {
        var name = autoscaler.spec().string("scaleTargetRef", "name");
        return new ObjectName(autoscaler.cluster(), autoscaler.namespace(), name);
    }

    /// Of whatever version.
    private static Optional<Kind<?>> kind(Json.Obj reference) {
        var version = reference.string("apiVersion");
        var group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
        return SCALED.stream()
                .filter(kind -> kind.group().equals(group) && kind.kind().equals(reference.string("kind")))
                .findFirst();
    }

    private String problem(Resource autoscaler) {
        var reference = autoscaler.spec().object("scaleTargetRef");
        return kind(reference)
                .map(kind -> kind.resource() + " \"" + reference.string("name") + "\" not found")
                .or(() -> custom(autoscaler).map(CustomScales.Scaled::problem))
                .orElse("");
    }

    private List<Resource> pods(Target target) {
        return target.selector().isEmpty()
                ? List.of()
                : caches.of(Pods.KIND)
                        .select(target.name().cluster(), target.name().namespace(), selector(target));
    }

    private static LabelSelector selector(Target target) {
        return LabelSelector.parse(target.selector());
    }

    /// All autoscalers that mean one of these pods, where there is more than one.
    private List<String> rivals(Resource autoscaler, List<Resource> pods) {
        var all = caches.of(HorizontalPodAutoscalers.KIND).in(autoscaler.cluster(), autoscaler.namespace());
        if (all.size() < 2) {
            return List.of();
        }
        var found = all.stream()
                .filter(other -> target(other)
                        .filter(its -> !its.selector().isEmpty())
                        .map(AutoscalerControllers::selector)
                        .filter(selector -> pods.stream().anyMatch(pod -> selector.matches(pod.json())))
                        .isPresent())
                .map(other -> other.namespace() + "/" + other.name())
                .toList();
        return found.size() > 1 ? found : List.of();
    }
}
