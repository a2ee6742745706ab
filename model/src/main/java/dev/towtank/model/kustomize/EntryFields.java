package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.Map;
import java.util.Set;

/// Which fields the entries of a kustomization may have. What is not known is refused: an entry that was ignored would
/// be
/// missed only on the cluster.
final class EntryFields {
    private static final Set<String> GENERATOR =
            Set.of("name", "namespace", "behavior", "files", "literals", "env", "envs", "options");
    private static final Set<String> SELECTOR =
            Set.of("group", "version", "kind", "name", "namespace", "labelSelector", "annotationSelector");
    private static final Set<String> REPLACED = Set.of("select", "reject", "fieldPaths", "options");
    private static final Set<String> PATCH = Set.of("path", "patch", "target", "options");

    private static final Map<String, Set<String>> KNOWN = Map.ofEntries(
            Map.entry(
                    "labels",
                    Set.of("pairs", "includeSelectors", "includeTemplates", "includeVolumeClaimTemplates", "fields")),
            Map.entry("images", Set.of("name", "newName", "tagSuffix", "newTag", "digest")),
            Map.entry("replicas", Set.of("name", "count")),
            Map.entry("patches", PATCH),
            Map.entry("patchesJson6902", PATCH),
            Map.entry("configMapGenerator", GENERATOR),
            Map.entry("secretGenerator", union(GENERATOR, "type")),
            Map.entry("generatorOptions", Set.of("labels", "annotations", "disableNameSuffixHash", "immutable")),
            Map.entry("replacements", Set.of("path", "source", "targets", "sourceValue")),
            Map.entry("vars", Set.of("name", "objref", "fieldref")),
            Map.entry("sortOptions", Set.of("order", "legacySortOptions")));

    private static final Map<String, Set<String>> INSIDE =
            Map.of("target", SELECTOR, "source", union(SELECTOR, "fieldPath", "options"), "targets", REPLACED);

    private EntryFields() {}

    private static Set<String> union(Set<String> some, String... more) {
        var all = new java.util.HashSet<>(some);
        all.addAll(Set.of(more));
        return Set.copyOf(all);
    }

    /// The entries with their fields under the names that we use: Go takes them in any case.
    static Json.Obj named(Json.Obj fields) {
        var named = fields;
        for (var field : KNOWN.entrySet()) {
            var value = fields.get(field.getKey());
            if (value != null) {
                named = named.with(field.getKey(), inside(value, field.getValue()));
            }
        }
        return named;
    }

    private static Json.Obj named(Json.Obj entry, Set<String> known) {
        var named = Json.Obj.builder();
        entry.forEach((written, value) -> {
            var name =
                    known.stream().filter(written::equalsIgnoreCase).findFirst().orElse(written);
            named.put(name, inside(value, INSIDE.getOrDefault(name, Set.of())));
        });
        return named.build();
    }

    private static Json inside(Json value, Set<String> known) {
        if (value instanceof Json.Obj object && !known.isEmpty()) {
            return named(object, known);
        }
        return value instanceof Json.Arr list
                ? new Json.Arr(
                        list.items().stream().map(each -> inside(each, known)).toList())
                : value;
    }

    static void check(String folder, Json.Obj fields) {
        fields.forEach((field, value) -> {
            var known = KNOWN.get(field);
            if (known != null && value instanceof Json.Arr entries) {
                entries.items().forEach(entry -> check(folder, field, entry, known));
            } else if (known != null) {
                check(folder, field, value, known);
            }
        });
    }

    private static void check(String folder, String field, Json entry, Set<String> known) {
        if (!(entry instanceof Json.Obj object)) {
            return;
        }
        for (var name : object.keys()) {
            if (!known.contains(name)) {
                throw new KustomizeError(
                        folder + ": invalid Kustomization: " + field + ": unknown field \"" + name + "\"");
            }
            var inside = INSIDE.get(name);
            if (inside != null && object.get(name) instanceof Json.Obj inner) {
                check(folder, field + "." + name, inner, inside);
            }
        }
        if (object.objects("targets").stream()
                        .anyMatch(target -> target.object("options").has("encoding"))
                || object.object("source").object("options").has("encoding")) {
            throw new KustomizeError(folder + ": " + field + ": options.encoding is not supported");
        }
    }
}
