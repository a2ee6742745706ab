package dev.towtank.apiserver.registry;

import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.util.List;

/// What a PodDisruptionBudget says to an eviction. Pure.
final class EvictionBudget {

    private static final int MOST_DISRUPTED = 2000;
    private static final GroupResource BUDGET = new GroupResource("policy", "poddisruptionbudget");

    private EvictionBudget() {}

    /// Whether a pod that is not ready may go without using up a disruption.
    static boolean letsUnhealthyGo(Json.Obj budget) {
        if (budget.string("spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")) {
            return true;
        }
        long desired = budget.integer("status", "desiredHealthy");
        return desired > 0 && budget.integer("status", "currentHealthy") >= desired;
    }

    /// The budget with one disruption fewer, for the named pod.
    ///
    /// @throws StatusError TooManyRequests where it has none left, or where nobody knows yet
    static Json.Obj spent(Json.Obj budget, String pod, String now) {
        var name = budget.string("metadata", "name");
        var status = budget.object("status");
        if (status.integer("observedGeneration") < budget.integer("metadata", "generation")) {
            throw tooMany("The disruption budget " + name + " is still being processed by the server.", 10);
        }
        long allowed = status.integer("disruptionsAllowed");
        if (allowed < 0) {
            throw StatusError.forbidden(BUDGET, name, "pdb disruptions allowed is negative");
        }
        if (status.object("disruptedPods").size() > MOST_DISRUPTED) {
            throw StatusError.forbidden(
                    BUDGET, name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
        }
        if (allowed == 0) {
            throw tooMany(whyNone(name, status), 0);
        }
        return budget.with(
                "status",
                status.with("disruptionsAllowed", Json.of(allowed - 1))
                        .with("disruptedPods", status.object("disruptedPods").with(pod, Json.of(now))));
    }

    private static String whyNone(String name, Json.Obj status) {
        var condition = status.objects("conditions").stream()
                .filter(each -> each.string("type").equals("DisruptionAllowed")
                        && each.string("status").equals("False")
                        && !each.string("message").isEmpty())
                .findFirst()
                .orElse(Json.Obj.EMPTY);
        var notNow = "The disruption budget " + name + " does not allow evicting pods currently";
        if (condition.string("reason").equals("SyncFailed")) {
            return notNow + " because it failed sync: " + condition.string("message");
        }
        if (status.integer("currentHealthy") <= status.integer("desiredHealthy")) {
            return "The disruption budget " + name + " needs " + status.integer("desiredHealthy")
                    + " healthy pods and has " + status.integer("currentHealthy") + " currently";
        }
        return condition.size() == 0
                ? notNow
                : notNow + " (" + condition.string("reason") + "): " + condition.string("message");
    }

    private static StatusError tooMany(String why, int retryAfterSeconds) {
        var details = Json.Obj.builder();
        var cause = Json.Obj.of("reason", Json.of("DisruptionBudget"), "message", Json.of(why));
        details.put("causes", new Json.Arr(List.of(cause)));
        if (retryAfterSeconds > 0) {
            details.put("retryAfterSeconds", retryAfterSeconds);
        }
        return new StatusError(
                StatusError.Reason.TOO_MANY_REQUESTS,
                "Cannot evict pod as it would violate the pod's disruption budget.",
                details.build());
    }
}
