package dev.towtank.model.kinds.autoscaling;

import dev.towtank.model.Json;
import dev.towtank.model.ObjectBuilder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Metrics in the form that annotations of `autoscaling/v1` have them in: no targets, but a field for each value.
final class AutoscalerMetrics {

    private AutoscalerMetrics() {}

    static Json.Obj older(Json.Obj metric) {
        return inside(metric, (type, source) -> olderSource(type, source));
    }

    static Json.Obj newer(Json.Obj metric) {
        return inside(metric, (type, source) -> newerSource(type, source));
    }

    static Json.Obj olderStatus(Json.Obj metric) {
        return inside(metric, (type, status) -> olderCurrent(type, status));
    }

    static Json.Obj newerStatus(Json.Obj metric) {
        return inside(metric, (type, status) -> newerCurrent(type, status));
    }

    private interface Change {
        Json.Obj of(String type, Json.Obj source);
    }

    private static Json.Obj inside(Json.Obj metric, Change change) {
        var type = metric.string("type");
        var field = AutoscalerChecks.SOURCES.get(type);
        UnaryOperator<Json.Obj> each = source -> change.of(type, source);
        return field != null && metric.get(field) instanceof Json.Obj source
                ? metric.with(field, each.apply(source))
                : metric;
    }

    private static Json.Obj olderSource(String type, Json.Obj source) {
        var target = source.object("target");
        var older = named(type, source);
        switch (type) {
            case "Object" -> {
                put(older, "targetValue", target.get("value") == null ? Json.of("0") : target.get("value"));
                put(older, "averageValue", target.get("averageValue"));
            }
            case "Pods" -> put(older, "targetAverageValue", target.get("averageValue"));
            case "External" -> {
                put(older, "targetValue", target.get("value"));
                put(older, "targetAverageValue", target.get("averageValue"));
            }
            default -> {
                put(older, "targetAverageUtilization", target.get("averageUtilization"));
                put(older, "targetAverageValue", target.get("averageValue"));
            }
        }
        return older.build();
    }

    private static Json.Obj olderCurrent(String type, Json.Obj status) {
        var current = status.object("current");
        var older = named(type, status);
        switch (type) {
            case "Object" -> {
                put(older, "currentValue", current.get("value") == null ? Json.of("0") : current.get("value"));
                put(older, "averageValue", current.get("averageValue"));
            }
            case "External" -> {
                put(older, "currentValue", current.get("value") == null ? Json.of("0") : current.get("value"));
                put(older, "currentAverageValue", current.get("averageValue"));
            }
            default -> {
                put(older, "currentAverageUtilization", current.get("averageUtilization"));
                put(older, "currentAverageValue", current.get("averageValue"));
            }
        }
        return older.build();
    }

    /// Of what the metric is.
    private static ObjectBuilder named(String type, Json.Obj source) {
        var older = Json.Obj.builder();
        switch (type) {
            case "Resource", "ContainerResource" -> {
                put(older, "name", source.get("name"));
                put(older, "container", source.get("container"));
            }
            default -> {
                put(older, "target", source.get("describedObject"));
                put(older, "metricName", source.at("metric", "name"));
                put(older, type.equals("External") ? "metricSelector" : "selector", source.at("metric", "selector"));
            }
        }
        return older;
    }

    private static Json.Obj newerSource(String type, Json.Obj source) {
        var target = Json.Obj.builder();
        switch (type) {
            case "Object" -> {
                boolean isAverage = source.has("averageValue");
                target.put("type", isAverage ? "AverageValue" : "Value");
                put(target, "value", isAverage ? null : source.get("targetValue"));
                put(target, "averageValue", source.get("averageValue"));
            }
            case "Pods" -> {
                target.put("type", "AverageValue");
                put(target, "averageValue", source.get("targetAverageValue"));
            }
            case "External" -> {
                target.put("type", source.has("targetValue") ? "Value" : "AverageValue");
                put(target, "value", source.get("targetValue"));
                put(target, "averageValue", source.get("targetAverageValue"));
            }
            default -> {
                target.put("type", source.has("targetAverageUtilization") ? "Utilization" : "AverageValue");
                put(target, "averageValue", source.get("targetAverageValue"));
                put(target, "averageUtilization", source.get("targetAverageUtilization"));
            }
        }
        return identified(type, source).put("target", target.build()).build();
    }

    private static Json.Obj newerCurrent(String type, Json.Obj status) {
        var current = Json.Obj.builder();
        put(current, "value", status.get("currentValue"));
        put(current, "averageValue", status.get(type.equals("Object") ? "averageValue" : "currentAverageValue"));
        put(current, "averageUtilization", status.get("currentAverageUtilization"));
        return identified(type, status).put("current", current.build()).build();
    }

    private static ObjectBuilder identified(String type, Json.Obj older) {
        var newer = Json.Obj.builder();
        switch (type) {
            case "Resource", "ContainerResource" -> {
                put(newer, "name", older.get("name"));
                put(newer, "container", older.get("container"));
            }
            default -> {
                put(newer, "describedObject", older.get("target"));
                var metric = Json.Obj.builder();
                put(metric, "name", older.get("metricName"));
                put(metric, "selector", older.get(type.equals("External") ? "metricSelector" : "selector"));
                newer.put("metric", metric.build());
            }
        }
        return newer;
    }

    private static void put(ObjectBuilder object, String name, @Nullable Json value) {
        if (value != null) {
            object.put(name, value);
        }
    }
}
