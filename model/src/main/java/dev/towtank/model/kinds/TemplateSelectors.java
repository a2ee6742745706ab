package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.StatusError;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What ties the selector of a workload to the labels of its pod template.
public final class TemplateSelectors {

    private TemplateSelectors() {}

    /// The selector, or nothing where it cannot be read; an absent one selects no pods.
    public static Optional<LabelSelector> read(Field selector) {
        try {
            return Optional.of(LabelSelector.of(selector.isPresent() ? selector.object() : null));
        } catch (StatusError e) {
            return Optional.empty();
        }
    }

    /// A selector that a workload must have, and that must select something in particular.
    public static void validateRequired(Field selector, String workload) {
        if (!selector.isPresent()) {
            selector.required("");
            return;
        }
        LabelSelectors.validate(selector);
        if (LabelSelectors.isEmpty(selector.object())) {
            selector.invalid("empty selector is invalid for " + workload);
        }
    }

    public static void validateMatch(LabelSelector selector, Field template) {
        var labels = template.at("metadata", "labels");
        if (!selector.matchesLabels(labels.object())) {
            labels.with(shownLabels(labels)).invalid("`selector` does not match template `labels`");
        }
    }

    /// A selector never changes, because pods that it no longer selects would be left behind.
    public static void validateUnchanged(Field selector, Json.Obj oldSpec) {
        (selector.isPresent() ? selector : selector.with(Json.Null.NULL)).immutable(oldSpec.get("selector"));
    }

    /// As messages show labels: sorted, and `null` where there are none.
    public static Json shownLabels(Field labels) {
        return labels.isPresent() ? Json.Obj.copyOf(sorted(labels.object())) : Json.Null.NULL;
    }

    private static Map<String, Json> sorted(Json.Obj object) {
        var fields = new TreeMap<String, Json>();
        object.forEach(fields::put);
        return fields;
    }
}
