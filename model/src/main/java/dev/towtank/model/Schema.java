package dev.towtank.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What fields a built-in type has, in JSON and in protobuf, and how its lists merge. Values; found in [Schemas].
public final class Schema {

    private Schema() {}

    public enum Scalar {
        STRING,
        BOOL,
        INT32,
        INT64,
        DOUBLE,
        /// Base64 in JSON.
        BYTES,
        QUANTITY,
        INT_OR_STRING,
        /// RFC 3339 with whole seconds.
        TIME,
        /// RFC 3339 with microseconds.
        MICRO_TIME,
        /// As Go writes durations.
        DURATION,
        /// Any JSON; in protobuf a message with the JSON text as bytes in field 1.
        ANY
    }

    /// What may stand in a field.
    public sealed interface Value {

        /// What Go calls it; messages about wrong types say so.
        String goName();

        record ScalarOf(Scalar scalar, String goName) implements Value {}

        /// @param wrapped whether protobuf knows it as a message with the list in field 1
        record ListOf(Value element, String goName, boolean wrapped) implements Value {}

        record MapOf(Value element, String goName) implements Value {}

        record ObjectOf(Type type) implements Value {
            @Override
            public String goName() {
                return type.goName();
            }
        }
    }

    /// Who owns what of a list in server-side apply.
    public enum ListType {
        /// One owner for the whole list; also what a list is that says nothing.
        ATOMIC,
        /// Each item has its owners.
        SET,
        /// Each item, told apart by its keys, has its owners.
        MAP
    }

    /// How a strategic merge patch treats a field.
    ///
    /// @param merge whether lists merge instead of being replaced
    /// @param key the field that tells the items of a merged list apart; empty for lists of scalars
    public record PatchStrategy(boolean merge, boolean replace, boolean retainKeys, String key) {
        public static final PatchStrategy NONE = new PatchStrategy(false, false, false, "");
    }

    /// @param name in JSON; of an inlined field, in protobuf only
    /// @param number in protobuf; 0 where protobuf has no such field
    /// @param pointer whether absent and zero differ
    /// @param omitsEmpty whether Go leaves the zero value out
    /// @param inline whether its own fields stand in the parent in JSON
    /// @param atomic whether server-side apply owns the value as a whole, be it said here or by its type
    /// @param keys that tell the items of a list of type map apart
    /// @param fallback the value that a missing field has, as text
    /// @param off whether it belongs to a feature that is off: known, and dropped wherever it is given
    public record Field(
            String name,
            int number,
            Value value,
            boolean pointer,
            boolean required,
            boolean omitsEmpty,
            boolean inline,
            boolean atomic,
            Optional<ListType> listType,
            List<String> keys,
            PatchStrategy patch,
            Optional<String> fallback,
            boolean off) {
        public Field {
            keys = List.copyOf(keys);
        }
    }

    /// A field that Go writes though nobody set it.
    ///
    /// @param replacesEmpty whether what is empty is written so as well: lists and maps, but no pointer to a struct
    record Zero(String name, Json value, boolean replacesEmpty) {}

    /// @param inner the fields whose values may hold objects
    record ZeroForm(List<Zero> zeros, Map<String, Value> inner) {
        ZeroForm {
            zeros = List.copyOf(zeros);
            inner = Map.copyOf(inner);
        }

        @Nullable
        Value inner(String field) {
            return inner.get(field);
        }
    }

    /// How a type looks in JSON.
    public enum Form {
        OBJECT,
        SCHEMA_OR_BOOL,
        SCHEMA_OR_ARRAY,
        SCHEMA_OR_STRINGS
    }

    /// An object type. Its fields are read when somebody asks, because types may contain themselves.
    public static final class Type {
        private final String name;
        private final String apiVersion;
        private final boolean kind;
        private final boolean atomic;
        private final Form form;
        private final Supplier<List<Field>> reader;
        // Two threads may read the fields at once; both results are right, and either may stay.
        private @Nullable Fields fields;
        private @Nullable ZeroForm zeroForm;

