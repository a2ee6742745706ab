package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.ANY;
import static dev.towtank.model.template.GoType.INT;
import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoText;
import dev.towtank.model.template.Print;
import dev.towtank.model.template.TypedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Sprig's functions on strings.
final class TextFunctions {
    private static final Pattern SPACES = Pattern.compile("\\s+", Pattern.UNICODE_CHARACTER_CLASS);

    static final Functions ALL = Functions.builder()
            .add("hello", _ -> "Hello!")
            .add("trim", call -> trimSpace(call.string(0)), STRING)
            .add("upper", call -> call.string(0).toUpperCase(Locale.ROOT), STRING)
            .add("lower", call -> call.string(0).toLowerCase(Locale.ROOT), STRING)
            .add("title", call -> Words.title(call.string(0)), STRING)
            .add("untitle", call -> Words.untitle(call.string(0)), STRING)
            .add("swapcase", call -> Words.swapCase(call.string(0)), STRING)
            .add("snakecase", call -> Words.joined(call.string(0), '_'), STRING)
            .add("kebabcase", call -> Words.joined(call.string(0), '-'), STRING)
            .add("camelcase", call -> Words.pascal(call.string(0)), STRING)
            .add("initials", call -> Words.initials(call.string(0)), STRING)
            .add("nospace", call -> SPACES.matcher(call.string(0)).replaceAll(""), STRING)
            .add("substr", TextFunctions::substring, INT, INT, STRING)
            .add("trunc", TextFunctions::truncate, INT, STRING)
            .add("abbrev", call -> Words.abbreviate(call.string(1), 0, (int) call.integer(0)), INT, STRING)
            .add(
                    "abbrevboth",
                    call -> Words.abbreviate(call.string(2), (int) call.integer(0), (int) call.integer(1)),
                    INT,
                    INT,
                    STRING)
            .add("repeat", TextFunctions::repeat, INT, STRING)
            .add("trimall", call -> trimAll(call.string(0), call.string(1)), STRING, STRING)
            .add("trimAll", call -> trimAll(call.string(0), call.string(1)), STRING, STRING)
            .add("trimSuffix", call -> removeSuffix(call.string(0), call.string(1)), STRING, STRING)
            .add("trimPrefix", call -> removePrefix(call.string(0), call.string(1)), STRING, STRING)
            .add("contains", call -> call.string(1).contains(call.string(0)), STRING, STRING)
            .add("hasPrefix", call -> call.string(1).startsWith(call.string(0)), STRING, STRING)
            .add("hasSuffix", call -> call.string(1).endsWith(call.string(0)), STRING, STRING)
            .addVariadic("quote", TextFunctions::quote, ANY)
            .addVariadic("squote", TextFunctions::singleQuote, ANY)
            .addVariadic("cat", TextFunctions::concatenate, ANY)
            .add("indent", call -> indent(call, ""), INT, STRING)
            .add("nindent", call -> indent(call, "\n"), INT, STRING)
            .add("replace", TextFunctions::replace, STRING, STRING, STRING)
            .add("plural", call -> call.integer(2) == 1 ? call.string(0) : call.string(1), STRING, STRING, INT)
            .add("toString", call -> Conversions.text(call.any(0)), ANY)
            .add("toStrings", call -> Conversions.strings(Conversions.texts(call.any(0))), ANY)
            .add("join", TextFunctions::join, STRING, ANY)
            .add("split", call -> numbered(split(call.string(1), call.string(0), -1)), STRING, STRING)
            .add(
                    "splitn",
                    call -> numbered(split(call.string(2), call.string(0), (int) call.integer(1))),
                    STRING,
                    INT,
                    STRING)
            .add("splitList", call -> Conversions.strings(split(call.string(1), call.string(0), -1)), STRING, STRING)
            .add("wrap", call -> Words.wrap(call.string(1), (int) call.integer(0), "\n", false), INT, STRING)
            .add(
                    "wrapWith",
                    call -> Words.wrap(call.string(2), (int) call.integer(0), call.string(1), true),
                    INT,
                    STRING,
                    STRING)
            .build();

    private TextFunctions() {}

