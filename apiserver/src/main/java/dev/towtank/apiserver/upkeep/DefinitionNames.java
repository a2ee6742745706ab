package dev.towtank.apiserver.upkeep;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.crd.CrdStatus;
import dev.towtank.model.crd.CustomResourceDefinitions;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// Gives definitions that wait for a name what others of their group have let go. Looked at is one that waits.
public final class DefinitionNames implements StoreLoop.Task<Key> {

    private static final GroupResource DEFINITIONS = CustomResourceDefinitions.KIND.resource();

    private final Store store;
    private final Caretaker caretaker;
    private final InstantSource clock;
    private final Set<Key> waiting = new HashSet<>();

    public DefinitionNames(Store store, Api api, Catalog catalog, InstantSource clock) {
        this.store = store;
        this.caretaker = new Caretaker(api, catalog, Caretaker.controller("customresourcedefinition-controller"));
        this.clock = clock;
    }

    @Override
    public void reset() {
        waiting.clear();
    }

    @Override
    public void observe(Change change, Consumer<Key> touched) {
        var key = change.key();
        if (!key.resource().equals(DEFINITIONS)) {
            return;
        }
        boolean waits = change.type() != Change.Type.DELETED && !CrdStatus.hasItsNames(conditions(change));
        if (waits) {
            waiting.add(key);
        } else {
            waiting.remove(key);
        }
        for (var other : waiting) {
            if (other.cluster().equals(key.cluster()) && group(other).equals(group(key))) {
                touched.accept(other);
            }
        }
    }

    // All definitions pass here at the start; their schemas are not needed.
    private static Json.Obj conditions(Change change) {
        return Json.Obj.of(
                "status", JsonText.field(change.now().bytes(), "status").orElse(Json.Obj.EMPTY));
    }

    private static String group(Key key) {
        return key.name().substring(key.name().indexOf('.') + 1);
    }

    @Override
    public void look(Key key) {
        var found = store.get(key);
        if (found == null) {
            return;
        }
        var crd = found.tree();
        var others = store.list(Range.of(DEFINITIONS, key.cluster()), 0, null, 0).items().stream()
                .filter(each -> !each.key().equals(key) && group(each.key()).equals(group(key)))
                .map(each -> each.tree())
                .toList();
        var status = CrdStatus.compute(crd, others, clock.instant());
        if (!status.equals(crd.get("status"))) {
            caretaker.update(key, "status", crd.with("status", status));
        }
    }
}
