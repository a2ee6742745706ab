package dev.towtank.model.kinds.apps;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.IntOrStrings;
import dev.towtank.model.kinds.LabelSelectors;
import dev.towtank.model.kinds.PodTemplates;
import dev.towtank.model.kinds.TemplateSelectors;
import dev.towtank.model.kinds.WorkloadColumns;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

public final class DaemonSets {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("apps", "v1", "DaemonSet", "daemonsets")
            .withShortNames("ds")
            .withCategories("all")
            .withStatus()
            .withRules(new DaemonSetRules())
            .withColumns(
                    Column.ofName(),
                    WorkloadColumns.number("Desired", "status", "desiredNumberScheduled"),
                    WorkloadColumns.number("Current", "status", "currentNumberScheduled"),
                    WorkloadColumns.number("Ready", "status", "numberReady"),
                    WorkloadColumns.number("Up-to-date", "status", "updatedNumberScheduled"),
                    WorkloadColumns.number("Available", "status", "numberAvailable"),
                    Column.text("Node Selector", (object, _) -> Json.of(nodeSelector(object))),
                    Column.ofAge(),
                    WorkloadColumns.containers("spec", "template", "spec"),
                    WorkloadColumns.images("spec", "template", "spec"),
                    WorkloadColumns.selector("spec", "selector"));

    /// How often the template changed; a field of older API versions that lives on as an annotation.
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private DaemonSets() {}

    private static String nodeSelector(Json.Obj object) {
        var labels = new TreeMap<>(object.stringMap("spec", "template", "spec", "nodeSelector"));
        return labels.isEmpty()
                ? "<none>"
                : labels.entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(","));
    }

    private static final class DaemonSetRules implements Rules {

        @Override
        public Json.Obj prepareCreate(Json.Obj object) {
            return withTemplateGeneration(object, Math.max(1, templateGeneration(object)));
        }

        // Defaults come after this step, so the new template gets them here to be comparable.
        @Override
        public Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
            var template = PodTemplates.defaults(object.object("spec", "template"));
            boolean changed = !Field.same(template, old.object("spec", "template"));
            return withTemplateGeneration(object, templateGeneration(old) + (changed ? 1 : 0));
        }

        private static long templateGeneration(Json.Obj object) {
            var text = object.string("metadata", "annotations", TEMPLATE_GENERATION);
            return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
        }

        private static Json.Obj withTemplateGeneration(Json.Obj object, long generation) {
            return object.with(
                    List.of("metadata", "annotations", TEMPLATE_GENERATION), Json.of(Long.toString(generation)));
        }

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.always(object, "spec", spec -> {
                var filled = spec.with("updateStrategy", strategyDefaults(spec.object("updateStrategy")));
                filled = Fill.missing(filled, "revisionHistoryLimit", 10);
                return Fill.always(filled, "template", PodTemplates::defaults);
            });
        }

        private static Json.Obj strategyDefaults(Json.Obj strategy) {
            var filled = Fill.missing(strategy, "type", "RollingUpdate");
            if (!filled.string("type").equals("RollingUpdate")) {
                return filled;
            }
            var rolling = Fill.missing(filled.object("rollingUpdate"), "maxUnavailable", 1);
            return filled.with("rollingUpdate", Fill.missing(rolling, "maxSurge", 0));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            var selector = spec.at("selector");
            var template = spec.at("template");
            LabelSelectors.validate(selector);
            TemplateSelectors.read(selector).ifPresent(read -> TemplateSelectors.validateMatch(read, template));
            if (selector.isPresent() && LabelSelectors.isEmpty(selector.object())) {
                selector.invalid("empty selector is invalid for daemonset");
            }
            PodTemplates.validate(template);
            ReplicatedPods.validateRestarts(template, "DaemonSet");
            spec.at("minReadySeconds").nonNegative();
            validateStrategy(spec.at("updateStrategy"));
            spec.at("revisionHistoryLimit").nonNegative();
        }

        private static void validateStrategy(Field strategy) {
            var rolling = strategy.at("rollingUpdate");
            switch (strategy.at("type").text()) {
                case "OnDelete" -> {}
                case "RollingUpdate" -> {
                    if (rolling.isPresent()) {
                        validateRolling(rolling);
                    } else {
                        rolling.required("");
                    }
                }
                default ->
                    strategy.errors()
                            .notSupported(
                                    strategy.path(), Strategies.shown(strategy), List.of("RollingUpdate", "OnDelete"));
            }
        }

        private static void validateRolling(Field rolling) {
            var unavailable = rolling.at("maxUnavailable");
            var surge = rolling.at("maxSurge");
            IntOrStrings.validateNonNegativeIntOrPercent(unavailable);
            IntOrStrings.validateNonNegativeIntOrPercent(surge);
            IntOrStrings.validateAtMost100Percent(unavailable);
            IntOrStrings.validateAtMost100Percent(surge);
            boolean someUnavailable = IntOrStrings.number(unavailable.value()) != 0;
            boolean someSurge = IntOrStrings.number(surge.value()) != 0;
            if (someUnavailable && someSurge) {
                surge.invalid("may not be set when maxUnavailable is non-zero");
            } else if (!someUnavailable && !someSurge) {
                unavailable.errors().required(unavailable.path(), "cannot be 0 when maxSurge is 0");
            }
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            TemplateSelectors.validateUnchanged(Field.root(object, errors).at("spec", "selector"), old.object("spec"));
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            ReplicatedPods.validateCounts(
                    Field.root(object, errors).at("status"),
                    "currentNumberScheduled",
                    "numberMisscheduled",
                    "desiredNumberScheduled",
                    "numberReady",
                    "observedGeneration",
                    "updatedNumberScheduled",
                    "numberAvailable",
                    "numberUnavailable",
                    "collisionCount");
            ReplicatedPods.validateCollisions(object, old, errors);
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            return ReplicatedPods.warnings(object);
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }
    }
}
