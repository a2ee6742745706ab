package dev.towtank.model.jq;

import java.util.List;

/// The text of an expression, and how far it was read.
final class ExpressionText {

    private static final List<String> SYMBOLS =
            List.of("?//=", "?//", "//=", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", "..");
    private static final int MAX_DEPTH = 100;

    private final String text;
    private int position;
    private int depth;

    ExpressionText(String text) {
        this.text = text;
    }

    /// The name, number or symbol that comes next, without taking it; empty at the end.
    String peek() {
        skip();
        if (position >= text.length()) {
            return "";
        }
        int end = position;
        while (end < text.length() && isWord(text.charAt(end))) {
            end++;
        }
        if (end > position) {
            return text.substring(position, end);
        }
        for (var symbol : SYMBOLS) {
            if (text.startsWith(symbol, position)) {
                return symbol;
            }
        }
        return text.substring(position, position + 1);
    }

    private void skip() {
        while (position < text.length()) {
            char c = text.charAt(position);
            if (c == '#') {
                int end = text.indexOf('\n', position);
                position = end < 0 ? text.length() : end;
            } else if (Character.isWhitespace(c)) {
                position++;
            } else {
                return;
            }
        }
    }

    private static boolean isWord(char c) {
        return c == '_' || (c < 128 && Character.isLetterOrDigit(c));
    }

    static boolean isName(String word) {
        return !word.isEmpty() && isWord(word.charAt(0)) && !Character.isDigit(word.charAt(0));
    }

    boolean accept(String word) {
        if (peek().equals(word)) {
            position += word.length();
            return true;
        }
        return false;
    }

    void expect(String word) {
        if (!accept(word)) {
            throw unexpected();
        }
    }

    String name() {
        var word = peek();
        if (!isName(word)) {
            throw unexpected();
        }
        position += word.length();
        return word;
    }

    /// A name that follows at once, without a space between.
    boolean touchesName() {
        return position < text.length() && isName(text.substring(position, position + 1));
    }

    boolean touchesDigit() {
        return position < text.length() && Character.isDigit(text.charAt(position));
    }

    /// A dot with a digit behind it begins a number.
    boolean atNumber() {
        skip();
        return touchesDigit()
                || (text.startsWith(".", position)
                        && position + 1 < text.length()
                        && Character.isDigit(text.charAt(position + 1)));
    }

    double number() {
        int start = position;
        digits();
        if (position < text.length() && text.charAt(position) == '.') {
            position++;
            digits();
        }
        if (position < text.length() && "eE".indexOf(text.charAt(position)) >= 0) {
            position++;
            if (position < text.length() && "+-".indexOf(text.charAt(position)) >= 0) {
                position++;
            }
            digits();
        }
        try {
            return Double.parseDouble(text.substring(start, position));
        } catch (NumberFormatException _) {
            throw new JqError("\"" + text.substring(start, position) + "\" is no number");
        }
    }

    private void digits() {
        while (touchesDigit()) {
            position++;
        }
    }

    /// The characters of a text up to its end or to `\(`, both of which are left.
    String characters() {
        int start = position;
        while (!atEndOfText() && !text.startsWith("\\(", position)) {
            position += text.charAt(position) == '\\' ? 2 : 1;
            if (position >= text.length()) {
                throw new JqError("a string has no end");
            }
        }
        return text.substring(start, position);
    }

    boolean atEndOfText() {
        if (position >= text.length()) {
            throw new JqError("a string has no end");
        }
        return text.charAt(position) == '"';
    }

    /// Takes what is known to be there, spaces included.
    void take(String known) {
        position += known.length();
    }

    int line() {
        return 1
                + (int) text.substring(0, position)
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
    }

    void enter() {
        if (++depth > MAX_DEPTH) {
            throw new JqError("nested deeper than " + MAX_DEPTH);
        }
    }

    void leave() {
        depth--;
    }

    JqError unexpected() {
        var word = peek();
        return new JqError(
                word.isEmpty()
                        ? "unexpected end of the expression"
                        : "unexpected \"" + word + "\" at position " + (position + 1));
    }
}
