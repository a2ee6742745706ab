package dev.towtank.controllers.buckets;

import dev.towtank.controllers.buckets.api.BucketKinds;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What of a claim cannot change any more. Not as rules of its definition: to read those takes a library that a server
/// without claims need not load.
final class ClaimRules implements KindBehaviour {

    @Override
    public String group() {
        return BucketKinds.CLAIM.group();
    }

    @Override
    public String kind() {
        return BucketKinds.CLAIM.kind();
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        if (old == null) {
            return Optional.empty();
        }
        var name = object.string("metadata", "name");
        if (isSet(old, "bucketName") && differs(object, old, "bucketName")) {
            return refused(name, object, "bucketName", "bucketName is immutable once it is set");
        }
        if (isSet(old, "objectBucketName") && differs(object, old, "storageClassName")) {
            return refused(name, object, "storageClassName", "storageClassName is immutable once a bucket is provided");
        }
        var more = more(object);
        return isSet(old, "objectBucketName") && !more.equals(more(old))
                ? Optional.of(StatusError.invalid(
                        BucketKinds.CLAIM,
                        name,
                        List.of(new FieldError(
                                FieldError.Type.INVALID,
                                "spec.additionalConfig[" + Claim.MORE + "]",
                                Json.of(more),
                                Claim.MORE + " is immutable once a bucket is provided"))))
                : Optional.empty();
    }

    private static String more(Json.Obj claim) {
        return claim.object("spec", "additionalConfig").string(Claim.MORE);
    }

    private static boolean isSet(Json.Obj claim, String field) {
        return !claim.string("spec", field).isEmpty();
    }

    private static boolean differs(Json.Obj claim, Json.Obj old, String field) {
        return !claim.string("spec", field).equals(old.string("spec", field));
    }

    private static Optional<StatusError> refused(String name, Json.Obj claim, String field, String why) {
        var error = new FieldError(FieldError.Type.INVALID, "spec." + field, Json.of(claim.string("spec", field)), why);
        return Optional.of(StatusError.invalid(BucketKinds.CLAIM, name, List.of(error)));
    }
}
