package dev.towtank.model.kinds.policy;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.ConditionRules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.IntOrStrings;
import dev.towtank.model.kinds.LabelSelectors;
import dev.towtank.model.kinds.WorkloadColumns;
import java.util.List;

public final class PodDisruptionBudgets {

    public static final Kind<Json.Obj> KIND = Kind.namespaced(
                    "policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets")
            .withShortNames("pdb")
            .withStatus()
            .withRules(new PodDisruptionBudgetRules())
            .withColumns(
                    Column.ofName(),
                    Column.text("Min Available", (object, _) -> amount(object, "minAvailable"))
                            .describedAs("The minimum number of pods that must be available."),
                    Column.text("Max Unavailable", (object, _) -> amount(object, "maxUnavailable"))
                            .describedAs("The maximum number of pods that may be unavailable."),
                    WorkloadColumns.number("Allowed Disruptions", "status", "disruptionsAllowed")
                            .describedAs("Calculated number of pods that may be disrupted at this time."),
                    Column.ofAge());

    private PodDisruptionBudgets() {}

    private static Json amount(Json.Obj object, String field) {
        var value = object.at("spec", field);
        return Json.of(value == null ? "N/A" : value.display());
    }

    private static final class PodDisruptionBudgetRules implements Rules {

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
                spec.invalid("minAvailable and maxUnavailable cannot be both set");
            }
            for (var name : List.of("minAvailable", "maxUnavailable")) {
                if (spec.has(name)) {
                    IntOrStrings.validateNonNegativeIntOrPercent(spec.at(name));
                    IntOrStrings.validateAtMost100Percent(spec.at(name));
                }
            }
            LabelSelectors.validate(spec.at("selector"));
            spec.at("unhealthyPodEvictionPolicy").oneOfIfPresent("AlwaysAllow", "IfHealthyBudget");
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var status = Field.root(object, errors).at("status");
            ConditionRules.validate(status.at("conditions"));
            for (var count : List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")) {
                status.at(count).nonNegative();
            }
        }

        // Kubernetes checks no more than that the name can be asked for.
        @Override
        public Names.Rule nameRule() {
            return Names.Rule.PATH_SEGMENT;
        }

        @Override
        public boolean allowsUnconditionalUpdate() {
            return false;
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }
    }
}
