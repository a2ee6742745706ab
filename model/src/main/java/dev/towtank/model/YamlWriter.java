package dev.towtank.model;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Pattern;

/// Writes block style YAML as `kubectl -o yaml` shows it: two spaces, lists not indented, quotes only where needed.
final class YamlWriter {

    private static final Pattern SEXAGESIMAL = Pattern.compile("[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-(0?[1-9]|1[0-2])-(0?[1-9]|[12][0-9]|3[01])"
            + "([Tt][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\\.[0-9]*)?(Z|[-+][0-9]{2}:[0-9]{2})"
            + "| [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\\.[0-9]*)?)?");
    private static final String INDICATORS = "#,[]{}&*!|>'\"%@`";

    private static final int LONGEST_SIMPLE_KEY = 128;

    private final StringBuilder out = new StringBuilder();

    // Where a text that is longer goes on in the next line.
    private final int width;

    private YamlWriter(int width) {
        this.width = width;
    }

    static String write(Json json) {
        return write(json, Integer.MAX_VALUE);
    }

    static String write(Json json, int width) {
        var writer = new YamlWriter(width);
        switch (json) {
            case Json.Obj object when object.size() > 0 -> writer.fields(object, 0, false);
            case Json.Arr list when list.size() > 0 -> writer.items(list, 0, false);
            default -> {
                writer.scalar(json, 0);
                writer.out.append('\n');
            }
        }
        return writer.out.toString();
    }

    private void fields(Json.Obj object, int indent, boolean continued) {
        var first = continued;
        for (int i = 0; i < object.size(); i++) {
            if (!first) {
                indent(indent);
            }
            first = false;
            key(text(object.key(i)), indent);
            switch (object.value(i)) {
                case Json.Obj inner
                when inner.size() > 0 -> {
                    out.append('\n');
                    fields(inner, indent + 2, false);
                }
                case Json.Arr inner
                when inner.size() > 0 -> {
                    out.append('\n');
                    items(inner, indent, false);
                }
                case Json value -> {
                    out.append(' ');
                    scalar(value, indent);
                    out.append('\n');
                }
            }
        }
    }

    private void items(Json.Arr list, int indent, boolean continued) {
        var first = continued;
        for (var item : list) {
            if (!first) {
                indent(indent);
            }
            first = false;
            out.append("- ");
            switch (item) {
                case Json.Obj inner when inner.size() > 0 -> fields(inner, indent + 2, true);
                case Json.Arr inner when inner.size() > 0 -> items(inner, indent + 2, true);
                case Json value -> {
                    scalar(value, indent);
                    out.append('\n');
                }
            }
        }
    }

    // Readers look only so far ahead for the colon of a simple key.
    private void key(String key, int indent) {
        if (key.length() <= LONGEST_SIMPLE_KEY) {
            out.append(key).append(':');
            return;
        }
        out.append("? ").append(key).append('\n');
        indent(indent);
        out.append(':');
    }

    private void indent(int columns) {
        out.repeat(' ', columns);
    }

    private void scalar(Json json, int indent) {
        if (json instanceof Json.Real(var number)) {
            out.append(real(number));
        } else if (!(json instanceof Json.Str(var text))) {
            out.append(json);
        } else if (text.indexOf('\n') >= 0 && canBeBlock(text)) {
            block(text, indent + 2);
        } else {
            fold(text(text), indent + 2);
        }
    }

    // A line breaks at a single space, once it is too long.
    private void fold(String text, int indent) {
        if (text.length() <= width - indent) {
            out.append(text);
            return;
        }
        if (text.startsWith("\"")) {
            foldQuoted(text, indent);
            return;
        }
        int edge = text.startsWith("'") ? 1 : 0;
        for (int i = 0; i < text.length(); i++) {
            boolean breaks = text.charAt(i) == ' '
                    && i > edge
                    && i < text.length() - 1 - edge
                    && text.charAt(i - 1) != ' '
                    && text.charAt(i + 1) != ' '
                    && isTooLong();
            if (breaks) {
                out.append('\n');
                indent(indent);
            } else {
                out.append(text.charAt(i));
            }
        }
    }

