package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Names;

/// The rules for a `LabelSelector`: `matchLabels` and `matchExpressions`.
public final class LabelSelectors {

    private LabelSelectors() {}

    public static void validate(Field selector) {
        ObjectMetas.validateLabels(selector.at("matchLabels"));
        selector.at("matchExpressions").each(LabelSelectors::validateRequirement);
    }

    public static boolean isEmpty(Json.Obj selector) {
        return selector.object("matchLabels").size() == 0
                && selector.array("matchExpressions").size() == 0;
    }

    private static void validateRequirement(Field requirement) {
        var values = requirement.at("values");
        switch (requirement.at("operator").text()) {
            case "In", "NotIn" -> values.required("must be specified when `operator` is 'In' or 'NotIn'");
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            default -> requirement.at("operator").invalid("not a valid selector operator");
        }
        requirement.at("key").matches(Names::qualifiedName);
        values.each(value -> value.matches(Names::labelValue));
    }
}
