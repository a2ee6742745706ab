package dev.towtank.controllers.workloads.autoscaling;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.cluster.pods.Usage;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.autoscaling.HorizontalPodAutoscalers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Gives workloads as many replicas as their autoscalers find right.
public final class AutoscalerReconciler implements Reconciler<Json.Obj, AutoscalerReconciler.Facts> {

    /// How often it looks: what pods use changes without an event.
    public static final Duration PERIOD = Duration.ofSeconds(5);

    /// What is scaled.
    ///
    /// @param scale as the `scale` subresource shows it
    public record Target(Kind<?> kind, ObjectName name, Json.Obj scale, Optional<Resource> object) {

        /// One that the server has built in.
        public static Target of(Kind<?> kind, Resource object) {
            var scale = kind.scale()
                    .orElseThrow(() -> new IllegalStateException(kind + " cannot be scaled"))
                    .of(object.json());
            return new Target(kind, ObjectName.of(object), scale, Optional.of(object));
        }

        public String selector() {
            return scale.string("status", "selector");
        }

        /// Objects of other kinds have their number of replicas wherever their definition says.
        Change scaled(long replicas) {
            var fields = Json.Obj.EMPTY.with(List.of("spec", "replicas"), Json.of(replicas));
            return object.<Change>map(found -> new Change.PatchFields(kind, found, fields))
                    .orElseGet(() -> new Change.Act(new Scale(name, kind, replicas), Deed.Sequel.NONE));
        }
    }

    /// Gives an object of a custom kind another number of replicas.
    public record Scale(ObjectName name, Kind<?> kind, long replicas) implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("scale", Json.of(kind.resource() + "/" + name.name()), "to", Json.of(replicas));
        }
    }

    /// @param problem why there is no target, where there is none; empty while nothing is known of it
    /// @param pods of the target
    /// @param usage of their containers, by the names of both
    /// @param rivals all autoscalers of these pods, where there are others
    public record Facts(
            Optional<Target> target,
            String problem,
            List<Pod> pods,
            Map<String, Map<String, Usage>> usage,
            List<String> rivals,
            ScalingMemory memory) {
        public Facts {
            pods = List.copyOf(pods);
            usage = Map.copyOf(usage);
            rivals = List.copyOf(rivals);
        }
    }

    /// Keeps in mind what was recommended and done.
    public record Remember(String uid, ScalingMemory memory) implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of(
                    "remember", Json.of(memory.recommended().getLast().replicas()));
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        var autoscaler = primary.object();
        boolean isUnknown = facts.target.isEmpty() && facts.problem.isEmpty();
        if (autoscaler.isDeleting() || isUnknown) {
            return Plan.NONE;
        }
        var look = new AutoscalerLook(autoscaler, facts, primary.problem(), now);
        look.decide();
        var plan = new Plan.Builder();
        if (look.failedBefore()) {
            // It may fail again, and nothing behind it would be told.
            plan.setStatus(HorizontalPodAutoscalers.KIND, autoscaler, look.status());
            look.scaling().ifPresent(plan::add);
            look.events().forEach(plan::add);
        } else {
            look.scaling().ifPresent(plan::add);
            // Before the status, which may be old: the next look would find nothing to scale, and nothing to tell.
            look.events().forEach(plan::add);
            plan.setStatus(HorizontalPodAutoscalers.KIND, autoscaler, look.status());
        }
        if (!look.memory().isEmpty() && !look.memory().equals(facts.memory)) {
            plan.add(new Change.Act(new Remember(autoscaler.uid(), look.memory()), Deed.Sequel.NONE));
        }
        return plan.build(Optional.of(now.plus(PERIOD)));
    }
}
