package dev.towtank.apiserver.upkeep;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.admission.CrdEstablishment;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.CrdStatus;
import dev.towtank.model.crd.CustomResourceDefinitions;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// Deletes the objects of a definition that is being deleted, then lets it go. Looked at is a definition, by its key.
public final class DefinitionDeletion implements StoreLoop.Task<Key> {

    private static final GroupResource DEFINITIONS = CustomResourceDefinitions.KIND.resource();

    private final Store store;
    private final Caretaker caretaker;
    private final InstantSource clock;
    private final Set<Key> deleting = new HashSet<>();

    public DefinitionDeletion(Store store, Api api, Catalog catalog, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.caretaker = new Caretaker(api, catalog, Caretaker.controller("customresourcedefinition-controller"));
    }

    @Override
    public void reset() {
        deleting.clear();
    }

    @Override
    public void observe(Change change, Consumer<Key> touched) {
        var key = change.key();
        if (key.resource().equals(DEFINITIONS)) {
            boolean waits = change.type() != Change.Type.DELETED
                    && change.now().metadata().has("deletionTimestamp");
            if (waits && deleting.add(key)) {
                touched.accept(key);
            } else if (!waits) {
                deleting.remove(key);
            }
            return;
        }
        var definition = new Key(DEFINITIONS, key.cluster(), "", key.resource().toString());
        if (deleting.contains(definition)) {
            touched.accept(definition);
        }
    }

    @Override
    public void look(Key key) {
        var found = store.get(key);
        if (found == null || !found.tree().object("metadata").has("deletionTimestamp")) {
            return;
        }
        var range = Range.of(GroupResource.parse(key.name()), key.cluster());
        var objects = store.list(range, 0, null, 0).items();
        for (var object : objects) {
            if (!object.tree().object("metadata").has("deletionTimestamp")) {
                caretaker.delete(object.key(), object.tree().string("metadata", "uid"), "Background");
            }
        }
        if (store.count(range) == 0) {
            release(new Resource(key.cluster(), found.tree()), key, found.revision());
        } else if (!CrdStatus.isTerminating(found.tree())) {
            caretaker.update(
                    key, "status", found.tree().with("status", CrdStatus.terminating(found.tree(), clock.instant())));
        }
    }

    private void release(Resource definition, Key key, long revision) {
        var kept = definition.finalizers().stream()
                .filter(each -> !each.equals(CrdEstablishment.FINALIZER))
                .map(Json::of)
                .toList();
        if (kept.size() < definition.finalizers().size()) {
            caretaker.patchMetadata(
                    key,
                    definition.uid(),
                    revision,
                    Json.Obj.of("finalizers", kept.isEmpty() ? Json.Null.NULL : new Json.Arr(kept)));
        }
    }
}
