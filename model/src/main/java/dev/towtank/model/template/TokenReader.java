package dev.towtank.model.template;

import dev.towtank.model.template.Token.Kind;
import java.util.Arrays;

/// Reads tokens, and takes back a few of them.
final class TokenReader {

    /// How many may be taken back, plus the one that was read last.
    private static final int BUFFER = 3;

    private final Lexer lexer;
    private final Token[] tokens = new Token[BUFFER];
    private int putBack;

    TokenReader(Lexer lexer) {
        this.lexer = lexer;
        Arrays.fill(tokens, new Token(Kind.END_OF_TEXT, 0, "", 1));
    }

    Token next() {
        if (putBack > 0) {
            putBack--;
        } else {
            tokens[0] = lexer.next();
        }
        return tokens[putBack];
    }

    Token peek() {
        var token = next();
        putBack();
        return token;
    }

    /// The next that is no space.
    Token nextWord() {
        var token = next();
        while (token.is(Kind.SPACE)) {
            token = next();
        }
        return token;
    }

    Token peekWord() {
        var token = nextWord();
        putBack();
        return token;
    }

    void putBack() {
        putBack++;
    }

    void putBack(Token before) {
        tokens[1] = before;
        putBack = 2;
    }

    void putBack(Token first, Token second) {
        tokens[1] = second;
        tokens[2] = first;
        putBack = 3;
    }

    /// Of the token that was read last.
    int line() {
        return tokens[0].line();
    }
}
