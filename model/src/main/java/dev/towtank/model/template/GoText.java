package dev.towtank.model.template;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Go's strings, which are bytes, as Java's, which are characters.
///
/// A byte that is no part of UTF-8 becomes a lone surrogate, U+DC80 to U+DCFF, and turns back into the byte on the way
/// out; so what
/// `b64dec` makes of a key store survives a template.
public final class GoText {
    private static final char ESCAPED_BYTE = '\uDC00';

    private GoText() {}

    public static String of(byte[] bytes) {
        var text = new String(bytes, StandardCharsets.UTF_8);
        return text.indexOf('\uFFFD') < 0 ? text : escaped(bytes);
    }

    public static byte[] bytes(String text) {
        if (!hasEscapedBytes(text)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        var out = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            if (isEscapedByte(codePoint)) {
                out.write(codePoint - ESCAPED_BYTE);
            } else {
                out.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
            }
            i += Character.charCount(codePoint);
        }
        return out.toByteArray();
    }

    /// What `len` says: the number of bytes.
    public static int length(String text) {
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80 || (isEscapedByte(c) && !isLowHalf(text, i))) {
                length += 1;
            } else if (c < 0x800 || Character.isSurrogate(c)) {
                length += 2;
            } else {
                length += 3;
            }
        }
        return length;
    }

    /// The bytes from one place to another, as Go's `s[from:to]`.
    public static String slice(String text, int from, int to) {
        if (isAscii(text)) {
            return text.substring(from, to);
        }
        var bytes = bytes(text);
        return of(java.util.Arrays.copyOfRange(bytes, from, to));
    }

    public static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /// A Go string literal in double quotes.
    public static String quote(String text) {
        return quote(text, '"', false);
    }

    static String quote(String text, char mark, boolean onlyAscii) {
        var out = new StringBuilder(text.length() + 2).append(mark);
        text.codePoints().forEach(each -> quote(each, mark, onlyAscii, out));
        return out.append(mark).toString();
    }

    private static void quote(int codePoint, char mark, boolean onlyAscii, StringBuilder out) {
        switch (codePoint) {
            case 7 -> out.append("\\a");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case 11 -> out.append("\\v");
            case '\\' -> out.append("\\\\");
            default -> {
                if (codePoint == mark) {
                    out.append('\\').append(mark);
                } else if (isEscapedByte(codePoint)) {
                    out.append("\\x").append(hex(codePoint - ESCAPED_BYTE, 2));
                } else if (codePoint < 0x80
                        ? codePoint >= 0x20 && codePoint != 0x7F
                        : !onlyAscii && isPrintable(codePoint)) {
                    out.appendCodePoint(codePoint);
                } else if (codePoint < 0x80) {
                    out.append("\\x").append(hex(codePoint, 2));
                } else if (codePoint < 0x10000) {
                    out.append("\\u").append(hex(codePoint, 4));
                } else {
                    out.append("\\U").append(hex(codePoint, 8));
                }
            }
        }
    }

    static String hex(int value, int digits) {
        var text = Integer.toHexString(value);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    /// What Go prints as it is: letters, marks, numbers, punctuation, symbols, and the ASCII space.
    public static boolean isPrintable(int codePoint) {
        return codePoint == ' '
                || switch (Character.getType(codePoint)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.PRIVATE_USE,
                            Character.SURROGATE,
                            Character.UNASSIGNED,
                            Character.SPACE_SEPARATOR,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
    }

    private static boolean hasEscapedBytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isEscapedByte(text.charAt(i)) && !isLowHalf(text, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLowHalf(String text, int at) {
        return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }

    private static boolean isEscapedByte(int codePoint) {
        return codePoint >= 0xDC80 && codePoint <= 0xDCFF;
    }

    private static String escaped(byte[] bytes) {
        var out = new StringBuilder(bytes.length);
        for (int i = 0; i < bytes.length; ) {
            int width = width(bytes, i);
            if (width == 0) {
                out.append((char) (ESCAPED_BYTE + (bytes[i] & 0xFF)));
                i++;
            } else {
                out.append(new String(bytes, i, width, StandardCharsets.UTF_8));
                i += width;
            }
        }
        return out.toString();
    }

    // The number of bytes of the character that begins here; 0 where none does.
    private static int width(byte[] bytes, int at) {
        int first = bytes[at] & 0xFF;
        int width = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (width <= 1 || at + width > bytes.length) {
            return width <= 1 ? width : 0;
        }
        var text = new String(bytes, at, width, StandardCharsets.UTF_8);
        boolean whole = text.codePointCount(0, text.length()) == 1;
        return whole && (text.codePointAt(0) != 0xFFFD || first == 0xEF) ? width : 0;
    }
}
