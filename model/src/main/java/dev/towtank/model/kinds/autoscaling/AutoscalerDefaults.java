package dev.towtank.model.kinds.autoscaling;

import dev.towtank.model.Json;
import dev.towtank.model.kinds.Fill;

/// What an autoscaler does where its spec does not say.
public final class AutoscalerDefaults {

    private static final int CPU_UTILIZATION = 80;
    private static final int PERIOD_SECONDS = 15;

    /// At most four pods more, or twice as many, whichever is more, in a quarter of a minute.
    private static final Json.Obj UP = Json.Obj.builder()
            .put("stabilizationWindowSeconds", 0)
            .put("selectPolicy", "Max")
            .put("policies", Json.Arr.of(policy("Pods", 4), policy("Percent", 100)))
            .build();

    /// How long it waits is not said here: that is a setting of whoever scales.
    private static final Json.Obj DOWN = Json.Obj.builder()
            .put("selectPolicy", "Max")
            .put("policies", Json.Arr.of(policy("Percent", 100)))
            .build();

    private AutoscalerDefaults() {}

    private static Json.Obj policy(String type, int value) {
        return Json.Obj.builder()
                .put("type", type)
                .put("value", value)
                .put("periodSeconds", PERIOD_SECONDS)
                .build();
    }

    static Json.Obj of(Json.Obj spec) {
        var filled = Fill.missing(spec, "minReplicas", 1);
        if (filled.array("metrics").size() == 0) {
            filled = filled.with("metrics", Json.Arr.of(cpu(CPU_UTILIZATION)));
        }
        return Fill.inside(
                filled,
                "behavior",
                behavior -> behavior.with("scaleUp", rules(behavior.object("scaleUp"), UP))
                        .with("scaleDown", rules(behavior.object("scaleDown"), DOWN)));
    }

    private static Json.Obj rules(Json.Obj given, Json.Obj usual) {
        var filled = given;
        for (int i = 0; i < usual.size(); i++) {
            filled = Fill.missing(filled, usual.key(i), usual.value(i));
        }
        return filled;
    }

    /// The metric of the older form.
    static Json.Obj cpu(long utilization) {
        var target = Json.Obj.of("type", Json.of("Utilization"), "averageUtilization", Json.of(utilization));
        return Json.Obj.of(
                "type", Json.of("Resource"), "resource", Json.Obj.of("name", Json.of("cpu"), "target", target));
    }
}
