package dev.towtank.model.kustomize;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.StatusError;
import java.util.Map;

/// Which objects a patch or a replacement is for: expressions that must match whole names, and selectors.
record PatchTarget(Json.Obj selector) {

    boolean matches(Item item) {
        var id = item.id();
        return matches("group", id.group())
                && matches("version", id.version())
                && matches("kind", id.kind())
                && item.ids().anyMatch(each -> matches("name", each.name()))
                && item.ids().anyMatch(each -> matches("namespace", each.namespace()))
                && selects("labelSelector", item.object().stringMap("metadata", "labels"))
                && selects("annotationSelector", item.object().stringMap("metadata", "annotations"));
    }

    private boolean matches(String field, String value) {
        var expression = selector.string(field);
        if (expression.isEmpty()) {
            return true;
        }
        try {
            return Pattern.matches("^(?:" + expression + ")$", value);
        } catch (PatternSyntaxException e) {
            throw new KustomizeError(
                    "target." + field + ": '" + expression + "' is no regular expression: " + e.getMessage());
        }
    }

    private boolean selects(String field, Map<String, String> labels) {
        var text = selector.string(field);
        try {
            return text.isEmpty() || LabelSelector.parse(text).matches(labels);
        } catch (StatusError e) {
            throw new KustomizeError("target." + field + ": " + e.text());
        }
    }
}
