package dev.towtank.cluster;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.List;

/// Objects as they may stand in a log.
final class Redaction {

    private static final Json HIDDEN = Json.of("(hidden)");
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private Redaction() {}

    /// Keeps the keys of a Secret and hides its values.
    static Json.Obj of(Kind<?> kind, Json.Obj fields) {
        if (!kind.group().isEmpty() || !kind.kind().equals("Secret")) {
            return fields;
        }
        var shown = fields;
        for (var field : List.of("data", "stringData")) {
            if (shown.get(field) instanceof Json.Obj values) {
                var hidden = Json.Obj.builder();
                values.forEach((key, _) -> hidden.put(key, HIDDEN));
                shown = shown.with(field, hidden.build());
            } else if (shown.has(field)) {
                shown = shown.with(field, HIDDEN);
            }
        }
        // kubectl keeps a copy of the whole Secret there.
        return shown.at("metadata", "annotations", LAST_APPLIED) == null
                ? shown
                : shown.with(List.of("metadata", "annotations", LAST_APPLIED), HIDDEN);
    }
}
