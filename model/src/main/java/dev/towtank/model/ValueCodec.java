package dev.towtank.model;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/// How the value of one component is read and written. Never sees null: that is the zero value.
sealed interface ValueCodec {

    Object read(Json json);

    Json write(Object value);

    /// What a missing field reads as.
    Object zero();

    /// Whether the value is left out when writing.
    default boolean isZero(Object value) {
        return value.equals(zero());
    }

    static ValueCodec of(RecordComponent component) {
        var micro = component.isAnnotationPresent(Records.Micro.class);
        var where = component.getDeclaringRecord().getName() + "." + component.getName();
        var codec = of(component.getGenericType(), micro, where);
        if (!codec.hasZero()) {
            throw new IllegalArgumentException(where + " has no value for a missing field: declare it as Optional<"
                    + component.getType().getSimpleName() + ">");
        }
        return codec;
    }

    private boolean hasZero() {
        return switch (this) {
            case Time _ -> false;
            case Constant constant -> constant.byWire.containsKey("");
            case Scalar<?> _, Tree _, Nested _, Items _, Entries _, Maybe _ -> true;
        };
    }

    private static ValueCodec of(Type type, boolean micro, String where) {
        if (type instanceof Class<?> plain) {
            return ofClass(plain, micro, where);
        }
        if (type instanceof ParameterizedType generic) {
            var arguments = generic.getActualTypeArguments();
            var last = of(arguments[arguments.length - 1], micro, where);
            if (generic.getRawType() == List.class) {
                return new Items(last);
            } else if (generic.getRawType() == Optional.class) {
                return new Maybe(last);
            } else if (generic.getRawType() == Map.class && arguments[0] == String.class) {
                return new Entries(last);
            }
        }
        throw new IllegalArgumentException(where + " cannot be read from JSON: " + type);
    }

    private static ValueCodec ofClass(Class<?> type, boolean micro, String where) {
        if (type == String.class) {
            return Scalar.STRING;
        } else if (type == long.class || type == Long.class) {
            return Scalar.LONG;
        } else if (type == int.class || type == Integer.class) {
            return Scalar.INT;
        } else if (type == boolean.class || type == Boolean.class) {
            return Scalar.BOOLEAN;
        } else if (type == double.class || type == Double.class) {
            return Scalar.DOUBLE;
        } else if (type == Instant.class) {
            return new Time(micro);
        } else if (type == Json.class || type == Json.Obj.class || type == Json.Arr.class) {
            return new Tree(type);
        } else if (type.isEnum()) {
            return Constant.of(type);
        } else if (type.isRecord()) {
            return new Nested(type);
        }
        throw new IllegalArgumentException(where + " cannot be read from JSON: " + type.getName());
    }

    /// @param reader gives nothing where the JSON is of another type
    record Scalar<T>(String words, T zero, Function<Json, Optional<T>> reader, Function<T, Json> writer)
            implements ValueCodec {

        static final Scalar<String> STRING = new Scalar<>(
                "a string",
                "",
                json -> json instanceof Json.Str(var text) ? Optional.of(text) : Optional.empty(),
                Json::of);
        static final Scalar<Boolean> BOOLEAN = new Scalar<>(
                "true or false",
                false,
                json -> json instanceof Json.Bool(var flag) ? Optional.of(flag) : Optional.empty(),
                Json::of);
        static final Scalar<Long> LONG = new Scalar<>("a number", 0L, Scalar::whole, Json::of);
        static final Scalar<Integer> INT = new Scalar<>(
                "a number of 32 bits",
                0,
                json -> whole(json).filter(value -> value == value.intValue()).map(Long::intValue),
                Json::of);
        static final Scalar<Double> DOUBLE = new Scalar<>("a number", 0.0, Scalar::real, Scalar::number);

        private static Optional<Long> whole(Json json) {
            return switch (json) {
                case Json.Int(var value) -> Optional.of(value);
                case Json.Real(var value) when value == (long) value -> Optional.of((long) value);
                case Json.Real _, Json.Str _, Json.Bool _, Json.Null _, Json.Arr _, Json.Obj _ -> Optional.empty();
            };
        }

        private static Optional<Double> real(Json json) {
            return switch (json) {
                case Json.Int(var value) -> Optional.of((double) value);
                case Json.Real(var value) -> Optional.of(value);
                case Json.Str _, Json.Bool _, Json.Null _, Json.Arr _, Json.Obj _ -> Optional.empty();
            };
        }

        // As the parser would: what has no fraction is an Int, so that a tree is equal to itself written and read.
        private static Json number(double value) {
            return value == Math.rint(value) && Math.abs(value) < 1e15 ? Json.of((long) value) : new Json.Real(value);
        }

        @Override
        public Object read(Json json) {
            return reader.apply(json).orElseThrow(() -> Records.Mismatch.expected(words, json));
        }

        @Override
        @SuppressWarnings("unchecked")
        public Json write(Object value) {
            return writer.apply((T) value);
        }
    }

