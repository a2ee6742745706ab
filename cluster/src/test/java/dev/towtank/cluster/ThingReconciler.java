package dev.towtank.cluster;

import static dev.towtank.cluster.Things.MAPS;
import static dev.towtank.cluster.Things.THINGS;

import dev.towtank.model.Json;
import dev.towtank.model.Records;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A small but real reconciler: a Thing wants some ConfigMaps of a color, for some seconds; then it is over for good.
///
/// Has what makes reconcilers hard: children that come and go, a finalizer, a status, a moment in the future.
public final class ThingReconciler implements Reconciler<ThingReconciler.Thing, List<Resource>> {

    static final String FINALIZER = "example.com/things";

    /// @param seconds how long it lives; 0 is for ever
    record Spec(long size, String color, long seconds) {}

    record Status(String phase, long ready, long observedGeneration) {}

    public record Thing(Spec spec, Status status) {}

    public static Controller<Thing, List<Resource>> controller(Caches caches) {
        var maps = caches.of(MAPS);
        return Controller.of(
                        "things", THINGS, thing -> maps.ownedBy(thing.object().uid()), new ThingReconciler())
                .wokenBy(Trigger.owned(MAPS, THINGS));
    }

    @Override
    public Plan reconcile(Observed<Thing> primary, List<Resource> children, Instant now) {
        var thing = primary.object();
        if (thing.isDeleting()) {
            return finish(thing, children);
        }
        if (primary.value().status().phase().equals("Over")) {
            return deleteAll(children);
        }
        if (!thing.finalizers().contains(FINALIZER)) {
            return Plan.none().patch(THINGS, thing, finalizers(Json.Arr.of(Json.of(FINALIZER))));
        }
        long seconds = primary.value().spec().seconds();
        if (seconds == 0) {
            return keep(primary, children);
        }
        var end = thing.creationTimestamp().orElseThrow().plusSeconds(seconds);
        return now.isBefore(end)
                ? keep(primary, children).then(Plan.lookAgainAt(end))
                : Plan.none()
                        .setStatus(THINGS, thing, Records.write(new Status("Over", 0, thing.generation())))
                        .then(Change.Event.normal(thing, "Over", "it lived long enough"));
    }

    private static Plan finish(Resource thing, List<Resource> children) {
        if (!children.isEmpty()) {
            return deleteAll(children);
        }
        return thing.finalizers().contains(FINALIZER)
                ? Plan.none().patch(THINGS, thing, finalizers(Json.Arr.EMPTY))
                : Plan.none();
    }

    private static Plan keep(Observed<Thing> primary, List<Resource> children) {
        var spec = primary.value().spec();
        Map<String, Resource> byName = children.stream().collect(Collectors.toMap(Resource::name, Function.identity()));
        var plan = Plan.none();
        long ready = 0;
        for (int i = 0; i < spec.size(); i++) {
            var wanted = child(primary.object(), i, spec.color());
            var found = byName.remove(wanted.name());
            if (found == null) {
                plan = plan.create(MAPS, wanted);
            } else if (!found.json().get("data").equals(wanted.json().get("data"))) {
                plan = plan.patch(MAPS, found, Json.Obj.of("data", wanted.json().get("data")));
            } else {
                ready++;
            }
        }
        for (var surplus : children) {
            if (byName.containsKey(surplus.name())) {
                plan = plan.delete(MAPS, surplus);
            }
        }
        var phase = ready == spec.size() ? "Ready" : "Progressing";
        return plan.setStatus(
                THINGS,
                primary.object(),
                Records.write(new Status(phase, ready, primary.object().generation())));
    }

    private static Plan deleteAll(List<Resource> children) {
        var plan = Plan.none();
        for (var child : children) {
            plan = plan.delete(MAPS, child);
        }
        return plan;
    }

    private static Resource child(Resource thing, int number, String color) {
        var child = Things.of(MAPS, thing.name() + "-" + number, "{\"data\":{\"color\":\"" + color + "\"}}");
        return Things.owned(child, thing);
    }

    private static Json.Obj finalizers(Json.Arr finalizers) {
        return Json.Obj.of("metadata", Json.Obj.of("finalizers", finalizers));
    }
}
