package dev.towtank.model.kinds.apps;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.PodTemplates;
import dev.towtank.model.kinds.TemplateSelectors;
import dev.towtank.model.kinds.WorkloadColumns;
import java.util.List;

public final class ReplicaSets {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("apps", "v1", "ReplicaSet", "replicasets")
            .withShortNames("rs")
            .withCategories("all")
            .withStatus()
            .withScale(ReplicatedPods.SCALE)
            .withRules(new ReplicaSetRules())
            .withColumns(
                    Column.ofName(),
                    WorkloadColumns.number("Desired", "spec", "replicas"),
                    WorkloadColumns.number("Current", "status", "replicas"),
                    WorkloadColumns.number("Ready", "status", "readyReplicas"),
                    Column.ofAge(),
                    WorkloadColumns.containers("spec", "template", "spec"),
                    WorkloadColumns.images("spec", "template", "spec"),
                    WorkloadColumns.selector("spec", "selector"));

    private ReplicaSets() {}

    private static final class ReplicaSetRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.always(
                    object,
                    "spec",
                    spec -> Fill.always(Fill.missing(spec, "replicas", 1), "template", PodTemplates::defaults));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            spec.at("replicas").nonNegative();
            spec.at("minReadySeconds").nonNegative();
            ReplicatedPods.validate(spec);
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            TemplateSelectors.validateUnchanged(Field.root(object, errors).at("spec", "selector"), old.object("spec"));
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            ReplicatedPods.validateReplicas(Field.root(object, errors).at("status"), "terminatingReplicas");
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            return ReplicatedPods.warningsWithName(object);
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }
    }
}
