package dev.towtank.model;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a plain YAML scalar means to Kubernetes: YAML 1.1 without sexagesimal numbers and without dates.
final class YamlScalars {

    private static final Map<String, Json> WORDS = Map.ofEntries(
            Map.entry("", Json.Null.NULL),
            Map.entry("~", Json.Null.NULL),
            Map.entry("null", Json.Null.NULL),
            Map.entry("Null", Json.Null.NULL),
            Map.entry("NULL", Json.Null.NULL),
            Map.entry("y", Json.Bool.TRUE),
            Map.entry("Y", Json.Bool.TRUE),
            Map.entry("yes", Json.Bool.TRUE),
            Map.entry("Yes", Json.Bool.TRUE),
            Map.entry("YES", Json.Bool.TRUE),
            Map.entry("true", Json.Bool.TRUE),
            Map.entry("True", Json.Bool.TRUE),
            Map.entry("TRUE", Json.Bool.TRUE),
            Map.entry("on", Json.Bool.TRUE),
            Map.entry("On", Json.Bool.TRUE),
            Map.entry("ON", Json.Bool.TRUE),
            Map.entry("n", Json.Bool.FALSE),
            Map.entry("N", Json.Bool.FALSE),
            Map.entry("no", Json.Bool.FALSE),
            Map.entry("No", Json.Bool.FALSE),
            Map.entry("NO", Json.Bool.FALSE),
            Map.entry("false", Json.Bool.FALSE),
            Map.entry("False", Json.Bool.FALSE),
            Map.entry("FALSE", Json.Bool.FALSE),
            Map.entry("off", Json.Bool.FALSE),
            Map.entry("Off", Json.Bool.FALSE),
            Map.entry("OFF", Json.Bool.FALSE));

    private static final int LONGEST_INTEGER = 70;
    private static final Pattern NOT_A_NUMBER = Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
    private static final Pattern INTEGER =
            Pattern.compile("([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)");
    private static final Pattern REAL = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

    private YamlScalars() {}

    /// Nothing for infinity and not-a-number, which JSON cannot say.
    static Optional<Json> resolve(String text) {
        var word = WORDS.get(text);
        if (word != null) {
            return Optional.of(word);
        }
        if (!startsLikeANumber(text)) {
            return Optional.of(Json.of(text));
        }
        if (NOT_A_NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        var plain = text.indexOf('_') < 0 || text.startsWith("_") ? text : text.replace("_", "");
        var integer = INTEGER.matcher(plain);
        if (integer.matches() && plain.length() < LONGEST_INTEGER) {
            var value = signed(integer.group(1).equals("-"), integer.group(2));
            if (value.bitLength() < Long.SIZE) {
                return Optional.of(Json.of(value.longValue()));
            }
            if (value.signum() > 0 && value.bitLength() == Long.SIZE) {
                return Optional.of(new Json.Real(value.doubleValue()));
            }
        }
        // A hexadecimal number of more than 64 bits, such as an address of a block chain, is a text.
        return REAL.matcher(plain).matches() ? real(plain) : Optional.of(Json.of(text));
    }

    /// Whether it is one of the words that only YAML 1.1 takes for true or false, such as `on`.
    static boolean isWordForABoolean(String text) {
        return WORDS.get(text) instanceof Json.Bool
                && !text.equalsIgnoreCase("true")
                && !text.equalsIgnoreCase("false");
    }

    private static boolean startsLikeANumber(String text) {
        char first = text.charAt(0);
        return (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
    }

    private static BigInteger signed(boolean negative, String digits) {
        var value = magnitude(digits);
        return negative ? value.negate() : value;
    }

    private static BigInteger magnitude(String digits) {
        if (digits.length() > 1 && digits.charAt(0) == '0') {
            return switch (digits.charAt(1)) {
                case 'x', 'X' -> new BigInteger(digits.substring(2), 16);
                case 'b', 'B' -> new BigInteger(digits.substring(2), 2);
                case 'o', 'O' -> new BigInteger(digits.substring(2), 8);
                default -> new BigInteger(digits, 8);
            };
        }
        return new BigInteger(digits);
    }

    // On its way through JSON text a whole number loses its fraction, and with it its floating point.
    private static Optional<Json> real(String text) {
        double value = Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            return Optional.of(Json.of(text));
        }
        boolean whole = value == Math.rint(value) && Math.abs(value) < 0x1p63;
        return Optional.of(whole ? Json.of((long) value) : new Json.Real(value));
    }
}
