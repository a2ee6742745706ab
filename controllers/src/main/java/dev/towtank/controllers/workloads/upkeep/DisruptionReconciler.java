package dev.towtank.controllers.workloads.upkeep;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.controllers.workloads.pods.Times;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.IntOrStrings;
import dev.towtank.model.kinds.policy.PodDisruptionBudgets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Says how many pods of a PodDisruptionBudget may be evicted now.
public final class DisruptionReconciler implements Reconciler<Json.Obj, DisruptionReconciler.Facts> {

    /// An eviction that was allowed but not carried out for so long is forgotten.
    private static final Duration DISRUPTED_FOR = Duration.ofMinutes(2);

    /// @param scales how many pods the controllers of these pods want, by the uids of the controllers
    public record Facts(List<Pod> pods, Map<String, Long> scales) {}

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        var budget = primary.object();
        if (budget.isDeleting()) {
            return Plan.none();
        }
        var disrupted = disrupted(budget, facts, now);
        var expected = expected(budget, facts);
        long total = expected.orElse(0);
        long desired = desired(budget, total, facts.pods.size());
        long healthy = facts.pods.stream()
                .filter(pod -> pod.isReady() && !pod.isDeleting() && !disrupted.has(pod.name()))
                .count();
        long allowed = expected.isEmpty() || total == 0 ? 0 : Math.max(0, healthy - desired);
        var status = Json.Obj.builder()
                .putNonEmpty("observedGeneration", Json.of(budget.generation()))
                .putNonEmpty("disruptedPods", disrupted)
                .put("disruptionsAllowed", allowed)
                .put("currentHealthy", healthy)
                .put("desiredHealthy", desired)
                .put("expectedPods", total)
                .put(
                        "conditions",
                        conditions(budget, expected, facts, allowed, now).json())
                .build();
        var plan = Plan.none().setStatus(PodDisruptionBudgets.KIND, budget, status);
        return disrupted.size() == 0 ? plan : plan.then(Plan.lookAgainAt(now.plus(DISRUPTED_FOR)));
    }

    private static Json.Obj disrupted(Resource budget, Facts facts, Instant now) {
        var kept = Json.Obj.builder();
        budget.status().object("disruptedPods").forEach((name, since) -> {
            boolean there = facts.pods.stream().anyMatch(pod -> pod.name().equals(name) && !pod.isDeleting());
            boolean recent = Times.parse(since)
                    .filter(moment -> moment.plus(DISRUPTED_FOR).isAfter(now))
                    .isPresent();
            if (there && recent) {
                kept.put(name, since);
            }
        });
        return kept.build();
    }

    /// How many pods there should be; nothing where a pod has no controller that says so.
    private static OptionalLong expected(Resource budget, Facts facts) {
        var minimum = budget.spec().get("minAvailable");
        if (minimum instanceof Json.Int) {
            return OptionalLong.of(facts.pods.size());
        }
        boolean known = facts.pods.stream().allMatch(pod -> scale(pod, facts).isPresent());
        return known
                ? OptionalLong.of(facts.scales.values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                : OptionalLong.empty();
    }

    private static Optional<Long> scale(Pod pod, Facts facts) {
        return pod.object().controller().map(owner -> facts.scales.get(owner.uid()));
    }

    private static long desired(Resource budget, long expected, long pods) {
        var minimum = budget.spec().get("minAvailable");
        var maximum = budget.spec().get("maxUnavailable");
        if (minimum != null) {
            return minimum instanceof Json.Int(var number) ? number : IntOrStrings.scaled(minimum, expected, true);
        }
        return maximum == null ? pods : Math.max(0, expected - IntOrStrings.scaled(maximum, expected, true));
    }

    private static StatusConditions conditions(
            Resource budget, OptionalLong expected, Facts facts, long allowed, Instant now) {
        var reason = allowed > 0 ? "SufficientPods" : "InsufficientPods";
        var message = "";
        if (expected.isEmpty()) {
            reason = "SyncFailed";
            message = facts.pods.stream()
                    .filter(pod -> scale(pod, facts).isEmpty())
                    .findFirst()
                    .map(pod -> "found no controllers for pod \"" + pod.name() + "\"")
                    .orElse("");
        }
        var condition = StatusConditions.condition(
                        "DisruptionAllowed", allowed > 0 ? "True" : "False", reason, message, now)
                .with("observedGeneration", Json.of(budget.generation()));
        var known = StatusConditions.of(budget.status());
        var before = known.find("DisruptionAllowed")
                .filter(old -> old.string("status").equals(condition.string("status")));
        return known.plus(
                before.map(old -> condition.withOrWithout("lastTransitionTime", old.get("lastTransitionTime")))
                        .orElse(condition));
    }
}
