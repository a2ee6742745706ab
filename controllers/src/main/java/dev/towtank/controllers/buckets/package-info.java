/// Buckets that are claimed: an ObjectBucketClaim gets a bucket of its own in the object store of this process, and
/// keys
/// that open it and nothing else.
@NullMarked
package dev.towtank.controllers.buckets;

import org.jspecify.annotations.NullMarked;
