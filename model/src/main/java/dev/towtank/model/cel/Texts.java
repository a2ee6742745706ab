package dev.towtank.model.cel;

import dev.towtank.model.Durations;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;

/// Texts in JSON that stand for something else.
final class Texts {

    private Texts() {}

    static byte[] base64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new JsonValues.Missing("invalid base64");
        }
    }

    static Instant timestamp(String text) {
        try {
            return text.length() == 10
                    ? LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC)
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new JsonValues.Missing("invalid timestamp: " + text);
        }
    }

    static Duration duration(String text) {
        try {
            return Durations.parse(text);
        } catch (Durations.Malformed e) {
            throw new JsonValues.Missing("invalid duration: " + text);
        }
    }

    /// As CEL writes durations: in seconds.
    static String seconds(Duration duration) {
        return new BigDecimal(duration.toNanos())
                        .movePointLeft(9)
                        .stripTrailingZeros()
                        .toPlainString() + "s";
    }
}
