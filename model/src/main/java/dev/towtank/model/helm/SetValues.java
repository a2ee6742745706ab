package dev.towtank.model.helm;

import dev.towtank.model.JsonText;
import dev.towtank.model.template.SizedInteger;
import dev.towtank.model.template.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The language of `--set`: `a.b=1,list[0].c=x,names={a,b}`, with `\` before what is meant literally.
public final class SetValues {
    private static final int MAX_INDEX = 65536;
    private static final int MAX_NESTING = 30;

    /// What the text behind an equals sign becomes.
    private interface Reading {
        @Nullable
        Object read(String text);
    }

    private final String text;
    private final Reading reading;
    private int at;
    private char stop;

    private SetValues(String text, Reading reading) {
        this.text = text;
        this.reading = reading;
    }

    /// `--set`: numbers, `true`, `false` and `null` are what they look like.
    public static void set(String text, Map<String, @Nullable Object> values) {
        new SetValues(text, SetValues::typed).run(values);
    }

    /// `--set-string`: everything is a string.
    public static void setString(String text, Map<String, @Nullable Object> values) {
        new SetValues(text, each -> each).run(values);
    }

    /// `--set-file`: what stands behind the equals sign names a file.
    public static void setFile(
            String text, Map<String, @Nullable Object> values, java.util.function.UnaryOperator<String> content) {
        new SetValues(text, content::apply).run(values);
    }

    /// `--set-json`: one value, which is JSON.
    public static void setJson(String text, Map<String, @Nullable Object> values) {
        if (text.stripLeading().startsWith("{")) {
            ValueTables.override(values, Values.mapOf(JsonText.parseObject(text)));
            return;
        }
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw new HelmError("key \"" + text + "\" has no value");
        }
        var json = text.substring(equals + 1).strip();
        try {
            var value = json.isEmpty() ? null : Values.of(JsonText.parse(json));
            new SetValues(text.substring(0, equals + 1), _ -> value).run(values);
        } catch (JsonText.Malformed e) {
            throw new HelmError("failed parsing JSON of " + text.substring(0, equals) + ": " + e.getMessage());
        }
    }

    private void run(Map<String, @Nullable Object> values) {
        while (at < text.length()) {
            key(values, 0);
        }
    }

    // Reads to one of some characters, which is left in `stop`; 0 is the end of the text.
    private String until(String characters) {
        var out = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '\\' && at < text.length()) {
                out.append(text.charAt(at++));
            } else if (characters.indexOf(c) >= 0) {
                stop = c;
                return out.toString();
            } else {
                out.append(c);
            }
        }
        stop = 0;
        return out.toString();
    }

    private void key(Map<String, @Nullable Object> into, int nesting) {
        if (nesting > MAX_NESTING) {
            throw new HelmError(
                    "value name nested level is greater than maximum supported nested level of " + MAX_NESTING);
        }
        var key = until("=[,.");
        switch (stop) {
            case '=' -> put(into, key, value());
            case '[' -> {
                var known = into.get(key);
                var list = known instanceof List<?> items
                        ? new ArrayList<@Nullable Object>(items)
                        : new ArrayList<@Nullable Object>();
                item(list, nesting);
                put(into, key, list);
            }
            case '.' -> {
                var inner = into.get(key) instanceof Map<?, ?> known
                        ? ValueTables.table(known)
                        : new TreeMap<String, @Nullable Object>();
                key(inner, nesting + 1);
                put(into, key, inner);
            }
            case ',' -> throw new HelmError("key \"" + key + "\" has no value (cannot end with ,)");
            default -> {
                if (!key.isEmpty()) {
                    throw new HelmError("key \"" + key + "\" has no value");
                }
            }
        }
    }

    private static void put(Map<String, @Nullable Object> into, String key, @Nullable Object value) {
        if (!key.isEmpty()) {
            into.put(key, value);
        }
    }

    private void item(List<@Nullable Object> list, int nesting) {
        var digits = until("]");
        if (stop == 0 || !digits.matches("-?[0-9]{1,9}")) {
            throw new HelmError("error parsing index: \"" + digits + "\" is no number");
        }
        int index = Integer.parseInt(digits);
        if (index < 0) {
            throw new HelmError("negative " + index + " index not allowed");
        }
        if (index > MAX_INDEX) {
            throw new HelmError("index of " + index + " is greater than maximum supported index of " + MAX_INDEX);
        }
        while (list.size() <= index) {
            list.add(null);
        }
        until("=[.");
        switch (stop) {
            case '=' -> list.set(index, value());
            case '[' -> {
                var inner = list.get(index) instanceof List<?> known
                        ? new ArrayList<@Nullable Object>(known)
                        : new ArrayList<@Nullable Object>();
                item(inner, nesting + 1);
                list.set(index, inner);
            }
            case '.' -> {
                var inner = list.get(index) instanceof Map<?, ?> known
                        ? ValueTables.table(known)
                        : new TreeMap<String, @Nullable Object>();
                key(inner, nesting + 1);
                list.set(index, inner);
            }
            default -> throw new HelmError("unexpected data after ] in " + text);
        }
    }

    private @Nullable Object value() {
        if (at < text.length() && text.charAt(at) == '{') {
            at++;
            return list();
        }
        return reading.read(until(","));
    }

    private Object list() {
        var items = new ArrayList<@Nullable Object>();
        do {
            var item = until(",}");
            if (stop == 0) {
                throw new HelmError("list must terminate with '}'");
            }
            if (stop == ',' || !item.isEmpty() || !items.isEmpty()) {
                items.add(reading.read(item));
            }
        } while (stop != '}');
        if (at < text.length() && text.charAt(at) == ',') {
            at++;
        }
        return items;
    }

    private static @Nullable Object typed(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            case "0" -> SizedInteger.int64(0);
            default ->
                // With a zero in front it is rather the number of a phone, or a mode.
                text.matches("-?[1-9][0-9]{0,17}") ? SizedInteger.int64(Long.parseLong(text)) : text;
        };
    }
}
