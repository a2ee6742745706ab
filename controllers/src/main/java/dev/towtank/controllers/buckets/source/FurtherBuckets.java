package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/// Buckets that somebody makes and deletes with the keys of a claim which may.
record FurtherBuckets(BucketStore store) {

    /// Nothing where it is about a bucket that is theirs and stays.
    Optional<WebResponse> answer(Grant grant, String bucket, String method, Map<String, String> query)
            throws IOException, S3Refusal {
        if (!BucketStore.NAME.matcher(bucket).matches()) {
            throw new S3Refusal(400, "InvalidBucketName", "The specified bucket is not valid.");
        }
        boolean isAboutItself = query.isEmpty();
        var owner = store.owner(bucket);
        if (method.equals("PUT") && isAboutItself && !bucket.equals(grant.bucket())) {
            return Optional.of(made(grant, bucket, owner));
        }
        if (owner.isEmpty()) {
            throw S3Refusal.noSuchBucket();
        }
        boolean isTheirs = owner.get().claim().equals(grant.claim());
        if (method.equals("DELETE") && isAboutItself && isTheirs && !bucket.equals(grant.bucket())) {
            if (!store.removeEmpty(grant.claim(), bucket)) {
                throw new S3Refusal(409, "BucketNotEmpty", "The bucket you tried to delete is not empty");
            }
            return Optional.of(WebResponse.empty(204));
        }
        return Optional.empty();
    }

    private WebResponse made(Grant grant, String bucket, Optional<Owner> owner) throws IOException, S3Refusal {
        if (owner.isPresent() && owner.get().claim().equals(grant.claim())) {
            throw new S3Refusal(
                    409,
                    "BucketAlreadyOwnedByYou",
                    "Your previous request to create the named bucket succeeded and you already own it.");
        }
        if (store.bucketsOf(grant.claim()).size() > grant.more()) {
            throw new S3Refusal(400, "TooManyBuckets", "You have attempted to create more buckets than allowed.");
        }
        if (!store.make(grant, bucket)) {
            throw new S3Refusal(409, "BucketAlreadyExists", "The requested bucket name is not available.");
        }
        return WebResponse.empty(200).with("Location", "/" + bucket);
    }
}
