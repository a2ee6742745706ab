package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which options a sync may have, of the whole and of single objects.
final class SyncOptions {

    private static final Set<String> OF_ALL = Set.of(
            "ApplyOutOfSyncOnly",
            "ClientSideApplyMigration",
            "CreateNamespace",
            "FailOnSharedResource",
            "PrunePropagationPolicy",
            "RespectIgnoreDifferences");
    private static final Set<String> OF_ONE = Set.of("SkipHealthCheck");
    private static final Set<String> OF_BOTH = Set.of(
            "Delete",
            "Prune",
            "PruneLast",
            "Replace",
            "Force",
            "ServerSideApply",
            "SkipDryRunOnMissingResource",
            "Validate");

    private static final Set<String> POLICIES = Set.of("foreground", "background", "orphan");
    private static final Set<String> TRUTHS = Set.of("true", "false");
    private static final Set<String> CONSENTED = Set.of("Prune", "Delete");
    private static final String KEPT_BY_HELM = "helm.sh/resource-policy";

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
    static Optional<String> problemOfOne(Json.Obj object) {
        return Marks.options(object).stream()
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
                : TRUTHS.contains(value) || (value.equals("confirm") && CONSENTED.contains(name));
        return isValid ? Optional.empty() : Optional.of("the sync option " + option + " has no such value");
    }

    /// What an object says about itself counts more than what is said about all.
    private static String value(Json.Obj object, String name, Collection<String> ofAll) {
        return Marks.option(object, name).or(() -> Marks.value(ofAll, name)).orElse("true");
    }

    /// Whether an object stays when its Application goes. Definitions do: with them would go what others made of them.
    static boolean outlives(Json.Obj object, Collection<String> ofAll) {
        return object.string("kind").equals("CustomResourceDefinition")
                || value(object, "Delete", ofAll).equals("false")
                || object.string("metadata", "annotations", KEPT_BY_HELM).equals("keep");
    }

    /// Whether an object goes only when somebody has agreed to it.
    static boolean needsConsent(Json.Obj object, Collection<String> ofAll) {
        return CONSENTED.stream().anyMatch(name -> value(object, name, ofAll).equals("confirm"));
    }
}
