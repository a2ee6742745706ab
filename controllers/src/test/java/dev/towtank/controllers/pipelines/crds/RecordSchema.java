package dev.towtank.controllers.pipelines.crds;

import dev.towtank.model.Json;
import dev.towtank.model.Records;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The schema that a record asks for, to compare with the one in a definition.
final class RecordSchema {

    static final Json.Obj ANYTHING = Json.Obj.of("x-kubernetes-preserve-unknown-fields", Json.of(true));
    static final Json.Obj ANY_OBJECT =
            Json.Obj.of("type", Json.of("object")).toBuilder().putAll(ANYTHING).build();

    /// Specs inside of others are not described: there a wrong field is an error, which pruning would hide.
    private static final Set<String> OPAQUE = Set.of("taskSpec", "pipelineSpec", "retriesStatus");

    private RecordSchema() {}

    static Json.Obj of(Class<?> record) {
        var properties = Json.Obj.builder();
        for (var component : record.getRecordComponents()) {
            var renamed = component.getAnnotation(Records.Field.class);
            var name = renamed == null ? component.getName() : renamed.value();
            properties.put(name, OPAQUE.contains(name) ? opaque(component.getType()) : of(component.getGenericType()));
        }
        return Json.Obj.of("type", Json.of("object"), "properties", properties.build());
    }

    private static Json.Obj opaque(Class<?> type) {
        return type == List.class ? list(ANY_OBJECT) : ANY_OBJECT;
    }

    private static Json.Obj list(Json.Obj items) {
        return Json.Obj.of("type", Json.of("array"), "items", items);
    }

    private static Json.Obj of(Type type) {
        if (type instanceof ParameterizedType generic) {
            var arguments = generic.getActualTypeArguments();
            var last = of(arguments[arguments.length - 1]);
            if (generic.getRawType() == Optional.class) {
                return last;
            }
            return generic.getRawType() == Map.class
                    ? Json.Obj.of("type", Json.of("object"), "additionalProperties", last)
                    : list(last);
        }
        var plain = (Class<?>) type;
        if (plain == Json.class) {
            return ANYTHING;
        } else if (plain == Json.Obj.class) {
            return ANY_OBJECT;
        } else if (plain == Instant.class) {
            return Json.Obj.of("type", Json.of("string"), "format", Json.of("date-time"));
        } else if (plain.isRecord()) {
            return of(plain);
        }
        return Json.Obj.of(
                "type", Json.of(plain == String.class ? "string" : plain == boolean.class ? "boolean" : "integer"));
    }
}
