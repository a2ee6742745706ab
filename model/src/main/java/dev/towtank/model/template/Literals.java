package dev.towtank.model.template;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// Strings and numbers as Go's language writes them.
final class Literals {

    /// A literal that is none.
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    private Literals() {}

    /// The text that a literal in double quotes or in back quotes stands for.
    static String unquote(String literal) throws Malformed {
        var inside = literal.substring(1, literal.length() - 1);
        if (literal.charAt(0) == '`') {
            return inside.replace("\r", "");
        }
        if (inside.indexOf('\\') < 0) {
            return inside;
        }
        var out = new StringBuilder(inside.length());
        for (int i = 0; i < inside.length(); ) {
            i = unescape(inside, i, '"', out);
        }
        return out.toString();
    }

    /// The code point of a literal in single quotes.
    static int character(String literal) throws Malformed {
        var inside = literal.substring(1, literal.length() - 1);
        if (inside.isEmpty()) {
            throw new Malformed("invalid syntax");
        }
        var out = new StringBuilder();
        int end = inside.charAt(0) == '\\' ? unescape(inside, 0, '\'', out) : one(inside, out);
        if (end != inside.length()) {
            throw new Malformed("malformed character constant: " + literal);
        }
        return out.codePointAt(0);
    }

    private static int one(String text, StringBuilder out) {
        int codePoint = text.codePointAt(0);
        out.appendCodePoint(codePoint);
        return Character.charCount(codePoint);
    }

    // Appends what stands at a place, and tells where the next thing is.
    private static int unescape(String text, int at, char mark, StringBuilder out) throws Malformed {
        char c = text.charAt(at);
        if (c != '\\') {
            out.append(c);
            return at + 1;
        }
        if (at + 1 >= text.length()) {
            throw new Malformed("invalid syntax");
        }
        char escape = text.charAt(at + 1);
        int simple = "abfnrtv\\".indexOf(escape);
        if (simple >= 0) {
            out.append("\u0007\b\f\n\r\t\u000b\\".charAt(simple));
            return at + 2;
        }
        if (escape == mark) {
            out.append(escape);
            return at + 2;
        }
        return switch (escape) {
            case 'x' -> coded(text, at + 2, 2, 16, true, out);
            case 'u' -> coded(text, at + 2, 4, 16, false, out);
            case 'U' -> coded(text, at + 2, 8, 16, false, out);
            case '0', '1', '2', '3', '4', '5', '6', '7' -> coded(text, at + 1, 3, 8, true, out);
            default -> throw new Malformed("invalid syntax");
        };
    }

    private static int coded(String text, int at, int digits, int radix, boolean isByte, StringBuilder out)
            throws Malformed {
        if (at + digits > text.length()) {
            throw new Malformed("invalid syntax");
        }
        long value = 0;
        for (int i = at; i < at + digits; i++) {
            int digit = Character.digit(text.charAt(i), radix);
            if (digit < 0) {
                throw new Malformed("invalid syntax");
            }
            value = value * radix + digit;
        }
        if (value > (isByte ? 0xFF : Character.MAX_CODE_POINT) || (!isByte && value >= 0xD800 && value < 0xE000)) {
            throw new Malformed("invalid syntax");
        }
        if (isByte) {
            out.append(GoText.of(new byte[] {(byte) value}));
        } else {
            out.appendCodePoint((int) value);
        }
        return at + digits;
    }

    static Node.Numeral number(int at, String text, boolean isCharacter) throws Malformed {
        if (isCharacter) {
            int codePoint = character(text);
            return new Node.Numeral(at, text, (long) codePoint, (double) codePoint, true);
        }
        var whole = integer(text);
        if (whole != null) {
            boolean fits = whole.bitLength() < Long.SIZE;
            if (!fits && (whole.signum() < 0 || whole.bitLength() > Long.SIZE)) {
                throw new Malformed("integer overflow: " + GoText.quote(text));
            }
            return new Node.Numeral(at, text, fits ? whole.longValue() : null, whole.doubleValue(), true);
        }
        var real = real(text);
        if (real == null) {
            throw new Malformed("illegal number syntax: " + GoText.quote(text));
        }
        boolean isWhole = real == Math.rint(real) && Math.abs(real) < 9.2e18;
        return new Node.Numeral(at, text, isWhole ? (Long) real.longValue() : null, real, false);
    }

    private static @Nullable BigInteger integer(String text) {
        boolean negative = text.startsWith("-");
        var digits = negative || text.startsWith("+") ? text.substring(1) : text;
        int radix = 10;
        if (digits.length() > 1 && digits.charAt(0) == '0') {
            radix = switch (Character.toLowerCase(digits.charAt(1))) {
                case 'x' -> 16;
                case 'o' -> 8;
                case 'b' -> 2;
                default -> -8;
            };
            digits = digits.substring(radix < 0 ? 1 : 2);
            radix = Math.abs(radix);
        }
        digits = digits.replace("_", "");
        if (digits.isEmpty() || digits.charAt(0) == '-' || digits.charAt(0) == '+') {
            return null;
        }
        try {
            var value = new BigInteger(digits, radix);
            return negative ? value.negate() : value;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Double real(String text) {
        var digits = text.replace("_", "");
        // Java would also take a letter for the type at the end, and spaces around.
        if (digits.isEmpty() || (!Character.isDigit(digits.charAt(digits.length() - 1)) && !digits.endsWith("."))) {
            return null;
        }
        try {
            double value = Double.parseDouble(digits);
            return Double.isInfinite(value) ? null : (Double) value;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
