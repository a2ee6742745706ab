package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.PipelineResult;
import dev.towtank.model.Json;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;

/// Params, and results of pipelines, that have no value, wherever they are in a spec. Tekton reads such an object and
/// then
/// cannot write it ("impossible ParamValues.Type"); what is missing is told here.
final class UnsetValues {

    private UnsetValues() {}

    static Problems of(Json.Obj object) {
        var type = FieldNames.specOf(object.string("kind"));
        return type.isPresent() && object.get("spec") instanceof Json.Obj spec
                ? in(type.get(), spec).via("spec")
                : Problems.none();
    }

    private static Problems in(Class<?> record, Json.Obj object) {
        var problems = Problems.none();
        boolean needsValue = record == Param.class || record == PipelineResult.class;
        if (needsValue && (object.get("value") == null || object.get("value") instanceof Json.Null)) {
            problems.add(Problems.missing("value"));
        }
        var components = FieldNames.of(record);
        object.forEach((name, value) -> {
            var component = components.get(name);
            if (component != null) {
                problems.add(in(component.getGenericType(), value).via(name));
            }
        });
        return problems;
    }

    private static Problems in(Type type, Json value) {
        if (type instanceof ParameterizedType generic && generic.getRawType() != Map.class) {
            var item = generic.getActualTypeArguments()[0];
            return value instanceof Json.Arr items ? in(item, items) : in(item, value);
        }
        return type instanceof Class<?> plain && plain.isRecord() && value instanceof Json.Obj object
                ? in(plain, object)
                : Problems.none();
    }

    private static Problems in(Type item, Json.Arr items) {
        var problems = Problems.none();
        for (int i = 0; i < items.size(); i++) {
            problems.add(in(item, items.get(i)).viaIndex(i));
        }
        return problems;
    }
}
