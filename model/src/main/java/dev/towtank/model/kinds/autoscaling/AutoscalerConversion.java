package dev.towtank.model.kinds.autoscaling;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The two forms of one autoscaler. What `autoscaling/v1` has no fields for is in annotations there, in the forms of
/// its
/// time.
public final class AutoscalerConversion {

    private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
    private static final String METRICS = PREFIX + "metrics";
    private static final String CURRENT_METRICS = PREFIX + "current-metrics";
    private static final String CONDITIONS = PREFIX + "conditions";
    private static final String BEHAVIOR = PREFIX + "behavior";
    private static final List<String> ANNOTATIONS = List.of(METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR);

    private AutoscalerConversion() {}

    /// From either form to that of `autoscaling/v2`.
    public static Json.Obj toStored(Json.Obj object) {
        if (object.string("apiVersion").endsWith("/v2")) {
            return object;
        }
        var filled = object.with("apiVersion", Json.of("autoscaling/v2"));
        if (object.get("spec") instanceof Json.Obj spec) {
            filled = filled.with("spec", AutoscalerDefaults.of(storedSpec(object, spec)));
        }
        if (object.get("status") instanceof Json.Obj status) {
            filled = filled.with("status", storedStatus(object, status));
        }
        return withoutAnnotations(filled);
    }

    private static Json.Obj storedSpec(Json.Obj object, Json.Obj spec) {
        var metrics = new ArrayList<Json>();
        for (var metric : annotation(object, METRICS)) {
            metrics.add(AutoscalerMetrics.newer(metric));
        }
        if (spec.get("targetCPUUtilizationPercentage") instanceof Json.Int(var percent)) {
            metrics.add(AutoscalerDefaults.cpu(percent));
        }
        var newer = spec.without("targetCPUUtilizationPercentage");
        newer = metrics.isEmpty() ? newer : newer.with("metrics", new Json.Arr(metrics));
        return parsed(object, BEHAVIOR) instanceof Json.Obj behavior && behavior.size() > 0
                ? newer.with("behavior", renamed(behavior, false))
                : newer;
    }

    private static Json.Obj storedStatus(Json.Obj object, Json.Obj status) {
        var newer = status.without("currentCPUUtilizationPercentage");
        var metrics = new ArrayList<Json>();
        annotation(object, CURRENT_METRICS).forEach(metric -> metrics.add(AutoscalerMetrics.newerStatus(metric)));
        if (metrics.isEmpty() && status.get("currentCPUUtilizationPercentage") instanceof Json.Int percent) {
            var current = Json.Obj.of("averageUtilization", percent);
            metrics.add(Json.Obj.of(
                    "type", Json.of("Resource"), "resource", Json.Obj.of("name", Json.of("cpu"), "current", current)));
        }
        newer = metrics.isEmpty() ? newer : newer.with("currentMetrics", new Json.Arr(metrics));
        var conditions = annotation(object, CONDITIONS);
        return conditions.isEmpty() ? newer : newer.with("conditions", new Json.Arr(List.copyOf(conditions)));
    }

    /// From the stored form to that of `autoscaling/v1`.
    public static Json.Obj fromStored(Json.Obj object) {
        if (object.string("apiVersion").endsWith("/v1")) {
            return object;
        }
        var older = withoutAnnotations(object.with("apiVersion", Json.of("autoscaling/v1")));
        if (object.get("spec") instanceof Json.Obj spec) {
            older = withSpec(older, spec);
        }
        if (object.get("status") instanceof Json.Obj status) {
            older = withStatus(older, status);
        }
        return older;
    }

