package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.ANY;
import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoText;
import dev.towtank.model.template.Values;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.Adler32;
import org.jspecify.annotations.Nullable;

/// Sprig's encodings, checksums and JSON.
final class EncodingFunctions {
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    static final Functions ALL = Functions.builder()
            .add("b64enc", call -> Base64.getEncoder().encodeToString(GoText.bytes(call.string(0))), STRING)
            .add("b64dec", call -> decode64(call.string(0)), STRING)
            .add("b32enc", call -> encode32(GoText.bytes(call.string(0))), STRING)
            .add("b32dec", call -> decode32(call.string(0)), STRING)
            .add("sha1sum", call -> digest("SHA-1", call.string(0)), STRING)
            .add("sha256sum", call -> digest("SHA-256", call.string(0)), STRING)
            .add("sha512sum", call -> digest("SHA-512", call.string(0)), STRING)
            .add("adler32sum", call -> adler32(call.string(0)), STRING)
            .add("toJson", call -> GoJson.compact(json(call)), ANY)
            .add("mustToJson", call -> GoJson.compact(json(call)), ANY)
            .add("toPrettyJson", call -> GoJson.pretty(json(call)), ANY)
            .add("mustToPrettyJson", call -> GoJson.pretty(json(call)), ANY)
            .add("toRawJson", call -> GoJson.raw(json(call)), ANY)
            .add("mustToRawJson", call -> GoJson.raw(json(call)), ANY)
            .add("fromJson", call -> fromJson(call, false), STRING)
            .add("mustFromJson", call -> fromJson(call, true), STRING)
            .build();

    /// What the Sprig of External Secrets has beside.
    static final Functions HEX = Functions.builder()
            .add("hexdec", call -> decode16(call.string(0)), STRING)
            .build();

    private EncodingFunctions() {}

    private static Object decode16(String text) {
        try {
            return GoText.of(HexFormat.of().parseHex(text));
        } catch (IllegalArgumentException e) {
            return "encoding/hex: invalid byte or odd length hex string"; // as others, it answers with its complaint
        }
    }

    static Json json(Arguments call) {
        return Documents.json(call.any(0), call.render().meter());
    }

    private static @Nullable Object fromJson(Arguments call, boolean complains) {
        try {
            return Values.of(JsonText.parse(call.string(0)));
        } catch (JsonText.Malformed e) {
            if (complains) {
                throw new FunctionError(String.valueOf(e.getMessage()));
            }
            return null;
        }
    }

    // What is no base64 decodes to the error's text, as with Sprig.
    static String decode64(String text) {
        var bare = text.replace("\n", "").replace("\r", "");
        int end = bare.length();
        while (end > 0 && bare.length() - end < 2 && bare.charAt(end - 1) == '=') {
            end--;
        }
        for (int i = 0; i < end; i++) {
            char c = bare.charAt(i);
            if (c >= 0x80 || (!Character.isLetterOrDigit(c) && c != '+' && c != '/')) {
                return "illegal base64 data at input byte " + i;
            }
        }
        if (bare.length() % 4 != 0) {
            return "illegal base64 data at input byte " + bare.length() / 4 * 4;
        }
        return GoText.of(Base64.getDecoder().decode(bare.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static String encode32(byte[] bytes) {
        var out = new StringBuilder();
        for (int i = 0; i < bytes.length; i += 5) {
            long group = 0;
            int count = Math.min(5, bytes.length - i);
            for (int j = 0; j < 5; j++) {
                group = group << 8 | (j < count ? bytes[i + j] & 0xFF : 0);
            }
            int digits = (count * 8 + 4) / 5;
            for (int j = 0; j < 8; j++) {
                out.append(j < digits ? BASE32.charAt((int) ((group >> (35 - 5 * j)) & 31)) : '=');
            }
        }
        return out.toString();
    }

    private static String decode32(String text) {
        var digits = text.replace("\n", "").replace("\r", "").replaceAll("=+$", "");
        var bytes = new byte[digits.length() * 5 / 8];
        long buffer = 0;
        int bits = 0;
        int length = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = BASE32.indexOf(digits.charAt(i));
            if (digit < 0) {
                return "illegal base32 data at input byte " + i;
            }
            buffer = buffer << 5 | digit;
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                bytes[length++] = (byte) (buffer >> bits);
            }
        }
        return GoText.of(bytes);
    }

    static String digest(String algorithm, String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(GoText.bytes(text)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }

    private static String adler32(String text) {
        var sum = new Adler32();
        sum.update(GoText.bytes(text));
        return Long.toString(sum.getValue());
    }
}
