package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Call;
import dev.towtank.model.FieldSelector;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import java.util.Optional;

/// The label and field selectors of a list or watch, checked against what the kind offers.
record Selectors(Kind<?> kind, LabelSelector labels, FieldSelector fields) {

    static Selectors of(Call call, Kind<?> kind) {
        var selectors = new Selectors(
                kind,
                LabelSelector.parse(call.params().text("labelSelector")),
                FieldSelector.parse(call.params().text("fieldSelector")));
        for (var requirement : selectors.fields.requirements()) {
            selectors.checkField(requirement.field());
        }
        return selectors;
    }

    private void checkField(String field) {
        boolean known = field.equals("metadata.name")
                || (field.equals("metadata.namespace") && kind.isNamespaced())
                || kind.rules().selectableFields().containsKey(field);
        if (!known) {
            boolean plain = kind.rules().selectableFields().isEmpty()
                    && Schemas.builtin().find(kind).isPresent();
            throw StatusError.badRequest(
                    plain
                            ? "\"" + field + "\" is not a known field selector: only \"metadata.name\","
                                    + " \"metadata.namespace\""
                            : "field label not supported: " + field);
        }
    }

    boolean isEmpty() {
        return labels.matchesEverything() && fields.matchesEverything();
    }

    /// The one name that can match, where a selector says so: the list is a lookup then.
    Optional<String> exactName() {
        return fields.exact("metadata.name");
    }

    boolean matches(Json.Obj object) {
        return labels.matches(object)
                && (fields.matchesEverything() || fields.matches(field -> fieldValue(object, field)));
    }

    private String fieldValue(Json.Obj object, String field) {
        return switch (field) {
            case "metadata.name" -> object.string("metadata", "name");
            case "metadata.namespace" -> object.string("metadata", "namespace");
            default -> {
                var reader = kind.rules().selectableFields().get(field);
                yield reader == null ? "" : reader.apply(object);
            }
        };
    }
}
