package dev.towtank.controllers.serving;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// What a pod needs to have its model at `/mnt/models`: a claim is mounted where it is, all else is fetched before.
record StorageParts(Json.Obj volume, Json.Obj mount, Optional<Json.Obj> initializer) {

    static final String MODELS = "/mnt/models";

    private static final String FETCHED = "kserve-provision-location";
    private static final String CLAIM = "kserve-pvc-source";
    private static final String INITIALIZER = "kserve/storage-initializer:latest";

    static StorageParts of(Storage storage, List<Json> credentials) {
        return switch (storage) {
            case Storage.Claim(var claim, var path) -> {
                var mount = mount(CLAIM).with("readOnly", Json.Bool.TRUE);
                yield new StorageParts(
                        Json.Obj.of(
                                "name",
                                Json.of(CLAIM),
                                "persistentVolumeClaim",
                                Json.Obj.of("claimName", Json.of(claim))),
                        path.isEmpty() ? mount : mount.with("subPath", Json.of(path)),
                        Optional.empty());
            }
            case Storage.Bucket(var bucket, var prefix) -> fetched("s3://" + bucket + "/" + prefix, credentials);
            case Storage.Configured configured -> fetched("<scheme-placeholder>://" + configured.path(), credentials);
        };
    }

    private static StorageParts fetched(String address, List<Json> credentials) {
        var initializer = Json.Obj.builder()
                .put("name", "storage-initializer")
                .put("image", INITIALIZER)
                .put("args", Json.Arr.ofStrings(List.of(address, MODELS)))
                .putNonEmpty("env", new Json.Arr(credentials))
                .put("terminationMessagePolicy", "FallbackToLogsOnError")
                .put("volumeMounts", Json.Arr.of(mount(FETCHED)))
                .build();
        return new StorageParts(
                Json.Obj.of("name", Json.of(FETCHED), "emptyDir", Json.Obj.EMPTY),
                mount(FETCHED).with("readOnly", Json.Bool.TRUE),
                Optional.of(initializer));
    }

    private static Json.Obj mount(String volume) {
        return Json.Obj.of("name", Json.of(volume), "mountPath", Json.of(MODELS));
    }
}
