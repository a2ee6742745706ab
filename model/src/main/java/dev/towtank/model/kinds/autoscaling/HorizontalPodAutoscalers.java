package dev.towtank.model.kinds.autoscaling;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Autoscalers in the form of `autoscaling/v2`, which is stored, and in the one before it.
public final class HorizontalPodAutoscalers {

    public static final Kind<Json.Obj> KIND = of("v2", new AutoscalerRules());

    /// `autoscaling/v1`: a target for the CPU in a field, and all else in annotations.
    public static final Kind<Json.Obj> OLDER = of("v1", new OlderRules());

    private HorizontalPodAutoscalers() {}

    private static Kind<Json.Obj> of(String version, Rules rules) {
        UnaryOperator<Json.Obj> newest =
                version.equals("v2") ? UnaryOperator.identity() : AutoscalerConversion::toStored;
        return Kind.namespaced("autoscaling", version, "HorizontalPodAutoscaler", "horizontalpodautoscalers")
                .withShortNames("hpa")
                .withCategories("all")
                .withStatus()
                .withRules(rules)
                .withColumns(AutoscalerColumns.of(newest));
    }

    private static final class AutoscalerRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.inside(object, "spec", AutoscalerDefaults::of);
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            AutoscalerChecks.validate(Field.root(object, errors).at("spec"));
        }

        @Override
        public void validateCreate(Json.Obj object, FieldError.Collector errors) {
            AutoscalerChecks.validateTarget(Field.root(object, errors).at("spec", "scaleTargetRef"));
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var target = Field.root(object, errors).at("spec", "scaleTargetRef");
            var before = old.object("spec", "scaleTargetRef");
            // What was let in once stays.
            if (!target.at("apiVersion").text().equals(before.string("apiVersion"))
                    || !target.at("kind").text().equals(before.string("kind"))) {
                AutoscalerChecks.validateTarget(target);
            }
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var status = Field.root(object, errors).at("status");
            status.at("currentReplicas").nonNegative();
            status.at("desiredReplicas").nonNegative();
        }
    }

    /// The rules, and the fields that their messages name, are those of the stored form.
    private static final class OlderRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.inside(object, "spec", spec -> Fill.missing(spec, "minReplicas", 1));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            KIND.rules().validate(AutoscalerConversion.toStored(object), errors);
        }

        @Override
        public void validateCreate(Json.Obj object, FieldError.Collector errors) {
            KIND.rules().validateCreate(AutoscalerConversion.toStored(object), errors);
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            KIND.rules().validateUpdate(object, old, errors);
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            KIND.rules().validateStatus(object, old, errors);
        }

        @Override
        public Set<String> metadataKeptByStatus() {
            return KIND.rules().metadataKeptByStatus();
        }
    }
}
