package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import dev.towtank.model.files.FileTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Builds the objects that a `kustomization.yaml` describes.
public final class Kustomization {

    private static final int MAX_DEPTH = 50;
    private static final int MAX_OBJECTS = 20_000;
    private static final String LOCAL = "config.kubernetes.io/local-config";
    private static final Set<String> FIELDS = Set.of(
            "apiVersion",
            "kind",
            "metadata",
            "resources",
            "bases",
            "components",
            "namespace",
            "namePrefix",
            "nameSuffix",
            "commonLabels",
            "labels",
            "commonAnnotations",
            "images",
            "replicas",
            "patches",
            "patchesStrategicMerge",
            "patchesJson6902",
            "configMapGenerator",
            "secretGenerator",
            "generatorOptions",
            "replacements",
            "sortOptions",
            "vars",
            "configurations",
            "crds",
            "transformers",
            "generators",
            "buildMetadata");
    private static final Set<String> REFUSED = Set.of(
            "openapi",
            "validators",
            "helmCharts",
            "helmGlobals",
            "helmChartInflationGenerator",
            "inventory",
            "imageTags");

    private final RemoteBases remote;
    private final Set<Folder> open = new HashSet<>();

    private Kustomization(RemoteBases remote) {
        this.remote = remote;
    }

    /// @throws KustomizeError that names file and field
    public static List<Json.Obj> build(FileTree files, String path) {
        return build(files, path, RemoteBases.NONE);
    }

    /// @param path of the folder of the kustomization, `""` for the root
    public static List<Json.Obj> build(FileTree files, String path, RemoteBases remote) {
        var root = new Folder(files, "", new Folder.Budget()).enter(path);
        var built = new Kustomization(remote).accumulate(root, Accumulated.NOTHING);
        var fields = checked(root);
        var named = NameReferences.follow(
                built.items().stream().map(ConfigGenerators::hash).toList(), built.configuration());
        var resolved = Vars.resolve(built.vars(), built.configuration(), named);
        return OutputOrder.sort(BuildMetadata.add(root, fields, resolved), fields.object("sortOptions")).stream()
                .map(Item::object)
                .filter(object ->
                        !object.string("metadata", "annotations", LOCAL).equals("true"))
                .toList();
    }

    /// What a kustomization comes to, and what those above it have to know.
    private record Accumulated(List<Item> items, Configuration configuration, List<Vars.Var> vars) {
        static final Accumulated NOTHING = new Accumulated(List.of(), Configuration.NONE, List.of());
    }

    /// A kustomization on its own, or a component on top of what is there.
    private Accumulated accumulate(Folder folder, Accumulated given) {
        if (open.size() >= MAX_DEPTH || !open.add(folder)) {
            throw new KustomizeError(
                    folder.display() + ": cycle detected: this kustomization includes itself, or kustomizations"
                            + " are nested deeper than " + MAX_DEPTH);
        }
        var fields = checked(folder);
        BuildMetadata.check(folder, fields);
        var items = new ArrayList<>(given.items());
        var configuration = given.configuration();
        var vars = given.vars();
        for (var field : List.of("resources", "bases")) {
            for (var resource : fields.array(field).strings()) {
                var found = resource(folder, resource);
                add(folder, items, found.items());
                configuration = configuration.and(found.configuration());
                vars = Vars.merge(vars, found.vars());
            }
        }
        configuration = configuration.and(Configuration.read(folder, fields));
        generate(folder, items, fields, "configMapGenerator", "ConfigMap");
        generate(folder, items, fields, "secretGenerator", "Secret");
        for (var plugin : plugins(folder, fields, "generators")) {
            var made = Plugins.generated(folder, plugin);
            generate(folder, items, made.entry(), made.kind(), Json.Obj.EMPTY, made.origin());
        }
        var result = new Accumulated(items, configuration, vars);
        for (var component : fields.array("components").strings()) {
            var inside = folder.enter(component);
            if (!inside.kustomization().string("kind").equals("Component")) {
                throw new KustomizeError(inside.display() + ": expected kind 'Component' for path '" + component + "'");
            }
            result = accumulate(inside, result);
        }
        var transformed = transform(folder, fields, result.items(), result.configuration());
        for (var plugin : plugins(folder, fields, "transformers")) {
            transformed = Plugins.transform(folder, plugin.object(), transformed);
        }
        open.remove(folder);
        var declared = Vars.read(folder, fields);
        return new Accumulated(
                Vars.mark(declared, transformed), result.configuration(), Vars.merge(result.vars(), declared));
    }

