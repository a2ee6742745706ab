package dev.towtank.model.lua;

/// The words of a script one after the other, with a look at the next two.
final class Words {

    // As deep as Lua itself allows.
    private static final int MAX_DEPTH = 200;

    private final String chunk;
    private final Lexer lexer;
    private Token token;
    private Token ahead;
    private int lastLine = 1;
    private int depth;

    Words(String chunk, String text) {
        this.chunk = chunk;
        this.lexer = new Lexer(chunk, text);
        this.token = lexer.next();
        this.ahead = lexer.next();
    }

    Token token() {
        return token;
    }

    Token ahead() {
        return ahead;
    }

    /// The line of the word that was taken last.
    int lastLine() {
        return lastLine;
    }

    Token take() {
        var taken = token;
        lastLine = taken.line();
        token = ahead;
        ahead = token.kind() == Token.Kind.END ? token : lexer.next();
        return taken;
    }

    boolean accept(String symbol) {
        if (token.is(symbol)) {
            take();
            return true;
        }
        return false;
    }

    void expect(String symbol) {
        if (!accept(symbol)) {
            throw syntaxError();
        }
    }

    String name() {
        if (token.kind() != Token.Kind.NAME) {
            throw syntaxError();
        }
        return take().text();
    }

    LuaError syntaxError() {
        return token.kind() == Token.Kind.END
                ? LuaError.of(chunk + " at EOF:   syntax error")
                : LuaError.of(place() + "syntax error");
    }

    void enter() {
        if (++depth > MAX_DEPTH) {
            throw LuaError.of(place() + "nested deeper than " + MAX_DEPTH);
        }
    }

    void leave() {
        depth--;
    }

    private String place() {
        return chunk + " line:" + token.line() + "(column:" + token.column() + ") near '" + token.text() + "':   ";
    }
}
