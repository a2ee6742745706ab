package dev.towtank.model.template;

/// A piece of a template's text.
///
/// @param at where it begins, in characters
record Token(Kind kind, int at, String text, int line) {
    enum Kind {
        ERROR,
        BOOL,
        CHARACTER,
        COMPLEX,
        ASSIGN,
        CHARACTER_CONSTANT,
        DECLARE,
        END_OF_TEXT,
        FIELD,
        IDENTIFIER,
        LEFT_DELIMITER,
        LEFT_PARENTHESIS,
        NUMBER,
        PIPE,
        RAW_STRING,
        RIGHT_DELIMITER,
        RIGHT_PARENTHESIS,
        SPACE,
        STRING,
        TEXT,
        VARIABLE,
        // Whatever follows is a word of the language.
        DOT,
        BLOCK,
        BREAK,
        CONTINUE,
        DEFINE,
        ELSE,
        END,
        IF,
        NIL,
        RANGE,
        TEMPLATE,
        WITH
    }

    private static final int SHOWN = 10;

    boolean is(Kind other) {
        return kind == other;
    }

    /// As messages show it.
    String shown() {
        if (kind == Kind.END_OF_TEXT) {
            return "EOF";
        }
        if (kind == Kind.ERROR) {
            return text;
        }
        if (kind.compareTo(Kind.DOT) >= 0) {
            return "<" + text + ">";
        }
        if (text.codePointCount(0, text.length()) > SHOWN) {
            return GoText.quote(text.substring(0, text.offsetByCodePoints(0, SHOWN))) + "...";
        }
        return GoText.quote(text);
    }
}
