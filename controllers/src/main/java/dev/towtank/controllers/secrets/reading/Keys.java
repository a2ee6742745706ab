package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/// The names that values get: rewritten as asked, converted where they are no keys of a Secret, and checked.
final class Keys {

    private static final int LONGEST = 253;

    private Keys() {}

    /// What `dataFrom` makes of the keys that a provider has.
    static NavigableMap<String, byte[]> arranged(
            NavigableMap<String, byte[]> values, List<Json.Obj> rewrites, String conversion) {
        NavigableMap<String, byte[]> arranged;
        if (rewrites.isEmpty()) {
            try {
                arranged = converted(values, conversion);
            } catch (ReadProblem e) {
                throw e.inside("error applying conversion strategy " + conversion + " to keys: ");
            }
        } else {
            arranged = rewritten(values, rewrites);
        }
        return checked(arranged);
    }

    private static NavigableMap<String, byte[]> rewritten(
            NavigableMap<String, byte[]> values, List<Json.Obj> rewrites) {
        var result = values;
        for (int i = 0; i < rewrites.size(); i++) {
            try {
                result = rewritten(result, rewrites.get(i));
            } catch (ReadProblem e) {
                throw e.inside("error applying rewrite to keys: failed rewrite operation[" + i + "]: ");
            }
        }
        return result;
    }

    private static NavigableMap<String, byte[]> rewritten(NavigableMap<String, byte[]> values, Json.Obj rewrite) {
        if (rewrite.get("merge") instanceof Json.Obj merge) {
            return merged(values, merge);
        }
        if (rewrite.get("regexp") instanceof Json.Obj regexp) {
            return renamed(
                    values, key -> NameExpressions.replaced(regexp.string("source"), key, regexp.string("target")));
        }
        if (rewrite.get("transform") instanceof Json.Obj transform) {
            var template = NameExpressions.template(transform.string("template"));
            return renamed(values, key -> NameExpressions.transformed(template, key));
        }
        return values;
    }

    // Where two keys become one, the last in the order of their names wins.
    private static NavigableMap<String, byte[]> renamed(
            NavigableMap<String, byte[]> values, UnaryOperator<String> change) {
        var renamed = new TreeMap<String, byte[]>();
        values.forEach((key, value) -> renamed.put(change.apply(key), value));
        return renamed;
    }

    private static NavigableMap<String, byte[]> merged(NavigableMap<String, byte[]> values, Json.Obj merge) {
        var merged = new TreeMap<String, Json>();
        var conflicts = new ArrayList<String>();
        for (var key : byPriority(values, merge)) {
            var value = values.get(key);
            if (value == null) {
                if (merge.string("priorityPolicy").equals("IgnoreNotFound")) {
                    continue;
                }
                throw ReadProblem.of("merge failed with key " + Json.of(key) + " not found in input map");
            }
            object(value).forEach((name, inner) -> {
                if (merged.put(name, inner) != null) {
                    conflicts.add(name);
                }
            });
        }
        if (!conflicts.isEmpty() && !merge.string("conflictPolicy").equals("Ignore")) {
            throw ReadProblem.of("merge failed with conflicts: " + String.join(", ", conflicts));
        }
        var result = new TreeMap<String, byte[]>();
        if (!merge.string("strategy").equals("JSON")) {
            merged.forEach((key, value) -> result.put(key, JsonProperty.bytes(value)));
            return result;
        }
        if (merge.string("into").isEmpty()) {
            throw ReadProblem.of("merge failed with missing 'into' field");
        }
        result.putAll(values);
        result.put(merge.string("into"), JsonText.bytes(Json.Obj.copyOf(merged)));
        return result;
    }

    private static List<String> byPriority(NavigableMap<String, byte[]> values, Json.Obj merge) {
        var priority = merge.array("priority").strings();
        var keys = new ArrayList<>(new TreeSet<>(values.keySet()));
        keys.removeAll(priority);
        keys.addAll(priority);
        return keys;
    }

    private static Json.Obj object(byte[] value) {
        try {
            return JsonText.parseObject(value);
        } catch (JsonText.Malformed e) {
            // What the parser says may quote the secret.
            throw ReadProblem.of("merge failed with failed to unmarshal JSON: not a JSON object");
        }
    }

    static NavigableMap<String, byte[]> converted(NavigableMap<String, byte[]> values, String strategy) {
        var converted = new TreeMap<String, byte[]>();
        values.forEach((key, value) -> {
            var name = converted(key, strategy);
            if (converted.put(name, value) != null) {
                throw ReadProblem.of("secret name collision during conversion: " + name);
            }
        });
        return converted;
    }

    private static String converted(String key, String strategy) {
        var out = new StringBuilder();
        key.codePoints().forEach(c -> {
            if (isAllowed(c)) {
                out.appendCodePoint(c);
            } else {
                out.append(strategy.equals("Unicode") ? "_U%04x_".formatted(c) : "_");
            }
        });
        return out.toString();
    }

    private static NavigableMap<String, byte[]> checked(NavigableMap<String, byte[]> values) {
        values.remove("");
        for (var key : values.keySet()) {
            int length = key.getBytes(StandardCharsets.UTF_8).length;
            if (length > LONGEST) {
                throw invalid("key has length %d but max is %d: (following is truncated): %s"
                        .formatted(length, LONGEST, key.substring(0, Math.min(key.length(), LONGEST))));
            }
            key.codePoints().filter(c -> !isAllowed(c)).findFirst().ifPresent(c -> {
                throw invalid("key has invalid character %s, only alphanumeric, '-', '.' and '_' are allowed: %s"
                        .formatted(Character.toString(c), key));
            });
        }
        return values;
    }

    private static ReadProblem invalid(String why) {
        return ReadProblem.of("invalid secret keys (TIP: use rewrite or conversionStrategy to change keys): " + why);
    }

    private static boolean isAllowed(int c) {
        return Character.isLetterOrDigit(c) || c == '-' || c == '.' || c == '_';
    }
}
