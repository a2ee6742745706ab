package dev.towtank.model.kinds.apps;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.IntOrStrings;
import dev.towtank.model.kinds.PodTemplates;
import dev.towtank.model.kinds.TemplateSelectors;
import dev.towtank.model.kinds.WorkloadColumns;
import java.util.List;
import java.util.Set;

public final class Deployments {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("apps", "v1", "Deployment", "deployments")
            .withShortNames("deploy")
            .withCategories("all")
            .withStatus()
            .withScale(ReplicatedPods.SCALE)
            .withRules(new DeploymentRules())
            .withColumns(
                    Column.ofName(),
                    WorkloadColumns.ready(),
                    Column.text("Up-to-date", (object, _) -> Json.of(object.integer("status", "updatedReplicas"))),
                    Column.text("Available", (object, _) -> Json.of(object.integer("status", "availableReplicas"))),
                    Column.ofAge(),
                    WorkloadColumns.containers("spec", "template", "spec"),
                    WorkloadColumns.images("spec", "template", "spec"),
                    WorkloadColumns.selector("spec", "selector"));

    private Deployments() {}

    private static final class DeploymentRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.always(object, "spec", spec -> {
                var filled = Fill.missing(spec, "replicas", 1);
                filled = filled.with("strategy", strategyDefaults(filled.object("strategy")));
                filled = Fill.missing(filled, "revisionHistoryLimit", 10);
                filled = Fill.missing(filled, "progressDeadlineSeconds", 600);
                return Fill.always(filled, "template", PodTemplates::defaults);
            });
        }

        private static Json.Obj strategyDefaults(Json.Obj strategy) {
            var filled = Fill.missing(strategy, "type", "RollingUpdate");
            if (!filled.string("type").equals("RollingUpdate")) {
                return filled;
            }
            var rolling = Fill.missing(filled.object("rollingUpdate"), "maxUnavailable", "25%");
            return filled.with("rollingUpdate", Fill.missing(rolling, "maxSurge", "25%"));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            spec.at("replicas").nonNegative();
            ReplicatedPods.validate(spec);
            validateStrategy(spec.at("strategy"));
            spec.at("minReadySeconds").nonNegative();
            spec.at("revisionHistoryLimit").nonNegative();
            validateDeadline(spec);
        }

        private static void validateDeadline(Field spec) {
            var deadline = spec.at("progressDeadlineSeconds");
            if (deadline.isPresent()) {
                deadline.nonNegative();
                if (deadline.number() <= spec.at("minReadySeconds").number()) {
                    deadline.invalid("must be greater than minReadySeconds");
                }
            }
        }

        private static void validateStrategy(Field strategy) {
            var rolling = strategy.at("rollingUpdate");
            switch (strategy.at("type").text()) {
                case "Recreate" ->
                    rolling.forbiddenIfPresent("may not be specified when strategy `type` is 'Recreate'");
                case "RollingUpdate" -> validateRolling(rolling);
                default ->
                    strategy.errors()
                            .notSupported(
                                    strategy.path(), Strategies.shown(strategy), List.of("Recreate", "RollingUpdate"));
            }
        }

        private static void validateRolling(Field rolling) {
            var unavailable = rolling.at("maxUnavailable");
            var surge = rolling.at("maxSurge");
            IntOrStrings.validateNonNegativeIntOrPercent(unavailable);
            IntOrStrings.validateNonNegativeIntOrPercent(surge);
            if (IntOrStrings.number(unavailable.value()) == 0 && IntOrStrings.number(surge.value()) == 0) {
                unavailable.invalid("may not be 0 when `maxSurge` is 0");
            }
            IntOrStrings.validateAtMost100Percent(unavailable);
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            TemplateSelectors.validateUnchanged(Field.root(object, errors).at("spec", "selector"), old.object("spec"));
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var status = Field.root(object, errors).at("status");
            ReplicatedPods.validateCounts(
                    status,
                    "observedGeneration",
                    "replicas",
                    "updatedReplicas",
                    "readyReplicas",
                    "availableReplicas",
                    "unavailableReplicas",
                    "terminatingReplicas",
                    "collisionCount");
            ReplicatedPods.validateAtMostReplicas(status, "updatedReplicas", "readyReplicas", "availableReplicas");
            ReplicatedPods.validateAvailable(status, "cannot be greater than readyReplicas");
            ReplicatedPods.validateCollisions(object, old, errors);
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            return ReplicatedPods.warningsWithName(object);
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }

        @Override
        public Set<String> metadataKeptByStatus() {
            return Set.of("labels");
        }

        @Override
        public boolean countsAnnotations() {
            return true;
        }
    }
}
