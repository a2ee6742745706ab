package dev.towtank.controllers.buckets.s3;

import dev.towtank.model.Json;
import java.util.Optional;

/// By which StorageClass a bucket is elsewhere; where that is and with which keys may change, so it is looked up when
/// somebody asks.
///
/// @param cluster the id of the logical cluster that the class is in
public record OutsideKey(String cluster, String storageClass) {

    public static Optional<OutsideKey> read(Json.Obj json) {
        var name = json.string("outside", "storageClass");
        return name.isEmpty() ? Optional.empty() : Optional.of(new OutsideKey(json.string("outside", "cluster"), name));
    }

    public Json.Obj json() {
        return Json.Obj.of("cluster", Json.of(cluster), "storageClass", Json.of(storageClass));
    }
}
