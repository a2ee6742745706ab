package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.When;
import dev.towtank.controllers.pipelines.substitution.WhenConditions;
import java.util.List;
import java.util.Set;

/// Checks of conditions.
final class WhenChecks {

    private WhenChecks() {}

    static Problems of(List<When> conditions, AllowedFeatures gate) {
        var problems = Problems.none();
        for (int i = 0; i < conditions.size(); i++) {
            problems.add(of(conditions.get(i), gate).viaFieldIndex("when", i));
        }
        return problems;
    }

    private static Problems of(When when, AllowedFeatures gate) {
        boolean hasComparison = !when.input().isEmpty()
                || !when.operator().isEmpty()
                || !when.values().isEmpty();
        if (!when.cel().isEmpty()) {
            return expression(when, hasComparison, gate);
        }
        if (!hasComparison) {
            return Problems.missing("");
        }
        if (!Set.of("in", "notin").contains(when.operator())) {
            return Problems.invalid(
                    "operator " + GoText.quote(when.operator()) + " is not recognized. valid operators: in,notin", "");
        }
        return when.values().isEmpty() ? Problems.invalid("expecting non-empty values field", "") : Problems.none();
    }

    private static Problems expression(When when, boolean hasComparison, AllowedFeatures gate) {
        if (!gate.flags().enableCelInWhenExpression()) {
            return Problems.generic(
                    "feature flag enable-cel-in-whenexpression should be set to true to use CEL: " + when.cel()
                            + " in WhenExpression",
                    "");
        }
        if (hasComparison) {
            return Problems.generic("cel and input+operator+values cannot be set in one WhenExpression: &{"
                    + when.input() + " " + when.operator() + " " + GoText.list(when.values()) + " " + when.cel() + "}");
        }
        // Tekton hands the text and the error over as paths, so that is where they show.
        return WhenConditions.malformed(when.cel())
                .map(error -> Problems.generic(
                        "invalid cel expression: %s with err: %s",
                        when.cel(), error.replace("compilation failed: ", "")))
                .orElseGet(Problems::none);
    }
}
