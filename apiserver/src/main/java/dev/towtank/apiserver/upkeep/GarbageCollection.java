package dev.towtank.apiserver.upkeep;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.apiserver.upkeep.OwnerGraph.Node;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Deletes what nobody owns any more, and carries out foreground and orphan deletions.
///
/// Looked at is an object, by its uid. The feed comes in the order of the revisions, so an owner that was
/// created before its dependent is known before it: an owner that the graph does not know does not exist.
public final class GarbageCollection implements StoreLoop.Task<String> {

    private final Store store;
    private final Caretaker caretaker;
    private OwnerGraph graph = new OwnerGraph();

    public GarbageCollection(Store store, Api api, Catalog catalog) {
        this.store = store;
        this.caretaker = new Caretaker(api, catalog, Caretaker.controller("generic-garbage-collector"));
    }

    @Override
    public void reset() {
        graph = new OwnerGraph();
    }

    @Override
    public void observe(Change change, Consumer<String> touched) {
        if (change.type() == Change.Type.DELETED) {
            graph.remove(change.now(), touched);
        } else {
            graph.put(change.now(), touched);
        }
    }

    @Override
    public void look(String uid) {
        var node = graph.find(uid);
        var current = node == null ? null : current(node);
        if (node == null || current == null) {
            return;
        }
        var resource = new Resource(current.key().cluster(), current.tree());
        if (resource.isDeleting() && resource.finalizers().contains(OwnerGraph.ORPHAN)) {
            orphan(node, resource);
        } else if (resource.isDeleting() && resource.finalizers().contains(OwnerGraph.FOREGROUND)) {
            deleteDependentsFirst(node, resource);
        } else if (!resource.isDeleting() && !resource.owners().isEmpty()) {
            judge(node, resource);
        }
    }

    private @Nullable Stored current(Node node) {
        var found = store.get(node.key());
        return found != null && found.tree().string("metadata", "uid").equals(node.uid()) ? found : null;
    }

    /// Lets the dependents go free, then the owner.
    private void orphan(Node node, Resource resource) {
        for (var dependent : graph.dependents(node.uid())) {
            var current = current(dependent);
            if (current != null) {
                dropOwners(dependent, new Resource(current.key().cluster(), current.tree()), Set.of(node.uid()));
            }
        }
        dropFinalizer(node, resource, OwnerGraph.ORPHAN);
    }

    /// Deletes the dependents, and the owner once none is left that blocks it.
    private void deleteDependentsFirst(Node node, Resource resource) {
        var dependents = graph.dependents(node.uid());
        boolean blocked = false;
        for (var dependent : dependents) {
            var current = current(dependent);
            if (current == null) {
                continue;
            }
            var tree = new Resource(current.key().cluster(), current.tree());
            blocked |= tree.owners().stream()
                    .anyMatch(owner -> owner.uid().equals(node.uid()) && owner.blockOwnerDeletion());
            judge(dependent, tree);
        }
        if (!blocked) {
            dropFinalizer(node, resource, OwnerGraph.FOREGROUND);
        }
    }

    /// Decides about an object by its owners: kept by one that stays, deleted when all are gone or going.
    private void judge(Node node, Resource resource) {
        var owners = graph.judge(node, resource.owners(), owner -> isEvent(node, owner));
        if (owners.staying().isEmpty()) {
            if (resource.isDeleting()) {
                return;
            }
            boolean blocks = !owners.going().isEmpty()
                    && graph.dependents(node.uid()).stream().anyMatch(this::blocksAnOwner);
            caretaker.delete(node.key(), node.uid(), blocks ? "Foreground" : policy(resource));
        } else if (!owners.leaving().isEmpty()) {
            dropOwners(node, resource, owners.leaving());
        }
    }

    private boolean isEvent(Node dependent, Resource.Owner owner) {
        if (!owner.kind().equals("Event")) {
            return false;
        }
        var place = dependent.key();
        var found = store.get(new Key(EventExpiry.EVENTS, place.cluster(), place.namespace(), owner.name()));
        return found != null && found.metadata().string("uid").equals(owner.uid());
    }

    private boolean blocksAnOwner(Node dependent) {
        return dependent.owners().stream().anyMatch(OwnerGraph.Link::blocks);
    }

    private static String policy(Resource resource) {
        if (resource.finalizers().contains(OwnerGraph.ORPHAN)) {
            return "Orphan";
        }
        return resource.finalizers().contains(OwnerGraph.FOREGROUND) ? "Foreground" : "Background";
    }

    private void dropOwners(Node node, Resource resource, Set<String> uids) {
        var kept = resource.json().objects("metadata", "ownerReferences").stream()
                .filter(owner -> !uids.contains(owner.string("uid")))
                .map(Json.class::cast)
                .toList();
        patch(node, resource, Json.Obj.of("ownerReferences", listOrNull(kept)));
    }

    private void dropFinalizer(Node node, Resource resource, String finalizer) {
        var kept = resource.finalizers().stream()
                .filter(each -> !each.equals(finalizer))
                .map(Json::of)
                .toList();
        patch(node, resource, Json.Obj.of("finalizers", listOrNull(kept)));
    }

    private static Json listOrNull(List<Json> items) {
        return items.isEmpty() ? Json.Null.NULL : new Json.Arr(items);
    }

    private void patch(Node node, Resource resource, Json.Obj metadata) {
        caretaker.patchMetadata(node.key(), node.uid(), Long.parseLong(resource.resourceVersion()), metadata);
    }
}
