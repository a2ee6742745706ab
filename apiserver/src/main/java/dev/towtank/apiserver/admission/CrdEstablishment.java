package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.CrdStatus;
import dev.towtank.model.crd.CustomResourceDefinitions;
import java.time.InstantSource;
import java.util.List;

/// Establishes a definition in the very write that makes or changes it, so that its kinds are served at once.
///
/// Its finalizer keeps it until its objects are gone; see the upkeep of definitions.
public final class CrdEstablishment implements Admission {

    public static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private final Store store;
    private final InstantSource clock;

    public CrdEstablishment(Store store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        if (!review.isKind(CustomResourceDefinitions.KIND)
                || !review.subresource().isEmpty()) {
            refuseNewOfEnding(review);
            return object;
        }
        var kept = review.operation() == Review.Operation.CREATE ? withFinalizer(object) : object;
        return kept.with("status", CrdStatus.compute(kept, others(review), clock.instant()));
    }

    // Objects of a kind that is being deleted can go, and no new ones come.
    private void refuseNewOfEnding(Review review) {
        if (review.operation() != Review.Operation.CREATE) {
            return;
        }
        var resource = review.kind().resource();
        var definition = store.get(
                new Key(CustomResourceDefinitions.KIND.resource(), review.cluster(), "", resource.toString()));
        if (definition != null && definition.metadata().has("deletionTimestamp")) {
            throw StatusError.forbidden(
                    resource, review.name(), "create not allowed while custom resource definition is terminating");
        }
    }

    private static Json.Obj withFinalizer(Json.Obj object) {
        var present = object.array("metadata", "finalizers");
        return present.strings().contains(FINALIZER)
                ? object
                : object.with(List.of("metadata", "finalizers"), present.plus(Json.of(FINALIZER)));
    }

    private List<Json.Obj> others(Review review) {
        var name = review.name();
        var group = name.substring(name.indexOf('.') + 1);
        var range = Range.of(CustomResourceDefinitions.KIND.resource(), review.cluster());
        return store.list(range, 0, null, 0).items().stream()
                .filter(each ->
                        !each.key().name().equals(name) && each.key().name().endsWith("." + group))
                .map(each -> each.tree())
                .toList();
    }
}
