package dev.towtank.model.kinds.autoscaling;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.ResourceLists;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What a spec of an autoscaler must be like.
final class AutoscalerChecks {

    private static final int LONGEST_PERIOD = 1800;
    private static final int LONGEST_WINDOW = 3600;

    /// The field that holds each type of metric, in the order in which they are looked at.
    static final Map<String, String> SOURCES = Map.of(
            "Object", "object",
            "External", "external",
            "Pods", "pods",
            "Resource", "resource",
            "ContainerResource", "containerResource");

    private static final List<String> FIELDS = List.of("object", "external", "pods", "resource", "containerResource");
    private static final List<String> TYPES = SOURCES.keySet().stream().sorted().toList();

    private AutoscalerChecks() {}

    static void validate(Field spec) {
        var least = spec.at("minReplicas");
        var most = spec.at("maxReplicas");
        if (least.isPresent() && least.number() < 1) {
            least.invalid("must be greater than or equal to 1");
        }
        if (most.number() < 1) {
            most.with(Json.of(most.number())).invalid("must be greater than 0");
        }
        if (least.isPresent() && most.number() < least.number()) {
            most.with(Json.of(most.number())).invalid("must be greater than or equal to `minReplicas`");
        }
        validateReference(spec.at("scaleTargetRef"));
        spec.at("metrics").each(AutoscalerChecks::validateMetric);
        var behavior = spec.at("behavior");
        validateRules(behavior.at("scaleUp"));
        validateRules(behavior.at("scaleDown"));
    }

    private static void validateReference(Field reference) {
        for (var name : List.of("kind", "name")) {
            reference.at(name).required("").matchesIfSet(Names::pathSegment);
        }
    }

    /// That it names a group: of the core group only ReplicationControllers can be scaled.
    static void validateTarget(Field target) {
        validateVersion(target.at("apiVersion"), target.at("kind").text().equals("ReplicationController"));
    }

    private static void validateVersion(Field version, boolean mayBeCore) {
        var text = version.text();
        if (text.chars().filter(letter -> letter == '/').count() > 1) {
            version.invalid("unexpected GroupVersion string: " + text);
        } else if (!mayBeCore && text.indexOf('/') < 1) {
            version.invalid("apiVersion must specify API group");
        }
    }

    private static void validateMetric(Field metric) {
        var type = metric.at("type");
        type.required("must specify a metric source type").oneOf(TYPES);
        var present = new ArrayList<String>();
        for (var name : FIELDS) {
            if (metric.has(name)) {
                present.add(name);
                if (present.size() == 1) {
                    validateSource(name, metric.at(name));
                }
            }
        }
        var expected = SOURCES.get(type.text());
        if (expected == null) {
            type.oneOf(TYPES);
        } else if (!metric.has(expected)) {
            metric.at(expected).required("must populate information for the given metric source");
        }
        if (present.size() != 1) {
            present.remove(expected);
            present.forEach(name -> metric.at(name).forbidden("must populate the given metric source only"));
        }
    }

    private static void validateSource(String kind, Field source) {
        switch (kind) {
            case "object" -> {
                validateReference(source.at("describedObject"));
                validateVersion(source.at("describedObject", "apiVersion"), true);
                validateIdentifier(source.at("metric"));
            }
            case "external", "pods" -> validateIdentifier(source.at("metric"));
            case "containerResource" -> {
                source.at("name").required("must specify a resource name");
                if (!source.at("name").isEmpty()) {
                    ResourceLists.validateContainerName(source.at("name"));
                }
                source.at("container").required("must specify a container").matchesIfSet(Names::dnsLabel);
            }
            default -> source.at("name").required("must specify a resource name");
        }
        validateTargetValue(source.at("target"));
        validateWhichValue(kind, source.at("target"));
    }

    private static void validateIdentifier(Field metric) {
        metric.at("name").required("must specify a metric name").matchesIfSet(Names::pathSegment);
    }

    private static void validateTargetValue(Field target) {
        var type = target.at("type");
        type.required("must specify a metric target type");
        if (!List.of("Utilization", "Value", "AverageValue").contains(type.text())) {
            type.invalid("must be either Utilization, Value, or AverageValue");
        }
        for (var name : List.of("value", "averageValue")) {
            var amount = target.at(name);
            if (amount.isPresent()
                    && ResourceLists.quantity(amount.value())
                            .filter(found -> found.signum() > 0)
                            .isEmpty()) {
                amount.invalid("must be positive");
            }
        }
        var utilization = target.at("averageUtilization");
        if (utilization.isPresent() && utilization.number() < 1) {
            utilization.invalid("must be greater than 0");
        }
    }

    private static void validateWhichValue(String kind, Field target) {
        boolean value = target.has("value");
        boolean average = target.has("averageValue");
        boolean utilization = target.has("averageUtilization");
        switch (kind) {
            case "object" -> {
                if (!value && !average) {
                    target.at("averageValue").required("must set either a target value or averageValue");
                }
            }
            case "external" -> {
                if (!value && !average) {
                    target.at("averageValue").required("must set either a target value for metric or a per-pod target");
                } else if (value && average) {
                    target.at("value").forbidden("may not set both a target value for metric and a per-pod target");
                }
            }
            case "pods" -> target.at("averageValue").required("must specify a positive target averageValue");
            default -> {
                if (!utilization && !average) {
                    target.at("averageUtilization")
                            .required("must set either a target raw value or a target utilization");
                } else if (utilization && average) {
                    target.at("averageValue").forbidden("may not set both a target raw value and a target utilization");
                }
            }
        }
    }

    private static void validateRules(Field rules) {
        if (!rules.isPresent()) {
            return;
        }
        var window = rules.at("stabilizationWindowSeconds");
        if (window.number() < 0) {
            window.invalid("must be greater than or equal to zero");
        } else if (window.number() > LONGEST_WINDOW) {
            window.invalid("must be less than or equal to " + LONGEST_WINDOW);
        }
        rules.at("selectPolicy").oneOfIfPresent("Disabled", "Max", "Min");
        rules.at("policies").required("must specify at least one Policy").each(AutoscalerChecks::validatePolicy);
        var tolerance = rules.at("tolerance");
        if (ResourceLists.quantity(tolerance.value())
                .filter(amount -> amount.signum() < 0)
                .isPresent()) {
            tolerance.invalid("must be greater than or equal to 0");
        }
    }

    private static void validatePolicy(Field policy) {
        policy.at("type").oneOf("Percent", "Pods");
        policy.at("value").positive();
        var period = policy.at("periodSeconds");
        period.positive();
        if (period.number() > LONGEST_PERIOD) {
            period.invalid("must be less than or equal to " + LONGEST_PERIOD);
        }
    }
}
