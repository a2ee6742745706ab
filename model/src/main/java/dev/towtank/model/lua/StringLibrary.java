package dev.towtank.model.lua;

import static dev.towtank.model.lua.LuaArguments.one;

import java.util.ArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Texts, and Lua's patterns.
final class StringLibrary {

    private static final String SPECIAL = "^$*+?.([%-";

    private StringLibrary() {}

    static LuaTable table(Run run) {
        return new Library(new LuaTable(run))
                .with("byte", StringLibrary::bytes)
                .with("char", StringLibrary::characters)
                .with("find", a -> search(a, true))
                .with("format", a -> one(a.run().text(TextFormat.format(a))))
                .with("gfind", StringLibrary::iterate)
                .with("gmatch", StringLibrary::iterate)
                .with("gsub", StringLibrary::replace)
                .with("len", a -> one((double) a.text(1).length()))
                .with("lower", a -> one(a.run().text(lower(a.text(1)))))
                .with("match", a -> search(a, false))
                .with("rep", StringLibrary::repeat)
                .with(
                        "reverse",
                        a -> one(a.run()
                                .text(new StringBuilder(a.text(1)).reverse().toString())))
                .with("sub", StringLibrary::sub)
                .with("upper", a -> one(a.run().text(upper(a.text(1)))))
                .table();
    }

    // Only the letters of ASCII: the others are several bytes.
    private static String lower(String text) {
        var lower = new StringBuilder(text);
        for (int i = 0; i < lower.length(); i++) {
            char character = lower.charAt(i);
            if (character >= 'A' && character <= 'Z') {
                lower.setCharAt(i, (char) (character + 32));
            }
        }
        return lower.toString();
    }

    private static String upper(String text) {
        var upper = new StringBuilder(text);
        for (int i = 0; i < upper.length(); i++) {
            char character = upper.charAt(i);
            if (character >= 'a' && character <= 'z') {
                upper.setCharAt(i, (char) (character - 32));
            }
        }
        return upper.toString();
    }

    /// Counted from 1, or from the end if negative.
    private static int position(int given, int length) {
        return given >= 0 ? given : Math.max(0, length + given + 1);
    }

    private static Object[] sub(LuaArguments a) {
        var text = a.text(1);
        int from = Math.max(1, position(a.integer(2), text.length()));
        int to = Math.min(text.length(), position(a.integer(3, -1), text.length()));
        return one(from > to ? "" : a.run().text(text.substring(from - 1, to)));
    }

    private static Object[] bytes(LuaArguments a) {
        var text = a.text(1);
        int first = position(a.integer(2, 1), text.length());
        int from = Math.max(1, first);
        int to = Math.min(text.length(), position(a.integer(3, first), text.length()));
        if (from > to) {
            return LuaFunction.NONE;
        }
        a.run().allocate(24L * (to - from + 1));
        var values = new Object[to - from + 1];
        for (int i = 0; i < values.length; i++) {
            values[i] = (double) text.charAt(from - 1 + i);
        }
        return values;
    }

    private static Object[] characters(LuaArguments a) {
        var text = new StringBuilder();
        for (int i = 1; i <= a.count(); i++) {
            text.append((char) (a.integer(i) & 0xff));
        }
        return one(a.run().text(text.toString()));
    }

    private static Object[] repeat(LuaArguments a) {
        var text = a.text(1);
        int count = Math.max(0, a.integer(2));
        a.run().allocate((long) text.length() * count);
        return one(text.repeat(count));
    }

