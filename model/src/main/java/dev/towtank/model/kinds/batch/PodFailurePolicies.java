package dev.towtank.model.kinds.batch;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.kinds.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The rules for `podFailurePolicy`: what a Job makes of a failed pod.
final class PodFailurePolicies {

    private static final int MAX_RULES = 20;
    private static final int MAX_EXIT_CODES = 255;
    private static final int MAX_CONDITIONS = 20;

    private static final List<String> ACTIONS = List.of("Count", "FailIndex", "FailJob", "Ignore");
    private static final List<String> OPERATORS = List.of("In", "NotIn");
    private static final List<String> STATUSES = List.of("False", "True", "Unknown");

    private PodFailurePolicies() {}

    static void validate(Field spec) {
        var rules = spec.at("podFailurePolicy", "rules");
        if (rules.size() > MAX_RULES) {
            rules.errors().tooMany(rules.path(), rules.size(), MAX_RULES);
        }
        var containers = new HashSet<String>();
        for (var list : List.of("containers", "initContainers")) {
            spec.at("template", "spec", list)
                    .each(container -> containers.add(container.at("name").text()));
        }
        rules.each(rule -> validateRule(rule, spec.has("backoffLimitPerIndex"), containers));
    }

    private static void validateRule(Field rule, boolean limitPerIndex, Set<String> containers) {
        var action = rule.at("action");
        if (!action.text().equals("FailIndex")) {
            requiredOneOf(action, ACTIONS);
        } else if (!limitPerIndex) {
            action.invalid("requires the backoffLimitPerIndex to be set");
        }
        var exitCodes = rule.at("onExitCodes");
        var conditions = rule.at("onPodConditions");
        if (exitCodes.isPresent()) {
            validateExitCodes(exitCodes, containers);
        }
        validateConditions(conditions);
        if (exitCodes.isPresent() && !conditions.isEmpty()) {
            withoutValue(rule, "specifying both OnExitCodes and OnPodConditions is not supported");
        }
        if (!exitCodes.isPresent() && conditions.isEmpty()) {
            withoutValue(rule, "specifying one of OnExitCodes and OnPodConditions is required");
        }
    }

    private static void withoutValue(Field field, String detail) {
        field.errors().add(new FieldError(FieldError.Type.INVALID, field.path().text(), null, detail));
    }

    private static void requiredOneOf(Field field, List<String> supported) {
        if (field.isEmpty()) {
            field.required(supported.stream()
                    .map(each -> '"' + each + '"')
                    .collect(Collectors.joining(" ", "valid values: [", "]")));
        } else {
            field.oneOf(supported);
        }
    }

    private static void validateConditions(Field conditions) {
        if (conditions.size() > MAX_CONDITIONS) {
            conditions.errors().tooMany(conditions.path(), conditions.size(), MAX_CONDITIONS);
        }
        conditions.each(pattern -> {
            pattern.at("type").matches(Names::qualifiedName);
            requiredOneOf(pattern.at("status"), STATUSES);
        });
    }

    private static void validateExitCodes(Field exitCodes, Set<String> containers) {
        var operator = exitCodes.at("operator");
        requiredOneOf(operator, OPERATORS);
        var container = exitCodes.at("containerName");
        if (container.isPresent() && !containers.contains(container.text())) {
            container.invalid("must be one of the container or initContainer names in the pod template");
        }
        var values = exitCodes.at("values");
        if (values.isEmpty()) {
            values.with(Json.Null.NULL).invalid("at least one value is required");
        } else if (values.size() > MAX_EXIT_CODES) {
            values.errors().tooMany(values.path(), values.size(), MAX_EXIT_CODES);
        }
        validateValues(values, operator.text().equals("In"));
    }

    private static void validateValues(Field values, boolean in) {
        var seen = new HashSet<Long>();
        boolean ordered = true;
        long previous = Long.MIN_VALUE;
        for (var value : values.items()) {
            if (in && value.number() == 0) {
                value.invalid("must not be 0 for the In operator");
            }
            if (!seen.add(value.number())) {
                value.errors().duplicate(value.path(), Json.of(value.number()));
            }
            ordered &= previous <= value.number();
            previous = value.number();
        }
        if (!ordered) {
            values.invalid("must be ordered");
        }
    }
}
