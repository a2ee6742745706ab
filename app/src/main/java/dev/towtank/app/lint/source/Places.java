package dev.towtank.app.lint.source;

import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import org.jspecify.annotations.Nullable;

/// From a path in the words of Kubernetes, `spec.steps[0].env[HOME].value`, to where that stands.
///
/// @param field the last field on the way, if there was one
/// @param value as near as the document comes to the path
/// @param isThere whether the path was followed to its end
public record Places(Located.@Nullable Field field, Located value, boolean isThere) {

    public static Places find(Document document, String path) {
        var here = new Places(null, document.root(), true);
        var rest = path.startsWith(".") ? path.substring(1) : path;
        while (!rest.isEmpty()) {
            int used = rest.startsWith("[") ? bracket(rest) : nameLength(here.value, rest);
            var step = rest.startsWith("[") ? rest.substring(1, used - 1) : rest.substring(0, used);
            var next = rest.startsWith("[") ? here.item(step) : here.named(step);
            if (next == null) {
                return new Places(here.field, here.value, false);
            }
            here = next;
            rest = rest.substring(used);
            rest = rest.startsWith(".") ? rest.substring(1) : rest;
        }
        return here;
    }

    private static int bracket(String rest) {
        int end = rest.indexOf(']');
        return end < 0 ? rest.length() : end + 1;
    }

    // A key may have dots in it: the longest that fits is meant.
    private static int nameLength(Located object, String rest) {
        int longest = 0;
        for (var key : object.fields().keySet()) {
            boolean fits = rest.startsWith(key)
                    && (rest.length() == key.length()
                            || rest.charAt(key.length()) == '.'
                            || rest.charAt(key.length()) == '[');
            longest = fits ? Math.max(longest, key.length()) : longest;
        }
        if (longest > 0) {
            return longest;
        }
        int end = 1;
        while (end < rest.length() && rest.charAt(end) != '.' && rest.charAt(end) != '[') {
            end++;
        }
        return end;
    }

    private @Nullable Places named(String name) {
        var found = value.field(name);
        return found == null ? null : new Places(found, found.value(), true);
    }

    private @Nullable Places item(String step) {
        if (value.json() instanceof Json.Obj) {
            return named(step);
        }
        for (int i = 0; i < value.items().size(); i++) {
            var each = value.items().get(i);
            if (step.equals(String.valueOf(i)) || each.text("name").equals(step)) {
                return new Places(null, each, true);
            }
        }
        return null;
    }

    /// Whether there is nothing in it.
    public boolean isEmpty() {
        return value.json() instanceof Json.Null;
    }

    /// The key where there is one, otherwise the value.
    public SourcePlace key(Document document) {
        return field == null ? document.value(value) : document.key(field);
    }

    /// The value where it is short, otherwise its key.
    public SourcePlace value(Document document) {
        boolean isShort = isThere
                && value.style() != Located.Style.COLLECTION
                && value.style() != Located.Style.LITERAL
                && value.style() != Located.Style.FOLDED;
        return isShort ? document.value(value) : key(document);
    }
}
