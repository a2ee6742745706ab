package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// `replicas`: a count for a workload by its name.
final class Replicas {

    private static final Set<String> KINDS = Set.of("Deployment", "ReplicationController", "ReplicaSet", "StatefulSet");

    private Replicas() {}

    static List<Item> set(Folder folder, Json.Obj entry, List<Item> items) {
        var name = entry.string("name");
        var result = new ArrayList<Item>();
        boolean isFound = false;
        for (var item : items) {
            boolean isMeant = KINDS.contains(item.id().kind())
                    && item.ids().anyMatch(id -> id.name().equals(name));
            isFound |= isMeant;
            result.add(
                    isMeant
                            ? item.edit(object -> Fields.set(object, "spec/replicas", Json.of(entry.integer("count"))))
                            : item);
        }
        if (!isFound) {
            throw new KustomizeError(folder.display() + ": replicas: resource with name " + name
                    + " does not match a config with the following kinds "
                    + KINDS.stream().sorted().toList());
        }
        return result;
    }
}
