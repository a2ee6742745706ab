package dev.towtank.archive.sql;

import java.util.ArrayList;
import java.util.List;

/// A piece of SQL and the values of its parameters, in their order.
///
/// @param parameters strings, longs, doubles, byte arrays [Absent] or [AbsentNumber]
public record Sql(String text, List<Object> parameters) {

    public static final Sql EMPTY = new Sql("", List.of());

    /// A text that is null in the database.
    public enum Absent {
        TEXT
    }

    /// A number that is null in the database.
    public enum AbsentNumber {
        NUMBER
    }

    public Sql {
        parameters = List.copyOf(parameters);
    }

    /// @param text a constant: never something that somebody sent
    public static Sql of(String text, Object... parameters) {
        return new Sql(text, List.of(parameters));
    }

    public static Builder builder() {
        return new Builder();
    }

    public boolean isEmpty() {
        return text.isEmpty();
    }

    /// Puts pieces of SQL in a row.
    public static final class Builder {
        private final StringBuilder text = new StringBuilder();
        private final List<Object> parameters = new ArrayList<>();

        public Builder add(String constant) {
            text.append(constant);
            return this;
        }

        public Builder add(String constant, Object... values) {
            text.append(constant);
            parameters.addAll(List.of(values));
            return this;
        }

        public Builder add(Sql piece) {
            text.append(piece.text);
            parameters.addAll(piece.parameters);
            return this;
        }

        public Sql build() {
            return new Sql(text.toString(), parameters);
        }
    }
}
