package dev.towtank.model.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.common.values.StructValue;
import dev.towtank.model.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns JSON into the values that the library computes with, and back.
final class JsonValues {

    private JsonValues() {}

    static Object read(Json json, Shape shape) {
        if (json instanceof Json.Null) {
            return NullValue.NULL_VALUE;
        }
        return switch (shape) {
            case Shape.Scalar scalar -> scalar(json, scalar);
            case Shape.Handle _ -> any(json);
            case Shape.ListOf(var element) -> json instanceof Json.Arr array ? list(array, element) : any(json);
            case Shape.MapOf(var value) -> json instanceof Json.Obj object ? map(object, value) : any(json);
            case Shape.ObjectOf type -> json instanceof Json.Obj object ? new Struct(object, type) : any(json);
            case Shape.OptionalOf(var value) -> Optional.of(read(json, value));
        };
    }

    private static Object scalar(Json json, Shape.Scalar shape) {
        if (json instanceof Json.Str(var text)) {
            return switch (shape) {
                case BYTES -> CelByteString.of(Texts.base64(text));
                case TIMESTAMP -> Texts.timestamp(text);
                case DURATION -> Texts.duration(text);
                case ANY, BOOL, INT, DOUBLE, STRING -> text;
            };
        }
        if (shape == Shape.Scalar.DOUBLE && json instanceof Json.Int(var number)) {
            return (double) number;
        }
        if (shape == Shape.Scalar.INT && json instanceof Json.Real(var number) && number == Math.rint(number)) {
            return (long) number;
        }
        return any(json);
    }

    private static Object any(Json json) {
        return switch (json) {
            case Json.Null _ -> NullValue.NULL_VALUE;
            case Json.Bool(var value) -> value;
            case Json.Int(var value) -> value;
            case Json.Real(var value) -> value;
            case Json.Str(var value) -> value;
            case Json.Arr array -> list(array, Shape.Scalar.ANY);
            case Json.Obj object -> map(object, Shape.Scalar.ANY);
        };
    }

    private static List<Object> list(Json.Arr array, Shape element) {
        var values = new ArrayList<>(array.size());
        for (var item : array) {
            values.add(read(item, element));
        }
        return values;
    }

    private static Map<String, Object> map(Json.Obj object, Shape value) {
        var values = new LinkedHashMap<String, Object>();
        object.forEach((key, field) -> values.put(key, read(field, value)));
        return values;
    }

    /// The JSON form of a result.
    static Json write(@Nullable Object value) {
        return switch (value) {
            case null -> Json.Null.NULL;
            case NullValue _ -> Json.Null.NULL;
            case Boolean flag -> Json.of(flag);
            case Double number when !number.isNaN() && !number.isInfinite() -> new Json.Real(number);
            case Number number -> Json.of(number.longValue());
            case String text -> Json.of(text);
            case Struct struct -> struct.json;
            case CelByteString bytes -> Json.of(Base64.getEncoder().encodeToString(bytes.toByteArray()));
            case Optional<?> optional -> write(optional.orElse(null));
            case List<?> list ->
                new Json.Arr(list.stream().map(JsonValues::write).toList());
            case Map<?, ?> map -> {
                var builder = Json.Obj.builder();
                map.forEach((key, entry) -> builder.put(String.valueOf(key), write(entry)));
                yield builder.build();
            }
            case Duration duration -> Json.of(Texts.seconds(duration));
            default -> Json.of(value.toString());
        };
    }

    /// An object with typed fields. Fields are converted when they are asked for: most never are.
    @SuppressWarnings("Immutable") // Json and Shape are immutable, but do not carry the library's annotation.
    static final class Struct extends StructValue<String, Object> {
        private final Json.Obj json;
        private final Shape.ObjectOf type;

        Struct(Json.Obj json, Shape.ObjectOf type) {
            this.json = json;
            this.type = type;
        }

        int size() {
            return json.size();
        }

        @Override
        public Object select(String field) {
            return find(field).orElseThrow(() -> new Missing("no such key: " + field));
        }

        @Override
        public Optional<Object> find(String field) {
            var known = type.fields().get(field);
            var value = known == null ? null : json.get(known.key());
            return known == null || value == null ? Optional.empty() : Optional.of(read(value, known.shape()));
        }

        @Override
        public Object value() {
            return this;
        }

        @Override
        public boolean isZeroValue() {
            return json.size() == 0;
        }

        @Override
        public CelType celType() {
            return StructTypeReference.create(type.name());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Struct struct && struct.json.equals(json);
        }

        @Override
        public int hashCode() {
            return json.hashCode();
        }

        @Override
        public String toString() {
            return json.toString();
        }
    }

    /// A mistake of the expression about the data, in Kubernetes' words.
    static final class Missing extends RuntimeException {
        private static final long serialVersionUID = 1;

        Missing(String message) {
            super(message, null, false, false);
        }
    }
}