        private record Fields(List<Field> declared, Map<String, Field> byName) {}

        Type(String name, String apiVersion, boolean kind, boolean atomic, Form form, Supplier<List<Field>> reader) {
            this.name = name;
            this.apiVersion = apiVersion;
            this.kind = kind;
            this.atomic = atomic;
            this.form = form;
            this.reader = reader;
        }

        /// The name of its OpenAPI definition: `io.k8s.api.core.v1.PodSpec`.
        public String name() {
            return name;
        }

        /// The last part of the name, which is the kind where it is one.
        public String simpleName() {
            return name.substring(name.lastIndexOf('.') + 1);
        }

        public String goName() {
            int dot = name.lastIndexOf('.');
            return name.substring(name.lastIndexOf('.', dot - 1) + 1);
        }

        /// Of the package that it is in.
        public String apiVersion() {
            return apiVersion;
        }

        /// Whether objects of it stand alone, with apiVersion and kind.
        public boolean isKind() {
            return kind;
        }

        public boolean isAtomic() {
            return atomic;
        }

        public Form form() {
            return form;
        }

        /// As protobuf has them: inlined fields are one field, apiVersion and kind are none.
        public List<Field> declaredFields() {
            return fields().declared;
        }

        /// As JSON has them: inlined fields are replaced by their own fields.
        public Collection<Field> jsonFields() {
            return fields().byName.values();
        }

        /// The field with this name in JSON.
        public @Nullable Field field(String jsonName) {
            return fields().byName.get(jsonName);
        }

        /// Which of its fields Go always writes, and in which others such fields may be.
        ZeroForm zeroForm() {
            var known = zeroForm;
            if (known == null) {
                var zeros = new ArrayList<Zero>();
                var inner = new HashMap<String, Value>();
                for (var field : jsonFields()) {
                    var zero = field.off() ? null : Zeros.of(field);
                    if (zero != null) {
                        boolean isStruct = zero instanceof Json.Obj && field.value() instanceof Value.ObjectOf;
                        boolean isNull = zero instanceof Json.Null && !(field.value() instanceof Value.ObjectOf);
                        zeros.add(new Zero(field.name(), isStruct ? whole(field) : zero, isNull));
                    }
                    if (reachesObjects(field.value())) {
                        inner.put(field.name(), field.value());
                    }
                }
                known = new ZeroForm(zeros, inner);
                zeroForm = known;
            }
            return known;
        }

        private static Json whole(Field field) {
            return field.value() instanceof Value.ObjectOf(var type)
                    ? Zeros.fill(Json.Obj.EMPTY, type)
                    : Json.Obj.EMPTY;
        }

        private static boolean reachesObjects(Value value) {
            return switch (value) {
                case Value.ObjectOf _ -> true;
                case Value.ListOf list -> reachesObjects(list.element());
                case Value.MapOf map -> reachesObjects(map.element());
                case Value.ScalarOf _ -> false;
            };
        }

        private Fields fields() {
            var known = fields;
            if (known == null) {
                var declared = List.copyOf(reader.get());
                var byName = new LinkedHashMap<String, Field>();
                for (var field : declared) {
                    if (field.inline && field.value instanceof Value.ObjectOf(var type)) {
                        type.jsonFields().forEach(inner -> byName.put(inner.name, inner));
                    } else {
                        byName.put(field.name, field);
                    }
                }
                if (kind) {
                    byName.put("apiVersion", outer("apiVersion"));
                    byName.put("kind", outer("kind"));
                }
                known = new Fields(declared, byName);
                fields = known;
            }
            return known;
        }

        private static Field outer(String name) {
            return new Field(
                    name,
                    0,
                    new Value.ScalarOf(Scalar.STRING, "string"),
                    false,
                    false,
                    true,
                    false,
                    false,
                    Optional.empty(),
                    List.of(),
                    PatchStrategy.NONE,
                    Optional.empty(),
                    false);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
