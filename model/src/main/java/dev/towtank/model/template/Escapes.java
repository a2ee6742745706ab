package dev.towtank.model.template;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;

/// Texts made safe for another language.
final class Escapes {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Escapes() {}

    static String html(String text) {
        return text.replace("\0", "\uFFFD")
                .replace("&", "&amp;")
                .replace("'", "&#39;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&#34;");
    }

    static String javascript(String text) {
        var out = new StringBuilder(text.length());
        text.codePoints().forEach(each -> {
            switch (each) {
                case '\\' -> out.append("\\\\");
                case '\'' -> out.append("\\'");
                case '"' -> out.append("\\\"");
                case '<', '>', '&', '=' -> out.append("\\u00").append(upper(each, 2));
                default -> {
                    if (each < 0x20 || !GoText.isPrintable(each)) {
                        out.append("\\u").append(upper(each, 4));
                    } else {
                        out.appendCodePoint(each);
                    }
                }
            }
        });
        return out.toString();
    }

    private static String upper(int value, int digits) {
        return GoText.hex(value, digits).toUpperCase(Locale.ROOT);
    }

    /// As a value in the query of an address.
    static String query(String text) {
        var out = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            int code = each & 0xff;
            if (isPlain(code)) {
                out.append((char) code);
            } else if (code == ' ') {
                out.append('+');
            } else {
                out.append('%').append(HEX.toHexDigits(each));
            }
        }
        return out.toString();
    }

    private static boolean isPlain(int code) {
        return (code >= 'a' && code <= 'z')
                || (code >= 'A' && code <= 'Z')
                || (code >= '0' && code <= '9')
                || "-_.~".indexOf(code) >= 0;
    }
}
