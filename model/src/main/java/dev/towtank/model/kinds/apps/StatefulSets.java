package dev.towtank.model.kinds.apps;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.IntOrStrings;
import dev.towtank.model.kinds.PodTemplates;
import dev.towtank.model.kinds.TemplateSelectors;
import dev.towtank.model.kinds.VolumeClaims;
import dev.towtank.model.kinds.WorkloadColumns;
import java.util.ArrayList;
import java.util.List;

public final class StatefulSets {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("apps", "v1", "StatefulSet", "statefulsets")
            .withShortNames("sts")
            .withCategories("all")
            .withStatus()
            .withScale(ReplicatedPods.SCALE)
            .withRules(new StatefulSetRules())
            .withColumns(
                    Column.ofName(),
                    WorkloadColumns.ready(),
                    Column.ofAge(),
                    WorkloadColumns.containers("spec", "template", "spec"),
                    WorkloadColumns.images("spec", "template", "spec"));

    private static final List<String> CHANGEABLE = List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    private static final String ONLY_FOR_ROLLING = "only allowed for updateStrategy 'RollingUpdate'";

    private StatefulSets() {}

    private static final class StatefulSetRules implements Rules {

        // Its name becomes part of the host names of its pods.
        @Override
        public Names.Rule nameRule() {
            return Names.Rule.DNS_LABEL;
        }

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.always(object, "spec", StatefulSetRules::specDefaults);
        }

        private static Json.Obj specDefaults(Json.Obj spec) {
            var filled = Fill.missing(spec, "podManagementPolicy", "OrderedReady");
            filled = filled.with("updateStrategy", strategyDefaults(filled.object("updateStrategy")));
            var retention = filled.object("persistentVolumeClaimRetentionPolicy");
            retention = Fill.missing(retention, "whenDeleted", "Retain");
            filled = filled.with(
                    "persistentVolumeClaimRetentionPolicy", Fill.missing(retention, "whenScaled", "Retain"));
            filled = Fill.missing(filled, "replicas", 1);
            filled = Fill.missing(filled, "revisionHistoryLimit", 10);
            filled = Fill.each(filled, "volumeClaimTemplates", StatefulSetRules::claimDefaults);
            return Fill.always(filled, "template", PodTemplates::defaults);
        }

        private static Json.Obj strategyDefaults(Json.Obj strategy) {
            var filled = strategy.string("type").isEmpty()
                    ? strategy.with("type", Json.of("RollingUpdate"))
                            .with("rollingUpdate", strategy.object("rollingUpdate"))
                    : strategy;
            return filled.string("type").equals("RollingUpdate")
                    ? Fill.inside(filled, "rollingUpdate", rolling -> Fill.missing(rolling, "partition", 0))
                    : filled;
        }

        private static Json.Obj claimDefaults(Json.Obj claim) {
            return claim.with("kind", Json.of("PersistentVolumeClaim"))
                    .with("apiVersion", Json.of("v1"))
                    .with("spec", VolumeClaims.defaults(claim.object("spec")))
                    .with("status", Fill.missing(claim.object("status"), "phase", "Pending"));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            validatePodManagement(spec.at("podManagementPolicy"));
            validateStrategy(spec.at("updateStrategy"));
            var retention = spec.at("persistentVolumeClaimRetentionPolicy");
            if (retention.isPresent()) {
                retention.at("whenDeleted").oneOf("Retain", "Delete");
                retention.at("whenScaled").oneOf("Retain", "Delete");
            }
            spec.at("replicas").nonNegative();
            spec.at("minReadySeconds").nonNegative();
            spec.at("ordinals", "start").nonNegative();
            validatePods(spec);
        }

