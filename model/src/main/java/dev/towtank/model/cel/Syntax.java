package dev.towtank.model.cel;

import java.util.List;
import java.util.Optional;

/// A text of the language as a checked tree, for those who translate it into something else than an evaluation.
///
/// [Grammar] reads it. Macros are expanded, so `exists` and its like are [Unknown]; names of constants are already
/// replaced by their values.
public sealed interface Syntax {

    /// Where in the text it is: code points from the beginning. For an operator, where the operator is.
    int position();

    Type type();

    /// What a part of a text gives, as far as its checker knows.
    enum Type {
        BOOL,
        /// Signed and unsigned.
        INT,
        DOUBLE,
        STRING,
        TIMESTAMP,
        DURATION,
        NULL,
        LIST,
        MAP,
        OBJECT,
        /// Known only when there is a value.
        ANY,
        OTHER
    }

    record Text(int position, String value) implements Syntax {
        @Override
        public Type type() {
            return Type.STRING;
        }
    }

    record Int(int position, long value) implements Syntax {
        @Override
        public Type type() {
            return Type.INT;
        }
    }

    record Real(int position, double value) implements Syntax {
        @Override
        public Type type() {
            return Type.DOUBLE;
        }
    }

    record Truth(int position, boolean value) implements Syntax {
        @Override
        public Type type() {
            return Type.BOOL;
        }
    }

    record Nothing(int position) implements Syntax {
        @Override
        public Type type() {
            return Type.NULL;
        }
    }

    record Variable(int position, Type type, String name) implements Syntax {}

    /// `operand.field`, or with `has` the question whether it is there.
    record Select(int position, Type type, Syntax operand, String field, boolean has) implements Syntax {}

    /// A function, or an operator by the name that the language gives it: `_==_`, `_[_]`, `@in`.
    record Call(int position, Type type, String function, Optional<Syntax> target, List<Syntax> arguments)
            implements Syntax {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    record Elements(int position, List<Syntax> items) implements Syntax {
        public Elements {
            items = List.copyOf(items);
        }

        @Override
        public Type type() {
            return Type.LIST;
        }
    }

    /// What no translation is expected to know.
    ///
    /// @param constant whether it is written as a constant: bytes, for example
    record Unknown(int position, Type type, boolean constant) implements Syntax {}
}