    /// RFC 3339 with any offset in, UTC out.
    record Time(boolean micro) implements ValueCodec {
        private static final DateTimeFormatter MICROSECONDS = DateTimeFormatter.ofPattern(
                        "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
                .withZone(ZoneOffset.UTC);

        @Override
        public Object read(Json json) {
            try {
                if (json instanceof Json.Str(var text)) {
                    return Timestamps.parseSeconds(text)
                            .orElseGet(() -> OffsetDateTime.parse(text).toInstant());
                }
            } catch (DateTimeParseException e) {
                // told below, with what was found
            }
            throw Records.Mismatch.expected("a time such as 2026-01-31T23:59:59Z", json);
        }

        @Override
        public Json write(Object value) {
            var instant = (Instant) value;
            return Json.of(micro ? MICROSECONDS.format(instant) : Timestamps.seconds(instant));
        }

        @Override
        public Object zero() {
            throw new IllegalStateException("an instant has no zero");
        }

        @Override
        public boolean isZero(Object value) {
            return false;
        }
    }

    record Tree(Class<?> type) implements ValueCodec {
        @Override
        public Object read(Json json) {
            if (type.isInstance(json)) {
                return json;
            }
            throw Records.Mismatch.expected(type == Json.Arr.class ? "a list" : "an object", json);
        }

        @Override
        public Json write(Object value) {
            return (Json) value;
        }

        @Override
        public Object zero() {
            if (type == Json.Obj.class) {
                return Json.Obj.EMPTY;
            }
            return type == Json.Arr.class ? Json.Arr.EMPTY : Json.Null.NULL;
        }
    }

    record Constant(Map<String, Enum<?>> byWire) implements ValueCodec {
        static Constant of(Class<?> type) {
            var constants = new LinkedHashMap<String, Enum<?>>();
            for (var constant : type.getEnumConstants()) {
                constants.put(wire((Enum<?>) constant), (Enum<?>) constant);
            }
            return new Constant(constants);
        }

        private static String wire(Enum<?> constant) {
            return constant instanceof Records.Wire named ? named.wire() : constant.name();
        }

        @Override
        public Object read(Json json) {
            var found = json instanceof Json.Str(var text) ? byWire.get(text) : null;
            if (found == null) {
                throw Records.Mismatch.expected("one of " + String.join(", ", new TreeSet<>(byWire.keySet())), json);
            }
            return found;
        }

        @Override
        public Json write(Object value) {
            return Json.of(wire((Enum<?>) value));
        }

        @Override
        public Object zero() {
            var unset = byWire.get("");
            if (unset == null) {
                throw new IllegalStateException("no constant stands for a missing field");
            }
            return unset;
        }

        @Override
        public boolean isZero(Object value) {
            return wire((Enum<?>) value).isEmpty();
        }
    }

    record Nested(Class<?> type) implements ValueCodec {
        @Override
        public Object read(Json json) {
            return RecordCodec.of(type).read(json);
        }

        @Override
        public Json write(Object value) {
            return RecordCodec.of(type).write(value);
        }

        @Override
        public Object zero() {
            return RecordCodec.of(type).read(Json.Obj.EMPTY);
        }

        @Override
        public boolean isZero(Object value) {
            return write(value).isEmpty();
        }
    }

    record Items(ValueCodec item) implements ValueCodec {
        @Override
        public Object read(Json json) {
            if (!(json instanceof Json.Arr array)) {
                throw Records.Mismatch.expected("a list", json);
            }
            var values = new ArrayList<Object>(array.size());
            for (int i = 0; i < array.size(); i++) {
                try {
                    values.add(item.read(array.get(i)));
                } catch (Records.Mismatch e) {
                    throw e.under("[" + i + "]");
                }
            }
            return List.copyOf(values);
        }

        @Override
        public Json write(Object value) {
            return new Json.Arr(((List<?>) value).stream().map(item::write).toList());
        }

        @Override
        public Object zero() {
            return List.of();
        }
    }

    record Entries(ValueCodec value) implements ValueCodec {
        @Override
        public Object read(Json json) {
            if (!(json instanceof Json.Obj object)) {
                throw Records.Mismatch.expected("an object", json);
            }
            var entries = new LinkedHashMap<String, Object>();
            object.forEach((key, field) -> {
                try {
                    entries.put(key, value.read(field));
                } catch (Records.Mismatch e) {
                    throw e.under("[" + key + "]");
                }
            });
            return Collections.unmodifiableMap(entries);
        }

        @Override
        public Json write(Object map) {
            var builder = Json.Obj.builder();
            ((Map<?, ?>) map).forEach((key, field) -> builder.put((String) key, value.write(field)));
            return builder.build();
        }

        @Override
        public Object zero() {
            return Map.of();
        }
    }

    record Maybe(ValueCodec value) implements ValueCodec {
        @Override
        public Object read(Json json) {
            return Optional.of(value.read(json));
        }

        @Override
        public Json write(Object optional) {
            return value.write(((Optional<?>) optional).orElseThrow());
        }

        @Override
        public Object zero() {
            return Optional.empty();
        }
    }
}
