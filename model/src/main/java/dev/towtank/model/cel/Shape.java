package dev.towtank.model.cel;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What an expression may expect of a JSON value; the compiler checks it against this.
public sealed interface Shape {

    enum Scalar implements Shape {
        /// Whatever is found; the types are checked when the expression runs.
        ANY,
        BOOL,
        INT,
        DOUBLE,
        STRING,
        /// Text in base64.
        BYTES,
        /// Text as in RFC 3339, or a date alone.
        TIMESTAMP,
        /// Text as Go writes it: `1h30m`.
        DURATION
    }

    /// A value that is no JSON: expressions only call functions on it.
    enum Handle implements Shape {
        AUTHORIZER,
        RESOURCE_CHECK
    }

    record ListOf(Shape element) implements Shape {}

    record MapOf(Shape value) implements Shape {}

    /// A value that may be missing altogether, as `oldSelf` is on a create.
    record OptionalOf(Shape value) implements Shape {}

    /// An object with known fields.
    ///
    /// @param name unique among the shapes of one expression
    /// @param fields by the name that expressions use, which [#escape] makes
    record ObjectOf(String name, Map<String, Field> fields) implements Shape {
        public ObjectOf {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    /// @param key the name in JSON
    record Field(String key, Shape shape) {}

    /// Words that the language keeps for itself.
    Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");

    /// The identifier by which expressions name a JSON field, or empty where none can.
    static Optional<String> escape(String key) {
        if (key.isEmpty() || Character.isDigit(key.charAt(0))) {
            return Optional.empty();
        }
        if (RESERVED.contains(key)) {
            return Optional.of("__" + key + "__");
        }
        var escaped = new StringBuilder();
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c == '_' && i + 1 < key.length() && key.charAt(i + 1) == '_') {
                escaped.append("__underscores__");
                i++;
            } else if (c == '_' || (c < 128 && Character.isLetterOrDigit(c))) {
                escaped.append(c);
            } else if (c == '.' || c == '-' || c == '/') {
                escaped.append(c == '.' ? "__dot__" : c == '-' ? "__dash__" : "__slash__");
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(escaped.toString());
    }
}
