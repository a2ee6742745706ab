package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.PodTemplates;
import dev.towtank.model.kinds.TemplateSelectors;
import dev.towtank.model.kinds.WorkloadColumns;
import dev.towtank.model.kinds.apps.ReplicatedPods;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// What there was before ReplicaSets. Its selector is a map of labels.
public final class ReplicationControllers {

    public static final Kind<Json.Obj> KIND = Kind.namespaced(
                    "", "v1", "ReplicationController", "replicationcontrollers")
            .withShortNames("rc")
            .withCategories("all")
            .withStatus()
            .withScale(ReplicatedPods.SCALE)
            .withRules(new ReplicationControllerRules())
            .withColumns(
                    Column.ofName(),
                    WorkloadColumns.number("Desired", "spec", "replicas"),
                    WorkloadColumns.number("Current", "status", "replicas"),
                    WorkloadColumns.number("Ready", "status", "readyReplicas"),
                    Column.ofAge(),
                    WorkloadColumns.containers("spec", "template", "spec"),
                    WorkloadColumns.images("spec", "template", "spec"),
                    Column.text("Selector", (object, _) -> Json.of(selectorText(object)))
                            .wide());

    private ReplicationControllers() {}

    /// Which pods are meant; none where there is no selector.
    public static LabelSelector selector(Json.Obj controller) {
        var labels = controller.stringMap("spec", "selector");
        return labels.isEmpty() ? LabelSelector.NOTHING : LabelSelector.of(labels);
    }

    private static String selectorText(Json.Obj object) {
        return object.object("spec", "selector").size() == 0
                ? "<none>"
                : selector(object).toString();
    }

    private static final class ReplicationControllerRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            var labels = object.object("spec", "template", "metadata", "labels");
            var filled =
                    labels.size() > 0 && object.object("metadata", "labels").size() == 0
                            ? object.with(List.of("metadata", "labels"), labels)
                            : object;
            return Fill.always(filled, "spec", spec -> {
                var whole = Fill.missing(spec, "replicas", 1);
                if (labels.size() > 0 && spec.object("selector").size() == 0) {
                    whole = whole.with("selector", labels);
                }
                return Fill.inside(whole, "template", PodTemplates::defaults);
            });
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            spec.at("minReadySeconds").nonNegative();
            spec.at("selector").required("");
            spec.at("replicas").nonNegative();
            var template = spec.at("template");
            if (!template.isPresent()) {
                template.required("");
                return;
            }
            if (!spec.at("selector").isEmpty()) {
                TemplateSelectors.validateMatch(selector(object), template);
            }
            PodTemplates.validate(template);
            ReplicatedPods.validateRestarts(template, "ReplicationController");
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            ReplicatedPods.validateReplicas(Field.root(object, errors).at("status"));
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            return ReplicatedPods.warningsWithName(object);
        }

        @Override
        public Map<String, Function<Json.Obj, String>> selectableFields() {
            return Map.of("status.replicas", object -> Long.toString(object.integer("status", "replicas")));
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }

        @Override
        public boolean orphansByDefault() {
            return true;
        }
    }
}
