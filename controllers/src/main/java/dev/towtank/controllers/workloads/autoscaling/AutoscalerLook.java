package dev.towtank.controllers.workloads.autoscaling;

import dev.towtank.cluster.Change;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Facts;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Target;
import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.controllers.workloads.pods.Times;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One look at one autoscaler: what is found becomes conditions and events on the way to a number.
final class AutoscalerLook {

    private static final String ABLE = "AbleToScale";
    private static final String ACTIVE = "ScalingActive";
    private static final String LIMITED = "ScalingLimited";

    private final Resource autoscaler;
    private final Facts facts;
    private final Optional<String> lastProblem;
    private final Instant now;
    private final List<Change> events = new ArrayList<>();
    private StatusConditions conditions;
    private ScalingMemory memory;
    private List<Json> metrics = List.of();
    private long current;
    private long desired;
    private Optional<Change> scaling = Optional.empty();

    AutoscalerLook(Resource autoscaler, Facts facts, Optional<String> lastProblem, Instant now) {
        this.autoscaler = autoscaler;
        this.facts = facts;
        this.lastProblem = lastProblem;
        this.now = now;
        this.conditions = StatusConditions.of(autoscaler.status());
        this.memory = facts.memory();
        this.current = autoscaler.status().integer("currentReplicas");
        this.desired = autoscaler.status().integer("desiredReplicas");
    }

    void decide() {
        if (facts.target().isEmpty()) {
            set(
                    ABLE,
                    "False",
                    "FailedGetScale",
                    "the HPA controller was unable to get the target's current scale: " + facts.problem());
            warn("FailedGetScale", facts.problem());
            return;
        }
        var target = facts.target().get();
        current = target.scale().integer("spec", "replicas");
        set(ABLE, "True", "SucceededGetScale", "the HPA controller was able to get the target's current scale");
        if (memory.isEmpty()) {
            memory = memory.recommending(current, now);
        }
        var bounds = new Restraint.Bounds(
                autoscaler.spec().integerOr(1, "minReplicas"), autoscaler.spec().integer("maxReplicas"));
        if (current == 0 && bounds.least() != 0) {
            set(
                    ACTIVE,
                    "False",
                    "ScalingDisabled",
                    "scaling is disabled since the replica count of the target is zero");
            desired = 0;
        } else if (current > bounds.most()) {
            scale(target, bounds.most(), "Current number of replicas above Spec.MaxReplicas");
        } else if (current < bounds.least()) {
            scale(target, bounds.least(), "Current number of replicas below Spec.MinReplicas");
        } else {
            byMetrics(target, bounds);
        }
    }

    private void byMetrics(Target target, Restraint.Bounds bounds) {
        var problem = selectorProblem(target);
        if (problem.isPresent()) {
            warn("FailedComputeMetricsReplicas", problem.get());
            return;
        }
        var found = MetricProposals.of(autoscaler.spec(), facts, current, now);
        metrics = found.statuses();
        found.problems().forEach(each -> warn(each.reason(), each.cause()));
        if (found.isUseless(current)) {
            var first = found.problems().getFirst();
            set(ACTIVE, "False", first.reason(), "the HPA was unable to compute the replica count: " + first.cause());
            warn("FailedComputeMetricsReplicas", found.problem());
            return;
        }
        set(
                ACTIVE,
                "True",
                "ValidMetricFound",
                "the HPA was able to successfully calculate a replica count from " + found.metric());
        var restraint = Restraint.of(autoscaler.spec(), bounds, memory, current, found.replicas(), now);
        memory = memory.recommending(found.replicas(), now);
        set(ABLE, "True", restraint.able().reason(), restraint.able().message());
        set(
                LIMITED,
                restraint.desired() == restraint.stabilized() ? "False" : "True",
                restraint.limited().reason(),
                restraint.limited().message());
        if (restraint.desired() == current) {
            desired = current;
        } else {
            scale(
                    target,
                    restraint.desired(),
                    found.replicas() < current ? "All metrics below target" : found.metric() + " above target");
        }
    }

    /// Whom the metrics would be about must be clear.
    private Optional<String> selectorProblem(Target target) {
        var selector = target.selector();
        if (selector.isEmpty()) {
            set(ACTIVE, "False", "InvalidSelector", "the HPA target's scale is missing a selector");
            warn("SelectorRequired", "selector is required");
            return Optional.of("selector is required");
        }
        if (facts.rivals().size() > 1) {
            var message = "pods by selector " + LabelSelector.parse(selector) + " are controlled by multiple HPAs: ["
                    + String.join(" ", facts.rivals()) + "]";
            set(ACTIVE, "False", "AmbiguousSelector", message);
            warn("AmbiguousSelector", message);
            return Optional.of(message);
        }
        return Optional.empty();
    }

    private void scale(Target target, long replicas, String reason) {
        if (failedBefore()) {
            set(
                    ABLE,
                    "False",
                    "FailedUpdateScale",
                    "the HPA controller was unable to update the target scale: " + lastProblem.orElseThrow());
        } else {
            set(
                    ABLE,
                    "True",
                    "SucceededRescale",
                    "the HPA controller was able to update the target scale to " + replicas);
        }
        desired = replicas;
        memory = memory.scaled(current, replicas, now);
        scaling = Optional.of(target.scaled(replicas));
        events.add(
                Change.Event.normal(autoscaler, "SuccessfulRescale", "New size: " + replicas + "; reason: " + reason));
    }

    /// That somebody else was faster is no failure.
    boolean failedBefore() {
        return lastProblem
                .filter(problem -> !problem.contains("the object has been modified"))
                .isPresent();
    }

    private void set(String type, String status, String reason, String message) {
        var condition = StatusConditions.condition(type, status, reason, message, now);
        var known = conditions.find(type);
        boolean turned = known.isEmpty() || !known.get().string("status").equals(status);
        var settled = turned
                ? condition
                : condition.withOrWithout("lastTransitionTime", known.get().get("lastTransitionTime"));
        conditions = conditions.replacing(settled);
    }

    /// What is wrong is told when it changes, not at every look.
    private void warn(String reason, String message) {
        boolean isKnown = autoscaler.status().objects("conditions").stream()
                .anyMatch(condition -> condition.string("message").endsWith(message)
                        || message.endsWith(condition.string("message").replaceFirst("^[^:]*: ", "")));
        if (!isKnown) {
            events.add(Change.Event.warning(autoscaler, reason, message));
        }
    }

    Optional<Change> scaling() {
        return scaling;
    }

    List<Change> events() {
        return events;
    }

    ScalingMemory memory() {
        return memory;
    }

    Json.Obj status() {
        var scaledAt =
                scaling.isPresent() ? Times.json(now) : autoscaler.status().get("lastScaleTime");
        return Json.Obj.EMPTY
                .withOrWithout("lastScaleTime", scaledAt)
                .withOrWithout("currentReplicas", current == 0 ? null : Json.of(current))
                .with("desiredReplicas", Json.of(desired))
                .with("currentMetrics", metrics.isEmpty() ? Json.Null.NULL : new Json.Arr(metrics))
                .with("conditions", conditions.json());
    }
}
