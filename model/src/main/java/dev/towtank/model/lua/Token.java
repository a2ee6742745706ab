package dev.towtank.model.lua;

/// A word of a script.
///
/// @param text as written; of a string, what it stands for
/// @param column of its last character, which is the one that messages name
record Token(Kind kind, String text, double number, int line, int column) {

    enum Kind {
        NAME,
        TEXT,
        NUMBER,
        /// Keywords and operators.
        SYMBOL,
        END
    }

    boolean is(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }
}