    private static Object[] search(LuaArguments a, boolean tellsPlace) {
        var text = a.text(1);
        var pattern = a.text(2);
        int from = Math.max(1, position(a.integer(3, 1), text.length())) - 1;
        if (from > text.length()) {
            return one(Nil.NIL);
        }
        if (tellsPlace && (Values.isTrue(a.value(4)) || isPlain(pattern))) {
            // The search for a text is not linear either.
            a.run().steps(1 + (text.length() - from) / 64L * Math.max(1, Math.min(pattern.length(), 64)));
            int found = text.indexOf(pattern, from);
            return found < 0 ? one(Nil.NIL) : new Object[] {found + 1.0, (double) (found + pattern.length())};
        }
        var matcher = new Pattern(a.run(), text, pattern);
        if (!matcher.find(from)) {
            return one(Nil.NIL);
        }
        if (!tellsPlace) {
            return matcher.captures(true);
        }
        var captures = matcher.captures(false);
        var all = new Object[captures.length + 2];
        all[0] = matcher.start() + 1.0;
        all[1] = (double) matcher.end();
        System.arraycopy(captures, 0, all, 2, captures.length);
        return all;
    }

    private static boolean isPlain(String pattern) {
        return pattern.chars().noneMatch(character -> SPECIAL.indexOf(character) >= 0);
    }

    private static Object[] iterate(LuaArguments a) {
        var text = a.text(1);
        var matcher = new Pattern(a.run(), text, a.text(2));
        var next = new Object() {
            int position;
        };
        return one(new LuaFunction.Builtin("gmatch", _ -> {
            if (next.position > text.length() || !matcher.find(next.position)) {
                next.position = text.length() + 1;
                return one(Nil.NIL);
            }
            next.position = matcher.end() > matcher.start() ? matcher.end() : matcher.end() + 1;
            return matcher.captures(true);
        }));
    }

    private static Object[] replace(LuaArguments a) {
        var text = a.text(1);
        var matcher = new Pattern(a.run(), text, a.text(2));
        int limit = a.has(4) && a.integer(4) >= 0 ? a.integer(4) : Integer.MAX_VALUE;
        var replaced = new StringBuilder();
        int position = 0;
        int count = 0;
        while (count < limit && position <= text.length() && matcher.find(position)) {
            count++;
            append(a, replaced, text.substring(position, matcher.start()));
            var value = replacement(a, matcher);
            append(a, replaced, value == null ? matcher.whole() : value);
            position = matcher.end();
            if (matcher.end() == matcher.start()) {
                if (position < text.length()) {
                    replaced.append(text.charAt(position));
                }
                position++;
            }
            if (matcher.isAnchored()) {
                break;
            }
        }
        if (position < text.length()) {
            append(a, replaced, text.substring(position));
        }
        return new Object[] {a.run().text(replaced.toString()), (double) count};
    }

    private static void append(LuaArguments a, StringBuilder replaced, String part) {
        a.run().allocate(part.length());
        replaced.append(part);
    }

    /// Null keeps what was found.
    private static @Nullable String replacement(LuaArguments a, Pattern matcher) {
        var value = switch (a.value(3)) {
            case String text -> filled(a, text, matcher);
            case Double number -> Numbers.display(number);
            case LuaTable table -> Operations.index(a.run(), table, matcher.captures(true)[0]);
            case LuaFunction function -> LuaFunction.first(function.call(a.run(), matcher.captures(true)));
            default -> throw a.wrong(3, "string or table or function expected, got " + Values.type(a.value(3)));
        };
        if (!Values.isTrue(value)) {
            return null;
        }
        if (!Values.isText(value)) {
            throw a.run().error("invalid replacement value (a " + Values.type(value) + ")");
        }
        return Values.display(value);
    }

    private static String filled(LuaArguments a, String template, Pattern matcher) {
        if (template.indexOf('%') < 0) {
            return template;
        }
        var captures = new ArrayList<>(Arrays.asList(matcher.captures(true)));
        captures.addFirst(matcher.whole());
        var text = new StringBuilder();
        for (int i = 0; i < template.length(); i++) {
            char character = template.charAt(i);
            if (character != '%' || i + 1 == template.length()) {
                text.append(character);
                continue;
            }
            char next = template.charAt(++i);
            if (next < '0' || next > '9') {
                text.append(next == '%' ? "%" : "%" + next);
                continue;
            }
            if (next - '0' >= captures.size()) {
                throw a.run().error("invalid capture index");
            }
            var capture = Values.display(captures.get(next - '0'));
            a.run().allocate(capture.length());
            text.append(capture);
        }
        return text.toString();
    }
}
