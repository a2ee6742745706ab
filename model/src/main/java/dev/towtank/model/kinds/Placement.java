package dev.towtank.model.kinds;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Names;
import java.util.HashSet;
import java.util.List;

/// What a pod asks of the node it runs on: affinity, tolerations, spreading, node selectors.
public final class Placement {

    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private Placement() {}

    static void validate(Field spec) {
        validateAffinity(spec.at("affinity"));
        var constraints = spec.at("topologySpreadConstraints").items();
        for (int i = 0; i < constraints.size(); i++) {
            validateSpread(constraints.get(i), constraints.subList(i + 1, constraints.size()));
        }
    }

    public static void validateTolerations(Field tolerations) {
        for (var toleration : tolerations.items()) {
            toleration.at("key").matchesIfSet(Names::qualifiedName);
            var operator = toleration.at("operator");
            if (toleration.at("key").isEmpty() && !operator.text().equals("Exists")) {
                operator.invalid(
                        "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
            }
            var effect = toleration.at("effect");
            if (toleration.has("tolerationSeconds") && !effect.text().equals("NoExecute")) {
                effect.invalid("effect must be 'NoExecute' when `tolerationSeconds` is set");
            }
            validateOperator(operator, toleration.at("value").text());
            if (!effect.isEmpty()) {
                effect.oneOf(EFFECTS);
            }
        }
    }

    /// Taints of a node: an effect that is known, each key and effect once.
    public static void validateTaints(Field taints) {
        var seen = new HashSet<String>();
        for (var taint : taints.items()) {
            taint.at("key").matches(Names::qualifiedName);
            var problems = Names.labelValue(taint.at("value").text());
            if (!problems.isEmpty()) {
                taint.at("value").invalid(String.join(";", problems));
            }
            if (!taint.at("effect").required("").isEmpty()) {
                taint.at("effect").oneOf(EFFECTS);
            }
            if (!seen.add(taint.at("key").text() + ":" + taint.at("effect").text())) {
                taint.errors()
                        .add(new FieldError(
                                FieldError.Type.DUPLICATE,
                                taint.path().text(),
                                taint.shown(),
                                "taints must be unique by key and effect pair"));
            }
        }
    }

    /// A node selector: at least one term, each with expressions on labels or fields.
    public static void validateNodeSelector(Field selector) {
        var terms = selector.at("nodeSelectorTerms");
        terms.required("must have at least one node selector term");
        terms.each(term -> validateTerm(term, true));
    }

    private static void validateOperator(Field operator, String value) {
        switch (operator.text()) {
            case "Equal", "" -> {
                var problems = Names.labelValue(value);
                if (!problems.isEmpty()) {
                    operator.with(Json.of(value)).invalid(String.join(";", problems));
                }
            }
            case "Exists" -> {
                if (!value.isEmpty()) {
                    operator.with(Json.of(value)).invalid("value must be empty when `operator` is 'Exists'");
                }
            }
            default -> operator.oneOf("Equal", "Exists");
        }
    }

    private static void validateAffinity(Field affinity) {
        var node = affinity.at("nodeAffinity");
        if (node.has("requiredDuringSchedulingIgnoredDuringExecution")) {
            validateNodeSelector(node.at("requiredDuringSchedulingIgnoredDuringExecution"));
        }
        node.at("preferredDuringSchedulingIgnoredDuringExecution").each(term -> {
            validateWeight(term.at("weight"));
            validateTerm(term.at("preference"), false);
        });
        validatePodAffinity(affinity.at("podAffinity"));
        validatePodAffinity(affinity.at("podAntiAffinity"));
    }

    private static void validateWeight(Field weight) {
        if (weight.number() <= 0 || weight.number() > 100) {
            weight.with(Json.of(weight.number())).invalid("must be in the range 1-100");
        }
    }

    private static void validateTerm(Field term, boolean strictValues) {
        term.at("matchExpressions").each(expression -> validateExpression(expression, strictValues));
        term.at("matchFields").each(Placement::validateFieldExpression);
    }

    private static void validateExpression(Field expression, boolean strictValues) {
        var values = expression.at("values");
        switch (expression.at("operator").text()) {
            case "In", "NotIn" -> values.required("must be specified when `operator` is 'In' or 'NotIn'");
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            case "Gt", "Lt" -> {
                if (values.size() != 1) {
                    values.errors()
                            .required(values.path(), "must be specified single value when `operator` is 'Lt' or 'Gt'");
                }
            }
            default -> expression.at("operator").invalid("not a valid selector operator");
        }
        expression.at("key").matches(Names::qualifiedName);
        if (strictValues) {
            values.each(value -> value.matches(Names::labelValue));
        }
    }

    private static void validateFieldExpression(Field expression) {
        var values = expression.at("values");
        if (!List.of("In", "NotIn").contains(expression.at("operator").text())) {
            expression.at("operator").invalid("not a valid selector operator");
        } else if (values.size() != 1) {
            values.errors()
                    .required(
                            values.path(),
                            "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
        if (!expression.at("key").text().equals("metadata.name")) {
            expression.at("key").invalid("not a valid field selector key");
        } else {
            values.each(value -> value.matches(Names::dnsSubdomain));
        }
    }

    private static void validatePodAffinity(Field affinity) {
        affinity.at("requiredDuringSchedulingIgnoredDuringExecution").each(Placement::validatePodTerm);
        affinity.at("preferredDuringSchedulingIgnoredDuringExecution").each(term -> {
            validateWeight(term.at("weight"));
            validatePodTerm(term.at("podAffinityTerm"));
        });
    }

    private static void validatePodTerm(Field term) {
        LabelSelectors.validate(term.at("labelSelector"));
        LabelSelectors.validate(term.at("namespaceSelector"));
        term.at("namespaces")
                .each(namespace ->
                        namespace.reportedAt(term.path().child("namespace")).matches(Names::dnsLabel));
        validateLabelKeys(term, "matchLabelKeys");
        validateLabelKeys(term, "mismatchLabelKeys");
        term.at("topologyKey").required("can not be empty").matches(Names::qualifiedName);
    }

    private static void validateLabelKeys(Field term, String name) {
        var keys = term.at(name);
        if (!keys.isEmpty() && !term.has("labelSelector")) {
            keys.forbidden("must not be specified when labelSelector is not set");
        } else {
            keys.each(key -> key.matches(Names::qualifiedName));
        }
    }

    private static void validateSpread(Field constraint, List<Field> others) {
        constraint.at("maxSkew").positive();
        var key = constraint.at("topologyKey").required("can not be empty");
        var action = constraint.at("whenUnsatisfiable").oneOf("DoNotSchedule", "ScheduleAnyway");
        if (others.stream()
                .anyMatch(other -> other.at("topologyKey").text().equals(key.text())
                        && other.at("whenUnsatisfiable").text().equals(action.text()))) {
            constraint
                    .errors()
                    .duplicate(
                            constraint.path().child("{topologyKey, whenUnsatisfiable}"),
                            Json.of("{" + key.text() + ", " + action.text() + "}"));
        }
        var domains = constraint.at("minDomains");
        if (domains.isPresent()) {
            domains.positive();
            if (!action.text().equals("DoNotSchedule")) {
                domains.invalid("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action.text());
            }
        }
        constraint.at("nodeAffinityPolicy").oneOfIfPresent("Honor", "Ignore");
        constraint.at("nodeTaintsPolicy").oneOfIfPresent("Honor", "Ignore");
        validateLabelKeys(constraint, "matchLabelKeys");
        LabelSelectors.validate(constraint.at("labelSelector"));
    }
}
