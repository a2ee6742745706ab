package dev.towtank.app.lint;

import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// Something that other objects may refer to.
///
/// @param kind as in YAML
/// @param folder of its file; empty where that does not matter
/// @param needs params without default
/// @param types of all params
/// @param workspaces that are not optional
/// @param results that it declares, with their types
record Definition(
        String kind,
        String name,
        String folder,
        Set<String> needs,
        Map<String, ParamType> types,
        Set<String> workspaces,
        Map<String, ParamType> results) {
    Definition {
        needs = Set.copyOf(needs);
        types = Map.copyOf(types);
        workspaces = Set.copyOf(workspaces);
        results = Map.copyOf(results);
    }

    static Definition of(String kind, String name) {
        return new Definition(kind, name, "", Set.of(), Map.of(), Set.of(), Map.of());
    }

    /// Of a Task, Pipeline or StepAction.
    static Definition of(String kind, String name, String folder, Located spec) {
        var needs = new LinkedHashSet<String>();
        for (var param : spec.list("params")) {
            if (param.field("default") == null) {
                needs.add(param.text("name"));
            }
        }
        var workspaces = new LinkedHashSet<String>();
        for (var workspace : spec.list("workspaces")) {
            var optional = workspace.at("optional");
            if (optional == null || !optional.json().equals(Json.Bool.TRUE)) {
                workspaces.add(workspace.text("name"));
            }
        }
        var results = ParamType.results(spec.list("results"));
        return new Definition(kind, name, folder, needs, ParamType.declared(spec), workspaces, results);
    }
}