    /// Plugins are objects as well: in files, in folders with kustomizations, or written right there.
    private List<Item> plugins(Folder folder, Json.Obj fields, String field) {
        var found = new ArrayList<Item>();
        for (var written : fields.array(field).strings()) {
            if (written.contains("\n")) {
                var where = folder.display() + ": " + field;
                folder.objects(where, Folder.parse(where, written))
                        .forEach(object -> found.add(Item.of(object, false, BuildMetadata.from(folder.file()))));
            } else {
                found.addAll(resource(folder, written).items());
            }
        }
        return found;
    }

    /// The fields under the names that we use: Go takes them in any case.
    private static Json.Obj checked(Folder folder) {
        var named = Json.Obj.builder();
        folder.kustomization().forEach((written, value) -> {
            var field = FIELDS.stream()
                    .filter(written::equalsIgnoreCase)
                    .findFirst()
                    .orElse(written);
            if (REFUSED.contains(field) && !value.isEmpty()) {
                throw new KustomizeError(folder.display() + ": " + field + " is not supported");
            }
            if (!FIELDS.contains(field) && !REFUSED.contains(field)) {
                throw new KustomizeError(folder.display() + ": invalid Kustomization: unknown field \"" + field + "\"");
            }
            named.put(field, value);
        });
        var fields = EntryFields.named(named.build());
        EntryFields.check(folder.display(), fields);
        var kind = fields.string("kind");
        if (!kind.isEmpty() && !kind.equals("Kustomization") && !kind.equals("Component")) {
            throw new KustomizeError(folder.display() + ": kind should be Kustomization or Component, not " + kind);
        }
        return fields;
    }

    private Accumulated resource(Folder folder, String written) {
        if (isRemote(written)) {
            var base = fetched(folder, written);
            var there = new Folder(base.files(), "", folder.budget());
            var found = there.has(base.path())
                    ? objects(there, base.path())
                    : accumulate(there.enter(base.path()), Accumulated.NOTHING);
            return new Accumulated(BuildMetadata.remote(found.items(), written), found.configuration(), found.vars());
        }
        if (folder.has(written)) {
            return objects(folder, written);
        }
        var inside = folder.enter(written);
        if (!inside.isKustomization() && inside.files().list(inside.path()).isEmpty()) {
            throw new KustomizeError(folder.display() + ": accumulating resources from '" + written
                    + "': there is no such file or directory");
        }
        if (inside.isKustomization() && inside.kustomization().string("kind").equals("Component")) {
            throw new KustomizeError(folder.display() + ": '" + written + "' is a Component: list it in components");
        }
        return accumulate(inside, Accumulated.NOTHING);
    }

    private RemoteBases.Base fetched(Folder folder, String written) {
        try {
            return remote.fetch(written);
        } catch (KustomizeError e) {
            throw new KustomizeError(folder.file() + ": " + e.getMessage());
        }
    }

    private static boolean isRemote(String written) {
        return written.contains("://") || written.startsWith("git@") || written.startsWith("github.com/");
    }

    private static Accumulated objects(Folder folder, String written) {
        var file = folder.resolve(written);
        var items = new ArrayList<Item>();
        for (var object : folder.objects(file, folder.documents(written))) {
            if (object.string("kind").isEmpty()) {
                throw new KustomizeError(file + ": missing kind in object " + object.string("metadata", "name"));
            }
            if (object.string("metadata", "name").isEmpty()
                    && object.string("metadata", "generateName").isEmpty()) {
                throw new KustomizeError(file + ": missing metadata.name in object {" + object.string("apiVersion")
                        + " " + object.string("kind") + "}");
            }
            items.add(Item.of(Labels.asTexts(object), false, BuildMetadata.from(file)));
        }
        return new Accumulated(items, Configuration.NONE, List.of());
    }

