package dev.towtank.model.kinds.apps;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.PodTemplates;
import dev.towtank.model.kinds.TemplateSelectors;
import dev.towtank.model.kinds.WorkloadNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the workload kinds have in common: a selector, a template, and counts in their status.
public final class ReplicatedPods {

    public static final Kind.Scale SCALE = new Kind.Scale(
            List.of("spec", "replicas"), List.of("status", "replicas"), Optional.of(List.of("spec", "selector")));

    private static final String ABOVE_REPLICAS = "cannot be greater than status.replicas";

    private ReplicatedPods() {}

    /// The rules of ReplicaSets for selector and template, which Deployments hand on to them.
    static void validate(Field spec) {
        var selector = spec.at("selector");
        var template = spec.at("template");
        TemplateSelectors.validateRequired(selector, "deployment");
        var read = TemplateSelectors.read(selector);
        if (read.isEmpty()) {
            selector.invalid("invalid label selector");
            return;
        }
        if (!read.get().matchesEverything()) {
            TemplateSelectors.validateMatch(read.get(), template);
        }
        PodTemplates.validate(template);
        validateRestarts(template, "ReplicaSet");
    }

    /// Pods of a workload that never ends must always restart and have no end themselves.
    public static void validateRestarts(Field template, String workload) {
        template.at("spec", "restartPolicy").oneOf("Always");
        template.at("spec", "activeDeadlineSeconds")
                .forbiddenIfPresent("activeDeadlineSeconds in " + workload + " is not Supported");
    }

    public static void validateCounts(Field status, String... counts) {
        for (var count : counts) {
            status.at(count).nonNegative();
        }
    }

    public static void validateAtMostReplicas(Field status, String... counts) {
        long replicas = status.at("replicas").number();
        for (var count : counts) {
            if (status.at(count).number() > replicas) {
                var field = status.at(count);
                field.errors().invalid(field.path(), Json.of(field.number()), ABOVE_REPLICAS);
            }
        }
    }

    public static void validateAvailable(Field status, String detail) {
        var available = status.at("availableReplicas");
        if (available.number() > status.at("readyReplicas").number()) {
            available.invalid(detail);
        }
    }

    /// What ReplicaSets and what was before them count alike.
    ///
    /// @param more counts of one of them
    public static void validateReplicas(Field status, String... more) {
        validateCounts(
                status, "replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration");
        validateCounts(status, more);
        validateAtMostReplicas(status, "fullyLabeledReplicas", "readyReplicas", "availableReplicas");
        validateAvailable(status, "cannot be greater than readyReplicas");
    }

    static void validateCollisions(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
        long count = object.integer("status", "collisionCount");
        if (count < old.integer("status", "collisionCount")) {
            errors.invalid(Path.of("status", "collisionCount"), Json.of(count), "cannot be decremented");
        }
    }

    static List<String> warnings(Json.Obj object) {
        return PodTemplates.warnings(Path.of("spec", "template"), object.object("spec", "template"));
    }

    public static List<String> warningsWithName(Json.Obj object) {
        var warnings = new ArrayList<>(WorkloadNames.warnings(object));
        warnings.addAll(warnings(object));
        return warnings;
    }
}
