package dev.towtank.controllers.buckets.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;

/// Kinds of `objectbucket.io` and `noobaa.io`.
public final class BucketKinds {

    public static final Kind<Json.Obj> CLAIM =
            Kind.namespaced("objectbucket.io", "v1alpha1", "ObjectBucketClaim", "objectbucketclaims");
    public static final Kind<Json.Obj> BUCKET =
            Kind.clusterScoped("objectbucket.io", "v1alpha1", "ObjectBucket", "objectbuckets");
    public static final Kind<Json.Obj> NOOBAA = Kind.namespaced("noobaa.io", "v1alpha1", "NooBaa", "noobaas");
    public static final Kind<Json.Obj> BACKING_STORE =
            Kind.namespaced("noobaa.io", "v1alpha1", "BackingStore", "backingstores");

    private BucketKinds() {}
}
