package dev.towtank.apiserver.upkeep;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Who owns whom, by uid. Used by one thread.
///
/// There are many events, and hardly any owns something or is owned: those that do neither are not in here.
final class OwnerGraph {

    static final String ORPHAN = "orphan";
    static final String FOREGROUND = "foregroundDeletion";

    /// @param foreground whether it waits for its dependents to be deleted before it goes itself
    record Node(String uid, Key key, List<Link> owners, boolean foreground) {}

    /// To an owner.
    ///
    /// @param blocks whether the owner waits for the dependent when it is deleted in the foreground
    record Link(String uid, boolean blocks) {}

    /// What becomes of an object's owners, as sets of uids.
    ///
    /// @param going those that wait for this object to go first
    /// @param leaving those whose references mean nothing any more: gone, or going
    record Owners(Set<String> staying, Set<String> going, Set<String> leaving) {}

    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, Set<String>> dependents = new HashMap<>();

    @Nullable
    Node find(String uid) {
        return nodes.get(uid);
    }

    List<Node> dependents(String uid) {
        var found = new ArrayList<Node>();
        for (var dependent : dependents.getOrDefault(uid, Set.of())) {
            var node = nodes.get(dependent);
            if (node != null) {
                found.add(node);
            }
        }
        return found;
    }

    void put(Stored stored, Consumer<String> touched) {
        var resource = new Resource(stored.key().cluster(), Json.Obj.of("metadata", stored.metadata()));
        var uid = resource.uid();
        var owners = resource.owners().stream().map(this::link).toList();
        boolean deleting = resource.isDeleting();
        if (isAlone(stored.key(), owners, deleting) && !nodes.containsKey(uid)) {
            return;
        }
        var finalizers = resource.finalizers();
        var before = nodes.put(uid, new Node(uid, stored.key(), owners, deleting && finalizers.contains(FOREGROUND)));
        if (deleting && (finalizers.contains(ORPHAN) || finalizers.contains(FOREGROUND))) {
            touched.accept(uid);
        }
        if (before != null && before.owners().equals(owners)) {
            return;
        }
        if (before != null) {
            forget(before);
        }
        owners.forEach(owner -> dependents
                .computeIfAbsent(owner.uid(), _ -> LinkedHashSet.newLinkedHashSet(1))
                .add(uid));
        if (!owners.isEmpty() && !deleting) {
            touched.accept(uid);
        }
        // An owner that waits may go when its dependent no longer names it.
        if (before != null) {
            before.owners().forEach(owner -> touched.accept(owner.uid()));
        }
    }

    private static boolean isAlone(Key key, List<Link> owners, boolean deleting) {
        return key.resource().equals(EventExpiry.EVENTS) && owners.isEmpty() && !deleting;
    }

    private Link link(Resource.Owner owner) {
        var known = nodes.get(owner.uid());
        return new Link(known == null ? owner.uid() : known.uid(), owner.blockOwnerDeletion());
    }

    void remove(Stored stored, Consumer<String> touched) {
        var uid = stored.metadata().string("uid");
        dependents.getOrDefault(uid, Set.of()).forEach(touched);
        var node = nodes.remove(uid);
        if (node != null) {
            forget(node);
            node.owners().forEach(owner -> touched.accept(owner.uid()));
        }
    }

    private void forget(Node node) {
        for (var owner : node.owners()) {
            var set = dependents.get(owner.uid());
            if (set != null) {
                set.remove(node.uid());
                if (set.isEmpty()) {
                    dependents.remove(owner.uid());
                }
            }
        }
    }

    /// @param isEvent tells of an owner that is not in here whether it is an event
    Owners judge(Node node, List<Resource.Owner> references, Predicate<Resource.Owner> isEvent) {
        var staying = new HashSet<String>();
        var going = new HashSet<String>();
        var leaving = new HashSet<String>();
        for (var reference : references) {
            var owner = nodes.get(reference.uid());
            if (owner == null && isEvent.test(reference)) {
                staying.add(reference.uid());
            } else if (owner == null || !mayOwn(owner.key(), node.key())) {
                leaving.add(reference.uid());
            } else if (owner.foreground()) {
                going.add(reference.uid());
                leaving.add(reference.uid());
            } else {
                staying.add(reference.uid());
            }
        }
        return new Owners(staying, going, leaving);
    }

    /// An owner stands in the same namespace as what it owns, or in none.
    private static boolean mayOwn(Key owner, Key dependent) {
        return owner.cluster().equals(dependent.cluster())
                && (owner.namespace().isEmpty() || owner.namespace().equals(dependent.namespace()));
    }
}
