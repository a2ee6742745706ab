package dev.towtank.model.template;

import dev.towtank.model.template.Token.Kind;
import java.util.Map;

/// Cuts a template into tokens, one at a time. Once a mistake is found, it is the only token that comes.
final class Lexer {
    private static final String LEFT = "{{";
    private static final String RIGHT = "}}";
    private static final int TRIM_MARK = 2;
    private static final int END = -1;

    private static final Map<String, Kind> WORDS = Map.ofEntries(
            Map.entry(".", Kind.DOT),
            Map.entry("block", Kind.BLOCK),
            Map.entry("break", Kind.BREAK),
            Map.entry("continue", Kind.CONTINUE),
            Map.entry("define", Kind.DEFINE),
            Map.entry("else", Kind.ELSE),
            Map.entry("end", Kind.END),
            Map.entry("if", Kind.IF),
            Map.entry("nil", Kind.NIL),
            Map.entry("range", Kind.RANGE),
            Map.entry("template", Kind.TEMPLATE),
            Map.entry("with", Kind.WITH));

    private String text;
    private int at;
    private int start;
    private int line = 1;
    private int startLine = 1;
    private int parentheses;
    private boolean inAction;

    Lexer(String text) {
        this.text = text;
    }

    Token next() {
        return inAction ? insideAction() : outside();
    }

    private Token outside() {
        int delimiter = text.indexOf(LEFT, at);
        if (delimiter < 0) {
            at = text.length();
            return at > start ? emit(Kind.TEXT) : emit(Kind.END_OF_TEXT);
        }
        if (delimiter > at) {
            int end = delimiter;
            if (hasTrimMarkAfter(delimiter + LEFT.length())) {
                while (end > start && isSpace(text.charAt(end - 1))) {
                    end--;
                }
            }
            at = end;
            var found = emit(Kind.TEXT);
            skipTo(delimiter);
            if (!found.text().isEmpty()) {
                return found;
            }
        }
        return leftDelimiter();
    }

    private Token leftDelimiter() {
        int inside = at + LEFT.length();
        int first = inside + (hasTrimMarkAfter(inside) ? TRIM_MARK : 0);
        if (text.startsWith("/*", first)) {
            skipTo(first);
            return comment();
        }
        at = inside;
        var found = emit(Kind.LEFT_DELIMITER);
        inAction = true;
        skipTo(first);
        parentheses = 0;
        return found;
    }

    private Token comment() {
        int end = text.indexOf("*/", at + 2);
        if (end < 0) {
            return mistake("unclosed comment");
        }
        at = end + 2;
        boolean trims = isTrimmedRightDelimiter(at);
        if (!trims && !text.startsWith(RIGHT, at)) {
            return mistake("comment ends before closing delimiter");
        }
        skipTo(afterRightDelimiter(trims));
        return outside();
    }

    private int afterRightDelimiter(boolean trims) {
        int after = at + (trims ? TRIM_MARK : 0) + RIGHT.length();
        while (trims && after < text.length() && isSpace(text.charAt(after))) {
            after++;
        }
        return after;
    }

    private Token rightDelimiter() {
        boolean trims = isTrimmedRightDelimiter(at);
        int after = afterRightDelimiter(trims);
        if (trims) {
            skipTo(at + TRIM_MARK);
        }
        at += RIGHT.length();
        var found = emit(Kind.RIGHT_DELIMITER);
        skipTo(after);
        inAction = false;
        return found;
    }

    private Token insideAction() {
        if (atRightDelimiter()) {
            return parentheses == 0 ? rightDelimiter() : mistake("unclosed left paren");
        }
        int c = take();
        if (c == END) {
            return mistake("unclosed action");
        }
        if (isSpace(c)) {
            return space();
        }
        return switch (c) {
            case '=' -> emit(Kind.ASSIGN);
            case ':' -> take() == '=' ? emit(Kind.DECLARE) : mistake("expected :=");
            case '|' -> emit(Kind.PIPE);
            case '"' -> quoted('"', Kind.STRING, "unterminated quoted string");
            case '\'' -> quoted('\'', Kind.CHARACTER_CONSTANT, "unterminated character constant");
            case '`' -> raw();
            case '$' -> fieldOrVariable(Kind.VARIABLE);
            case '(' -> {
                parentheses++;
                yield emit(Kind.LEFT_PARENTHESIS);
            }
            case ')' -> --parentheses < 0 ? mistake("unexpected right paren") : emit(Kind.RIGHT_PARENTHESIS);
            default -> other(c);
        };
    }

    private Token other(int c) {
        boolean digitFollows = Character.isDigit(peek()) && peek() < 0x80;
        if (c == '.' && at < text.length() && !digitFollows) {
            return fieldOrVariable(Kind.FIELD);
        }
        if (c == '.' || c == '+' || c == '-' || (c >= '0' && c <= '9')) {
            at = start;
            return number();
        }
        if (isAlphanumeric(c)) {
            return identifier();
        }
        return c < 0x80 && GoText.isPrintable(c)
                ? emit(Kind.CHARACTER)
                : mistake("unrecognized character in action: " + unicode(c));
    }

