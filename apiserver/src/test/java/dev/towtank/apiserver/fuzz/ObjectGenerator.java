package dev.towtank.apiserver.fuzz;

import dev.towtank.model.Json;
import dev.towtank.model.Schema;
import java.util.ArrayList;
import java.util.Base64;

/// Makes objects of built-in types: right by their schema, and mostly nonsense.
record ObjectGenerator(Mutator mutator) {

    Json.Obj object(Schema.Type type, int depth) {
        var builder = Json.Obj.builder();
        for (var field : type.jsonFields()) {
            if (mutator.chance(depth > 2 ? 2 : 4) || (field.required() && depth > 0)) {
                builder.put(field.name(), value(field.value(), depth - 1));
            }
        }
        return builder.build();
    }

    private Json value(Schema.Value value, int depth) {
        return switch (value) {
            case Schema.Value.ScalarOf scalar -> scalar(scalar.scalar());
            case Schema.Value.ObjectOf object ->
                depth < 0 || object.type().form() != Schema.Form.OBJECT ? Json.Obj.EMPTY : object(object.type(), depth);
            case Schema.Value.MapOf map -> {
                var entries = Json.Obj.EMPTY;
                for (int i = mutator.random.nextInt(3); i > 0; i--) {
                    entries = entries.with(mutator.any(Mutator.WORDS), value(map.element(), depth));
                }
                yield entries;
            }
            case Schema.Value.ListOf list -> {
                var items = new ArrayList<Json>();
                for (int i = mutator.random.nextInt(3); i > 0; i--) {
                    items.add(value(list.element(), depth));
                }
                yield new Json.Arr(items);
            }
        };
    }

    private Json scalar(Schema.Scalar scalar) {
        var random = mutator.random;
        return switch (scalar) {
            case STRING, QUANTITY, DURATION -> Json.of(mutator.any(Mutator.WORDS));
            case BOOL -> Json.of(random.nextBoolean());
            case INT32 -> Json.of(mutator.chance(5) ? random.nextInt() : random.nextInt(-1, 9000));
            case INT64 -> Json.of(mutator.chance(5) ? random.nextLong() : random.nextInt(-1, 9000));
            case DOUBLE -> Json.of(random.nextInt(-1, 10));
            case BYTES -> Json.of(Base64.getEncoder().encodeToString(new byte[random.nextInt(5)]));
            case INT_OR_STRING -> random.nextBoolean() ? Json.of(random.nextInt(-1, 100)) : Json.of("50%");
            case TIME -> Json.of("2026-03-01T10:00:00Z");
            case MICRO_TIME -> Json.of("2026-03-01T10:00:00.000000Z");
            case ANY -> mutator.value(2);
        };
    }
}
