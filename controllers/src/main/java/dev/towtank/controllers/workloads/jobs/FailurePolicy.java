package dev.towtank.controllers.workloads.jobs;

import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// What a Job makes of a pod that failed.
record FailurePolicy(List<Json.Obj> rules) {

    FailurePolicy {
        rules = List.copyOf(rules);
    }

    /// @param action of the first rule that matches, or empty
    /// @param message why the whole Job fails, where it does
    record Verdict(String action, Optional<String> message) {
        boolean counts() {
            return !action.equals("Ignore");
        }

        boolean failsIndex() {
            return action.equals("FailIndex");
        }
    }

    Verdict judge(Pod pod) {
        for (int i = 0; i < rules.size(); i++) {
            var rule = rules.get(i);
            var why = rule.has("onExitCodes")
                    ? exitCode(pod, rule.object("onExitCodes"))
                    : condition(pod, rule.objects("onPodConditions"));
            if (why.isPresent()) {
                var action = rule.string("action");
                var message = why.get() + " matching " + action + " rule at index " + i;
                return new Verdict(action, action.equals("FailJob") ? Optional.of(message) : Optional.empty());
            }
        }
        return new Verdict("", Optional.empty());
    }

    private static String place(Pod pod) {
        return pod.object().namespace() + "/" + pod.name();
    }

    private static Optional<String> exitCode(Pod pod, Json.Obj rule) {
        var container = exitCode(pod.containerStatuses(), rule);
        return (container.isPresent() ? container : exitCode(pod.initContainerStatuses(), rule))
                .map(status -> "Container " + status.string("name") + " for pod " + place(pod)
                        + " failed with exit code " + status.integer("state", "terminated", "exitCode"));
    }

    private static Optional<Json.Obj> exitCode(List<Json.Obj> statuses, Json.Obj rule) {
        return statuses.stream()
                .filter(status -> status.at("state", "terminated") instanceof Json.Obj)
                .filter(status -> !rule.has("containerName")
                        || rule.string("containerName").equals(status.string("name")))
                .filter(status -> {
                    long code = status.integer("state", "terminated", "exitCode");
                    boolean listed = rule.array("values").items().contains(Json.of(code));
                    return code != 0 && listed == rule.string("operator").equals("In");
                })
                .findFirst();
    }

    private static Optional<String> condition(Pod pod, List<Json.Obj> patterns) {
        return pod.object().json().objects("status", "conditions").stream()
                .filter(condition -> patterns.stream()
                        .anyMatch(pattern -> pattern.string("type").equals(condition.string("type"))
                                && status(pattern).equals(condition.string("status"))))
                .findFirst()
                .map(condition -> "Pod " + place(pod) + " has condition " + condition.string("type"));
    }

    private static String status(Json.Obj pattern) {
        return pattern.has("status") ? pattern.string("status") : "True";
    }
}
