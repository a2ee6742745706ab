package dev.towtank.controllers.buckets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.buckets.api.BucketKinds;
import dev.towtank.controllers.buckets.source.BucketStore;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.Optional;

/// Says that an ObjectBucket is bound; and lets one go whose claim has gone, with the bucket that it kept.
final class ObjectBucketReconciler implements Reconciler<Json.Obj, Optional<Resource>> {

    @Override
    public Plan reconcile(Observed<Json.Obj> bucket, Optional<Resource> claim, Instant now) {
        var object = bucket.object();
        var uid = object.spec().string("claimRef", "uid");
        boolean isClaimed = claim.filter(seen -> seen.uid().equals(uid)).isPresent();
        if (object.isDeleting()) {
            return isClaimed || !object.finalizers().contains(Claim.FINALIZER) ? Plan.none() : gone(object, uid, now);
        }
        return object.status().string("phase").isEmpty()
                ? Plan.none().setStatus(BucketKinds.BUCKET, object, Json.Obj.of("phase", Json.of("Bound")))
                : Plan.none();
    }

    private static Plan gone(Resource object, String uid, Instant now) {
        var last = BucketClaimReconciler.withoutFinalizer(BucketKinds.BUCKET, object);
        var name = object.spec().string("endpoint", "bucketName");
        return BucketStore.NAME.matcher(name).matches()
                ? Plan.of(new Change.Act(
                        new BucketDeed.Withdraw(uid, name, true),
                        result -> BucketClaimReconciler.withdrawn(object, result, last, now)))
                : last;
    }
}
