package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.model.Json;
import dev.towtank.model.Schema;
import dev.towtank.model.Schemas;
import dev.towtank.model.patch.StrategicMergePatch;
import java.util.List;
import java.util.Map;

/// Puts the template of a task's steps under each of them.
public final class StepTemplates {

    private static final Map<String, String> MERGED_BY_KEY =
            Map.of("env", "name", "volumeMounts", "mountPath", "volumeDevices", "devicePath");
    private static final String RESOURCES = "computeResources";

    private static final Schema.Type CONTAINER = Schemas.builtin()
            .type("io.k8s.api.core.v1.Container")
            .orElseThrow(() -> new IllegalStateException("there is no schema of a container"));

    private StepTemplates() {}

    /// Steps that refer to a step action stay as they are until it is known.
    public static Json.Obj merge(Json.Obj taskSpec) {
        if (!(taskSpec.get("stepTemplate") instanceof Json.Obj template)
                || !(taskSpec.get("steps") instanceof Json.Arr steps)) {
            return taskSpec;
        }
        var merged = steps.map(
                step -> step instanceof Json.Obj object && !object.has("ref") ? merge(template, object) : step);
        return taskSpec.with("steps", merged);
    }

    public static Json.Obj merge(Json.Obj template, Json.Obj step) {
        var patch = asContainer(step).toBuilder();
        MERGED_BY_KEY.forEach((list, key) -> {
            if (step.get(list) instanceof Json.Arr items) {
                patch.put("$setElementOrder/" + list, order(items, key));
            }
        });
        var merged = StrategicMergePatch.apply(asContainer(template), patch.build(), CONTAINER);
        return withStepEnvironment(asStep(merged), step);
    }

    private static Json.Arr order(Json.Arr items, String key) {
        return new Json.Arr(items.objects().stream()
                .<Json>map(item -> Json.Obj.of(key, Json.of(item.string(key))))
                .toList());
    }

    private static Json.Obj asContainer(Json.Obj step) {
        var resources = step.get(RESOURCES);
        return resources == null ? step : step.without(RESOURCES).with("resources", resources);
    }

    private static Json.Obj asStep(Json.Obj container) {
        var resources = container.get("resources");
        return resources == null ? container : container.without("resources").with(RESOURCES, resources);
    }

    // A variable with a value in the one and a source in the other would have both: then the step's stands alone.
    private static Json.Obj withStepEnvironment(Json.Obj merged, Json.Obj step) {
        var own = step.objects("env");
        if (own.isEmpty() || !(merged.get("env") instanceof Json.Arr environment)) {
            return merged;
        }
        return merged.with("env", environment.map(item -> {
            if (item instanceof Json.Obj variable
                    && variable.has("valueFrom")
                    && !variable.string("value").isEmpty()) {
                return named(own, variable.string("name"), variable);
            }
            return item;
        }));
    }

    private static Json named(List<Json.Obj> environment, String name, Json.Obj fallback) {
        return environment.stream()
                .filter(variable -> variable.string("name").equals(name))
                .findFirst()
                .orElse(fallback);
    }
}
