package dev.towtank.model;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// JSON trees to records and back.
///
/// A component is a field of the same name: strings, numbers, booleans, enums, lists, maps by string, optionals,
/// nested records, instants, and `Json` itself where a field may be anything. What is missing (or null) reads as
/// the zero value, as in Go: `""`, 0, false, an empty list or map, a record of zero values. Where missing must be
/// told apart, and for instants and enums, which have no zero, a component is an `Optional`. Fields without a
/// component are passed over, so what others own is changed by a patch, never by writing a record back.
///
/// Zero values are left out when writing; a present `Optional` is written whatever it holds.
public final class Records {

    private Records() {}

    /// The JSON name of a component that is a keyword in Java.
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    public @interface Field {
        String value();
    }

    /// Marks an instant that Kubernetes keeps in microseconds (`MicroTime`); the others have whole seconds.
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    public @interface Micro {}

    /// An enum whose names in JSON are not its names in Java. A constant named `""` stands for a missing field.
    public interface Wire {
        String wire();
    }

    public static <T> T read(Class<T> type, Json json) {
        if (type.isInstance(json)) {
            return type.cast(json);
        }
        return type.cast(RecordCodec.of(type).read(json));
    }

    public static Json.Obj write(Record value) {
        return RecordCodec.of(value.getClass()).write(value);
    }

    /// A field is not what the record wants; the message begins with its path.
    public static final class Mismatch extends RuntimeException {
        private static final long serialVersionUID = 1;
        private static final int SHOWN = 60;

        private final String path;
        private final String problem;

        private Mismatch(String path, String problem) {
            super(path.isEmpty() ? problem : path + ": " + problem, null, false, false);
            this.path = path;
            this.problem = problem;
        }

        static Mismatch expected(String what, Json found) {
            return new Mismatch("", "expected " + what + ", found " + shown(found));
        }

        /// The path grows while the error leaves the tree, so that reading what is right pays nothing for it.
        Mismatch under(String step) {
            var joined = path.isEmpty() || path.startsWith("[") ? step + path : step + "." + path;
            return new Mismatch(joined, problem);
        }

        public String path() {
            return path;
        }

        private static String shown(Json found) {
            return switch (found) {
                case Json.Null _ -> "nothing";
                case Json.Obj _ -> "an object";
                case Json.Arr _ -> "a list";
                case Json.Str(var text)
                when text.length() > SHOWN ->
                    Json.of(text.substring(0, SHOWN) + "…").toString();
                case Json.Str _, Json.Bool _, Json.Int _, Json.Real _ -> found.toString();
            };
        }
    }
}
