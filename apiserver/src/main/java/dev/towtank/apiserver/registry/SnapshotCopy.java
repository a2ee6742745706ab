package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.store.Key;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.Services;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What an object of one cluster becomes in another that begins as its copy.
///
/// Only what changes is made anew: of a large definition, all but its metadata is the very tree that the snapshot has.
///
/// @param uids the new ones by the old
record SnapshotCopy(Map<String, String> uids, Instant now) {

    /// What belongs to a moment, a machine or a process; controllers make it again.
    private static final Set<GroupResource> LEFT_OUT = Set.of(
            new GroupResource("", "pods"),
            new GroupResource("", "events"),
            new GroupResource("events.k8s.io", "events"),
            new GroupResource("", "endpoints"),
            new GroupResource("discovery.k8s.io", "endpointslices"),
            new GroupResource("", "persistentvolumes"),
            new GroupResource("storage.k8s.io", "volumeattachments"),
            new GroupResource("coordination.k8s.io", "leases"));

    private static final String TOKEN_TYPE = "kubernetes.io/service-account-token";
    private static final List<String> BINDING =
            List.of("pv.kubernetes.io/bind-completed", "pv.kubernetes.io/bound-by-controller");

    /// What a snapshot keeps of an object; nothing of those that are on their way out.
    static Optional<Json.Obj> kept(Key key, Json.Obj object) {
        if (LEFT_OUT.contains(key.resource())
                || Clusters.isBirth(key)
                || object.object("metadata").has("deletionTimestamp")) {
            return Optional.empty();
        }
        if (key.resource().equals(Secrets.KIND.resource())
                && object.string("type").equals(TOKEN_TYPE)) {
            return Optional.of(object.without(List.of("data", "token")));
        }
        if (key.resource().equals(PersistentVolumeClaims.KIND.resource())) {
            return Optional.of(unbound(object));
        }
        return Optional.of(key.resource().equals(Services.KIND.resource()) ? homeless(object) : object);
    }

    /// Its data stays where it is: the copy gets a volume of its own.
    private static Json.Obj unbound(Json.Obj claim) {
        var free =
                claim.without(List.of("spec", "volumeName")).with("status", Json.Obj.of("phase", Json.of("Pending")));
        for (var mark : BINDING) {
            free = free.without(List.of("metadata", "annotations", mark));
        }
        return free;
    }

    /// Addresses are of the machine, so no two Services have the same.
    private static Json.Obj homeless(Json.Obj service) {
        boolean isOfTheServer = service.string("metadata", "name").equals("kubernetes")
                && service.string("metadata", "namespace").equals("default");
        if (isOfTheServer || Services.isHeadless(service)) {
            return service;
        }
        var ports = service.array("spec", "ports")
                .map(port -> port instanceof Json.Obj fields ? fields.without("nodePort") : port);
        return service.without(List.of("spec", "clusterIP"))
                .without(List.of("spec", "clusterIPs"))
                .without(List.of("spec", "healthCheckNodePort"))
                .with(List.of("spec", "ports"), ports);
    }

    Json.Obj of(Key key, Json.Obj object) {
        // A schema has no uids, and is large.
        var copied = key.resource().equals(CustomResourceDefinitions.KIND.resource())
                ? object.with("metadata", renamed(object.object("metadata")))
                : (Json.Obj) renamed(object);
        return copied.with(List.of("metadata", "creationTimestamp"), Json.of(Timestamps.seconds(now)));
    }

    private Json renamed(Json value) {
        return switch (value) {
            case Json.Str(var text) -> {
                var known = uids.get(text);
                yield known == null ? value : Json.of(known);
            }
            case Json.Obj object -> renamedFields(object);
            case Json.Arr array -> renamedItems(array);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> value;
        };
    }

    // What is the same was not changed: to compare whole trees would cost more than to copy them.
    @SuppressWarnings("ReferenceEquality")
    private Json renamedFields(Json.Obj object) {
        var result = object;
        for (int i = 0; i < object.size(); i++) {
            var before = object.value(i);
            var after = renamed(before);
            if (after != before) {
                result = result.with(object.key(i), after);
            }
        }
        return result;
    }

    @SuppressWarnings("ReferenceEquality")
    private Json renamedItems(Json.Arr array) {
        var items = new ArrayList<Json>(array.size());
        boolean isChanged = false;
        for (var item : array) {
            var after = renamed(item);
            isChanged |= after != item;
            items.add(after);
        }
        return isChanged ? new Json.Arr(items) : array;
    }
}
