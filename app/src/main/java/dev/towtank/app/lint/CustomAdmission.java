package dev.towtank.app.lint;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.crd.CrdKinds;
import dev.towtank.model.crd.SchemaCache;
import dev.towtank.model.crd.StructuralSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// Objects of kinds that a CustomResourceDefinition among the files defines.
final class CustomAdmission {

    private CustomAdmission() {}

    /// @param definitions the CustomResourceDefinitions; of several for one kind the last counts
    /// @param objects those of all kinds that are not known otherwise
    /// @return those of kinds that are not known at all
    static List<Document> check(List<Json.Obj> definitions, List<Document> objects, Observations seen) {
        var makers = new CrdKinds(new SchemaCache(), List.of());
        var kinds = new HashMap<String, Kind<Json.Obj>>();
        for (var definition : definitions) {
            makers.served(definition, () -> definition)
                    .forEach(kind -> kinds.put(kind.apiVersion() + " " + kind.kind(), kind));
        }
        var unknown = new ArrayList<Document>();
        for (var document : objects) {
            var kind = kinds.get(document.apiVersion() + " " + document.kind());
            if (kind == null) {
                unknown.add(document);
            } else {
                check(document, kind, seen);
            }
        }
        return unknown;
    }

    private static void check(Document document, Kind<Json.Obj> kind, Observations seen) {
        try {
            new ObjectAdmission(document, kind, seen).check();
        } catch (StructuralSchema.Unsupported e) {
            // What is wrong with the definition is told where it stands.
        }
    }
}
