package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// `replicas`: a count for a workload by its name.
final class Replicas {

    private static final Set<String> KINDS = Set.of("Deployment", "ReplicationController", "ReplicaSet", "StatefulSet");

    private Replicas() {}

    static List<Item> set(Folder folder, Json.Obj entry, List<Item> items, Configuration more) {
        var places = new ArrayList<>(more.at("replicas"));
        KINDS.forEach(kind -> places.add(new FieldSpec("*", kind, "spec/replicas", true)));
        return set(folder, entry, items, places);
    }

    static List<Item> set(Folder folder, Json.Obj entry, List<Item> items, List<FieldSpec> places) {
        var name = entry.string("name");
        var count = Json.of(entry.integer("count"));
        var result = new ArrayList<Item>();
        boolean isFound = false;
        for (var item : items) {
            var changed = item;
            for (var place : places) {
                if (place.isIn(item.id()) && item.ids().anyMatch(id -> id.name().equals(name))) {
                    isFound = true;
                    changed = changed.edit(object ->
                            FieldPaths.change(object, FieldPaths.split(place.path()), place.create(), _ -> count));
                }
            }
            result.add(changed);
        }
        if (!isFound) {
            throw new KustomizeError(folder.display() + ": replicas: resource with name " + name
                    + " does not match a config with the following kinds "
                    + places.stream().map(FieldSpec::kind).sorted().toList());
        }
        return result;
    }
}
