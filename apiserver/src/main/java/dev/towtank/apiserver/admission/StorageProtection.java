package dev.towtank.apiserver.admission;

import dev.towtank.model.Json;
import java.util.List;

/// Marks claims and volumes so that they are not gone while something uses them.
///
/// The mark is a finalizer; whoever watches pods and claims takes it away once nothing uses the object.
public final class StorageProtection implements Admission {

    public static final String CLAIM_FINALIZER = "kubernetes.io/pvc-protection";
    public static final String VOLUME_FINALIZER = "kubernetes.io/pv-protection";

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        if (review.operation() != Review.Operation.CREATE) {
            return object;
        }
        if (review.isWholeObject("", "PersistentVolumeClaim")) {
            return withFinalizer(object, CLAIM_FINALIZER);
        }
        return review.isWholeObject("", "PersistentVolume") ? withFinalizer(object, VOLUME_FINALIZER) : object;
    }

    private static Json.Obj withFinalizer(Json.Obj object, String finalizer) {
        var present = object.array("metadata", "finalizers");
        return present.strings().contains(finalizer)
                ? object
                : object.with(List.of("metadata", "finalizers"), present.plus(Json.of(finalizer)));
    }
}
