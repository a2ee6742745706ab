package dev.towtank.controllers.gitops;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which options a sync may have, of the whole and of single objects.
final class SyncOptions {

    private static final Set<String> OF_ALL = Set.of(
            "ApplyOutOfSyncOnly",
            "CreateNamespace",
            "FailOnSharedResource",
            "PruneLast",
            "PrunePropagationPolicy",
            "RespectIgnoreDifferences",
            "Prune");
    private static final Set<String> OF_ONE = Set.of("Delete", "SkipHealthCheck", "Prune", "PruneLast");
    private static final Set<String> OF_BOTH =
            Set.of("Replace", "Force", "ServerSideApply", "SkipDryRunOnMissingResource", "Validate");

    private static final Set<String> POLICIES = Set.of("foreground", "background", "orphan");
    private static final Set<String> TRUTHS = Set.of("true", "false");

    private SyncOptions() {}

    /// What is wrong with options of an Application.
    static List<String> problems(Collection<String> options) {
        var problems = new ArrayList<String>();
        for (var option : options) {
            problem(option, OF_ALL).ifPresent(problems::add);
        }
        return problems;
    }

    /// What is wrong with options of an object.
    static Optional<String> problemOfOne(Collection<String> options) {
        return options.stream()
                .flatMap(option -> problem(option, OF_ONE).stream())
                .findFirst();
    }

    private static Optional<String> problem(String option, Set<String> known) {
        int equals = option.indexOf('=');
        var name = equals < 0 ? option : option.substring(0, equals);
        var value = equals < 0 ? "" : option.substring(equals + 1);
        if (!known.contains(name) && !OF_BOTH.contains(name)) {
            return Optional.of("the sync option " + option + " is not served");
        }
        boolean isValid = name.equals("PrunePropagationPolicy")
                ? POLICIES.contains(value)
                : TRUTHS.contains(value)
                        || (value.equals("confirm") && Set.of("Prune", "Delete").contains(name));
        return isValid ? Optional.empty() : Optional.of("the sync option " + option + " has no such value");
    }
}
