package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// `buildMetadata`: objects say where they come from, and who made them.
final class BuildMetadata {

    private static final String ORIGINS = "originAnnotations";
    private static final String LABEL = "managedByLabel";
    private static final Set<String> KNOWN = Set.of(ORIGINS, LABEL);

    private BuildMetadata() {}

    static void check(Folder folder, Json.Obj fields) {
        for (var option : fields.array("buildMetadata").strings()) {
            if (option.equals("transformerAnnotations")) {
                throw new KustomizeError(folder.display() + ": buildMetadata: transformerAnnotations is not supported");
            }
            if (!KNOWN.contains(option)) {
                throw new KustomizeError(folder.display() + ": buildMetadata: option must be one of "
                        + KNOWN.stream().sorted().toList() + "; got " + option);
            }
        }
    }

    /// Of a file in the tree.
    static Json.Obj from(String file) {
        return Json.Obj.of("path", Json.of(file));
    }

    /// Of a generator, which may have a name.
    static Json.Obj generated(String file, String kind, String name) {
        var by = Json.Obj.of("apiVersion", Json.of("builtin"), "kind", Json.of(kind));
        return Json.Obj.of(
                "configuredIn", Json.of(file), "configuredBy", name.isEmpty() ? by : by.with("name", Json.of(name)));
    }

    /// Of another repository, whose files have other paths. A password in its address is not shown.
    static List<Item> remote(List<Item> items, String address) {
        var shown = Json.of(address.replaceAll("://[^/@\\s]+@", "://"));
        return items.stream()
                .map(item -> item.from(item.origin().with("repo", shown)))
                .toList();
    }

    /// What the outermost kustomization asks for.
    static List<Item> add(Folder root, Json.Obj fields, List<Item> items) {
        var wanted = fields.array("buildMetadata").strings();
        var result = items;
        if (wanted.contains(ORIGINS)) {
            result = result.stream()
                    .map(item -> item.edit(object -> object.with(
                            List.of("metadata", "annotations", "config.kubernetes.io/origin"),
                            Json.of(YamlText.write(shown(root, item.origin()))))))
                    .toList();
        }
        if (wanted.contains(LABEL)) {
            result = result.stream()
                    .map(item -> item.edit(object -> object.with(
                            List.of("metadata", "labels", "app.kubernetes.io/managed-by"),
                            Json.of("kustomize-towtank"))))
                    .toList();
        }
        return result;
    }

    private static Json.Obj shown(Folder root, Json.Obj origin) {
        if (origin.has("repo")) {
            return origin;
        }
        var field = origin.has("path") ? "path" : "configuredIn";
        var shown = Json.Obj.builder();
        origin.forEach((key, value) ->
                shown.put(key, key.equals(field) ? Json.of(relative(root.path(), origin.string(field))) : value));
        return shown.build();
    }

    private static String relative(String folder, String file) {
        var from = folder.isEmpty() ? List.<String>of() : List.of(folder.split("/", -1));
        var to = List.of(file.split("/", -1));
        int common = 0;
        while (common < Math.min(from.size(), to.size() - 1) && from.get(common).equals(to.get(common))) {
            common++;
        }
        var parts = new ArrayList<String>();
        for (int i = common; i < from.size(); i++) {
            parts.add("..");
        }
        parts.addAll(to.subList(common, to.size()));
        return String.join("/", parts);
    }
}
