package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Values that are a number or a text: ports by number or name, amounts absolute or in percent.
public final class IntOrStrings {

    private static final Pattern PERCENT = Pattern.compile("[0-9]{1,9}%");

    private IntOrStrings() {}

    public static void validatePort(Field port) {
        if (port.value() instanceof Json.Str) {
            port.matches(Names::portName);
        } else {
            port.port();
        }
    }

    public static void validateNonNegativeIntOrPercent(Field amount) {
        if (!(amount.value() instanceof Json.Str(var text))) {
            amount.nonNegative();
        } else if (!PERCENT.matcher(text).matches()) {
            amount.invalid("a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or"
                    + " '93%', regex used for validation is '[0-9]+%')");
        }
    }

    public static void validateAtMost100Percent(Field amount) {
        if (percent(amount.value()).orElse(0) > 100) {
            amount.invalid("must not be greater than 100%");
        }
    }

    /// The number before the `%`, or nothing where the value is no percentage.
    public static OptionalLong percent(@Nullable Json value) {
        return value instanceof Json.Str(var text) && PERCENT.matcher(text).matches()
                ? OptionalLong.of(Long.parseLong(text.substring(0, text.length() - 1)))
                : OptionalLong.empty();
    }

    /// The number, the number before the `%`, or 0.
    public static long number(@Nullable Json value) {
        return switch (value) {
            case Json.Int(var number) -> number;
            case Json.Str text when text.value().matches("[+-]?[0-9]{1,9}") -> Long.parseLong(text.value());
            case null, default -> percent(value).orElse(0);
        };
    }

    /// The amount that a value means of a total.
    public static long scaled(@Nullable Json value, long total, boolean roundUp) {
        var percent = percent(value);
        if (percent.isEmpty()) {
            return number(value);
        }
        return roundUp
                ? Math.ceilDiv(percent.getAsLong() * total, 100)
                : Math.floorDiv(percent.getAsLong() * total, 100);
    }
}
