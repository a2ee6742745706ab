package dev.towtank.model.kinds.core;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.Field;
import java.util.Base64;
import java.util.Optional;

/// Values that travel as base64.
final class Base64Data {

    private Base64Data() {}

    static Optional<byte[]> decode(String text) {
        // The decoder that clients are used to skips line breaks, and insists on the padding.
        var plain = text.replace("\n", "").replace("\r", "");
        if (plain.length() % 4 != 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(Base64.getDecoder().decode(plain));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// How many bytes a value holds.
    static int size(Field value) {
        return decode(value.text()).map(bytes -> bytes.length).orElse(0);
    }

    /// Refuses an object with values that are not base64, as the decoder of the API does; the value is not shown.
    static void check(Json.Obj object, String kind, String field) {
        for (var entry : object.object(field)) {
            var text = entry.getValue() instanceof Json.Str(var value) ? value : "";
            if (decode(text).isEmpty()) {
                throw StatusError.badRequest(kind + " in version \"v1\" cannot be handled as a " + kind
                        + ": illegal base64 data at input byte " + firstIllegalByte(text));
            }
        }
    }

    /// Where the text stops being base64, as the Go decoder counts it.
    static int firstIllegalByte(String text) {
        int digits = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\r') {
                continue;
            }
            if (c == '=') {
                return illegalPadding(text, i, digits);
            }
            if (!isDigit(c)) {
                return i;
            }
            digits++;
        }
        // The text ends within a group of four.
        return Math.max(0, text.length() - digits % 4);
    }

    private static int illegalPadding(String text, int at, int digits) {
        int inGroup = digits % 4;
        if (inGroup < 2) {
            return at;
        }
        int next = at + 1;
        if (inGroup == 2) {
            if (next >= text.length()) {
                return text.length();
            }
            if (text.charAt(next) != '=') {
                return next;
            }
            next++;
        }
        return next;
    }

    private static boolean isDigit(char c) {
        return "+/".indexOf(c) >= 0 || (c < 128 && Character.isLetterOrDigit(c));
    }
}