    // Between double quotes it breaks at the first of several spaces, and says with a backslash that there are more.
    private void foldQuoted(String text, int indent) {
        for (int i = 0; i < text.length(); i++) {
            boolean breaks =
                    text.charAt(i) == ' ' && i > 1 && i < text.length() - 2 && text.charAt(i - 1) != ' ' && isTooLong();
            if (!breaks) {
                out.append(text.charAt(i));
                continue;
            }
            out.append('\n');
            indent(indent);
            if (text.charAt(i + 1) == ' ') {
                out.append('\\');
            }
        }
    }

    private boolean isTooLong() {
        int start = out.lastIndexOf("\n") + 1;
        return out.codePointCount(start, out.length()) > width;
    }

    // In as few digits as possible, with an exponent where it is large or small.
    private static String real(double number) {
        var decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        int exponent = decimal.precision() - decimal.scale() - 1;
        if (number == 0 || (exponent >= -4 && exponent < 6)) {
            return number == 0 ? "0" : decimal.toPlainString();
        }
        var digits = decimal.unscaledValue().abs().toString();
        return (number < 0 ? "-" : "")
                + digits.charAt(0)
                + (digits.length() > 1 ? "." + digits.substring(1) : "")
                + String.format(Locale.ROOT, "e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    private void block(String text, int indent) {
        out.append('|');
        if (text.charAt(0) == ' ' || text.charAt(0) == '\n') {
            out.append('2');
        }
        if (!text.endsWith("\n")) {
            out.append('-');
        } else if (text.length() == 1 || text.charAt(text.length() - 2) == '\n') {
            out.append('+');
        }
        var body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        for (var line : body.split("\n", -1)) {
            out.append('\n');
            if (!line.isEmpty()) {
                indent(indent);
                out.append(line);
            }
        }
    }

    private static boolean canBeBlock(String text) {
        return !text.contains(" \n")
                && !text.endsWith(" ")
                && text.codePoints().allMatch(c -> c == '\n' || isPrintable(c));
    }

    private static String text(String text) {
        if (!text.codePoints().allMatch(YamlWriter::isPrintable)) {
            return quoted(text);
        }
        if (!(YamlScalars.resolve(text).orElse(Json.Null.NULL) instanceof Json.Str) || looksLikeADate(text)) {
            return quoted(text);
        }
        return canBePlain(text) ? text : "'" + text.replace("'", "''") + "'";
    }

    // Readers of other languages make dates and sexagesimal numbers of these.
    private static boolean looksLikeADate(String text) {
        char first = text.charAt(0);
        boolean isClose = (first >= '0' && first <= '9') || first == '-' || first == '+';
        return isClose
                && (text.indexOf(':') > 0 || text.indexOf('-') == 4)
                && (SEXAGESIMAL.matcher(text).matches() || DATE.matcher(text).matches());
    }

    private static boolean canBePlain(String text) {
        char first = text.charAt(0);
        if (text.startsWith("---") || text.startsWith("...") || INDICATORS.indexOf(first) >= 0 || text.equals("<<")) {
            return false;
        }
        boolean spaceAfterFirst = text.length() == 1 || text.charAt(1) == ' ';
        if ((first == '-' || first == '?' || first == ':') && spaceAfterFirst) {
            return false;
        }
        return first != ' '
                && first != '='
                && !text.endsWith(" ")
                && !text.endsWith(":")
                && !text.contains(": ")
                && !text.contains(" #");
    }

    private static boolean isPrintable(int c) {
        return (c >= ' ' && c <= '~')
                || (c >= 0xA0 && c <= 0xD7FF && c != 0x2028 && c != 0x2029)
                || (c >= 0xE000 && c <= 0xFFFD && c != 0xFEFF)
                || (c >= 0x10000 && c <= 0x10FFFF);
    }

    private static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (isPrintable(c)) {
                        quoted.appendCodePoint(c);
                    } else {
                        quoted.append(escape(c));
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }

    private static String escape(int c) {
        return switch (c) {
            case 0 -> "\\0";
            case 0x07 -> "\\a";
            case 0x08 -> "\\b";
            case 0x0B -> "\\v";
            case 0x0C -> "\\f";
            case 0x1B -> "\\e";
            case 0x85 -> "\\N";
            case 0x2028 -> "\\L";
            case 0x2029 -> "\\P";
            default -> String.format(Locale.ROOT, c <= 0xFF ? "\\x%02X" : c <= 0xFFFF ? "\\u%04X" : "\\U%08X", c);
        };
    }
}
