package dev.towtank.model.kinds.autoscaling;

import dev.towtank.model.Column;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.function.UnaryOperator;

/// What `kubectl get hpa` shows.
final class AutoscalerColumns {

    private static final int MOST_SHOWN = 2;
    private static final String UNKNOWN = "<unknown>";

    private AutoscalerColumns() {}

    /// @param stored gives an object its stored form
    static Column[] of(UnaryOperator<Json.Obj> stored) {
        return new Column[] {
            Column.ofName(),
            Column.text(
                    "Reference",
                    (object, _) -> Json.of(object.string("spec", "scaleTargetRef", "kind") + "/"
                            + object.string("spec", "scaleTargetRef", "name"))),
            Column.text("Targets", (object, _) -> Json.of(targets(stored.apply(object)))),
            Column.text(
                    "MinPods",
                    (object, _) -> Json.of(
                            object.at("spec", "minReplicas") instanceof Json.Int(var least)
                                    ? Long.toString(least)
                                    : "<unset>")),
            Column.text("MaxPods", (object, _) -> Json.of(object.integer("spec", "maxReplicas"))),
            Column.text("Replicas", (object, _) -> Json.of(object.integer("status", "currentReplicas"))),
            Column.ofAge()
        };
    }

    private static String targets(Json.Obj object) {
        var specs = object.objects("spec", "metrics");
        if (specs.isEmpty()) {
            return "<none>";
        }
        var statuses = object.objects("status", "currentMetrics");
        var shown = new ArrayList<String>();
        for (int i = 0; i < specs.size() && i < MOST_SHOWN; i++) {
            shown.add(metric(specs.get(i), i < statuses.size() ? statuses.get(i) : Json.Obj.EMPTY));
        }
        var text = String.join(", ", shown);
        return specs.size() > MOST_SHOWN ? text + " + " + (specs.size() - MOST_SHOWN) + " more..." : text;
    }

    private static String metric(Json.Obj spec, Json.Obj status) {
        var type = spec.string("type");
        var field = AutoscalerChecks.SOURCES.get(type);
        if (field == null) {
            return "<unknown type>";
        }
        var target = spec.object(field, "target");
        var current = status.object(field, "current");
        boolean isAverage = target.has("averageValue");
        return switch (type) {
            case "Resource", "ContainerResource" ->
                spec.string(field, "name") + ": "
                        + (isAverage
                                ? amount(current, "averageValue") + "/" + amount(target, "averageValue")
                                : percent(current, UNKNOWN) + "/" + percent(target, "<auto>"));
            case "Pods" -> amount(current, "averageValue") + "/" + amount(target, "averageValue");
            default ->
                isAverage
                        ? amount(current, "averageValue") + "/" + amount(target, "averageValue") + " (avg)"
                        : amount(current, "value") + "/" + amount(target, "value");
        };
    }

    private static String amount(Json.Obj values, String name) {
        var value = values.get(name);
        return value == null ? UNKNOWN : value.display();
    }

    private static String percent(Json.Obj values, String otherwise) {
        return values.has("averageUtilization") ? values.integer("averageUtilization") + "%" : otherwise;
    }
}