    private static Json.Obj withSpec(Json.Obj object, Json.Obj spec) {
        var percent = spec.objects("metrics").stream()
                .filter(AutoscalerConversion::isCpu)
                .map(metric -> metric.at("resource", "target", "averageUtilization"))
                .findFirst();
        var others = spec.objects("metrics").stream()
                .filter(metric -> !isCpu(metric))
                .<Json>map(AutoscalerMetrics::older)
                .toList();
        var older = spec.without("metrics").without("behavior");
        var result = object.with("spec", older.withOrWithout("targetCPUUtilizationPercentage", percent.orElse(null)));
        result = annotated(result, METRICS, others);
        return spec.get("behavior") instanceof Json.Obj behavior
                ? annotated(result, BEHAVIOR, JsonText.write(renamed(behavior, true)))
                : result;
    }

    private static boolean isCpu(Json.Obj metric) {
        return metric.string("type").equals("Resource")
                && metric.string("resource", "name").equals("cpu")
                && metric.at("resource", "target", "averageUtilization") instanceof Json.Int;
    }

    private static Json.Obj withStatus(Json.Obj object, Json.Obj status) {
        var percent = status.objects("currentMetrics").stream()
                .filter(metric -> metric.string("resource", "name").equals("cpu")
                        && metric.at("resource", "current", "averageUtilization") instanceof Json.Int)
                .map(metric -> metric.at("resource", "current", "averageUtilization"))
                .reduce((_, last) -> last);
        var older = status.without("currentMetrics").without("conditions");
        var result =
                object.with("status", older.withOrWithout("currentCPUUtilizationPercentage", percent.orElse(null)));
        result = annotated(
                result,
                CURRENT_METRICS,
                status.objects("currentMetrics").stream()
                        .<Json>map(AutoscalerMetrics::olderStatus)
                        .toList());
        return annotated(result, CONDITIONS, List.copyOf(status.objects("conditions")));
    }

    private static Json.Obj annotated(Json.Obj object, String name, List<Json> values) {
        return values.isEmpty() ? object : annotated(object, name, JsonText.write(new Json.Arr(values)));
    }

    private static Json.Obj annotated(Json.Obj object, String name, String text) {
        return object.with(List.of("metadata", "annotations", name), Json.of(text));
    }

    private static Json.Obj withoutAnnotations(Json.Obj object) {
        var annotations = object.object("metadata", "annotations");
        var left = annotations;
        for (var name : ANNOTATIONS) {
            left = left.without(name);
        }
        if (left.size() == annotations.size()) {
            return object;
        }
        var metadata = object.object("metadata");
        return object.with(
                "metadata", left.size() == 0 ? metadata.without("annotations") : metadata.with("annotations", left));
    }

    private static List<Json.Obj> annotation(Json.Obj object, String name) {
        var found = new ArrayList<Json.Obj>();
        if (parsed(object, name) instanceof Json.Arr items) {
            items.forEach(item -> {
                if (item instanceof Json.Obj each) {
                    found.add(each);
                }
            });
        }
        return found;
    }

    /// What cannot be read counts as not there, as it does upstream.
    private static Json parsed(Json.Obj object, String name) {
        var text = object.string("metadata", "annotations", name);
        try {
            return text.isEmpty() ? Json.Null.NULL : JsonText.parse(text);
        } catch (JsonText.Malformed e) {
            return Json.Null.NULL;
        }
    }

    /// A behavior is written there with the names that its fields have in Go.
    private static Json.Obj renamed(Json.Obj behavior, boolean capital) {
        var renamed = Json.Obj.builder();
        behavior.forEach((key, value) -> {
            if (!(value instanceof Json.Null)) {
                var first = key.substring(0, 1);
                renamed.put(
                        (capital ? first.toUpperCase(Locale.ROOT) : first.toLowerCase(Locale.ROOT)) + key.substring(1),
                        renamedValue(value, capital));
            }
        });
        return renamed.build();
    }

    private static Json renamedValue(Json value, boolean capital) {
        return switch (value) {
            case Json.Obj object -> renamed(object, capital);
            case Json.Arr items -> items.map(item -> renamedValue(item, capital));
            default -> value;
        };
    }
}