    /// Without the white space at both ends, as Go counts it.
    static String trimSpace(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) {
            start++;
        }
        while (end > start && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    static boolean isSpace(int c) {
        return c == ' ' || (c >= 9 && c <= 13) || c == 0x85 || c == 0xA0 || (c > 0xFF && Character.isSpaceChar(c));
    }

    private static String substring(Arguments call) {
        var text = call.string(2);
        int length = GoText.length(text);
        long start = call.integer(0) < 0 ? 0 : call.integer(0);
        long end = call.integer(0) >= 0 && (call.integer(1) < 0 || call.integer(1) > length) ? length : call.integer(1);
        if (end < 0 || end > length) {
            throw new FunctionError("runtime error: slice bounds out of range [:" + end + "]"
                    + (end < 0 ? "" : " with length " + length));
        }
        if (start > end) {
            throw new FunctionError("runtime error: slice bounds out of range [" + start + ":" + end + "]");
        }
        return GoText.slice(text, (int) start, (int) end);
    }

    private static String truncate(Arguments call) {
        var text = call.string(1);
        long count = call.integer(0);
        int length = GoText.length(text);
        if (count < 0 && length + count > 0) {
            return GoText.slice(text, (int) (length + count), length);
        }
        return count >= 0 && length > count ? GoText.slice(text, 0, (int) count) : text;
    }

    private static String repeat(Arguments call) {
        if (call.integer(0) < 0) {
            throw new FunctionError("strings: negative Repeat count");
        }
        call.render().meter().claim(Math.multiplyExact(Math.min(call.integer(0), Integer.MAX_VALUE), (long)
                call.string(1).length()));
        return call.string(1).repeat((int) call.integer(0));
    }

    private static String trimAll(String characters, String text) {
        int start = 0;
        int end = text.length();
        while (start < end && characters.indexOf(text.charAt(start)) >= 0) {
            start++;
        }
        while (end > start && characters.indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        return text.substring(start, end);
    }

    private static String removeSuffix(String suffix, String text) {
        return text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text;
    }

    private static String removePrefix(String prefix, String text) {
        return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    }

    private static String quote(Arguments call) {
        var quoted = new ArrayList<String>();
        for (var each : call.from(0)) {
            if (each != null) {
                quoted.add(GoText.quote(Conversions.text(each)));
            }
        }
        return String.join(" ", quoted);
    }

    private static String singleQuote(Arguments call) {
        var quoted = new ArrayList<String>();
        for (var each : call.from(0)) {
            if (each != null) {
                quoted.add("'" + Print.value(each, call.render().meter()) + "'");
            }
        }
        return String.join(" ", quoted);
    }

    private static String concatenate(Arguments call) {
        var texts = new ArrayList<String>();
        for (var each : call.from(0)) {
            if (each != null) {
                texts.add(Print.value(each, call.render().meter()));
            }
        }
        return String.join(" ", texts);
    }

    private static String indent(Arguments call, String before) {
        if (call.integer(0) < 0) {
            throw new FunctionError("strings: negative Repeat count");
        }
        var text = call.string(1);
        long lines = 1 + text.chars().filter(c -> c == '\n').count();
        call.render().meter().claim(text.length() + Math.min(call.integer(0), Integer.MAX_VALUE) * lines);
        var pad = " ".repeat((int) call.integer(0));
        return before + pad + text.replace("\n", "\n" + pad);
    }

    private static String replace(Arguments call) {
        var text = call.string(2);
        call.render()
                .meter()
                .claim((text.length() + 1L)
                        * (call.string(1).length() + 1L)
                        / Math.max(1, call.string(0).length()));
        return text.replace(call.string(0), call.string(1));
    }

    private static String join(Arguments call) {
        var texts = Conversions.texts(call.any(1));
        long length = texts.stream().mapToLong(String::length).sum()
                + (long) texts.size() * call.string(0).length();
        call.render().meter().claim(length);
        return String.join(call.string(0), texts);
    }

    /// As Go splits: an empty separator cuts between all characters; at most so many parts, where that is not negative.
    static List<String> split(String text, String separator, int atMost) {
        var parts = new ArrayList<String>();
        if (atMost == 0) {
            return parts;
        }
        int start = 0;
        while (atMost < 0 || parts.size() < atMost - 1) {
            int end = separator.isEmpty()
                    ? start < text.length() ? text.offsetByCodePoints(start, 1) : -1
                    : text.indexOf(separator, start);
            if (end < 0 || (separator.isEmpty() && end == text.length())) {
                break;
            }
            parts.add(text.substring(start, end));
            start = end + separator.length();
        }
        if (!separator.isEmpty() || !text.isEmpty()) {
            parts.add(text.substring(start));
        }
        return parts;
    }

    private static TypedMap numbered(List<String> parts) {
        var map = new TreeMap<String, String>();
        for (int i = 0; i < parts.size(); i++) {
            map.put("_" + i, parts.get(i));
        }
        return TypedMap.strings(map);
    }
}
