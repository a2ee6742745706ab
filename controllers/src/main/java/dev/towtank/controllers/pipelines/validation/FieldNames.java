package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.CustomRun;
import dev.towtank.controllers.pipelines.api.PipelineRunSpec;
import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.api.ResolutionRequest;
import dev.towtank.controllers.pipelines.api.StepAction;
import dev.towtank.controllers.pipelines.api.TaskRunSpec;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.controllers.pipelines.api.VerificationPolicy;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The names that fields have in the specs of our kinds.
final class FieldNames {

    private static final Map<String, Class<? extends Record>> SPECS = Map.of(
            "Task", TaskSpec.class,
            "TaskRun", TaskRunSpec.class,
            "Pipeline", PipelineSpec.class,
            "PipelineRun", PipelineRunSpec.class,
            "StepAction", StepAction.Spec.class,
            "CustomRun", CustomRun.Spec.class,
            "ResolutionRequest", ResolutionRequest.Spec.class,
            "VerificationPolicy", VerificationPolicy.Spec.class);

    private static final ClassValue<Map<String, RecordComponent>> COMPONENTS = new ClassValue<>() {
        @Override
        protected Map<String, RecordComponent> computeValue(Class<?> type) {
            var byName = new HashMap<String, RecordComponent>();
            for (var component : type.getRecordComponents()) {
                byName.put(name(component), component);
            }
            return Map.copyOf(byName);
        }
    };

    private FieldNames() {}

    static Optional<Class<? extends Record>> specOf(String kind) {
        return Optional.ofNullable(SPECS.get(kind));
    }

    static Map<String, RecordComponent> of(Class<?> record) {
        return COMPONENTS.get(record);
    }

    private static String name(RecordComponent component) {
        var renamed = component.getAnnotation(Records.Field.class);
        return renamed == null ? component.getName() : renamed.value();
    }

    /// With names as they should be written. Go reads `mountpath` as `mountPath`, and there is YAML that counts
    /// on it.
    static Json.Obj canonical(Class<?> record, Json.Obj object) {
        var components = of(record);
        var changes = new TreeMap<Integer, Map.Entry<String, Json>>();
        for (int i = 0; i < object.size(); i++) {
            var name = object.key(i);
            var exact = components.get(name);
            var component = exact == null ? similar(components, name, object) : exact;
            if (component == null) {
                continue;
            }
            var value = canonical(component.getGenericType(), object.value(i));
            if (!TreeChanges.isSame(value, object.value(i)) || !name(component).equals(name)) {
                changes.put(i, Map.entry(name(component), value));
            }
        }
        return changes.isEmpty() ? object : changed(object, changes);
    }

    private static Json.Obj changed(Json.Obj object, Map<Integer, Map.Entry<String, Json>> changes) {
        var result = Json.Obj.builder();
        for (int i = 0; i < object.size(); i++) {
            var change = changes.getOrDefault(i, Map.entry(object.key(i), object.value(i)));
            result.put(change.getKey(), change.getValue());
        }
        return result.build();
    }

    private static @Nullable RecordComponent similar(
            Map<String, RecordComponent> components, String name, Json.Obj object) {
        for (var entry : components.entrySet()) {
            if (entry.getKey().equalsIgnoreCase(name) && !object.has(entry.getKey())) {
                return entry.getValue();
            }
        }
        return null;
    }

    private static Json canonical(Type type, Json json) {
        if (type instanceof ParameterizedType generic && generic.getRawType() != Map.class) {
            var item = generic.getActualTypeArguments()[0];
            return json instanceof Json.Arr list
                    ? TreeChanges.each(list, each -> canonical(item, each))
                    : canonical(item, json);
        }
        return type instanceof Class<?> plain && plain.isRecord() && json instanceof Json.Obj object
                ? canonical(plain, object)
                : json;
    }
}
