package dev.towtank.apiserver.upkeep;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Empties a namespace that is being deleted, then lets it go. Looked at is a namespace, by its key.
public final class NamespaceDeletion implements StoreLoop.Task<Key> {

    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");
    private static final String FINALIZER = "kubernetes";

    private final Store store;
    private final Catalog catalog;
    private final Caretaker caretaker;
    private final InstantSource clock;
    private final Set<Key> terminating = new HashSet<>();

    public NamespaceDeletion(Store store, Api api, Catalog catalog, InstantSource clock) {
        this.store = store;
        this.catalog = catalog;
        this.clock = clock;
        this.caretaker = new Caretaker(api, catalog, Caretaker.controller("namespace-controller"));
    }

    @Override
    public void reset() {
        terminating.clear();
    }

    @Override
    public void observe(Change change, Consumer<Key> touched) {
        var key = change.key();
        if (key.resource().equals(NAMESPACES)) {
            boolean gone = change.type() == Change.Type.DELETED;
            if (gone || !change.now().tree().object("metadata").has("deletionTimestamp")) {
                terminating.remove(key);
            } else if (terminating.add(key)) {
                touched.accept(key);
            }
            return;
        }
        var namespace = new Key(NAMESPACES, key.cluster(), "", key.namespace());
        if (terminating.contains(namespace)) {
            touched.accept(namespace);
        }
    }

    @Override
    public void look(Key key) {
        var namespace = store.get(key);
        if (namespace == null || !namespace.tree().object("metadata").has("deletionTimestamp")) {
            return;
        }
        var kinds = contents(key);
        for (var served : kinds) {
            if (items(key, served).stream().anyMatch(NamespaceDeletion::isUntouched)) {
                caretaker.deleteAll(key.cluster(), served, key.name());
            }
        }
        var remaining = new TreeMap<String, List<Stored>>();
        for (var served : kinds) {
            var items = items(key, served);
            if (!items.isEmpty()) {
                remaining.put(served.kind().resource().toString(), items);
            }
        }
        if (remaining.isEmpty()) {
            release(key, namespace);
        } else {
            report(key, remaining);
        }
    }

    private List<Served> contents(Key namespace) {
        return catalog.served(namespace.cluster()).stream()
                .filter(served -> served.kind().isNamespaced()
                        && served.kind().resource().equals(served.storage())
                        && served.verbs().contains(Verb.DELETECOLLECTION))
                .toList();
    }

    private List<Stored> items(Key namespace, Served served) {
        return store.list(Range.of(served.storage(), namespace.cluster(), namespace.name()), 0, null, 0)
                .items();
    }

    private static boolean isUntouched(Stored stored) {
        return !stored.tree().object("metadata").has("deletionTimestamp");
    }

    private void release(Key key, Stored namespace) {
        var finalizers = namespace.tree().array("spec", "finalizers").strings();
        if (finalizers.contains(FINALIZER)) {
            var kept =
                    finalizers.stream().filter(each -> !each.equals(FINALIZER)).toList();
            caretaker.update(
                    key, "finalize", namespace.tree().with(List.of("spec", "finalizers"), Json.Arr.ofStrings(kept)));
        }
    }

    private void report(Key key, Map<String, List<Stored>> remaining) {
        var namespace = store.get(key);
        if (namespace == null) {
            return;
        }
        var status = namespace.tree().object("status");
        var conditions = conditions(remaining);
        if (!sameBesidesTime(status.objects("conditions"), conditions)) {
            caretaker.update(
                    key,
                    "status",
                    namespace.tree().with("status", status.with("conditions", new Json.Arr(List.copyOf(conditions)))));
        }
    }

    private static boolean sameBesidesTime(List<Json.Obj> one, List<Json.Obj> other) {
        return withoutTimes(one).equals(withoutTimes(other));
    }

    private static List<Json.Obj> withoutTimes(List<Json.Obj> conditions) {
        return conditions.stream()
                .map(each -> each.without("lastTransitionTime"))
                .toList();
    }

    private List<Json.Obj> conditions(Map<String, List<Stored>> remaining) {
        var content = new ArrayList<String>();
        var finalizers = new TreeMap<String, Integer>();
        remaining.forEach((resource, items) -> {
            content.add(resource + " has " + items.size() + " resource instances");
            items.forEach(item -> item.tree()
                    .array("metadata", "finalizers")
                    .strings()
                    .forEach(finalizer -> finalizers.merge(finalizer, 1, Integer::sum)));
        });
        var held = new ArrayList<String>();
        finalizers.forEach((finalizer, count) -> held.add(finalizer + " in " + count + " resource instances"));
        return List.of(
                condition(
                        "NamespaceDeletionDiscoveryFailure",
                        false,
                        "ResourcesDiscovered",
                        "All resources successfully discovered"),
                condition(
                        "NamespaceDeletionGroupVersionParsingFailure",
                        false,
                        "ParsedGroupVersions",
                        "All legacy kube types successfully parsed"),
                condition(
                        "NamespaceDeletionContentFailure",
                        false,
                        "ContentDeleted",
                        "All content successfully deleted, may be waiting on finalization"),
                condition(
                        "NamespaceContentRemaining",
                        true,
                        "SomeResourcesRemain",
                        "Some resources are remaining: " + String.join(", ", content)),
                held.isEmpty()
                        ? condition(
                                "NamespaceFinalizersRemaining",
                                false,
                                "ContentHasNoFinalizers",
                                "All content-preserving finalizers finished")
                        : condition(
                                "NamespaceFinalizersRemaining",
                                true,
                                "SomeFinalizersRemain",
                                "Some content in the namespace has finalizers remaining: " + String.join(", ", held)));
    }

    private Json.Obj condition(String type, boolean status, String reason, String message) {
        return Json.Obj.builder()
                .put("type", type)
                .put("status", status ? "True" : "False")
                .put(
                        "lastTransitionTime",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("reason", reason)
                .put("message", message)
                .build();
    }
}