    // A space before a trimming delimiter belongs to the delimiter.
    private Token space() {
        int spaces = 1;
        while (isSpace(peek())) {
            take();
            spaces++;
        }
        if (isTrimmedRightDelimiter(at - 1)) {
            at--;
            if (text.charAt(at) == '\n') {
                line--;
            }
            if (spaces == 1) {
                return rightDelimiter();
            }
        }
        return emit(Kind.SPACE);
    }

    private Token identifier() {
        while (isAlphanumeric(peek())) {
            take();
        }
        if (!atTerminator()) {
            return mistake("bad character " + unicode(peek()));
        }
        var word = text.substring(start, at);
        var kind = WORDS.get(word);
        if (kind != null) {
            return emit(kind);
        }
        return emit(word.equals("true") || word.equals("false") ? Kind.BOOL : Kind.IDENTIFIER);
    }

    private Token fieldOrVariable(Kind kind) {
        if (atTerminator()) {
            return emit(kind == Kind.VARIABLE ? kind : Kind.DOT);
        }
        while (isAlphanumeric(peek())) {
            take();
        }
        return atTerminator() ? emit(kind) : mistake("bad character " + unicode(peek()));
    }

    private boolean atTerminator() {
        int c = peek();
        return c == END || isSpace(c) || ".,|:)(".indexOf(c) >= 0 || text.startsWith(RIGHT, at);
    }

    private Token quoted(char mark, Kind kind, String unterminated) {
        while (true) {
            int c = take();
            if (c == mark) {
                return emit(kind);
            }
            if (c == '\\') {
                c = take();
                if (c != END && c != '\n') {
                    continue;
                }
            }
            if (c == END || c == '\n') {
                return mistake(unterminated);
            }
        }
    }

    private Token raw() {
        while (true) {
            int c = take();
            if (c == '`') {
                return emit(Kind.RAW_STRING);
            }
            if (c == END) {
                return mistake("unterminated raw quoted string");
            }
        }
    }

    private Token number() {
        if (!scanNumber()) {
            return mistake("bad number syntax: " + GoText.quote(text.substring(start, at)));
        }
        if (peek() == '+' || peek() == '-') {
            boolean isComplex = scanNumber() && text.charAt(at - 1) == 'i';
            return isComplex
                    ? emit(Kind.COMPLEX)
                    : mistake("bad number syntax: " + GoText.quote(text.substring(start, at)));
        }
        return emit(Kind.NUMBER);
    }

    private boolean scanNumber() {
        accept("+-");
        var digits = "0123456789_";
        if (accept("0")) {
            if (accept("xX")) {
                digits = "0123456789abcdefABCDEF_";
            } else if (accept("oO")) {
                digits = "01234567_";
            } else if (accept("bB")) {
                digits = "01_";
            }
        }
        acceptAll(digits);
        if (accept(".")) {
            acceptAll(digits);
        }
        if ((digits.length() == 11 && accept("eE")) || (digits.length() == 23 && accept("pP"))) {
            accept("+-");
            acceptAll("0123456789_");
        }
        accept("i");
        if (isAlphanumeric(peek())) {
            take();
            return false;
        }
        return true;
    }

    private boolean accept(String characters) {
        int c = peek();
        if (c == END || characters.indexOf(c) < 0) {
            return false;
        }
        take();
        return true;
    }

    private void acceptAll(String characters) {
        while (accept(characters)) {
            // Each call takes one.
        }
    }

    private int peek() {
        return at < text.length() ? text.codePointAt(at) : END;
    }

    private int take() {
        if (at >= text.length()) {
            return END;
        }
        int c = text.codePointAt(at);
        at += Character.charCount(c);
        if (c == '\n') {
            line++;
        }
        return c;
    }

    private Token emit(Kind kind) {
        var found = new Token(kind, start, text.substring(start, at), startLine);
        if (kind == Kind.TEXT) {
            line += newlines(start, at);
        }
        start = at;
        startLine = line;
        return found;
    }

    private void skipTo(int place) {
        line += newlines(start, place);
        at = place;
        start = place;
        startLine = line;
    }

    private int newlines(int from, int to) {
        int count = 0;
        for (int i = text.indexOf('\n', from); i >= 0 && i < to; i = text.indexOf('\n', i + 1)) {
            count++;
        }
        return count;
    }

    private Token mistake(String message) {
        var found = new Token(Kind.ERROR, start, message, startLine);
        text = "";
        at = 0;
        start = 0;
        return found;
    }

    private boolean hasTrimMarkAfter(int place) {
        return place + 1 < text.length() && text.charAt(place) == '-' && isSpace(text.charAt(place + 1));
    }

    private boolean isTrimmedRightDelimiter(int place) {
        return place + 1 < text.length()
                && isSpace(text.charAt(place))
                && text.charAt(place + 1) == '-'
                && text.startsWith(RIGHT, place + TRIM_MARK);
    }

    private boolean atRightDelimiter() {
        return isTrimmedRightDelimiter(at) || text.startsWith(RIGHT, at);
    }

    private static boolean isSpace(int c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static boolean isAlphanumeric(int c) {
        return c == '_' || (c != END && (Character.isLetter(c) || Character.isDigit(c)));
    }

    private static String unicode(int c) {
        if (c == END) {
            return "U+FFFFFFFFFFFFFFFF";
        }
        var code = "U+" + GoText.hex(c, 4).toUpperCase(java.util.Locale.ROOT);
        return GoText.isPrintable(c) ? code + " '" + Character.toString(c) + "'" : code;
    }
}
