package dev.towtank.apiserver.upkeep;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.admission.StorageProtection;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// Lets deleted claims and volumes go once nothing uses them. Looked at is a claim or a volume, by its key.
public final class StorageRelease implements StoreLoop.Task<Key> {

    private static final GroupResource CLAIMS = new GroupResource("", "persistentvolumeclaims");
    private static final GroupResource VOLUMES = new GroupResource("", "persistentvolumes");
    private static final GroupResource PODS = new GroupResource("", "pods");

    private final Store store;
    private final Caretaker caretaker;
    private final Set<Key> deleting = new HashSet<>();

    public StorageRelease(Store store, Api api, Catalog catalog) {
        this.store = store;
        this.caretaker = new Caretaker(api, catalog, Caretaker.controller("pvc-protection-controller"));
    }

    @Override
    public void reset() {
        deleting.clear();
    }

    @Override
    public void observe(Change change, Consumer<Key> touched) {
        var key = change.key();
        if (key.resource().equals(CLAIMS) || key.resource().equals(VOLUMES)) {
            boolean waits = change.type() != Change.Type.DELETED
                    && change.now().tree().object("metadata").has("deletionTimestamp");
            if (waits && deleting.add(key)) {
                touched.accept(key);
            } else if (!waits) {
                deleting.remove(key);
            }
        }
        if (key.resource().equals(PODS) || key.resource().equals(VOLUMES)) {
            deleting.forEach(touched);
        }
    }

    @Override
    public void look(Key key) {
        var found = store.get(key);
        if (found == null) {
            return;
        }
        var object = new Resource(key.cluster(), found.tree());
        var finalizer =
                key.resource().equals(CLAIMS) ? StorageProtection.CLAIM_FINALIZER : StorageProtection.VOLUME_FINALIZER;
        if (object.isDeleting() && object.finalizers().contains(finalizer) && !isUsed(object, key)) {
            var kept = object.finalizers().stream()
                    .filter(each -> !each.equals(finalizer))
                    .map(Json::of)
                    .toList();
            caretaker.patchMetadata(
                    key,
                    object.uid(),
                    found.revision(),
                    Json.Obj.of("finalizers", kept.isEmpty() ? Json.Null.NULL : new Json.Arr(kept)));
        }
    }

    private boolean isUsed(Resource object, Key key) {
        if (key.resource().equals(VOLUMES)) {
            return object.status().string("phase").equals("Bound");
        }
        return store.list(Range.of(PODS, key.cluster(), key.namespace()), 0, null, 0).items().stream()
                .anyMatch(pod -> mounts(pod, key.name()));
    }

    private static boolean mounts(Stored pod, String claim) {
        var phase = pod.tree().string("status", "phase");
        return !phase.equals("Succeeded")
                && !phase.equals("Failed")
                && pod.tree().objects("spec", "volumes").stream()
                        .anyMatch(volume -> volume.string("persistentVolumeClaim", "claimName")
                                .equals(claim));
    }
}
