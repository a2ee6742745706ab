package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.admission.PodSecurityPolicy.Standard;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What the Pod Security Standards find wrong with a pod. Pure; the words are those of Kubernetes.
final class PodSecurityRules {

    /// A rule that is broken, and what breaks it.
    record Violation(String rule, String detail) {
        @Override
        public String toString() {
            return rule + " (" + detail + ")";
        }
    }

    private PodSecurityRules() {}

    /// @param template with `metadata` and `spec`
    static List<Violation> violations(Standard standard, Json.Obj template) {
        if (standard.isPrivileged()) {
            return List.of();
        }
        var pod = CheckedPod.of(template);
        var found = new ArrayList<Violation>();
        boolean restricted = standard.level() == PodSecurityLevel.RESTRICTED;
        new BaselineRules(pod, standard.minor(), restricted).find(found);
        if (restricted) {
            new RestrictedRules(pod, standard.minor()).find(found);
        }
        return found;
    }

    static String details(List<Violation> violations) {
        return violations.stream().map(Violation::toString).collect(Collectors.joining(", "));
    }

    /// Without what breaks them, to count pods that break the same.
    static String rules(List<Violation> violations) {
        return violations.stream().map(Violation::rule).collect(Collectors.joining(", "));
    }
}