    private static void add(Folder folder, List<Item> items, List<Item> more) {
        var known = items.stream().map(item -> item.id().unique()).collect(Collectors.toCollection(HashSet::new));
        for (var item : more) {
            if (!known.add(item.id().unique())) {
                throw new KustomizeError(
                        folder.display() + ": may not add resource with an already registered id: " + item.id());
            }
            if (items.size() >= MAX_OBJECTS) {
                throw new KustomizeError(folder.display() + ": a build may have " + MAX_OBJECTS + " objects");
            }
            items.add(item);
        }
    }

    private static void generate(Folder folder, List<Item> items, Json.Obj fields, String field, String kind) {
        var origin = BuildMetadata.generated(folder.file(), kind + "Generator", "");
        for (var entry : fields.objects(field)) {
            generate(folder, items, entry, kind, fields.object("generatorOptions"), origin);
        }
    }

    private static void generate(
            Folder folder, List<Item> items, Json.Obj entry, String kind, Json.Obj options, Json.Obj origin) {
        var made = ConfigGenerators.generate(folder, kind, entry, options, origin);
        var field = (kind.equals("Secret") ? "secret" : "configMap") + "Generator";
        var behavior = entry.string("behavior");
        switch (behavior) {
            case "merge", "replace" -> {
                var known = items.stream()
                        .filter(item -> item.ids().anyMatch(id -> id.isSame(made.id())))
                        .toList();
                if (known.size() != 1) {
                    throw new KustomizeError(folder.display() + ": " + field + ": id " + made.id()
                            + " does not exist; cannot merge or replace");
                }
                items.set(
                        items.indexOf(known.getFirst()),
                        ConfigGenerators.combine(known.getFirst(), made, behavior.equals("merge")));
            }
            // Upstream takes every other word for "create".
            default -> add(folder, items, List.of(made));
        }
    }

    private static List<Item> transform(Folder folder, Json.Obj fields, List<Item> given, Configuration more) {
        var items = given;
        for (var patch : fields.array("patchesStrategicMerge").strings()) {
            items = Patches.strategic(folder, patch, items);
        }
        for (var patch : fields.objects("patches")) {
            items = Patches.patch(folder, patch, items);
        }
        items = each(items, item -> Affixes.namespace(item, fields.string("namespace"), more));
        items = each(
                items, item -> Affixes.affix(item, fields.string("namePrefix"), fields.string("nameSuffix"), more));
        for (var entry : fields.objects("labels")) {
            items = each(items, item -> labelled(item, entry, more));
        }
        items = each(items, item -> Labels.label(item, Labels.texts(fields.object("commonLabels")), true, true, more));
        items = each(items, item -> Labels.annotate(item, Labels.texts(fields.object("commonAnnotations")), more));
        for (var patch : fields.objects("patchesJson6902")) {
            items = Patches.patch(folder, patch, items);
        }
        for (var entry : fields.objects("replicas")) {
            items = Replicas.set(folder, entry, items, more);
        }
        for (var image : fields.objects("images")) {
            items = each(items, item -> ImageNames.replace(item, image, more));
        }
        for (var replacement : fields.objects("replacements")) {
            items = Replacements.apply(folder, replacement, items);
        }
        return items;
    }

    private static Item labelled(Item item, Json.Obj entry, Configuration more) {
        var pairs = Labels.texts(entry.object("pairs"));
        var labelled = Labels.label(item, pairs, entry.flag("includeSelectors"), entry.flag("includeTemplates"), more);
        if (entry.flag("includeVolumeClaimTemplates")) {
            labelled = Labels.labelClaims(labelled, pairs, more);
        }
        return Labels.put(
                labelled, entry.objects("fields").stream().map(FieldSpec::of).toList(), pairs);
    }

    private static List<Item> each(List<Item> items, UnaryOperator<Item> change) {
        return items.stream().map(change).collect(Collectors.toCollection(ArrayList::new));
    }
}
