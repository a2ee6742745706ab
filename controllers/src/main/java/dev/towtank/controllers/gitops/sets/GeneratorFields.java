package dev.towtank.controllers.gitops.sets;

import dev.towtank.model.Json;
import java.util.Map;
import java.util.Set;

/// Which fields generators have. One that is not among them was meant for something, so nothing is made without it.
final class GeneratorFields {

    private static final Map<String, Set<String>> KNOWN = Map.of(
            "list", Set.of("elements", "elementsYaml", "template"),
            "clusters", Set.of("selector", "values", "flatList", "template"),
            "git",
                    Set.of(
                            "repoURL",
                            "revision",
                            "directories",
                            "files",
                            "values",
                            "pathParamPrefix",
                            "requeueAfterSeconds",
                            "template"),
            "matrix", Set.of("generators", "template"),
            "merge", Set.of("generators", "mergeKeys", "template"));
    private static final Set<String> OF_A_PATH = Set.of("path", "exclude");

    private GeneratorFields() {}

    /// @param kind one of those that are served
    /// @throws SetError naming the first that nobody knows
    static void check(String kind, Json.Obj options) {
        among(kind, options, KNOWN.getOrDefault(kind, Set.of()));
        options.objects("directories").forEach(each -> among(kind + ".directories", each, OF_A_PATH));
        options.objects("files").forEach(each -> among(kind + ".files", each, OF_A_PATH));
    }

    private static void among(String where, Json.Obj options, Set<String> known) {
        for (var field : options.keys()) {
            if (!known.contains(field)) {
                throw new SetError("the field " + where + "." + field + " of a generator is not served");
            }
        }
    }
}
