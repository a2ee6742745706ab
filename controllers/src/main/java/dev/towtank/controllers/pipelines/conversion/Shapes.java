package dev.towtank.controllers.pipelines.conversion;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/// Small changes to trees. All of them leave alone what is not there or of another type.
final class Shapes {

    /// The fields of a step that only v1beta1 has.
    static final List<String> STEP_DEPRECATIONS = List.of(
            "ports",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle",
            "terminationMessagePath",
            "terminationMessagePolicy",
            "stdin",
            "stdinOnce",
            "tty");

    static final String DEPRECATIONS = "tekton.dev/v1beta1.task-deprecations";
    static final String RESOURCES = "tekton.dev/v1beta1Resources";
    static final String RESOURCES_RESULT = "tekton.dev/v1beta1ResourcesResult";
    static final String RESOURCES_STATUS = "tekton.dev/v1beta1ResourcesStatus";
    static final String CLOUD_EVENTS = "tekton.dev/v1beta1CloudEvents";
    /// Ours: fields by their path.
    static final String OTHER_FIELDS = "tekton.towtank.dev/v1beta1-fields";

    private Shapes() {}

    static Json.Obj renamed(Json.Obj object, String from, String to) {
        var value = object.get(from);
        if (value == null) {
            return object;
        }
        // In place, so that the order of fields stays.
        var result = Json.Obj.builder();
        object.forEach((key, field) -> {
            if (!key.equals(to)) {
                result.put(key.equals(from) ? to : key, field);
            }
        });
        return result.build();
    }

    static Json.Obj object(Json.Obj parent, String field, UnaryOperator<Json.Obj> change) {
        return parent.get(field) instanceof Json.Obj child ? parent.with(field, change.apply(child)) : parent;
    }

    static Json.Obj each(Json.Obj parent, String field, UnaryOperator<Json.Obj> change) {
        return each(parent, field, (item, _) -> change.apply(item));
    }

    static Json.Obj each(Json.Obj parent, String field, BiFunction<Json.Obj, Integer, Json.Obj> change) {
        if (!(parent.get(field) instanceof Json.Arr items)) {
            return parent;
        }
        var changed = new ArrayList<Json>(items.size());
        for (int i = 0; i < items.size(); i++) {
            changed.add(items.get(i) instanceof Json.Obj item ? change.apply(item, i) : items.get(i));
        }
        return parent.with(field, new Json.Arr(changed));
    }

    static Json.Obj only(Json.Obj object, List<String> fields) {
        var result = Json.Obj.builder();
        object.forEach((key, value) -> {
            if (fields.contains(key)) {
                result.put(key, value);
            }
        });
        return result.build();
    }

    static Json.Obj without(Json.Obj object, List<String> fields) {
        var result = object;
        for (var field : fields) {
            result = result.without(field);
        }
        return result;
    }
}
