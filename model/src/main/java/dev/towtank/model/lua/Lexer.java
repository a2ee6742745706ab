package dev.towtank.model.lua;

import java.util.Set;

/// Cuts a script into words.
final class Lexer {

    private static final Set<String> KEYWORDS = Set.of(
            "and",
            "break",
            "do",
            "else",
            "elseif",
            "end",
            "false",
            "for",
            "function",
            "goto",
            "if",
            "in",
            "local",
            "nil",
            "not",
            "or",
            "repeat",
            "return",
            "then",
            "true",
            "until",
            "while");
    private static final String SINGLE = "+-*/%^#<>=(){}[];:,.";
    private static final int END = -1;

    private final String chunk;
    private final String text;
    private int position;
    private int line = 1;
    private int lineStart;

    Lexer(String chunk, String text) {
        this.chunk = chunk;
        this.text = text;
        // A first line for the shell is no part of the script.
        if (text.startsWith("#")) {
            skipLine();
        }
    }

    Token next() {
        skip();
        int start = line;
        int character = peek(0);
        if (character == END) {
            return new Token(Token.Kind.END, "", 0, start, column());
        }
        if (isNameStart(character)) {
            return name();
        }
        if (isDigit(character) || (character == '.' && isDigit(peek(1)))) {
            return number();
        }
        if (character == '"' || character == '\'') {
            var value = quoted(character);
            return new Token(Token.Kind.TEXT, value, 0, start, column());
        }
        if (character == '[' && (peek(1) == '[' || peek(1) == '=')) {
            var value = longText("multiline string");
            return new Token(Token.Kind.TEXT, value, 0, start, column());
        }
        return symbol();
    }

    LuaError error(String near, String message) {
        return LuaError.of(chunk + " line:" + line + "(column:" + column() + ") near '" + near + "':   " + message);
    }

    private int column() {
        return position - lineStart;
    }

    private int peek(int ahead) {
        return position + ahead < text.length() ? text.charAt(position + ahead) : END;
    }

    private int take() {
        int character = peek(0);
        if (character == '\r' && peek(1) == '\n') {
            position++;
            character = '\n';
        }
        position++;
        if (character == '\n' || character == '\r') {
            line++;
            lineStart = position;
            return '\n';
        }
        return character;
    }

    private void skip() {
        while (true) {
            int character = peek(0);
            if (character == ' ' || (character >= '\t' && character <= '\r')) {
                take();
            } else if (character == '-' && peek(1) == '-') {
                position += 2;
                if (peek(0) == '[' && isLongStart()) {
                    longText("multiline comment");
                } else {
                    skipLine();
                }
            } else {
                return;
            }
        }
    }

    private boolean isLongStart() {
        int ahead = 1;
        while (peek(ahead) == '=') {
            ahead++;
        }
        return peek(ahead) == '[';
    }

    private void skipLine() {
        while (peek(0) != END && peek(0) != '\n' && peek(0) != '\r') {
            position++;
        }
    }

    private Token name() {
        int start = position;
        while (isNameStart(peek(0)) || isDigit(peek(0))) {
            position++;
        }
        var name = text.substring(start, position);
        var kind = KEYWORDS.contains(name) ? Token.Kind.SYMBOL : Token.Kind.NAME;
        return new Token(kind, name, 0, line, column());
    }

    private Token number() {
        int start = position;
        boolean isHexadecimal = peek(0) == '0' && (peek(1) == 'x' || peek(1) == 'X');
        while (isDigit(peek(0)) || isNameStart(peek(0)) || peek(0) == '.') {
            boolean isExponent = !isHexadecimal && (peek(0) == 'e' || peek(0) == 'E');
            position++;
            if (isExponent && (peek(0) == '+' || peek(0) == '-')) {
                position++;
            }
        }
        var written = text.substring(start, position);
        var value = Numbers.parse(written);
        if (value.isEmpty()) {
            throw error(written, isHexadecimal ? "illegal hexadecimal number" : "illegal number");
        }
        return new Token(Token.Kind.NUMBER, written, value.getAsDouble(), line, column());
    }

    private String quoted(int quote) {
        position++;
        var value = new StringBuilder();
        while (peek(0) != quote) {
            if (peek(0) == END || peek(0) == '\n' || peek(0) == '\r') {
                throw error(value.toString(), "unterminated string");
            }
            int character = take();
            value.append((char) (character == '\\' ? escaped() : character));
        }
        position++;
        return value.toString();
    }

    private int escaped() {
        int character = take();
        return switch (character) {
            case 'a' -> 7;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'v' -> 11;
            case END -> throw error("", "unterminated string");
            default -> isDigit(character) ? decimal(character - '0') : character;
        };
    }

    private int decimal(int first) {
        int value = first;
        for (int i = 0; i < 2 && isDigit(peek(0)); i++) {
            value = value * 10 + take() - '0';
        }
        return value & 0xff;
    }

    private String longText(String what) {
        position++;
        int level = 0;
        while (peek(0) == '=') {
            level++;
            position++;
        }
        if (peek(0) != '[') {
            throw error("[", "invalid " + what);
        }
        position++;
        if (peek(0) == '\n' || peek(0) == '\r') {
            take();
        }
        var end = "]" + "=".repeat(level) + "]";
        var value = new StringBuilder();
        while (!text.startsWith(end, position)) {
            if (peek(0) == END) {
                throw error("", "unterminated " + what);
            }
            value.append((char) take());
        }
        position += end.length();
        return value.toString();
    }

    private Token symbol() {
        for (var longer : new String[] {"...", "..", "==", "~=", "<=", ">=", "::"}) {
            if (text.startsWith(longer, position)) {
                position += longer.length();
                return new Token(Token.Kind.SYMBOL, longer, 0, line, column());
            }
        }
        int character = take();
        var symbol = String.valueOf((char) character);
        if (SINGLE.indexOf(character) < 0) {
            throw error(symbol, "Invalid token");
        }
        return new Token(Token.Kind.SYMBOL, symbol, 0, line, column());
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    private static boolean isNameStart(int character) {
        return character == '_' || (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    }
}
