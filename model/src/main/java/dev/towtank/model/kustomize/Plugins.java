package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// `transformers` and `generators`: those that kustomize has itself. None is a program, and no program is run.
final class Plugins {

    private static final Set<String> HEADER = Set.of("apiVersion", "kind", "metadata");
    private static final Map<String, Set<String>> FIELDS = Map.ofEntries(
            Map.entry("PrefixTransformer", Set.of("prefix", "fieldSpecs")),
            Map.entry("SuffixTransformer", Set.of("suffix", "fieldSpecs")),
            Map.entry("PrefixSuffixTransformer", Set.of("prefix", "suffix", "fieldSpecs")),
            Map.entry("LabelTransformer", Set.of("labels", "fieldSpecs")),
            Map.entry("AnnotationsTransformer", Set.of("annotations", "fieldSpecs")),
            Map.entry("NamespaceTransformer", Set.of("fieldSpecs", "unsetOnly", "setRoleBindingSubjects")),
            Map.entry("ImageTagTransformer", Set.of("imageTag", "fieldSpecs")),
            Map.entry("ReplicaCountTransformer", Set.of("replica", "fieldSpecs")),
            Map.entry("PatchTransformer", Set.of("path", "patch", "target", "options")),
            Map.entry("PatchJson6902Transformer", Set.of("target", "path", "jsonOp")),
            Map.entry("PatchStrategicMergeTransformer", Set.of("paths", "patches")),
            Map.entry("ReplacementTransformer", Set.of("replacements")),
            Map.entry(
                    "ConfigMapGenerator",
                    Set.of("name", "namespace", "behavior", "files", "literals", "env", "envs", "options")),
            Map.entry(
                    "SecretGenerator",
                    Set.of("name", "namespace", "behavior", "files", "literals", "env", "envs", "options", "type")));

    private Plugins() {}

    private static void check(Folder folder, Json.Obj plugin) {
        var kind = plugin.string("kind");
        var known = FIELDS.get(kind);
        if (!plugin.string("apiVersion").equals("builtin") || known == null) {
            throw new KustomizeError(folder.display() + ": the plugin " + plugin.string("apiVersion") + " " + kind
                    + " is not supported: no programs are run, and of kustomize's own these are known: "
                    + FIELDS.keySet().stream().sorted().toList());
        }
        for (var field : plugin.keys()) {
            if (!HEADER.contains(field) && !known.contains(field)) {
                throw new KustomizeError(folder.display() + ": " + kind + " " + plugin.string("metadata", "name")
                        + ": unknown field \"" + field + "\"");
            }
        }
    }

    /// What a generator makes, as if it were an entry of the kustomization.
    record Generated(String kind, Json.Obj entry, Json.Obj origin) {}

    static Generated generated(Folder folder, Item item) {
        var plugin = item.object();
        check(folder, plugin);
        var kind = plugin.string("kind");
        if (!kind.endsWith("Generator")) {
            throw new KustomizeError(folder.display() + ": generators: " + kind + " generates nothing");
        }
        var name = plugin.string("metadata", "name");
        var entry = plugin.string("name").isEmpty() ? plugin.with("name", Json.of(name)) : plugin;
        if (entry.string("namespace").isEmpty()
                && !plugin.string("metadata", "namespace").isEmpty()) {
            entry = entry.with("namespace", Json.of(plugin.string("metadata", "namespace")));
        }
        return new Generated(
                kind.substring(0, kind.length() - "Generator".length()),
                entry,
                BuildMetadata.generated(item.origin().string("path"), kind, name));
    }

    static List<Item> transform(Folder folder, Json.Obj plugin, List<Item> items) {
        check(folder, plugin);
        var places = plugin.objects("fieldSpecs").stream().map(FieldSpec::of).toList();
        var more = new Configuration(Map.of("images", places), List.of());
        return switch (plugin.string("kind")) {
            case "PrefixTransformer", "SuffixTransformer", "PrefixSuffixTransformer" ->
                each(items, item -> Affixes.affix(item, plugin.string("prefix"), plugin.string("suffix"), places));
            case "LabelTransformer" ->
                each(items, item -> Labels.put(item, places, Labels.texts(plugin.object("labels"))));
            case "AnnotationsTransformer" ->
                each(items, item -> Labels.put(item, places, Labels.texts(plugin.object("annotations"))));
            case "NamespaceTransformer" ->
                each(
                        items,
                        item -> Affixes.namespace(
                                item,
                                plugin.string("metadata", "namespace"),
                                places,
                                plugin.flag("unsetOnly"),
                                plugin.string("setRoleBindingSubjects")));
            case "ImageTagTransformer" ->
                each(items, item -> ImageNames.replace(item, plugin.object("imageTag"), more));
            case "ReplicaCountTransformer" -> Replicas.set(folder, plugin.object("replica"), items, places);
            case "PatchTransformer", "PatchJson6902Transformer" -> Patches.patch(folder, patch(plugin), items);
            case "PatchStrategicMergeTransformer" -> merged(folder, plugin, items);
            case "ReplacementTransformer" -> replaced(folder, plugin, items);
            default ->
                throw new KustomizeError(
                        folder.display() + ": transformers: " + plugin.string("kind") + " transforms nothing");
        };
    }

    private static Json.Obj patch(Json.Obj plugin) {
        return plugin.has("jsonOp") ? plugin.without("jsonOp").with("patch", Json.of(plugin.string("jsonOp"))) : plugin;
    }

    private static List<Item> merged(Folder folder, Json.Obj plugin, List<Item> items) {
        var result = items;
        for (var path : plugin.array("paths").strings()) {
            result = Patches.strategic(folder, path, result);
        }
        return plugin.string("patches").isEmpty()
                ? result
                : Patches.strategic(folder, plugin.string("patches") + "\n", result);
    }

    private static List<Item> replaced(Folder folder, Json.Obj plugin, List<Item> items) {
        var result = items;
        for (var entry : plugin.objects("replacements")) {
            result = Replacements.apply(folder, entry, result);
        }
        return result;
    }

    private static List<Item> each(List<Item> items, UnaryOperator<Item> change) {
        return new ArrayList<>(items.stream().map(change).toList());
    }
}
