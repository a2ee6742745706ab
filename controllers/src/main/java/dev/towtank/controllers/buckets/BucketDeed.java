package dev.towtank.controllers.buckets;

import dev.towtank.cluster.Deed;
import dev.towtank.model.Json;

/// What is done in the object store.
sealed interface BucketDeed extends Deed {

    /// Begins to listen; the result are [S3Ports].
    record Open() implements BucketDeed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("open", Json.of("s3"));
        }
    }

    /// Makes a bucket and keys where they are not there yet; the result has the keys, or is null where the bucket is
    /// somebody else's.
    ///
    /// @param claim its uid
    record Provide(String claim, String bucket, String rotation) implements BucketDeed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("provide", Json.of(bucket), "for", Json.of(claim), "rotation", Json.of(rotation));
        }
    }

    /// Makes the keys of a claim worthless.
    ///
    /// @param bucketToo whether the bucket goes, with all that is in it
    record Withdraw(String claim, String bucket, boolean bucketToo) implements BucketDeed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("withdraw", Json.of(bucket), "for", Json.of(claim), "bucketToo", Json.of(bucketToo));
        }
    }
}
