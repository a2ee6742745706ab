package dev.towtank.controllers.buckets.s3;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Escapes as signatures want them: everything but letters, digits and `-._~`, in upper case.
public final class UriText {

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /// A parameter of a query, without escapes.
    public record Parameter(String name, String value) {}

    private UriText() {}

    public static String encode(String text, boolean keepSlash) {
        var out = new StringBuilder(text.length());
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            char letter = (char) (each & 0xff);
            if (isPlain(letter) || (keepSlash && letter == '/')) {
                out.append(letter);
            } else {
                out.append('%');
                HEX.toHexDigits(out, each);
            }
        }
        return out.toString();
    }

    private static boolean isPlain(char letter) {
        return (letter >= 'A' && letter <= 'Z')
                || (letter >= 'a' && letter <= 'z')
                || (letter >= '0' && letter <= '9')
                || "-._~".indexOf(letter) >= 0;
    }

    /// @throws S3Refusal for half an escape, or what is no UTF-8
    public static String decode(String text) throws S3Refusal {
        var bytes = new ByteArrayOutputStream(text.length());
        var raw = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] != '%') {
                bytes.write(raw[i]);
                continue;
            }
            if (i + 2 >= raw.length || !HexFormat.isHexDigit(raw[i + 1]) || !HexFormat.isHexDigit(raw[i + 2])) {
                throw unreadable();
            }
            bytes.write((HexFormat.fromHexDigit(raw[i + 1]) << 4) | HexFormat.fromHexDigit(raw[i + 2]));
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw unreadable();
        }
    }

    private static S3Refusal unreadable() {
        return new S3Refusal(400, "InvalidURI", "Couldn't parse the specified URI.");
    }

    /// In the order in which they came.
    public static List<Parameter> parameters(String query) throws S3Refusal {
        var all = new ArrayList<Parameter>();
        for (var pair : query.split("&", -1)) {
            if (!pair.isEmpty()) {
                int sign = pair.indexOf('=');
                var name = sign < 0 ? pair : pair.substring(0, sign);
                var value = sign < 0 ? "" : pair.substring(sign + 1);
                all.add(new Parameter(decode(plus(name)), decode(plus(value))));
            }
        }
        return all;
    }

    private static String plus(String text) {
        return text.replace('+', ' ');
    }
}
