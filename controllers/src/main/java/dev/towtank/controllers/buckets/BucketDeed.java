package dev.towtank.controllers.buckets;

import dev.towtank.cluster.Deed;
import dev.towtank.controllers.buckets.s3.OutsideKey;
import dev.towtank.model.Json;
import java.util.Optional;

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
    /// somebody else's, or has the `problem` with an object store elsewhere.
    ///
    /// @param claim its uid
    /// @param more how many further buckets the keys may make
    /// @param outside by which class the bucket is elsewhere
    record Provide(String claim, String bucket, String rotation, int more, Optional<OutsideKey> outside)
            implements BucketDeed {
        @Override
        public Json.Obj json() {
            var json = Json.Obj.builder()
                    .put("provide", bucket)
                    .put("for", claim)
                    .put("rotation", rotation)
                    .put("more", more);
            outside.ifPresent(key -> json.put("outside", key.json()));
            return json.build();
        }
    }

    /// Makes the keys of a claim worthless; the result has the `problem` with an object store elsewhere, if there is
    /// one.
    ///
    /// @param bucketToo whether its buckets go, with all that is in them
    record Withdraw(String claim, String bucket, boolean bucketToo) implements BucketDeed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("withdraw", Json.of(bucket), "for", Json.of(claim), "bucketToo", Json.of(bucketToo));
        }
    }
}
