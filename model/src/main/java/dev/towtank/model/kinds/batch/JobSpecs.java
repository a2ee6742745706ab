package dev.towtank.model.kinds.batch;

import dev.towtank.model.Json;
import dev.towtank.model.kinds.DomainPaths;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.PodTemplates;
import java.util.List;

/// The rules for the spec of a Job, for Jobs and for the templates of CronJobs alike.
final class JobSpecs {

    private static final int MAX_PARALLELISM = 100_000;
    private static final int MAX_FAILED_INDEXES = 100_000;
    private static final int MANY_COMPLETIONS = 100_000;
    private static final int LIMIT_FOR_MANY_COMPLETIONS = 10_000;
    private static final int MAX_MANAGED_BY = 63;
    private static final int MAX_SUCCESS_RULES = 20;
    private static final int MAX_SUCCEEDED_INDEXES = 64 * 1024;

    private static final String NEEDS_INDEXED = "requires indexed completion mode";

    private JobSpecs() {}

    /// Defaults inside a pod failure policy and the pod template; the others are for Jobs only.
    static Json.Obj nestedDefaults(Json.Obj spec) {
        var filled = Fill.inside(
                spec,
                "podFailurePolicy",
                policy -> Fill.each(
                        policy,
                        "rules",
                        rule -> Fill.each(
                                rule, "onPodConditions", pattern -> Fill.missing(pattern, "status", "True"))));
        return Fill.always(filled, "template", PodTemplates::defaults);
    }

    static boolean isIndexed(Field spec) {
        return spec.at("completionMode").text().equals("Indexed");
    }

    static void validate(Field spec) {
        for (var count : List.of(
                "parallelism",
                "completions",
                "activeDeadlineSeconds",
                "backoffLimit",
                "ttlSecondsAfterFinished",
                "backoffLimitPerIndex",
                "maxFailedIndexes")) {
            spec.at(count).nonNegative();
        }
        if (spec.has("maxFailedIndexes") && !spec.has("backoffLimitPerIndex")) {
            spec.errors().required(spec.path().child("backoffLimitPerIndex"), "when maxFailedIndexes is specified");
        }
        validateManagedBy(spec.at("managedBy"));
        spec.at("completionMode").oneOfIfPresent("NonIndexed", "Indexed");
        if (isIndexed(spec)) {
            validateIndexed(spec);
        } else {
            refuseIndexedFields(spec);
        }
        if (spec.has("podFailurePolicy")) {
            PodFailurePolicies.validate(spec);
        }
        validateSuccessPolicy(spec);
        validateReplacement(spec);
        PodTemplates.validate(spec.at("template"));
        validateRestartPolicy(spec);
    }

    private static void validateManagedBy(Field managedBy) {
        if (managedBy.isPresent()) {
            DomainPaths.validate(managedBy);
            if (managedBy.text().length() > MAX_MANAGED_BY) {
                managedBy.tooLong(MAX_MANAGED_BY);
            }
        }
    }

    private static void validateIndexed(Field spec) {
        var completions = spec.at("completions");
        var parallelism = spec.at("parallelism");
        var maxFailed = spec.at("maxFailedIndexes");
        if (!completions.isPresent()) {
            spec.errors().required(completions.path(), "when completion mode is Indexed");
        }
        atMost(parallelism, MAX_PARALLELISM, " when completion mode is Indexed");
        if (completions.isPresent() && maxFailed.number() > completions.number()) {
            maxFailed.invalid("must be less than or equal to completions");
        }
        atMost(maxFailed, MAX_FAILED_INDEXES, "");
        if (completions.number() > MANY_COMPLETIONS && spec.has("backoffLimitPerIndex")) {
            if (!maxFailed.isPresent()) {
                spec.errors()
                        .required(maxFailed.path(), "must be specified when completions is above " + MANY_COMPLETIONS);
            }
            var when = " when completions are above " + MANY_COMPLETIONS + " and used with backoff limit per index";
            atMost(parallelism, LIMIT_FOR_MANY_COMPLETIONS, when);
            atMost(maxFailed, LIMIT_FOR_MANY_COMPLETIONS, when);
        }
    }

    private static void atMost(Field field, long limit, String when) {
        if (field.number() > limit) {
            field.invalid("must be less than or equal to " + limit + when);
        }
    }

    private static void refuseIndexedFields(Field spec) {
        for (var name : List.of("backoffLimitPerIndex", "maxFailedIndexes")) {
            if (spec.has(name)) {
                spec.at(name).invalid(NEEDS_INDEXED);
            }
        }
    }

    private static void validateReplacement(Field spec) {
        var policy = spec.at("podReplacementPolicy");
        if (spec.has("podFailurePolicy")) {
            policy.oneOfIfPresent("Failed");
        } else {
            policy.oneOfIfPresent("Failed", "TerminatingOrFailed");
        }
    }

    private static void validateRestartPolicy(Field spec) {
        var policy = spec.at("template", "spec", "restartPolicy");
        switch (policy.text()) {
            case "", "Always" -> spec.errors().required(policy.path(), "valid values: \"OnFailure\", \"Never\"");
            case "OnFailure" -> {
                if (spec.has("podFailurePolicy")) {
                    policy.invalid("only \"Never\" is supported when podFailurePolicy is specified");
                }
            }
            default -> policy.oneOf("OnFailure", "Never");
        }
    }

    private static void validateSuccessPolicy(Field spec) {
        var policy = spec.at("successPolicy");
        if (!policy.isPresent()) {
            return;
        }
        if (!isIndexed(spec)) {
            policy.invalid(NEEDS_INDEXED);
            return;
        }
        var rules = policy.at("rules");
        rules.required("at least one rules must be specified when the successPolicy is specified");
        if (rules.size() > MAX_SUCCESS_RULES) {
            spec.errors().tooMany(rules.path(), rules.size(), MAX_SUCCESS_RULES);
        }
        rules.each(rule -> validateSuccessRule(rule, spec.at("completions").number()));
    }

    private static void validateSuccessRule(Field rule, long completions) {
        var count = rule.at("succeededCount");
        var indexes = rule.at("succeededIndexes");
        if (!count.isPresent() && !indexes.isPresent()) {
            rule.errors().required(rule.path(), "at least one of succeededCount or succeededIndexes must be specified");
        }
        long total = indexes.isPresent() ? countIndexes(indexes, completions) : completions;
        if (count.isPresent()) {
            count.nonNegative();
            atMost(count, completions, " (the number of specified completions)");
            if (indexes.isPresent()) {
                atMost(count, total, " (the number of indexes in the specified succeededIndexes field)");
            }
        }
    }

    private static long countIndexes(Field indexes, long completions) {
        if (indexes.text().length() > MAX_SUCCEEDED_INDEXES) {
            indexes.tooLong(MAX_SUCCEEDED_INDEXES);
        }
        try {
            return JobIndexes.parse(indexes.text(), completions).size();
        } catch (JobIndexes.Malformed e) {
            indexes.invalid("error parsing succeededIndexes: " + e.text());
            return 0;
        }
    }
}
