package dev.towtank.model.template.functions;

import dev.towtank.model.Json;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// JSON as Go's encoder writes it: nothing between the tokens, and what HTML might trip over escaped.
final class GoJson {
    private final boolean escapesHtml;
    private final @Nullable String indent;
    private final StringBuilder out = new StringBuilder();

    private GoJson(boolean escapesHtml, @Nullable String indent) {
        this.escapesHtml = escapesHtml;
        this.indent = indent;
    }

    static String compact(Json json) {
        return new GoJson(true, null).write(json);
    }

    static String raw(Json json) {
        return new GoJson(false, null).write(json);
    }

    static String pretty(Json json) {
        return new GoJson(true, "  ").write(json);
    }

    private String write(Json json) {
        value(json, 0);
        return out.toString();
    }

    private void value(Json json, int level) {
        switch (json) {
            case Json.Null _, Json.Bool _, Json.Int _ -> out.append(json);
            case Json.Real(var number) -> out.append(real(number));
            case Json.Str(var text) -> string(text);
            case Json.Arr list -> {
                out.append('[');
                for (int i = 0; i < list.size(); i++) {
                    separator(i, level + 1);
                    value(list.get(i), level + 1);
                }
                end(']', list.size(), level);
            }
            case Json.Obj object -> {
                out.append('{');
                for (int i = 0; i < object.size(); i++) {
                    separator(i, level + 1);
                    string(object.key(i));
                    out.append(indent == null ? ":" : ": ");
                    value(object.value(i), level + 1);
                }
                end('}', object.size(), level);
            }
        }
    }

    private void separator(int position, int level) {
        out.append(position > 0 ? "," : "");
        newline(level);
    }

    private void end(char bracket, int size, int level) {
        if (size > 0) {
            newline(level);
        }
        out.append(bracket);
    }

    private void newline(int level) {
        if (indent != null) {
            out.append('\n').repeat(indent, level);
        }
    }

    /// Plain between a millionth and 10²¹, otherwise with an exponent.
    static String real(double number) {
        var decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        int exponent = decimal.precision() - decimal.scale() - 1;
        if (number == 0 || (exponent >= -6 && exponent < 21)) {
            return number == 0 ? "0" : decimal.toPlainString();
        }
        var digits = decimal.unscaledValue().abs().toString();
        return (number < 0 ? "-" : "") + digits.charAt(0) + (digits.length() > 1 ? "." + digits.substring(1) : "") + "e"
                + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '<', '>', '&' -> {
                    if (escapesHtml) {
                        unicode(c);
                    } else {
                        out.append(c);
                    }
                }
                default -> {
                    if (c < 0x20 || c == 0x2028 || c == 0x2029) {
                        unicode(c);
                    } else if (c >= 0xDC80
                            && c <= 0xDCFF
                            && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)))) {
                        out.append("\\ufffd");
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private void unicode(char c) {
        var hex = Integer.toHexString(c);
        out.append("\\u").repeat('0', 4 - hex.length()).append(hex);
    }
}
