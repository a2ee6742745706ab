package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.secrets.PushFacts.Present;
import dev.towtank.controllers.secrets.PushFacts.Source;
import dev.towtank.controllers.secrets.PushFacts.Store;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.controllers.secrets.reading.WebCall;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.patch.MergePatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Collects what becomes of the Secrets that a PushSecret is about, and then what makes them so.
final class PushPlan {

    /// A request to another Kubernetes.
    ///
    /// @param isFine what it may answer beside what is good anyway
    record Send(WebCall call, int isFine) implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("send", Json.of(call.toString()));
        }
    }

    /// A Secret somewhere.
    private record Place(Store store, String name) {
        Present present() {
            return store.present().getOrDefault(name, new Present(Optional.empty(), "", ""));
        }
    }

    private final Resource object;
    private final boolean onlyIfMissing;
    private final Map<String, Place> places = new TreeMap<>();
    private final Map<String, Json.Obj> wanted = new TreeMap<>();

    PushPlan(Resource object) {
        this.object = object;
        this.onlyIfMissing = object.spec().string("updatePolicy").equals("IfNotExists");
    }

    /// @param synced gets what there is to be told about it
    void push(Store store, Source source, Map<String, Json.Obj> synced) {
        refuseUnusable(store);
        for (var line : object.spec().objects("data")) {
            var entry = new PushEntry(line);
            var key = at(store, entry.remoteKey());
            var before = before(key);
            boolean isKept = onlyIfMissing && before.has("data") && entry.isIn(before);
            if (!isKept) {
                wanted.put(key, entry.into(before, source));
            }
            synced.merge(store.key(), Json.Obj.of(entry.key(), line), (one, other) -> one.with(entry.key(), line));
        }
    }

    private static void refuseUnusable(Store store) {
        if (!store.problem().isEmpty()) {
            throw ReadProblem.of("set secret failed: could not get secrets client for store " + store.name() + ": "
                    + store.problem());
        }
    }

    private String at(Store store, String name) {
        var key = store.key() + "#" + name;
        places.put(key, new Place(store, name));
        return key;
    }

    /// As it will be by what was collected up to now.
    private Json.Obj before(String key) {
        var planned = wanted.get(key);
        if (planned != null) {
            return planned;
        }
        var place = places.get(key);
        return place == null
                ? Json.Obj.EMPTY
                : place.present().secret().map(PushPlan::shape).orElse(Json.Obj.EMPTY);
    }

    /// What a push is about, of a whole Secret.
    private static Json.Obj shape(Resource secret) {
        return Json.Obj.of(
                "type", Json.of(secret.json().string("type")),
                "metadata",
                        Json.Obj.of(
                                "labels", secret.metadata().object("labels"),
                                "annotations", secret.metadata().object("annotations")),
                "data", secret.json().object("data"));
    }

    /// Takes away what was pushed before and is not any more.
    void takeBack(List<Store> stores, Map<String, Json.Obj> synced) {
        for (var store : stores) {
            var before = object.status().object("syncedPushSecrets", store.key());
            var kept = synced.getOrDefault(store.key(), Json.Obj.EMPTY);
            before.forEach((key, line) -> {
                if (!kept.has(key) && line instanceof Json.Obj old) {
                    refuseUnusable(store);
                    takeBack(store, new PushEntry(old));
                }
            });
        }
    }

    private void takeBack(Store store, PushEntry entry) {
        var key = at(store, entry.remoteKey());
        var before = before(key);
        var data = before.object("data");
        if (!before.has("data") || (!entry.property().isEmpty() && !data.has(entry.property()))) {
            return;
        }
        boolean isWhole = entry.property().isEmpty() || data.size() == 1;
        wanted.put(key, isWhole ? Json.Obj.EMPTY : before.with("data", data.without(entry.property())));
    }

    Plan plan() {
        var plan = Plan.NONE;
        for (var each : wanted.entrySet()) {
            var place = places.get(each.getKey());
            if (place != null) {
                plan = plan.then(change(place, each.getValue()));
            }
        }
        return plan;
    }

    private Plan change(Place place, Json.Obj shape) {
        var present = place.present();
        boolean isGone = shape.size() == 0;
        if (isGone
                ? present.secret().isEmpty()
                : present.secret().map(PushPlan::shape).equals(Optional.of(shape))) {
            return Plan.NONE;
        }
        var problem = isGone ? present.mayDelete() : present.mayWrite();
        if (!problem.isEmpty()) {
            throw ReadProblem.of("set secret failed: could not write remote ref " + place.name() + " to target"
                    + " secretstore " + place.store().name() + ": " + problem);
        }
        return place.store().server().isPresent() ? sent(place, shape) : written(place, shape);
    }

    private Plan written(Place place, Json.Obj shape) {
        var present = place.present().secret();
        if (present.isEmpty()) {
            return Plan.of(new Change.Create(Secrets.KIND, object.with(whole(place, shape))));
        }
        if (shape.size() == 0) {
            return Plan.NONE.delete(Secrets.KIND, present.get());
        }
        return Plan.NONE.patch(Secrets.KIND, present.get(), MergePatch.diff(shape(present.get()), shape));
    }

    private static Plan sent(Place place, Json.Obj shape) {
        var server = place.store().server().orElseThrow();
        var present = place.present().secret();
        var call = present.isEmpty()
                ? server.write("POST", "", whole(place, shape))
                : shape.size() == 0
                        ? server.write("DELETE", place.name(), Json.Obj.EMPTY)
                        : server.write("PUT", place.name(), merged(present.get(), shape));
        return Plan.of(new Change.Act(new Send(call, shape.size() == 0 ? 404 : 200), Deed.Sequel.NONE));
    }

    private static Json.Obj merged(Resource present, Json.Obj shape) {
        var metadata = present.metadata()
                .with("labels", shape.object("metadata", "labels"))
                .with("annotations", shape.object("metadata", "annotations"));
        return present.json().with("metadata", metadata).with("data", shape.object("data"));
    }

    private static Json.Obj whole(Place place, Json.Obj shape) {
        var metadata = shape.object("metadata")
                .with("name", Json.of(place.name()))
                .with("namespace", Json.of(place.store().namespace()));
        return Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Secret")
                .put("metadata", metadata)
                .put("type", shape.string("type"))
                .put("data", shape.object("data"))
                .build();
    }

    /// Another one when the sources are others.
    static String hash(List<Source> sources) {
        var all = new StringBuilder();
        for (var source : sources) {
            all.append(Hashes.ofData(source.data()))
                    .append(new TreeMap<>(source.labels()))
                    .append(new TreeMap<>(source.annotations()))
                    .append('\n');
        }
        return Hashes.ofText(all.toString());
    }
}
