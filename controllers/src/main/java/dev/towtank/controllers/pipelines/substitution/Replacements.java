package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.model.Json;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What variables become, by the name between `$(` and `)`.
public record Replacements(
        Map<String, String> strings, Map<String, List<String>> arrays, Map<String, Map<String, String>> objects) {

    public static final Replacements NONE = new Replacements(Map.of(), Map.of(), Map.of());

    private static final String OPEN = "$(";
    private static final String STAR = "[*]";
    private static final Pattern ONE_VARIABLE = Pattern.compile("\\$\\([_a-zA-Z0-9.-]+(\\[([0-9]+|\\*)])?\\)");

    public Replacements {
        strings = Map.copyOf(strings);
        arrays = Map.copyOf(arrays);
        objects = Map.copyOf(objects);
    }

    public static Replacements ofStrings(Map<String, String> strings) {
        return new Replacements(strings, Map.of(), Map.of());
    }

    public static Builder builder() {
        return new Builder();
    }

    public boolean isEmpty() {
        return strings.isEmpty() && arrays.isEmpty() && objects.isEmpty();
    }

    /// Both; where a name is in both, the other's.
    public Replacements and(Replacements other) {
        return builder().putAll(this).putAll(other).build();
    }

    Replacements withoutObjects() {
        return new Replacements(strings, arrays, Map.of());
    }

    Replacements ofContext() {
        var context = new HashMap<>(strings);
        context.keySet().removeIf(name -> !name.startsWith("context."));
        return ofStrings(context);
    }

    Replacements onlyStrings() {
        return ofStrings(strings);
    }

    /// One pass over the text; what is not known stays as it is.
    ///
    /// @throws Growth.TooLong when the values make too much of it
    public String apply(String text) {
        return apply(text, new Growth());
    }

    String apply(String text, Growth growth) {
        growth.take(text.length());
        int open = text.indexOf(OPEN);
        if (open < 0 || strings.isEmpty()) {
            return text;
        }
        var result = new StringBuilder();
        int done = 0;
        while (open >= 0) {
            int close = text.indexOf(')', open);
            if (close < 0) {
                break;
            }
            // No name has another opening in it, so only the last one before a closing can begin a variable.
            int last = text.lastIndexOf(OPEN, close);
            var value = strings.get(text.substring(last + OPEN.length(), close));
            if (value != null) {
                growth.take(value.length());
                result.append(text, done, last).append(value);
                done = close + 1;
            }
            open = text.indexOf(OPEN, close);
        }
        return result.append(text, done, text.length()).toString();
    }

    /// A text that is nothing but the name of an array becomes its items, any other one text.
    public List<String> expand(String text) {
        return expand(text, new Growth());
    }

    List<String> expand(String text, Growth growth) {
        var items = array(text);
        items.ifPresent(growth::takeTexts);
        return items.orElseGet(() -> List.of(apply(text, growth)));
    }

    private List<String> expandAll(List<String> texts, Growth growth) {
        return texts.stream().flatMap(text -> expand(text, growth).stream()).toList();
    }

    private Optional<List<String>> array(String text) {
        if (!text.startsWith(OPEN) || !text.endsWith(")")) {
            return Optional.empty();
        }
        var name = text.substring(OPEN.length(), text.length() - 1);
        var whole = arrays.get(name);
        if (whole == null && name.endsWith(STAR)) {
            whole = arrays.get(withoutStar(name));
        }
        return Optional.ofNullable(whole);
    }

    /// A text that is nothing but the name of an array or an object becomes one.
    public ParamValue apply(ParamValue value) {
        return apply(value, new Growth());
    }

    ParamValue apply(ParamValue value, Growth growth) {
        return switch (value) {
            case ParamValue.Array(var items) -> new ParamValue.Array(expandAll(items, growth));
            case ParamValue.Keyed(var entries) -> {
                var changed = new HashMap<String, String>();
                entries.forEach((key, text) -> changed.put(key, apply(text, growth)));
                yield new ParamValue.Keyed(changed);
            }
            case ParamValue.Text(var text) -> applyToText(text, growth);
        };
    }

    private ParamValue applyToText(String text, Growth growth) {
        if (!ONE_VARIABLE.matcher(text).matches()) {
            return new ParamValue.Text(apply(text, growth));
        }
        var name = withoutStar(text.substring(OPEN.length(), text.length() - 1));
        var keyed = objects.get(name);
        if (keyed != null) {
            growth.takeTexts(keyed.values());
            return new ParamValue.Keyed(keyed);
        }
        var items = arrays.get(name);
        if (items == null) {
            return new ParamValue.Text(apply(text, growth));
        }
        growth.takeTexts(items);
        return new ParamValue.Array(items);
    }

    /// For the input of a condition, where an array stands as its JSON text.
    String applyAsText(String text, Growth growth) {
        var items = array(text);
        items.ifPresent(growth::takeTexts);
        return items.map(all -> Json.Arr.ofStrings(all).toString()).orElseGet(() -> apply(text, growth));
    }

    private static String withoutStar(String name) {
        return name.endsWith(STAR) ? name.substring(0, name.length() - STAR.length()) : name;
    }

    /// Collects replacements; a name put twice keeps the last.
    public static final class Builder {
        private final Map<String, String> strings = new LinkedHashMap<>();
        private final Map<String, List<String>> arrays = new LinkedHashMap<>();
        private final Map<String, Map<String, String>> objects = new LinkedHashMap<>();

        private Builder() {}

        public Builder put(String name, String text) {
            strings.put(name, text);
            return this;
        }

        public Builder put(String name, List<String> items) {
            arrays.put(name, items);
            return this;
        }

        public Builder put(String name, Map<String, String> entries) {
            objects.put(name, entries);
            return this;
        }

        public Builder putAll(Replacements other) {
            strings.putAll(other.strings);
            arrays.putAll(other.arrays);
            objects.putAll(other.objects);
            return this;
        }

        boolean hasString(String name) {
            return strings.containsKey(name);
        }

        Optional<String> string(String name) {
            return Optional.ofNullable(strings.get(name));
        }

        Map<String, String> object(String name) {
            return objects.getOrDefault(name, Map.of());
        }

        public Replacements build() {
            return new Replacements(strings, arrays, objects);
        }
    }
}