        // Neither can be changed, so what was stored before these rules stays.
        @Override
        public void validateCreate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            spec.at("volumeClaimTemplates").each(claim -> VolumeClaims.validateSpec(claim.at("spec")));
            spec.at("serviceName").matchesIfSet(Names::dnsLabel);
        }

        private static void validatePodManagement(Field policy) {
            if (policy.isEmpty()) {
                policy.required("");
            } else if (!List.of("OrderedReady", "Parallel").contains(policy.text())) {
                policy.invalid("must be 'OrderedReady' or 'Parallel'");
            }
        }

        private static void validateStrategy(Field strategy) {
            var rolling = strategy.at("rollingUpdate");
            switch (strategy.at("type").text()) {
                case "" -> strategy.errors().required(strategy.path(), "");
                case "OnDelete" -> {
                    if (rolling.isPresent()) {
                        rolling.invalid(ONLY_FOR_ROLLING);
                    }
                }
                case "RollingUpdate" -> validateRolling(rolling);
                default -> strategy.with(Strategies.shown(strategy)).invalid("must be 'RollingUpdate' or 'OnDelete'");
            }
        }

        private static void validateRolling(Field rolling) {
            rolling.at("partition").nonNegative();
            var unavailable = rolling.at("maxUnavailable");
            if (unavailable.isPresent()) {
                IntOrStrings.validateNonNegativeIntOrPercent(unavailable);
                if (IntOrStrings.number(unavailable.value()) == 0) {
                    unavailable.invalid("cannot be 0");
                }
                IntOrStrings.validateAtMost100Percent(unavailable);
            }
        }

        private static void validatePods(Field spec) {
            var selector = spec.at("selector");
            var template = spec.at("template");
            TemplateSelectors.validateRequired(selector, "statefulset");
            var read = TemplateSelectors.read(selector);
            if (read.isEmpty()) {
                selector.invalid("");
            } else {
                if (!read.get().matchesEverything()) {
                    TemplateSelectors.validateMatch(read.get(), template);
                }
                PodTemplates.validate(
                        template.with(asRun(template.object(), spec.object().objects("volumeClaimTemplates"))));
            }
            ReplicatedPods.validateRestarts(template, "StatefulSet");
        }

        /// The template as the controller will make pods of it: it names the host and brings the claimed volumes.
        private static Json.Obj asRun(Json.Obj template, List<Json.Obj> claims) {
            var podSpec = template.object("spec").without("hostname").without("subdomain");
            if (!claims.isEmpty()) {
                var names = claims.stream()
                        .map(claim -> claim.string("metadata", "name"))
                        .toList();
                var volumes = new ArrayList<Json>();
                for (var name : names) {
                    var source = Json.Obj.of("claimName", Json.of(name));
                    volumes.add(Json.Obj.of("name", Json.of(name), "persistentVolumeClaim", source));
                }
                podSpec.objects("volumes").stream()
                        .filter(volume -> !names.contains(volume.string("name")))
                        .forEach(volumes::add);
                podSpec = podSpec.with("volumes", new Json.Arr(volumes));
            }
            return template.with("spec", podSpec);
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            if (!Field.same(fixedPart(object), fixedPart(old))) {
                Field.root(object, errors)
                        .at("spec")
                        .forbidden("updates to statefulset spec for fields other than 'replicas', 'ordinals',"
                                + " 'template', 'updateStrategy', 'revisionHistoryLimit',"
                                + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
            }
        }

        private static Json.Obj fixedPart(Json.Obj object) {
            var spec = object.object("spec");
            for (var changeable : CHANGEABLE) {
                spec = spec.without(changeable);
            }
            return spec.string("serviceName").isEmpty() ? spec.without("serviceName") : spec;
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var status = Field.root(object, errors).at("status");
            ReplicatedPods.validateCounts(
                    status,
                    "replicas",
                    "readyReplicas",
                    "currentReplicas",
                    "updatedReplicas",
                    "availableReplicas",
                    "observedGeneration",
                    "collisionCount");
            ReplicatedPods.validateAtMostReplicas(
                    status, "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas");
            ReplicatedPods.validateAvailable(status, "cannot be greater than status.readyReplicas");
            ReplicatedPods.validateCollisions(object, old, errors);
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            var warnings = new ArrayList<>(ReplicatedPods.warnings(object));
            if (object.integer("spec", "revisionHistoryLimit") < 0) {
                warnings.add("spec.revisionHistoryLimit: a negative value retains all historical revisions; a value"
                        + " >= 0 is recommended");
            }
            return warnings;
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }
    }
}
