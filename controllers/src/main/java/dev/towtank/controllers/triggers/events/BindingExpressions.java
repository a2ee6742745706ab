package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.events.EventRefusal.Code;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.crd.JsonPathQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The `$(…)` in the values of bindings: JSONPaths into the event.
final class BindingExpressions {

    private static final Pattern RELAXED = Pattern.compile("\\{\\.?([^{}]+)}|\\.?([^{}]+)");
    private static final Pattern MANY = Pattern.compile("(.*)(\\[\\*]|\\[\\?\\(.*\\)]|\\[-?[0-9]*:[-0-9:]*])");

    private BindingExpressions() {}

    /// What lies between `$(` and the bracket that closes it; those that nothing closes are plain text.
    static List<String> in(String text) {
        var found = new ArrayList<String>();
        var parts = text.split(Pattern.quote("$("), -1);
        for (int i = 1; i < parts.length; i++) {
            int end = closing(parts[i]);
            if (end >= 0) {
                found.add(parts[i].substring(0, end));
            }
        }
        return found;
    }

    private static int closing(String text) {
        int open = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(') {
                open++;
            } else if (c == ')' && --open < 0) {
                return i;
            }
        }
        return -1;
    }

    /// What an expression leads to, as text that fits between the quotes of a JSON string where it is one.
    static String value(Json.Obj event, String expression) throws EventRefusal {
        if (expression.isEmpty()) {
            return "";
        }
        var path = path(expression);
        var query = JsonPathQuery.parse(path)
                .orElseThrow(() -> new EventRefusal(
                        Code.INVALID_ARGUMENT, "\"" + expression + "\" is no JSONPath that bindings understand"));
        var found = query.find(event);
        if (found.size() == 1) {
            return text(found.getFirst());
        }
        if (found.isEmpty() && !isEmptyList(event, path)) {
            throw new EventRefusal(Code.INVALID_ARGUMENT, lastName(path) + " is not found");
        }
        return JsonText.write(sorted(new Json.Arr(found)));
    }

    private static String path(String expression) throws EventRefusal {
        var match = RELAXED.matcher(expression);
        if (!match.matches()) {
            throw new EventRefusal(
                    Code.INVALID_ARGUMENT,
                    "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or"
                            + " '{.name1.name2}'");
        }
        var inner = match.group(1) == null ? match.group(2) : match.group(1);
        return inner.startsWith("header.") ? ".header." + Headers.canonical(inner.substring(7)) : "." + inner;
    }

    // A path to all of something that is there and has nothing in it.
    private static boolean isEmptyList(Json.Obj event, String path) {
        var many = MANY.matcher(path);
        return many.matches()
                && JsonPathQuery.parse(many.group(1))
                        .map(whole -> !whole.find(event).isEmpty())
                        .orElse(false);
    }

    private static String lastName(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    // Names in objects are sorted, as they are upstream.
    private static String text(Json value) {
        var text = JsonText.write(sorted(value));
        return value instanceof Json.Str ? text.substring(1, text.length() - 1) : text;
    }

    private static Json sorted(Json value) {
        return switch (value) {
            case Json.Obj object -> {
                var changed = Json.Obj.builder();
                var byName = new TreeMap<String, Json>();
                object.forEach((key, inner) -> byName.put(key, sorted(inner)));
                byName.forEach(changed::put);
                yield changed.build();
            }
            case Json.Arr array -> array.map(BindingExpressions::sorted);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> value;
        };
    }
}
