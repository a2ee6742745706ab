package dev.towtank.model.lua;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/// `string.format`.
final class TextFormat {

    private static final int MAX_WIDTH = 99;

    private final LuaArguments arguments;
    private final String template;
    private final StringBuilder text = new StringBuilder();
    private int position;
    private int argument = 1;

    private TextFormat(LuaArguments arguments) {
        this.arguments = arguments;
        this.template = arguments.text(1);
    }

    static String format(LuaArguments arguments) {
        return new TextFormat(arguments).format();
    }

    private String format() {
        while (position < template.length()) {
            char character = template.charAt(position++);
            if (character != '%') {
                text.append(character);
            } else if (position < template.length() && template.charAt(position) == '%') {
                position++;
                text.append('%');
            } else {
                item();
            }
            arguments.run().allocate(1);
        }
        return text.toString();
    }

    private void item() {
        var flags = new StringBuilder();
        while (position < template.length() && "-+ #0".indexOf(template.charAt(position)) >= 0) {
            flags.append(template.charAt(position++));
            if (flags.length() > 5) {
                throw arguments.run().error("invalid format (repeated flags)");
            }
        }
        int width = digits();
        int precision = -1;
        if (position < template.length() && template.charAt(position) == '.') {
            position++;
            precision = Math.max(0, digits());
        }
        if (position >= template.length()) {
            throw arguments.run().error("invalid format (it ends inside of an item)");
        }
        var value = converted(template.charAt(position++), precision, flags.toString());
        arguments.run().allocate(value.length() + Math.max(width, 0));
        pad(value, width, flags.toString());
    }

    private int digits() {
        int value = -1;
        while (position < template.length() && Character.isDigit(template.charAt(position))) {
            value = Math.max(value, 0) * 10 + template.charAt(position++) - '0';
            if (value > MAX_WIDTH) {
                throw arguments.run().error("invalid format (width or precision too long)");
            }
        }
        return value;
    }

    private String converted(char kind, int precision, String flags) {
        argument++;
        if (argument > arguments.count()) {
            throw arguments.wrong(argument, "no value");
        }
        return switch (kind) {
            case 'd', 'i', 'u' -> signed(whole(precision, 10), flags);
            case 'o' -> whole(precision, 8);
            case 'x' -> (flags.contains("#") ? "0x" : "") + whole(precision, 16);
            case 'X' -> (flags.contains("#") ? "0X" : "") + whole(precision, 16).toUpperCase(Locale.ROOT);
            case 'c' -> String.valueOf((char) (arguments.integer(argument) & 0xff));
            case 'f', 'F', 'e', 'E' -> signed(fraction(kind, precision), flags);
            case 'g', 'G' -> signed(general(kind, precision), flags);
            case 'q' -> quoted(arguments.text(argument));
            case 's', 'v' -> {
                var shown = Operations.display(arguments.run(), arguments.value(argument));
                yield precision >= 0 && precision < shown.length() ? shown.substring(0, precision) : shown;
            }
            default -> throw arguments.run().error("invalid option '%" + kind + "' to 'format'");
        };
    }

    private String whole(int precision, int radix) {
        long value = (long) arguments.number(argument);
        var digits = Long.toString(Math.abs(value), radix);
        return (value < 0 ? "-" : "") + "0".repeat(Math.max(0, precision - digits.length())) + digits;
    }

    private String fraction(char kind, int precision) {
        double value = arguments.number(argument);
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Numbers.display(value);
        }
        return String.format(Locale.ROOT, "%." + (precision < 0 ? 6 : precision) + (kind == 'F' ? 'f' : kind), value);
    }

    private String general(char kind, int precision) {
        double value = arguments.number(argument);
        if (precision < 0 || Double.isNaN(value) || Double.isInfinite(value) || value == 0) {
            return Numbers.display(value);
        }
        var rounded = new BigDecimal(value)
                .round(new MathContext(Math.max(1, precision)))
                .stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -4 && exponent < Math.max(1, precision)) {
            return rounded.toPlainString();
        }
        var shown = String.format(Locale.ROOT, "%." + (rounded.precision() - 1) + "e", rounded);
        return kind == 'G' ? shown.toUpperCase(Locale.ROOT) : shown;
    }

    private static String signed(String number, String flags) {
        if (number.startsWith("-") || number.startsWith("+")) {
            return number;
        }
        return (flags.contains("+") ? "+" : flags.contains(" ") ? " " : "") + number;
    }

    private static String quoted(String value) {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            switch (character) {
                case '"', '\\' -> quoted.append('\\').append(character);
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case 0 -> quoted.append("\\x00");
                default -> quoted.append(character);
            }
        }
        return quoted.append('"').toString();
    }

    private void pad(String value, int width, String flags) {
        int missing = width - value.length();
        if (missing <= 0) {
            text.append(value);
        } else if (flags.contains("-")) {
            text.append(value).append(" ".repeat(missing));
        } else if (flags.contains("0")) {
            int sign = !value.isEmpty() && "+- ".indexOf(value.charAt(0)) >= 0 ? 1 : 0;
            text.append(value, 0, sign).append("0".repeat(missing)).append(value.substring(sign));
        } else {
            text.append(" ".repeat(missing)).append(value);
        }
    }
}
