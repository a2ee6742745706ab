package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import dev.towtank.model.Schema;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.JsonPatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// `patches`, and the older fields that say the same.
final class Patches {

    private Patches() {}

    /// An entry of `patches`.
    static List<Item> patch(Folder folder, Json.Obj entry, List<Item> items) {
        var path = entry.string("path");
        var inline = entry.string("patch");
        if (path.isEmpty() == inline.isEmpty()) {
            throw new KustomizeError(folder.display() + ": patches: an entry has either 'path' or 'patch'");
        }
        var where = path.isEmpty() ? folder.display() + ": patches" : folder.resolve(path);
        var documents = Folder.parse(where, path.isEmpty() ? inline : folder.text(path));
        var target = entry.get("target") instanceof Json.Obj selector ? selector : null;
        if (documents.size() == 1 && documents.getFirst() instanceof Json.Arr operations) {
            if (target == null) {
                throw new KustomizeError(where + ": a JSON patch needs a 'target'");
            }
            return operations(where, operations, new PatchTarget(target), items);
        }
        var result = items;
        for (var patch : folder.objects(where, documents)) {
            result = target == null
                    ? own(where, patch, entry.object("options"), result)
                    : selected(patch, new PatchTarget(target), entry.object("options"), result);
        }
        return result;
    }

    /// An entry of `patchesStrategicMerge`: a file, or the patch itself.
    static List<Item> strategic(Folder folder, String written, List<Item> items) {
        boolean isFile = !written.contains("\n") && folder.has(written);
        if (!isFile && !written.contains(":")) {
            throw new KustomizeError(folder.display() + ": patchesStrategicMerge: there is no file '" + written + "'");
        }
        var where = isFile ? folder.resolve(written) : folder.display() + ": patchesStrategicMerge";
        var patches = folder.objects(where, Folder.parse(where, isFile ? folder.text(written) : written));
        if (patches.isEmpty()) {
            throw new KustomizeError(where + ": the patch is empty");
        }
        var result = items;
        for (var patch : patches) {
            result = own(where, patch, Json.Obj.EMPTY, result);
        }
        return result;
    }

    private static List<Item> operations(String where, Json.Arr operations, PatchTarget target, List<Item> items) {
        var result = new ArrayList<Item>();
        for (var item : items) {
            result.add(target.matches(item) ? operate(where, operations, item) : item);
        }
        return result;
    }

    private static Item operate(String where, Json.Arr operations, Item item) {
        try {
            return JsonPatch.apply(annotated(item), operations) instanceof Json.Obj changed
                    ? item.moved(withoutNothing(changed))
                    : item;
        } catch (StatusError e) {
            throw new KustomizeError(where + ": " + item.id() + ": " + reason(e));
        }
    }

    // Kustomize keeps the name of what it is about to patch in annotations of its own: there are always some to add to.
    private static Json.Obj annotated(Item item) {
        var metadata = item.object().object("metadata");
        return metadata.at("annotations") instanceof Json.Obj
                ? item.object()
                : item.object().with("metadata", metadata.with("annotations", Json.Obj.EMPTY));
    }

    private static Json.Obj withoutNothing(Json.Obj object) {
        var metadata = object.object("metadata");
        return metadata.has("annotations") && metadata.object("annotations").isEmpty()
                ? object.with("metadata", metadata.without("annotations"))
                : object;
    }

    /// What a patch failed by is in the causes; the text is the one that every server has for all of them.
    private static String reason(StatusError e) {
        var causes = e.details().objects("causes").stream()
                .map(cause -> cause.string("message"))
                .filter(message -> !message.isEmpty())
                .toList();
        return causes.isEmpty() ? e.text() : String.join("; ", causes);
    }

    /// A patch that names what it is for.
    private static List<Item> own(String where, Json.Obj patch, Json.Obj options, List<Item> items) {
        var id = Id.of(patch);
        if (id.kind().isEmpty() || id.name().isEmpty()) {
            throw new KustomizeError(where + ": a patch without target needs kind and metadata.name");
        }
        var found = items.stream()
                .filter(item -> item.ids().anyMatch(each -> each.isSame(id)))
                .toList();
        if (found.isEmpty()) {
            throw new KustomizeError(where + ": no resource matches strategic merge patch \"" + id
                    + "\": no matches for Id " + id + "; failed to find unique target for patch " + id);
        }
        if (found.size() > 1) {
            throw new KustomizeError(where + ": multiple matches for Id " + id
                    + "; failed to find unique target for patch " + id + ": "
                    + found.stream().map(item -> item.id().toString()).toList());
        }
        return change(found, patch, options, items);
    }

    private static List<Item> selected(Json.Obj patch, PatchTarget target, Json.Obj options, List<Item> items) {
        return change(items.stream().filter(target::matches).toList(), patch, options, items);
    }

    private static List<Item> change(List<Item> chosen, Json.Obj patch, Json.Obj options, List<Item> items) {
        Set<Item> patched = Collections.newSetFromMap(new IdentityHashMap<>());
        patched.addAll(chosen);
        var result = new ArrayList<Item>();
        for (var item : items) {
            if (!patched.contains(item)) {
                result.add(item);
            } else if (!patch.string("$patch").equals("delete")) {
                result.add(merge(item, patch, options));
            }
        }
        return result;
    }

    private static Item merge(Item item, Json.Obj patch, Json.Obj options) {
        var object = item.object();
        var schema = Schemas.builtin()
                .find(object.string("apiVersion"), object.string("kind"))
                .map(Schema.Value.ObjectOf::new)
                .orElse(null);
        var merged = Merge.apply(object, patch, schema);
        if (!options.flag("allowKindChange")) {
            merged = merged.with("kind", Json.of(object.string("kind")))
                    .with("apiVersion", Json.of(object.string("apiVersion")));
        }
        if (!options.flag("allowNameChange")) {
            merged = merged.with(List.of("metadata", "name"), Json.of(item.id().name()));
        }
        if (item.id().namespace().isEmpty()
                        != merged.string("metadata", "namespace").isEmpty()
                && !options.flag("allowNameChange")) {
            merged = merged.without(List.of("metadata", "namespace"));
        } else if (!item.id().namespace().isEmpty()) {
            merged = merged.with(
                    List.of("metadata", "namespace"), Json.of(item.id().namespace()));
        }
        return item.moved(merged);
    }
}
