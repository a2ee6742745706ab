package dev.towtank.app.lint;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.crd.CrdKinds;
import dev.towtank.model.crd.SchemaCache;
import dev.towtank.model.crd.StructuralSchema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Objects of kinds that a CustomResourceDefinition among the files defines.
final class CustomAdmission {

    private CustomAdmission() {}

    /// @param definitions the CustomResourceDefinitions
    /// @param objects those of all kinds that are not known otherwise
    static void check(List<Json.Obj> definitions, List<Document> objects, Observations seen) {
        if (definitions.isEmpty()) {
            return;
        }
        var makers = new CrdKinds(new SchemaCache(), List.of());
        var kinds = new HashMap<String, Kind<Json.Obj>>();
        for (var definition : definitions) {
            makers.served(definition, () -> definition)
                    .forEach(kind -> kinds.put(kind.apiVersion() + " " + kind.kind(), kind));
        }
        objects.forEach(document -> check(document, kinds, seen));
    }

    private static void check(Document document, Map<String, Kind<Json.Obj>> kinds, Observations seen) {
        var kind = kinds.get(document.apiVersion() + " " + document.kind());
        if (kind == null) {
            return;
        }
        try {
            new ObjectAdmission(document, kind, seen).check();
        } catch (StructuralSchema.Unsupported e) {
            // What is wrong with the definition is told where it stands.
        }
    }
}
