package dev.towtank.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Scalars as Go's decoder takes them and as its encoder gives them back.
final class ScalarForm {

    private static final DateTimeFormatter MICROSECONDS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private ScalarForm() {}

    /// The value in its canonical form, the same one where it is already; null where it has the wrong type.
    static @Nullable Json canonical(Json json, Schema.Scalar scalar) {
        return switch (scalar) {
            case STRING -> json instanceof Json.Str ? json : null;
            case BOOL -> json instanceof Json.Bool ? json : null;
            case INT32 -> json instanceof Json.Int(var value) && value == (int) value ? json : null;
            case INT64 -> json instanceof Json.Int ? json : null;
            case DOUBLE -> json instanceof Json.Int || json instanceof Json.Real ? json : null;
            case BYTES -> json instanceof Json.Str text ? bytes(text) : null;
            case ANY -> json;
            case QUANTITY -> quantity(json);
            case INT_OR_STRING -> intOrString(json);
            case TIME -> time(json, text(json));
            case MICRO_TIME -> microTime(json, text(json));
            case DURATION -> duration(json, text(json));
        };
    }

    /// What Go's decoder calls a value that it cannot take.
    static String describe(Json json, Schema.Value expected) {
        boolean number = expected instanceof Schema.Value.ScalarOf(var scalar, var _)
                && switch (scalar) {
                    case INT32, INT64, DOUBLE -> true;
                    case STRING, BOOL, BYTES, QUANTITY, INT_OR_STRING, TIME, MICRO_TIME, DURATION, ANY -> false;
                };
        return switch (json) {
            case Json.Null _ -> "null";
            case Json.Bool _ -> "bool";
            case Json.Int value -> number ? "number " + value : "number";
            case Json.Real value -> number ? "number " + value : "number";
            case Json.Str _ -> "string";
            case Json.Arr _ -> "array";
            case Json.Obj _ -> "object";
        };
    }

    private static String text(Json json) {
        if (json instanceof Json.Str(var text)) {
            return text;
        }
        throw intoGoValue(json, "string", Schema.Scalar.STRING);
    }

    private static Pruning.Mismatch intoGoValue(Json json, String goType, Schema.Scalar scalar) {
        var described = describe(json, new Schema.Value.ScalarOf(scalar, goType));
        return new Pruning.Mismatch("json: cannot unmarshal " + described + " into Go value of type " + goType);
    }

    private static Json quantity(Json json) {
        var text = json.display().strip();
        try {
            var canonical = Quantity.parse(text).text();
            return json instanceof Json.Str(var written) && written.equals(canonical) ? json : Json.of(canonical);
        } catch (Quantity.Malformed e) {
            throw new Pruning.Mismatch(String.valueOf(e.getMessage()));
        }
    }

    private static Json intOrString(Json json) {
        if (json instanceof Json.Str || (json instanceof Json.Int(var value) && value == (int) value)) {
            return json;
        }
        throw intoGoValue(json, "int32", Schema.Scalar.INT32);
    }

    private static Json duration(Json json, String text) {
        try {
            var canonical = Durations.format(Durations.parse(text));
            return canonical.equals(text) ? json : Json.of(canonical);
        } catch (Durations.Malformed e) {
            throw new Pruning.Mismatch(String.valueOf(e.getMessage()));
        }
    }

    private static Json time(Json json, String text) {
        if (Timestamps.parseSeconds(text).isPresent()) {
            return json;
        }
        var instant = instant(text, "2006-01-02T15:04:05Z07:00");
        if (text.length() == "2006-01-02T15:04:05Z".length() && text.endsWith("Z")) {
            return json;
        }
        return Json.of(Timestamps.seconds(instant));
    }

    private static Json microTime(Json json, String text) {
        var instant = instant(text, "2006-01-02T15:04:05.000000Z07:00");
        var canonical = MICROSECONDS.format(instant.truncatedTo(ChronoUnit.MICROS));
        return canonical.equals(text) ? json : Json.of(canonical);
    }

    private static Instant instant(String text, String layout) {
        try {
            // Java would also take a time without seconds.
            if (text.length() >= "2006-01-02T15:04:05Z".length() && text.charAt(16) == ':') {
                return OffsetDateTime.parse(text).toInstant();
            }
        } catch (DateTimeException e) {
            // Said below, in Go's words.
        }
        throw new Pruning.Mismatch("parsing time " + Json.of(text) + " as \"" + layout + "\": cannot parse "
                + Json.of(text) + " as \"2006\"");
    }

    private static Json bytes(Json.Str json) {
        var text = json.value();
        if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
            return bytes(new Json.Str(text.replace("\n", "").replace("\r", "")));
        }
        int end = text.length();
        int padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
        for (int i = 0; i < end - padding; i++) {
            if (!isBase64(text.charAt(i))) {
                throw new Pruning.Mismatch("illegal base64 data at input byte " + i);
            }
        }
        if (end % 4 != 0) {
            throw new Pruning.Mismatch("illegal base64 data at input byte " + end / 4 * 4);
        }
        return json;
    }

    private static boolean isBase64(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
    }
}
