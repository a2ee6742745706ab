package dev.towtank.model.jq;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// `@base64` and its like.
final class Formats {

    interface Format {
        String of(Run run, Json json);
    }

    static final Format TEXT = Texts::display;
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    private Formats() {}

    static Format named(String name) {
        return switch (name) {
            case "text" -> TEXT;
            case "json" -> (run, json) -> JsonText.write(run.whole(json));
            case "html" -> (run, json) -> html(Texts.display(run, json));
            case "uri" -> (run, json) -> uri(run, Texts.display(run, json));
            case "urid" -> (run, json) -> unescaped(run, Texts.display(run, json));
            case "csv" -> (run, json) -> row(run, "csv", json, ",", text -> "\"" + text.replace("\"", "\"\"") + "\"");
            case "tsv" -> (run, json) -> row(run, "tsv", json, "\t", Formats::tabbed);
            case "sh" -> Formats::shell;
            case "base64" -> (run, json) -> Base64.getEncoder().encodeToString(bytes(Texts.display(run, json)));
            case "base64d" -> (run, json) -> decoded(Texts.display(run, json));
            case "base32" -> (run, json) -> base32(bytes(Texts.display(run, json)));
            case "base32d" -> (run, json) -> base32Decoded(run, Texts.display(run, json));
            default -> throw new JqError("format not defined: @" + name);
        };
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String html(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;")
                .replace("\"", "&quot;");
    }

    private static String uri(Run run, String text) {
        var escaped = new StringBuilder();
        for (byte b : bytes(text)) {
            run.step();
            if (b > 0 && UNRESERVED.indexOf(b) >= 0) {
                escaped.append((char) b);
            } else {
                escaped.append(String.format("%%%02X", b & 0xff));
            }
        }
        return escaped.toString();
    }

    private static String unescaped(Run run, String text) {
        var bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); ) {
            run.step();
            if (text.charAt(i) == '%') {
                if (!text.substring(i, Math.min(i + 3, text.length())).matches("%[0-9A-Fa-f]{2}")) {
                    throw Texts.wrong(Json.of(text), "is not a valid uri encoding");
                }
                bytes.write(Integer.parseInt(text, i + 1, i + 3, 16));
                i += 3;
            } else {
                bytes.writeBytes(bytes(Character.toString(text.codePointAt(i))));
                i += Character.charCount(text.codePointAt(i));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String row(Run run, String name, Json json, String between, UnaryOperator<String> quoted) {
        if (!(json instanceof Json.Arr items)) {
            throw Texts.wrong(json, "cannot be " + name + "-formatted, only an array can be");
        }
        run.whole(json);
        return items.items().stream()
                .map(item -> switch (item) {
                    case Json.Null _ -> "";
                    case Json.Str(var text) -> quoted.apply(text);
                    case Json.Bool _, Json.Int _, Json.Real _ -> item.display();
                    case Json.Arr _, Json.Obj _ -> throw Texts.wrong(item, "is not valid in a " + name + " row");
                })
                .collect(Collectors.joining(between));
    }

    private static String tabbed(String text) {
        return text.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    private static String shell(Run run, Json json) {
        run.whole(json);
        var items = json instanceof Json.Arr(var several) ? several : List.of(json);
        return items.stream()
                .map(item -> switch (item) {
                    case Json.Str(var text) -> "'" + text.replace("'", "'\\''") + "'";
                    case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> item.display();
                    case Json.Arr _, Json.Obj _ -> throw Texts.wrong(item, "can not be escaped for shell");
                })
                .collect(Collectors.joining(" "));
    }

    private static String decoded(String text) {
        try {
            var bare = text.replaceAll("=+$", "");
            return new String(Base64.getDecoder().decode(bare), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw Texts.wrong(Json.of(text), "is not valid base64 data");
        }
    }

    private static String base32(byte[] bytes) {
        var encoded = new StringBuilder();
        for (int at = 0; at < bytes.length; at += 5) {
            long group = 0;
            int size = Math.min(5, bytes.length - at);
            for (int i = 0; i < 5; i++) {
                group = (group << 8) | (i < size ? bytes[at + i] & 0xff : 0);
            }
            int letters = (size * 8 + 4) / 5;
            for (int i = 0; i < 8; i++) {
                encoded.append(i < letters ? BASE32.charAt((int) ((group >> (35 - 5 * i)) & 31)) : '=');
            }
        }
        return encoded.toString();
    }

    private static String base32Decoded(Run run, String text) {
        var bytes = new ByteArrayOutputStream();
        long bits = 0;
        int count = 0;
        var letters = text.replaceAll("=+$", "");
        for (int i = 0; i < letters.length(); i++) {
            run.step();
            int value = BASE32.indexOf(letters.charAt(i));
            if (value < 0) {
                throw Texts.wrong(Json.of(text), "is not valid base32 data");
            }
            bits = (bits << 5) | value;
            count += 5;
            if (count >= 8) {
                count -= 8;
                bytes.write((int) ((bits >> count) & 0xff));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
