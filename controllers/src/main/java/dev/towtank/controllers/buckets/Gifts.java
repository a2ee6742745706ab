package dev.towtank.controllers.buckets;

import dev.towtank.controllers.buckets.s3.OutsidePlace;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/// The objects that tell of a bucket, as they are in OpenShift.
record Gifts(Claim claim, Resource storageClass) {

    static final String REGION = "us-east-1";

    /// On a StorageClass: whether its Secrets have the endpoint and the bucket, too. External Secrets reads Secrets
    /// and
    /// no ConfigMaps, so a chain that needs them works on such classes alone.
    private static final String WITH_ENDPOINT = "towtank.dev/endpoint-in-secret";

    Json.Obj secret(Json.Obj keys) {
        var data = new LinkedHashMap<String, String>();
        data.put("AWS_ACCESS_KEY_ID", keys.string("accessKey"));
        data.put("AWS_SECRET_ACCESS_KEY", keys.string("secretKey"));
        if (storageClass.json().string("parameters", WITH_ENDPOINT).equals("true")) {
            data.put("AWS_S3_ENDPOINT", Doorway.ENDPOINT);
            data.put("AWS_S3_BUCKET", claim.bucket().orElseThrow());
            data.put("AWS_DEFAULT_REGION", REGION);
        }
        data.replaceAll((_, value) -> Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
        return child("Secret").with("type", Json.of("Opaque")).with("data", Json.Obj.ofStrings(data));
    }

    /// The same under another name. It goes with the claim, whose it is, without anybody's help.
    Json.Obj alias(Json.Obj keys, String name) {
        var secret = secret(keys);
        var metadata = secret.object("metadata").without("finalizers").with("name", Json.of(name));
        return secret.with("metadata", metadata);
    }

    Json.Obj configMap() {
        return child("ConfigMap")
                .with(
                        "data",
                        Json.Obj.ofStrings(Map.of(
                                "BUCKET_HOST",
                                Doorway.HOST,
                                "BUCKET_NAME",
                                claim.bucket().orElseThrow(),
                                "BUCKET_PORT",
                                Integer.toString(Doorway.PORT),
                                "BUCKET_REGION",
                                "",
                                "BUCKET_SUBREGION",
                                "")));
    }

    private Json.Obj child(String kind) {
        var metadata = metadata(claim.object().name())
                .with("namespace", Json.of(claim.object().namespace()))
                .with(
                        "ownerReferences",
                        Json.Arr.of(claim.object().asOwner(true).json()));
        var rotation = claim.rotation();
        var marked = rotation.isEmpty() || !kind.equals("Secret")
                ? metadata
                : metadata.with("annotations", Json.Obj.of(Claim.ROTATE, Json.of(rotation)));
        return Json.Obj.of("apiVersion", Json.of("v1"), "kind", Json.of(kind), "metadata", marked);
    }

    private static Json.Obj metadata(String name) {
        return Json.Obj.of(
                "name",
                Json.of(name),
                "labels",
                Json.Obj.ofStrings(Map.of("app", "noobaa", "bucket-provisioner", "openshift-storage.noobaa.io-obc")),
                "finalizers",
                Json.Arr.of(Json.of(Claim.FINALIZER)));
    }

    /// Where the bucket is behind this server's own address.
    private Json.Obj state() {
        return OutsidePlace.Wish.of(storageClass)
                .map(wish -> Json.Obj.of("towtank.dev/endpoint", Json.of(wish.endpoint())))
                .orElse(Json.Obj.EMPTY);
    }

    Json.Obj objectBucket() {
        var seen = claim.object();
        var reference = Json.Obj.ofStrings(Map.of(
                "apiVersion", seen.apiVersion(),
                "kind", seen.kind(),
                "namespace", seen.namespace(),
                "name", seen.name(),
                "uid", seen.uid()));
        var endpoint = Json.Obj.builder()
                .put("bucketHost", Doorway.HOST)
                .put("bucketPort", Doorway.PORT)
                .put("bucketName", claim.bucket().orElseThrow())
                .put("region", "")
                .put("subRegion", "")
                .put("additionalConfig", seen.spec().object("additionalConfig"))
                .build();
        var policy = storageClass.json().string("reclaimPolicy");
        var spec = Json.Obj.builder()
                .put("storageClassName", storageClass.name())
                .put("reclaimPolicy", policy.isEmpty() ? "Delete" : policy)
                .put("claimRef", reference)
                .put("endpoint", endpoint)
                .put("additionalState", state())
                .build();
        return Json.Obj.builder()
                .put("apiVersion", seen.apiVersion())
                .put("kind", "ObjectBucket")
                .put("metadata", metadata(claim.bucketObject()))
                .put("spec", spec)
                .build();
    }
}
